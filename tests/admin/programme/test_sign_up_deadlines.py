"""Organisers read that the deadline of a sign-up stays when its event moves."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from events.admin.timetable.day import event_token
from events.models import Event
from tests.admin.pages import LATER, act, asks, messages_of, move, picked
from tests.factories import at, make_conference, make_event

pytestmark = pytest.mark.django_db

NOTE = "Sign-up of “Workshop” closed 24 Apr 2025 08:00, Singapore, which stays: change it in its form."


@pytest.fixture
def workshop(db: None) -> Event:
    return make_event(make_conference(), title="Workshop", start="09:00", end="10:00", signup_until=at("08:00"))


def pages(client: Client, event: Event) -> list[Any]:
    """Of the form, of an action and of the timetable, before a move is saved."""
    drop = {"event": event_token(event), "day": "", "start": "11:00", "room": ""}
    return [
        move(client, event, **LATER),
        act(client, "session", "move", [event], minutes="60"),
        client.get("/organise/events/event/move/", drop),
    ]


def test_page_before_a_move_says_that_the_deadline_stays(organiser: Client, workshop: Event) -> None:
    picked(1, workshop)

    assert [NOTE in page.text for page in pages(organiser, workshop)] == [True] * 3


def test_move_that_needs_no_page_says_it_once_it_is_saved(organiser: Client, workshop: Event) -> None:
    assert NOTE in messages_of(move(organiser, workshop, **LATER))
    assert NOTE in messages_of(act(organiser, "session", "move", [workshop], minutes="60"))


def test_what_leaves_start_and_deadline_alone_says_nothing(organiser: Client, workshop: Event) -> None:
    picked(1, workshop)

    assert [(asks(page), NOTE in page.text) for page in [move(organiser, workshop, end_1="11:00")]] == [(True, False)]


def test_move_with_another_deadline_says_nothing(organiser: Client, workshop: Event) -> None:
    picked(1, workshop)

    page = move(organiser, workshop, **LATER, signup_until_1="10:30")

    assert (asks(page), NOTE in page.text) == (True, False)
