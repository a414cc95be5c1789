from __future__ import annotations

import dataclasses

import pytest

from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING, ImportDifference, ReportLine, SyncError
from events.models import Authorship, Award, Change, Conference, Event, Leg, Link, Route, Walk
from events.programme.data.place import LegData
from events.programme.data.schedule import LinkData
from tests.factories import at
from tests.imports.sync.programmes import changed, event, everything, programme, row, whole_programme, with_events

pytestmark = pytest.mark.django_db


def test_sync_creates_the_conference_and_its_rows() -> None:
    report = sync(whole_programme(), source="file", hooks=PUBLISHING)

    conference = Conference.objects.get()
    oral = row("oral")
    assert (conference.slug, conference.name, conference.source, conference.status) == ("demo", "Demo", "file", "published")
    assert str(report) == "created 3, changed 0, cancelled 0, unchanged 0, skipped 0"
    assert report.sentences("created") == ["created “Session”", "created “Desk”", "created “Oral”"]
    assert (oral.start, oral.room and oral.room.name, oral.track and oral.track.name) == (at("09:00"), "Hall 1", "Theory")
    assert (oral.session, oral.status) == (row("session"), "confirmed")
    assert [it.name for it in conference.services.all()] == ["Desk"]
    assert row("desk").service == conference.services.get()


def test_sync_creates_children_in_their_order() -> None:
    sync(whole_programme(), source="file", hooks=PUBLISHING)

    oral = row("oral")
    assert [(it.person.name, it.role, it.remote) for it in oral.appearances.all()] == [
        ("Durk Kingma", "speaker", False),
        ("Ada Lovelace", "speaker", False),
    ]
    assert [(it.person.name, it.role, it.remote) for it in row("session").appearances.all()] == [
        ("Ada Lovelace", "moderator", True)
    ]
    assert [it.person.name for it in Authorship.objects.all()] == ["Durk Kingma", "Ada Lovelace"]
    assert [(it.event, it.paper, it.kind) for it in Link.objects.order_by("kind")] == [
        (None, oral.paper, "code"),
        (oral, None, "slides"),
    ]
    assert [(it.instruction, it.minutes, it.covered) for it in Leg.objects.all()] == [("Up", 2, None), ("On", None, None)]
    assert [(it.origin.name, it.destination.name) for it in Walk.objects.all()] == [("Halls", "Exit A")]
    assert [(it.paper, it.event) for it in Award.objects.all()] == [(oral.paper, oral)]


def test_sync_announces_a_first_programme_quietly() -> None:
    sync(whole_programme(), source="file", hooks=PUBLISHING)

    assert Change.objects.count() == 0
    assert {it.announced == it.public_snapshot() for it in Event.objects.all()} == {True}


def test_sync_twice_writes_nothing() -> None:
    sync(whole_programme(), source="file", hooks=PUBLISHING)
    before = everything()

    report = sync(whole_programme(), source="file", hooks=PUBLISHING)

    assert everything() == before
    assert report.is_empty
    assert str(report) == "created 0, changed 0, cancelled 0, unchanged 3, skipped 0"
    assert (report.lines, report.other_rows) == ([], 0)


def test_sync_records_what_the_file_changed() -> None:
    sync(whole_programme(), source="file", hooks=PUBLISHING)
    oral = row("oral")

    report = sync(changed(whole_programme(), "oral", start=at("09:30"), room="hall-2"), source="file")

    assert (report.created, report.changed, report.unchanged) == (0, 1, 2)
    assert report.lines == [
        ReportLine(
            "changed",
            "Oral",
            guid=str(oral.guid),
            differences=(
                ImportDifference("start", "Thu 24 April 2025, 09:00", "Thu 24 April 2025, 09:30"),
                ImportDifference("room", "Hall 1", "Hall 2"),
            ),
            slot="Thu 24 April, 09:30–10:00 · Hall 2",
            about=("time", "room"),
        )
    ]
    assert [(it.event, it.field, it.old, it.new) for it in Change.objects.order_by("pk")] == [
        (oral, "start", "2025-04-24T01:00:00+00:00", "2025-04-24T01:30:00+00:00"),
        (oral, "room", "Hall 1", "Hall 2"),
    ]
    assert row("oral").sequence == 1
    assert row("oral").history.count() == 2


def test_sync_records_a_later_event_as_new() -> None:
    data = programme(event("one"))
    sync(data, source="file", hooks=PUBLISHING)

    sync(with_events(data, event("one"), event("two")), source="file")

    assert [(it.event, it.field, it.new) for it in Change.objects.all()] == [(row("two"), "status", "confirmed")]


def test_sync_of_a_renamed_room_reaches_its_events() -> None:
    data = whole_programme()
    sync(data, source="file", hooks=PUBLISHING)
    hall = dataclasses.replace(data.rooms[0], name="Hall One")

    report = sync(dataclasses.replace(data, rooms=(hall, data.rooms[1])), source="file")

    assert [(it.event, it.field, it.old, it.new) for it in Change.objects.all()] == [(row("oral"), "room", "Hall 1", "Hall One")]
    assert (report.changed, report.other_rows) == (0, 1)
    assert report.sentences("changed") == ["changed room “Hall 1”: name: “Hall 1” → “Hall One”"]


def test_sync_replaces_children_that_changed() -> None:
    data = whole_programme()
    sync(data, source="file", hooks=PUBLISHING)
    route = dataclasses.replace(data.routes[0], legs=(LegData(instruction="Take the lift", step_free=True),))
    links = (LinkData(kind="video", url="https://example.org/video"),)

    sync(dataclasses.replace(changed(data, "oral", people=(), links=links), routes=(route,)), source="file")

    assert [(it.instruction, it.step_free) for it in Leg.objects.all()] == [("Take the lift", True)]
    assert list(row("oral").appearances.all()) == []
    assert [it.kind for it in row("oral").links.all()] == ["video"]
    assert Route.objects.get().legs.count() == 1


def test_sync_moves_the_revision_when_anything_changed() -> None:
    data = whole_programme()
    sync(data, source="file", hooks=PUBLISHING)
    before = Conference.objects.get().revision
    walk = dataclasses.replace(data.walks[0], minutes=6)

    sync(dataclasses.replace(data, walks=(walk,)), source="file")

    assert Conference.objects.get().revision == before + 1
    assert Walk.objects.get().minutes == 6


def test_rows_that_refer_to_each_other_may_come_in_any_order() -> None:
    data = programme(event("a", session="b"), event("b", session="c"), event("c"))

    sync(data, source="file", hooks=PUBLISHING)

    assert [row(key).session for key in "abc"] == [row("b"), row("c"), None]


def test_dry_run_reports_the_same_and_writes_nothing() -> None:
    sync(programme(event("one"), event("two")), source="file")
    before = everything()
    later = programme(event("one", title="Changed"), event("three"))

    would = sync(later, source="file", dry_run=True, allow_cancel=True)
    after = everything()
    did = sync(later, source="file", allow_cancel=True)

    assert after == before
    assert (str(would), would.lines) == (str(did), did.lines)
    assert str(did) == "created 1, changed 1, cancelled 1, unchanged 0, skipped 0"


def test_dry_run_of_a_new_conference_leaves_no_row() -> None:
    before = everything()

    report = sync(whole_programme(), source="file", dry_run=True)

    assert report.created == 3
    assert everything() == before


def test_sync_creates_no_conference_unless_allowed() -> None:
    with pytest.raises(SyncError, match="There is no conference “demo”: create it first"):
        sync(whole_programme(), source="file", create=False)

    assert Conference.objects.count() == 0
