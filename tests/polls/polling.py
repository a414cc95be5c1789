"""A poll at a panel that is on, and people who vote."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client
from django.urls import reverse

from events.models import Event, Poll
from tests.factories import at, make_agenda, make_conference, make_event

DURING = at("09:30")
WEIGHTS = "Should weights be open?"


def make_panel(**fields: Any) -> Event:
    """From nine to ten on Thursday."""
    return make_event(make_conference(slug="demo"), **{"title": "Panel", "start": "09:00", "end": "10:00"} | fields)


def make_poll(event: Event, *answers: str, question: str = WEIGHTS, state: str = "open", votes: tuple[int, ...] = ()) -> Poll:
    """With as many votes of somebody new as ``votes`` says for each answer."""
    poll = Poll.objects.create(event=event, question=question)
    poll.set_answers(answers or ("Yes", "No", "It depends"))
    if state != "draft":
        poll.open(seen="draft")
    for number, count in enumerate(votes, start=1):
        for _ in range(count):
            poll.vote(make_agenda(event.conference)[0], number)
    if state == "closed":
        poll.close(seen="open")
    poll.refresh_from_db()
    return poll


def list_url(event: Event) -> str:
    return reverse("events:poll-list", args=[event.conference.slug, event.guid])


def vote_url(poll: Poll) -> str:
    return reverse("events:poll-vote", args=[poll.event.conference.slug, poll.event.guid, poll.guid])


def vote(client: Client, poll: Poll, answer: object = 1, **options: Any) -> Any:
    return client.post(vote_url(poll), {"answer": answer}, **options)


def answer_rows(page: str) -> list[str]:
    """What each answer says, in words alone."""
    rows = re.finditer(r'<(button|div) class="poll-answer".*?</\1>', page, re.DOTALL)
    return [" ".join(re.sub("<[^>]+>", " ", row[0]).split()) for row in rows]


def pressed(page: str) -> list[str]:
    """The numbers of the pressed answers."""
    return re.findall(r'name="answer" value="(\d)" aria-pressed="true"', page)
