"""What is on now where hundreds of posters hang in one hall and no session holds them."""

from __future__ import annotations

from typing import Any

import pytest

from events.models import Conference, Event, Room
from events.pages.queries.overview import overview
from events.pages.queries.venue import venue_page
from tests.factories import at, make_conference, make_day, make_event, make_room, make_type
from tests.pages.queries.reading import clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


def hang(conference: Conference, room: Room, count: int, start: str, end: str) -> None:
    values = {"conference": conference, "day": make_day(conference), "type": make_type(conference, "poster"), "room": room}
    values |= {"status": "confirmed", "start": at(start), "end": at(end)}
    Event.objects.bulk_create([Event(title=f"Poster {start} {it:03}", **values) for it in range(count)])


def hall_of(count: int) -> Conference:
    """Posters now and later, and a talk beside them."""
    conference = make_conference(slug="demo")
    hall = make_room(conference, "Hall")
    hang(conference, hall, count, "09:00", "12:00")
    hang(conference, hall, count, "14:00", "16:00")
    make_event(conference, title="Keynote", start="09:00", end="10:00", room=make_room(conference, "Garnet"))
    return conference


class Read:
    """Counts the events that are made from rows of the database."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count, made = 0, Event.from_db.__func__  # type: ignore[attr-defined]

        def from_db(cls: type[Event], *values: Any) -> Event:
            self.count += 1
            event: Event = made(cls, *values)
            return event

        monkeypatch.setattr(Event, "from_db", classmethod(from_db))


def test_overview_bundles_what_hangs_now(monkeypatch: pytest.MonkeyPatch) -> None:
    conference = hall_of(200)
    read = Read(monkeypatch)

    page = overview(conference, clock("09:30"))

    assert [it.card.title for it in page.now] == ["Keynote"]
    assert [(it.words, it.url) for it in page.bundles] == [
        ("200 posters", "/demo/schedule/2025-04-24/?type=poster&start=2025-04-24T09:00")
    ]
    assert read.count == 7


def test_few_posters_stand_on_the_overview_one_by_one() -> None:
    page = overview(hall_of(3), clock("09:30"))

    assert sorted(it.card.title for it in page.now) == ["Keynote", "Poster 09:00 000", "Poster 09:00 001", "Poster 09:00 002"]
    assert page.bundles == []


def test_venue_reads_one_event_of_a_room_for_now_and_one_for_next(monkeypatch: pytest.MonkeyPatch) -> None:
    conference = hall_of(200)
    read = Read(monkeypatch)

    (venue,) = venue_page(conference, clock("09:30")).venues

    rows = {it.room.name: (it.now and it.now.title, it.next and it.next.title) for zone in venue.zones for it in zone.rooms}
    assert rows == {"Hall": ("Poster 09:00 000", "Poster 14:00 000"), "Garnet": ("Keynote", None)}
    assert read.count == 3
