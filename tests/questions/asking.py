"""A panel that takes questions while it is on, and people who ask."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from django.test import Client
from django.urls import reverse

from events.models import Conference, Event, Question
from tests.factories import SINGAPORE, at, make_agenda, make_conference, make_event

DURING = at("09:30")
LATER = at("11:00")
# The last day is Monday 28 April; a week later is 5 May.
LONG_AFTER = dt.datetime(2025, 5, 6, 0, 1, tzinfo=SINGAPORE)
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


def withdraw_url(question: Question) -> str:
    return reverse("events:question-withdraw", args=[question.event.conference.slug, question.event.guid, question.guid])


def ask(client: Client, event: Event, text: str = WHY, **sent: Any) -> Any:
    return client.post(ask_url(event), {"text": text, **sent})


def vote(client: Client, question: Question, on: str = "1", **options: Any) -> Any:
    return client.post(vote_url(question), {"on": on}, **options)


def words(html: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", html).split())


def rows(page: str) -> list[str]:
    """What stands in each question's row, in words alone."""
    return [words(it) for it in re.findall(r'<li class="question".*?</li>', page, re.DOTALL)]


def pressed(page: str) -> dict[str, bool]:
    """By its guid, whether each question's button is pressed."""
    found = re.findall(r'<button class="vote" id="vote-([0-9a-f-]{36})"[^>]* aria-pressed="(true|false)"', page)
    return {guid: it == "true" for guid, it in found}
