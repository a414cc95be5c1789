from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from events.models import Announcement, Event, Paper, Person, Room, Topic, Track
from tests.factories import (
    THURSDAY,
    make_appearance,
    make_conference,
    make_day,
    make_event,
    make_paper,
    make_person,
    make_room,
    make_zone,
)
from tests.programme.models.snapshots import changes_of, revision, snapshot

pytestmark = pytest.mark.django_db


def make_full_event() -> Event:
    conference = make_conference(city="Singapore")
    author = make_person(conference, "Jimmy Ba")
    event = make_event(
        conference,
        kind="talk",
        room=make_room(conference, "Garnet 212"),
        track=Track.objects.create(conference=conference, name="Theory"),
        topic=Topic.objects.create(conference=conference, area="Optimisation"),
        paper=make_paper(conference, author, title="Adam"),
        announce=False,
    )
    make_appearance(event, make_person(conference, "Durk Kingma"))
    conference.events.all().record_changes(quiet=True)
    return Event.objects.get(pk=event.pk)


def renamed(row: Any, **fields: Any) -> bool:
    for name, value in fields.items():
        setattr(row, name, value)
    done: bool = row.revise(reason="Typo")
    return done


RENAMES: dict[str, tuple[str, dict[str, Any], list[tuple[str, str, str]], int]] = {
    "room": ("room", {"name": "Garnet 213"}, [("room", "Garnet 212", "Garnet 213")], 1),
    "floor": ("room", {"floor": "2"}, [], 0),
    "zone": ("room.zone", {"name": "West wing"}, [], 0),
    "venue": ("room.zone.venue", {"name": "Expo"}, [], 0),
    "type": ("type", {"name": "Oral"}, [("type", "Talk", "Oral")], 0),
    "track": ("track", {"name": "Practice"}, [("track", "Theory", "Practice")], 0),
    "topic": ("topic", {"area": "Training"}, [], 0),
    "day": ("day", {"date": THURSDAY + dt.timedelta(days=1)}, [("day", "2025-04-24", "2025-04-25")], 1),
    "paper": ("paper", {"title": "Adam: a method"}, [], 0),
    "paper-hidden": ("paper", {"is_public": False}, [], 0),
}


def related(event: Event, path: str) -> Any:
    row: Any = event
    for name in path.split("."):
        row = getattr(row, name)
    return row


@pytest.mark.parametrize("what", RENAMES)
def test_renaming_what_an_event_shows_reaches_the_event(what: str) -> None:
    event = make_full_event()
    path, fields, recorded, raised = RENAMES[what]
    before = snapshot(event)

    assert renamed(related(event, path), **fields)

    after = snapshot(event)
    assert changes_of(event) == recorded
    assert {change.reason for change in event.changes.all()} == ({"Typo"} if recorded else set())
    assert after.sequence == before.sequence + raised
    assert after.revised_at > before.revised_at
    assert after.revision > before.revision
    assert after.announced == Event.objects.get(pk=event.pk).public_snapshot() != before.announced


@pytest.mark.parametrize(
    ("name", "recorded"),
    [
        pytest.param("Durk Kingma", [("people", "Durk Kingma", "Diederik Kingma")], id="who-appears"),
        pytest.param("Jimmy Ba", [], id="who-wrote-the-paper"),
    ],
)
def test_renaming_a_person_reaches_their_events(name: str, recorded: list[tuple[str, str, str]]) -> None:
    event = make_full_event()
    before = snapshot(event)

    renamed(Person.objects.get(name=name), name="Diederik Kingma")

    assert changes_of(event) == recorded
    assert snapshot(event).revised_at > before.revised_at


@pytest.mark.parametrize("path", ["room", "room.zone", "room.zone.venue", "type", "track", "topic", "day", "paper", "conference"])
def test_saving_without_a_change_moves_nothing(path: str) -> None:
    event = make_full_event()
    before = snapshot(event)
    row = related(event, path)
    rows_of_history = row.history.count() if hasattr(row, "history") else 0

    assert renamed(row) is False

    assert snapshot(event) == before
    assert (row.history.count() if hasattr(row, "history") else 0) == rows_of_history


def test_what_an_import_remembers_is_no_change() -> None:
    room = make_room(make_conference())
    before = revision(room.conference)

    assert renamed(room, imported={"name": "Hall 1"}, source="seed", source_key="hall") is False

    assert revision(room.conference) == before


def test_other_events_are_left_alone() -> None:
    event = make_full_event()
    other = make_event(event.conference, room=make_room(event.conference, "Hall 9"))
    before = snapshot(other)

    renamed(event.room, name="Garnet 999")

    assert snapshot(other) == before._replace(revision=snapshot(event).revision)


@pytest.mark.parametrize("model", [Room, Paper, Announcement])
def test_a_new_row_moves_the_revision(model: Any) -> None:
    conference = make_conference()
    before = revision(conference)
    rows = {
        Room: lambda: Room(conference=conference, zone=make_zone(conference), name="Hall 1"),
        Paper: lambda: Paper(conference=conference, title="Adam"),
        Announcement: lambda: Announcement(conference=conference, title="Lunch"),
    }

    assert renamed(rows[model]())

    assert revision(conference) == before + 1
    assert model.objects.count() == 1


def test_a_conference_that_changes_its_name_moves_its_revision_once() -> None:
    conference = make_conference()
    before = revision(conference)

    assert renamed(conference, name="ICLR")

    assert revision(conference) == before + 1


def test_a_day_without_events_may_move() -> None:
    day = make_day(make_conference())

    assert renamed(day, date=THURSDAY + dt.timedelta(days=2))
    assert str(day) == "Sat 26 April 2025"
