"""Our schedule.ics imports as it was exported, in all fields that a calendar has."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from events.imports.sync.engine import sync
from events.models import Conference, Event, Status

pytestmark = pytest.mark.django_db
SEEDS = Path(__file__).parents[4] / "seeds"


@pytest.fixture
def conference() -> Conference:
    call_command("seed", SEEDS / "iclr-2025", verbosity=0)
    conference = Conference.objects.get()
    cancelled = conference.events.filter(type__kind="session", start__isnull=False).in_order()[0]
    cancelled.status = Status.CANCELLED
    cancelled.revise()
    poster = conference.events.public().filter(type__kind="poster", room__isnull=False, day__isnull=False)[0]
    poster.board = "Board #43"
    poster.revise()
    return conference


def calendar(client: Client, conference: Conference) -> Document:
    return Document.from_upload("download", client.get(f"/{conference.slug}/schedule.ics").content)


def test_own_calendar_keeps_keys_times_and_places(client: Client, conference: Conference) -> None:
    found, schedule = registry.parse_document(calendar(client, conference), Hints(slug="copy", timezone=conference.timezone))

    events = {event.key: event for event in schedule.events}
    rooms = {room.key: room.name for room in schedule.rooms}
    public = list(Event.objects.public().filter(conference=conference, day__isnull=False).select_related("day"))
    assert found.name == "icalendar"
    assert schedule.skipped == ()
    assert sorted(events) == sorted(str(event.guid) for event in public)
    for event in public:
        read = events[str(event.guid)]
        assert (read.guid, read.day, read.start, read.end) == (str(event.guid), str(event.day.date), event.start, event.end)
        assert (read.status == "cancelled") is event.is_cancelled
        assert (read.board, rooms.get(read.room, read.place)) == (event.board.lstrip("#"), event.location)
        assert read.title.rstrip("…") == event.title[: len(read.title.rstrip("…"))]


def test_own_calendar_names_the_zone_of_its_conference(client: Client, conference: Conference) -> None:
    _, schedule = registry.parse_document(calendar(client, conference), Hints(slug="copy"))

    assert schedule.conference.timezone == conference.timezone


def test_own_calendar_can_be_imported_beside_its_conference(client: Client, conference: Conference) -> None:
    _, schedule = registry.parse_document(calendar(client, conference), Hints(slug="copy", timezone=conference.timezone))

    first = sync(schedule, source="icalendar")
    second = sync(schedule, source="icalendar")

    assert (first.created, second.created, second.changed) == (len(schedule.events), 0, 0)
