"""What an entry says of the last change of its event: why it is cancelled, and from where it was moved."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from events.calendars import feeds
from events.models import Conference, Event
from tests.calendars.reading import unfolded
from tests.calendars.writing import property_of
from tests.factories import THURSDAY, at, make_agenda, make_conference, make_day, make_event, make_room

FRIDAY = THURSDAY + dt.timedelta(days=1)
pytestmark = pytest.mark.django_db


def revised(event: Event, reason: str = "", **fields: Any) -> Event:
    for name, value in fields.items():
        setattr(event, name, value)
    event.revise(reason=reason)
    return event


def first_line(event: Event) -> str:
    return property_of(event, "DESCRIPTION").replace("\\,", ",").split("\\n")[0]


def make_keynote(**fields: Any) -> Event:
    conference = make_conference(slug="demo")
    room = make_room(conference, "Topaz 220")
    return make_event(conference, **{"title": "Keynote", "start": "09:15", "end": "10:00", "room": room} | fields)


WHEN = "Thu 24 Apr, 09:15–10:00 Singapore time, Topaz 220, Singapore EXPO"


def test_event_that_never_changed_begins_with_its_time() -> None:
    assert first_line(make_keynote()) == WHEN


def test_cancelled_event_says_why() -> None:
    keynote = make_keynote()

    assert first_line(revised(keynote, "Speaker is late", status="cancelled")) == "Cancelled: Speaker is late"
    # A later move has a reason of its own.
    revised(keynote, "Swapped", start=at("09:30"))
    assert first_line(keynote) == "Cancelled: Speaker is late"
    assert first_line(revised(keynote, "She came", status="confirmed")) == "Moved from 09:15 (Swapped)"


def test_cancelled_event_without_a_reason_begins_with_its_time() -> None:
    assert first_line(revised(make_keynote(), status="cancelled")) == WHEN


def test_moved_event_says_from_where_and_why() -> None:
    keynote = make_keynote()
    conference, lines = keynote.conference, []

    lines.append(first_line(revised(keynote, "Speaker is late", start=at("09:30"))))
    lines.append(first_line(revised(keynote, room=make_room(conference, "Garnet"))))
    lines.append(first_line(revised(keynote, "Rain", start=at("08:00"), room=None, place="Bar")))
    tomorrow = {"day": make_day(conference, FRIDAY), "start": at("08:00", FRIDAY), "end": at("10:00", FRIDAY)}
    lines.append(first_line(revised(keynote, **tomorrow)))

    assert lines == [
        "Moved from 09:15 (Speaker is late)",
        "Moved from Topaz 220",
        "Moved from 09:30, Garnet (Rain)",
        "Moved from Thu 24 April, 08:00",
    ]


def test_hour_that_was_announced_is_no_move() -> None:
    keynote = make_keynote(start=None, end=None)

    revised(keynote, start=at("09:15"), end=at("10:00"))

    assert first_line(keynote) == WHEN


def test_corrected_title_leaves_the_last_move() -> None:
    keynote = revised(make_keynote(), "Speaker is late", start=at("09:30"))

    assert first_line(revised(keynote, "Typo", title="Keynotes")) == "Moved from 09:15 (Speaker is late)"


def test_reason_cannot_end_the_line() -> None:
    keynote = revised(make_keynote(), "Late; sorry", start=at("09:30"))
    keynote.changes.update(reason="Late\r\nATTENDEE:x")

    assert first_line(keynote) == "Moved from 09:15 (Late ATTENDEE:x)"


def bodies(conference: Conference, *events: Event) -> list[bytes]:
    agenda, _ = make_agenda(conference, *events)
    return [feeds.agenda_feed(agenda, at("08:00")).body, Client().get("/demo/schedule.ics").content]


def test_feed_and_programme_say_it_too() -> None:
    keynote = make_keynote()
    other = make_event(keynote.conference, title="Other", start="11:00", end="12:00")
    assert not any(b"Moved from" in body for body in bodies(keynote.conference, keynote, other))

    revised(keynote, "Speaker is late", start=at("09:30"))

    for body in bodies(Conference.objects.get(), keynote, other):
        # The first is the calendar's.
        _, *found = [line for line in unfolded(body) if line.startswith("DESCRIPTION:")]
        assert [it.partition("\\n")[0].replace("\\,", ",") for it in found] == [
            "DESCRIPTION:Moved from 09:15 (Speaker is late)",
            "DESCRIPTION:Thu 24 Apr, 11:00–12:00 Singapore time",
        ]


@pytest.mark.parametrize("moved", [1, 3])
def test_moves_of_any_number_of_events_cost_one_query(django_assert_num_queries: Any, moved: int) -> None:
    conference = make_conference(slug="demo")
    events = [make_event(conference, start="09:00", end="10:00") for _ in range(3)]
    for event in events[:moved]:
        revised(event, start=at("09:30"))

    with django_assert_num_queries(6):
        body = Client().get("/demo/schedule.ics").content

    assert body.count(b"Moved from 09:00") == moved


def test_cancelled_session_lists_no_talks() -> None:
    session = make_event(make_conference(), title="Workshop", start="09:00", end="10:00")
    make_event(session.conference, kind="talk", title="Inside", session=session, start="09:00", end="09:15")
    assert "Inside" in property_of(session, "DESCRIPTION")

    revised(session, status="cancelled")

    assert "Inside" not in property_of(session, "DESCRIPTION")
