from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from events.models import Conference, Event, Link, Service, Topic, Track
from events.programme.models.publishing import CHANGE_FIELDS, SEQUENCE_FIELDS
from tests.factories import (
    THURSDAY,
    at,
    make_appearance,
    make_conference,
    make_day,
    make_event,
    make_paper,
    make_person,
    make_room,
    make_type,
)
from tests.programme.models.snapshots import changes_of, revision, snapshot

pytestmark = pytest.mark.django_db

FRIDAY = THURSDAY + dt.timedelta(days=1)
Edit = Callable[[Conference], dict[str, Any]]

# By field of the snapshot: an edit, its old and new value in a Change row (None: no row), and whether it raises SEQUENCE.
SNAPSHOT: dict[str, tuple[Edit, tuple[str, str] | None, bool]] = {
    "title": (lambda it: {"title": "New"}, ("Old", "New"), True),
    "language": (lambda it: {"language": "de"}, None, False),
    "status": (lambda it: {"status": "cancelled"}, ("confirmed", "cancelled"), True),
    "day": (
        lambda it: {"day": make_day(it, FRIDAY), "start": None, "end": None},
        ("2025-04-24", "2025-04-25"),
        True,
    ),
    "start": (lambda it: {"start": at("08:00")}, ("2025-04-24T01:00:00+00:00", "2025-04-24T00:00:00+00:00"), True),
    "end": (lambda it: {"end": at("11:00")}, ("2025-04-24T02:00:00+00:00", "2025-04-24T03:00:00+00:00"), True),
    "room": (lambda it: {"room": make_room(it, "Hall 2")}, ("Lobby", "Hall 2"), True),
    "type": (lambda it: {"type": make_type(it, "talk")}, ("Session", "Talk"), False),
    "track": (lambda it: {"track": Track.objects.create(conference=it, name="Theory")}, ("", "Theory"), False),
    "topic": (lambda it: {"topic": Topic.objects.create(conference=it, area="RL")}, None, False),
    "session": (lambda it: {"session": make_event(it, title="Oral 1A")}, ("", "Oral 1A"), False),
    "board": (lambda it: {"board": "#12"}, ("", "#12"), False),
    "official": (lambda it: {"official": True}, ("", "yes"), False),
    "audience": (lambda it: {"audience": "Everybody"}, None, False),
    "signup_url": (lambda it: {"signup_url": "https://example.org/"}, ("", "https://example.org/"), False),
    "signup_state": (lambda it: {"signup_state": "full"}, ("", "full"), False),
    "signup_until": (lambda it: {"signup_until": at("07:00")}, ("", "2025-04-23T23:00:00+00:00"), False),
    "access": (lambda it: {"access_notes": "Lift to level 2"}, None, False),
    "overflow": (lambda it: {"overflow_room": make_room(it, "Hall 3")}, ("", "Hall 3"), False),
    "cost": (lambda it: {"cost": "10 SGD"}, ("", "10 SGD"), False),
    "capacity": (lambda it: {"capacity": 80}, ("", "80"), False),
    "stream_url": (lambda it: {"stream_url": "https://example.org/live"}, None, False),
    "recording_url": (lambda it: {"recording_url": "https://example.org/video"}, None, False),
    "recording_from": (lambda it: {"recording_from": dt.date(2025, 5, 28)}, ("", "2025-05-28"), False),
    "paper": (lambda it: {"paper": make_paper(it, make_person(it))}, None, False),
    "subtitle": (lambda it: {"subtitle": "And why"}, None, False),
    "description": (lambda it: {"description": "At length"}, None, False),
    "do_not_record": (lambda it: {"do_not_record": True}, ("", "yes"), False),
    "recording_license": (lambda it: {"recording_license": "CC BY 4.0"}, None, False),
    "exported": (lambda it: {"export_slug": "demo-12-talk"}, None, False),
    "text": (lambda it: {"abstract": "Corrected"}, None, False),
    "extras": (lambda it: {"at_venue": True}, None, False),
}
UNSEEN: dict[str, Edit] = {
    "signup_checked_at": lambda it: {"signup_checked_at": at("09:30")},
    "position": lambda it: {"position": 7},
    "takes_questions": lambda it: {"takes_questions": True},
    "service": lambda it: {"service": Service.objects.create(conference=it, name="Desk")},
}


def make_talk() -> Event:
    return make_event(make_conference(), title="Old", start="09:00", end="10:00", place="Lobby")


@pytest.mark.parametrize("field", SNAPSHOT)
def test_revise_records_what_attendees_see_differently(field: str) -> None:
    event = make_talk()
    edit, recorded, raises = SNAPSHOT[field]
    values = edit(event.conference)
    before = snapshot(event)

    for name, value in values.items():
        setattr(event, name, value)
    changes = event.revise(reason="Because")

    after = snapshot(event)
    assert [(it.old, it.new) for it in changes if it.field == field] == ([recorded] if recorded else [])
    assert {it.reason for it in changes} == ({"Because"} if recorded else set())
    assert after.sequence - before.sequence == int(raises)
    assert after.revised_at > before.revised_at
    assert after.revision > before.revision
    assert after.history == before.history + 1
    assert event.announced == Event.objects.get(pk=event.pk).public_snapshot()


def test_table_above_has_every_field_of_the_snapshot() -> None:
    event = make_talk()
    for field, (edit, _, _) in SNAPSHOT.items():
        # A cancelled event, or one that lost its times, would show less.
        if field not in {"status", "day"}:
            for name, value in edit(event.conference).items():
                setattr(event, name, value)
    event.save()
    make_appearance(event, make_person(event.conference))

    shown = set(Event.objects.get(pk=event.pk).public_snapshot())

    assert shown - {"people", "location", "venue", "within"} == set(SNAPSHOT)
    assert {field for field, (_, recorded, _) in SNAPSHOT.items() if recorded} == set(CHANGE_FIELDS) - {"people"}
    assert {field for field, (_, _, raises) in SNAPSHOT.items() if raises} == SEQUENCE_FIELDS


@pytest.mark.parametrize("field", UNSEEN)
def test_revise_records_nothing_that_attendees_do_not_see(field: str) -> None:
    event = make_talk()
    values = UNSEEN[field](event.conference)
    before = snapshot(event)

    for name, value in values.items():
        setattr(event, name, value)
    changes = event.revise()

    after = snapshot(event)
    assert changes == []
    # Of some, kept pages show what calendars do not.
    revision = before.revision + (field in {"position", "service", "signup_checked_at", "takes_questions"})
    assert after == before._replace(history=before.history + 1, revision=revision)
    assert getattr(Event.objects.get(pk=event.pk), field) == values[field]


def test_revise_without_a_change_writes_nothing() -> None:
    event = make_talk()
    before = snapshot(event)

    changes = Event.objects.get(pk=event.pk).revise(reason="Pressed save again")

    assert changes == []
    assert snapshot(event) == before


def test_revise_to_the_same_instant_in_another_zone_changes_nothing() -> None:
    event = make_talk()
    before = snapshot(event)

    event.start = at("09:00").astimezone(dt.UTC)
    event.revise()

    assert snapshot(event) == before


@pytest.mark.parametrize(
    ("fields", "recorded"),
    [
        pytest.param({}, [("people", "", "Ada Lovelace")], id="people"),
        pytest.param({"remote": True}, [("people", "", "Ada Lovelace")], id="remote-people"),
    ],
)
def test_revise_records_who_appears(fields: dict[str, Any], recorded: list[tuple[str, str, str]]) -> None:
    event = make_talk()

    make_appearance(event, make_person(event.conference), **fields)
    event.revise()

    assert changes_of(event) == recorded
    assert event.sequence == 0


def test_revise_for_a_new_link_updates_calendars_without_a_change() -> None:
    event = make_talk()
    before = snapshot(event)

    Link.objects.create(event=event, kind="slides", url="https://example.org/slides")
    event.revise()

    after = snapshot(event)
    assert changes_of(event) == []
    assert after.sequence == before.sequence
    assert after.revised_at > before.revised_at


def test_one_edit_of_three_fields_raises_sequence_once_and_records_three_changes() -> None:
    event = make_talk()

    event.start, event.end, event.title = at("14:00"), at("15:00"), "New"
    event.revise()

    assert event.sequence == 1
    assert [field for field, _, _ in changes_of(event)] == ["start", "end", "title"]


def test_revise_of_an_instance_read_earlier_keeps_what_was_announced_since() -> None:
    event = make_talk()
    read_earlier = Event.objects.get(pk=event.pk)
    event.title = "New"
    event.revise()

    read_earlier.abstract, read_earlier.title = "Corrected", "New"
    read_earlier.revise()

    assert read_earlier.sequence == 1
    assert changes_of(event) == [("title", "Old", "New")]
    assert Event.objects.get(pk=event.pk).abstract == "Corrected"


def test_saving_a_conference_read_earlier_keeps_its_revision() -> None:
    event = make_talk()
    read_earlier = Conference.objects.get(pk=event.conference_id)
    for title in ["One", "Two", "Three"]:
        event.title = title
        event.revise()
    before = revision(event.conference)

    read_earlier.edition = "Thirteenth"
    read_earlier.revise()

    assert revision(event.conference) == before + 1


def test_half_a_session_moved_is_one_revision_of_the_conference() -> None:
    conference = make_conference()
    talks = [make_event(conference, start="09:00", end="10:00") for _ in range(3)]
    before = revision(conference)

    for talk in talks:
        talk.start = at("09:30")
        talk.save_changed()
    changes = Event.objects.filter(pk__in=[talk.pk for talk in talks]).record_changes(reason="Late")

    assert revision(conference) == before + 1
    assert [(it.event, it.field, it.reason) for it in changes] == [(talk, "start", "Late") for talk in talks]


@pytest.mark.parametrize("what", ["venue", "city", "role"])
def test_revise_of_related_rows_updates_calendars_without_a_change(what: str) -> None:
    event = make_talk()
    appearance = make_appearance(event, make_person(event.conference))
    event.room = make_room(event.conference, "Hall 9")
    event.revise()
    before, changes = snapshot(event), changes_of(event)

    if what == "venue":
        venue = event.room.zone.venue
        venue.latitude, venue.longitude = 1.3340333, 103.9589306
        venue.revise()
    elif what == "city":
        event.conference.city = "Changi"
        event.conference.revise()
    else:
        appearance.role = "moderator"
        appearance.save()
        event.revise()

    after = snapshot(Event.objects.get(pk=event.pk))
    assert changes_of(event) == changes
    assert after.sequence == before.sequence
    assert after.revised_at > before.revised_at
