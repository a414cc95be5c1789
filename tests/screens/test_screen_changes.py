"""What wall screens show beside a plain programme: moved starts, cancellations, breaks elsewhere, and what comes at night."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client

from events.models import Room
from tests.factories import at, make_conference, make_event, make_room
from tests.screens.test_screen_views import DOOR, FOYER, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Room:
    return make_room(make_conference(slug="demo", name="Demo"), "Hall 1")


def test_reason_of_a_cancellation_is_shown_with_what_takes_place_next(hall: Room) -> None:
    keynote = make_event(hall.conference, title="Keynote", start="09:00", end="10:00", room=hall)
    second = make_event(hall.conference, title="Second", start="10:00", end="11:00", room=hall)
    make_event(hall.conference, title="Orals", start="11:00", end="12:00", room=hall)
    make_event(hall.conference, title="On", start="09:00", end="10:00", room=make_room(hall.conference, "Hall 2", hall.zone))
    for event in (keynote, second):
        event.status = "cancelled"
        event.revise(reason=f"{event.title} speaker is ill.")

    door, foyer = words(Client().get(DOOR)), words(Client().get(FOYER))

    assert "Cancelled 09:00– 10:00 Keynote Keynote speaker is ill." in door
    assert "Next 10:00 Cancelled Second Second speaker is ill. 11:00 Orals" in door
    assert "Hall 1 Keynote Cancelled Keynote speaker is ill. Next: Second 10:00 Cancelled 11:00 Orals" in foyer


@pytest.mark.parametrize(("made", "expected"), [("2025-04-24T08:00", True), ("2025-04-21T08:00", False)])
def test_start_that_moved_lately_is_marked(hall: Room, made: str, expected: bool) -> None:
    event = make_event(hall.conference, title="Keynote", start="09:30", end="10:30", room=hall)
    make_event(hall.conference, title="On", start="09:00", end="10:00", room=make_room(hall.conference, "Hall 2", hall.zone))
    event.start = at("10:00")
    event.revise(reason="The speaker is late.")
    event.changes.update(at=dt.datetime.fromisoformat(f"{made}+08:00"))

    door, foyer = words(Client().get(DOOR)), words(Client().get(FOYER))

    assert ("in 20 min Keynote Moved from 09:30 : The speaker is late." in door) is expected
    assert ("Next: Keynote 10:00 in 20 min was 09:30" in foyer) is expected


def test_start_that_moved_back_is_not_marked(hall: Room) -> None:
    event = make_event(hall.conference, title="Keynote", start="09:30", end="10:30", room=hall)
    for start in ("09:20", "09:30"):
        event.start = at(start)
        event.revise(reason="A mistake.")

    assert "Now until 10:30 Keynote Session" in words(Client().get(DOOR))


def test_break_says_where_it_is(hall: Room) -> None:
    make_event(hall.conference, kind="break", title="Lunch", start="09:30", end="10:30", place="Foyer of Hall 2")
    make_event(hall.conference, title="On", start="09:00", end="10:00", room=make_room(hall.conference, "Hall 2", hall.zone))

    assert "Now until 10:30 Lunch: Foyer of Hall 2" in words(Client().get(DOOR))
    assert "Now: Lunch: Foyer of Hall 2 until 10:30" in words(Client().get(FOYER))


def test_foyer_at_night_names_the_first_of_what_starts_together(hall: Room) -> None:
    for number in range(7):
        room = make_room(hall.conference, f"Garnet {number}", hall.zone, position=number + 1)
        make_event(hall.conference, title=f"Workshop {number}", start="09:00", end="10:00", room=room, position=number)

    shown = words(Client().get("/demo/screen/?zone=all&at=2025-04-24T00:30"))
    door = words(Client().get("/demo/screen/?room=garnet-1&at=2025-04-24T00:30"))

    first = " ".join(f"Garnet {number} Workshop {number}" for number in range(5))
    assert f"Thursday 24 April 09:00 7 events No more events here tonight. {first} Demo" in shown
    assert "Thursday 24 April 09:00 Workshop 1 No more events here tonight. Demo" in door
