"""A panel that takes questions while it is on, and people who ask."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.urls import reverse

from events.models import Conference, Event, Question
from tests.factories import at, make_agenda, make_conference, make_event

DURING = at("09:30")
WHY = "Why does this work at all?"


def make_panel(conference: Conference | None = None, **fields: Any) -> Event:
    """From nine to ten on Thursday."""
    usual = {"title": "Panel", "start": "09:00", "end": "10:00", "takes_questions": True}
    return make_event(conference or make_conference(slug="demo"), **usual | fields)


def make_question(event: Event, text: str = WHY, *, votes: int = 0, **fields: Any) -> Question:
    """Asked by somebody new, with the votes of as many others."""
    question = Question.ask(make_agenda(event.conference)[0], event, text)
    for _ in range(votes):
        question.vote(make_agenda(event.conference)[0], on=True)
    for name, value in fields.items():
        setattr(question, name, value)
    question.save()
    return question


def list_url(event: Event) -> str:
    return reverse("events:question-list", args=[event.conference.slug, event.guid])


def ask_url(event: Event) -> str:
    return reverse("events:question-ask", args=[event.conference.slug, event.guid])


def vote_url(question: Question) -> str:
    return reverse("events:question-vote", args=[question.event.conference.slug, question.event.guid, question.guid])


def ask(client: Client, event: Event, text: str = WHY, **sent: Any) -> Any:
    return client.post(ask_url(event), {"text": text, **sent})


def vote(client: Client, question: Question, on: str = "1", **options: Any) -> Any:
    return client.post(vote_url(question), {"on": on}, **options)
