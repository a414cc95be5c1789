"""Exports that are joined from kept pieces equal those that are built anew, after any edits."""

from __future__ import annotations

import datetime as dt
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db.models import QuerySet
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from events.calendars import entries
from events.calendars.feeds import schedule_feed
from events.core.kept_pieces import KEPT_PIECES
from events.core.stored_files import STORED_EXPORTS
from events.exports import kept_json
from events.exports.files import Export
from events.exports.piece_keys import DATE_COLUMNS, OWN_COLUMNS
from events.exports.programme import whole_programme
from events.exports.schedule_json import EventPieces
from events.exports.values import ExportUrls, Timetable
from events.models import (
    Authorship,
    Conference,
    Event,
    EventType,
    Link,
    Paper,
    Person,
    RevisionScope,
    Room,
    Service,
    Topic,
    Track,
)
from events.programme.models.event_columns import UNANNOUNCED_FIELDS
from tests.agenda.kept_pages import EDITS, edit, make_programme
from tests.factories import THURSDAY, at, make_appearance, make_conference, make_event, make_person

pytestmark = pytest.mark.django_db
MORNING = at("08:30")


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.EXPORT_ROOT = tmp_path
    return tmp_path


def built(name: str) -> bytes:
    conference = Conference.objects.get(slug="demo")
    if name == "schedule.ics":
        return schedule_feed(conference).build().body
    return gzip.decompress(Export(name, whole_programme(conference, THURSDAY)).build().body)


def built_anew(name: str, settings: Any, folder: Path) -> bytes:
    settings.EXPORT_ROOT = folder / "empty"
    STORED_EXPORTS.clear()
    try:
        return built(name)
    finally:
        settings.EXPORT_ROOT = folder


def track(event: Event, number: int) -> None:
    event.track, _ = Track.objects.get_or_create(conference=event.conference, name=f"Track {number % 2}")


def person(event: Event, number: int) -> None:
    somebody = Person.objects.order_by("pk").first() or make_person(event.conference)
    somebody.name, somebody.bio = f"Ada {number % 3}", f"Wrote {number}."
    somebody.revise()
    if not event.appearances.exists():
        make_appearance(event, somebody)


def link(event: Event, number: int) -> None:
    event.links.all().delete()
    Link.objects.create(event=event, kind="website", url=f"https://example.org/{number}", title="More")


def zone(event: Event, number: int) -> None:
    conference = Conference.objects.get(pk=event.conference_id)
    conference.timezone = ("Asia/Singapore", "Europe/Oslo", "America/St_Johns")[number % 3]
    conference.revise()


def unannounced(event: Event, rows: QuerySet[Any], **values: Any) -> None:
    """Change rows without a word to the events that show them: a revision that does not say what it changed."""
    rows.update(**values)
    Conference.objects.get(pk=event.conference_id).bump_revision()


def label(event: Event, number: int) -> None:
    track(event, number)
    event.save()
    rows = (EventType.objects.filter(pk=event.type_id), Track.objects.filter(pk=event.track_id))[number % 2]
    unannounced(event, rows, name=f"Label {number}")


def topic(event: Event, number: int) -> None:
    event.topic, _ = Topic.objects.get_or_create(conference=event.conference, area="Area", subarea=f"Part {number % 2}")
    event.save()
    Paper.objects.update(topic=event.topic)
    unannounced(event, Topic.objects.filter(pk=event.topic_id), slug=f"topic-{number}")


def paper(event: Event, number: int) -> None:
    somebody = Person.objects.order_by("pk").first() or make_person(event.conference)
    shown = Paper.objects.get()
    Authorship.objects.get_or_create(paper=shown, person=somebody)
    Link.objects.get_or_create(paper=shown, kind="website", url=f"https://example.org/{number}")
    unannounced(event, Paper.objects.all(), abstract=f"Abstract {number % 3}", is_public=number % 4 != 0)


def hidden_name(event: Event, number: int) -> None:
    unannounced(event, Person.objects.all(), name=f"Renamed {number}")


def place_of_service(event: Event, number: int) -> None:
    rooms = Room.objects.order_by("pk")
    event.service, _ = Service.objects.get_or_create(conference=event.conference, name="Desk", room=rooms[0])
    event.room = None
    event.save()
    unannounced(event, rooms.filter(pk=rooms[0].pk), name=f"Foyer {number}")


def slug(event: Event, number: int) -> None:
    unannounced(event, EventType.objects.filter(pk=event.type_id), slug=f"type-{number}")


def column(name: str, value: Callable[[int], Any]) -> Callable[[Event, int], None]:
    return lambda event, number: setattr(event, name, value(number))


MORE: dict[str, Callable[[Event, int], None]] = {
    "track": track,
    "person": person,
    "link": link,
    "zone": zone,
    "label": label,
    "topic": topic,
    "paper's texts": paper,
    "hidden name": hidden_name,
    "place of a service": place_of_service,
    "slug of a type": slug,
    "description": column("description", lambda number: f"Text {number}" * (number % 2)),
    "number": column("export_number", lambda number: (None, 7, 8)[number % 3]),
    "slug": column("export_slug", lambda number: ("", "demo-conf-one", "demo-conf-two")[number % 3]),
    "place": column("place", lambda number: ("", "By the door", "Hall")[number % 3]),
    "no time": lambda event, number: event.__dict__.update(start=None, end=None),
    "control": column("title", lambda number: f'{number}\x0b\\u0007 "<&'),
}


def any_edit(events: list[Event], place: int, what: str, number: int) -> None:
    if what in EDITS:
        return edit(events, place, what, number)
    event = Event.objects.get(pk=events[place % len(events)].pk)
    MORE[what](event, number)
    event.revise()
    return None


@pytest.mark.parametrize("name", ["schedule.json", "schedule.ics"])
@examples(
    max_examples=examples.default.max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    edits=st.lists(
        st.tuples(st.integers(0, 6), st.sampled_from(sorted([*EDITS, *MORE])), st.integers(0, 11), st.booleans()),
        min_size=1,
        max_size=5,
    )
)
def test_joined_pieces_equal_building_anew_after_any_edits(
    name: str, edits: list[tuple[int, str, int, bool]], settings: Any, folder: Path
) -> None:
    Conference.objects.all().delete()
    STORED_EXPORTS.clear()
    with time_machine.travel(MORNING, tick=False) as traveller:
        events = make_programme()
        built(name)
        for place, what, number, is_asked in edits:
            traveller.shift(0.001)
            any_edit(events, place, what, number)
            if is_asked:
                built(name)

        assert built(name) == built_anew(name, settings, folder)


def moved(event: Event) -> None:
    event = Event.objects.get(pk=event.pk)
    event.start, event.end = at("17:00"), at("18:00")
    event.revise()


def never(*_: Any, **__: Any) -> Any:
    raise AssertionError("built as a whole")


def test_move_reads_and_writes_one_event_of_schedule_json(monkeypatch: pytest.MonkeyPatch) -> None:
    events = make_programme()
    before = built("schedule.json")
    written = noted_titles(monkeypatch)
    monkeypatch.setattr(kept_json, "_rewritten", never)
    moved(events[4])

    after = built("schedule.json")

    assert written == [events[4].title]
    assert after != before


def noted_titles(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what will have the titles of the events that are written."""
    titles: list[str] = []
    pieces = kept_json.event_pieces

    def noted(table: Timetable, at: ExportUrls) -> dict[str, EventPieces]:
        titles.extend(sorted(event.title for event in table.data.events))
        return pieces(table, at)

    monkeypatch.setattr(kept_json, "event_pieces", noted)
    return titles


def withdraw(event: Event) -> None:
    event.status = "draft"
    event.revise()


# A talk is read with its session.
CHANGES: dict[str, tuple[Callable[[list[Event]], Any], list[str]]] = {
    "an event appears": (lambda events: make_event(events[0].conference, title="New").revise(), ["New"]),
    "an event disappears": (lambda events: withdraw(events[6]), []),
    "a room is renamed": (
        lambda events: unannounced(events[0], Room.objects.filter(name="Attic"), name="Loft"),
        ["Bea", "Dot", "Flo", "Session", "Workshop"],
    ),
    "an abstract": (lambda events: unannounced(events[0], Paper.objects.all(), abstract="Changed"), ["Cy", "Dot"]),
    "a person": (lambda events: unannounced(events[0], Person.objects.all(), name="Changed"), ["Ada", "Session"]),
    "anything else": (lambda events: events[0].conference.bump_revision(), []),
}


@pytest.mark.parametrize("change", CHANGES)
def test_other_changes_write_only_the_events_that_show_them(
    change: str, settings: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = make_programme()
    make_appearance(events[1], make_person(events[0].conference))
    built("schedule.json")
    make_change, titles = CHANGES[change]
    written = noted_titles(monkeypatch)
    make_change(events)

    after = built("schedule.json")

    assert written == titles
    assert after == built_anew("schedule.json", settings, folder)


def test_event_that_is_withdrawn_meanwhile_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    events = make_programme()
    built("schedule.json")
    moved(events[4])
    states = kept_json.event_states

    def withdrawing(selection: Any) -> Any:
        rows = states(selection)
        Event.objects.filter(pk=events[4].pk).update(status="draft")
        return rows

    monkeypatch.setattr(kept_json, "event_states", withdrawing)

    assert str(events[4].guid).encode() not in built("schedule.json")


def test_event_that_is_published_meanwhile_is_in_the_first_file(monkeypatch: pytest.MonkeyPatch) -> None:
    events = make_programme()
    Event.objects.filter(pk=events[4].pk).update(status="draft")
    states = kept_json.event_states

    def publishing(selection: Any) -> Any:
        rows = states(selection)
        Event.objects.filter(pk=events[4].pk).update(status="confirmed")
        return rows

    monkeypatch.setattr(kept_json, "event_states", publishing)

    assert str(events[4].guid).encode() in built("schedule.json")


def test_keys_have_all_columns_that_snapshots_have_not() -> None:
    assert UNANNOUNCED_FIELDS - {"conference_id"} <= {*OWN_COLUMNS, *DATE_COLUMNS}


def test_file_of_which_most_may_differ_is_written_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    events = make_programme()
    built("schedule.json")
    written = noted_titles(monkeypatch)
    zone(events[0], 1)

    built("schedule.json")

    assert len(written) == Event.objects.public().count()


def test_move_writes_one_entry_of_schedule_ics(monkeypatch: pytest.MonkeyPatch) -> None:
    events = make_programme()
    built("schedule.ics")
    written, write = [], entries.vevent

    def noted(event: Event, *args: Any, **more: Any) -> bytes:
        written.append(event.title)
        return write(event, *args, **more)

    monkeypatch.setattr(
        entries, "vevent", lambda event, *args, **more: written.append(event.title) or write(event, *args, **more)
    )
    moved(events[4])

    built("schedule.ics")

    assert written == [events[4].title]


def pieces_file(folder: Path, event: Event, name: str) -> Path:
    (path,) = folder.glob(f"pieces@{event.conference_id}-{name}*")
    return path


@pytest.mark.parametrize("name", ["schedule.json", "schedule.ics"])
def test_withdrawn_event_leaves_the_kept_pieces(name: str, folder: Path) -> None:
    events = make_programme()
    built(name)
    event = Event.objects.get(pk=events[4].pk)
    event.status = "draft"
    event.revise()

    built(name)

    kept = pieces_file(folder, event, name).read_bytes()
    assert (str(event.guid).encode() in kept, str(events[5].guid).encode() in kept) == (False, True)


@pytest.mark.parametrize("name", ["schedule.json", "schedule.ics"])
@pytest.mark.parametrize("damage", [b"", b"[]", b"no JSON\nat all", b'[["about"], [3]]\n{}'])
def test_damaged_pieces_are_not_used(name: str, damage: bytes, folder: Path) -> None:
    events = make_programme()
    whole = built(name)
    pieces_file(folder, events[0], name).write_bytes(damage)

    assert built(name) == whole


def test_two_events_of_one_number_are_built_as_a_whole(settings: Any, folder: Path) -> None:
    """Which of the two has it depends on their order, so that one event changes another."""
    events = make_programme()
    Event.objects.filter(pk__in=[events[3].pk, events[4].pk]).update(export_number=5)
    Event.objects.all().record_changes()
    built("schedule.json")
    moved(events[3])

    assert built("schedule.json") == built_anew("schedule.json", settings, folder)


def test_pieces_of_another_database_are_not_used(settings: Any, folder: Path) -> None:
    """It reached the same revision, with other events of the same guids."""
    make_programme()
    built("schedule.json")
    Person.objects.create(conference=Conference.objects.get(), name="Somebody else")
    Conference.objects.update(city="Elsewhere", name="Another")
    Event.objects.update(revised_at=dt.datetime(2025, 1, 1, tzinfo=dt.UTC))

    assert built("schedule.json") == built_anew("schedule.json", settings, folder)
    assert b"Elsewhere" in built("schedule.json")


def test_revision_without_scope_reads_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    events = make_programme()
    built("schedule.json")
    moved(events[4])
    RevisionScope.objects.order_by("revision").last().delete()  # type: ignore[union-attr]
    rewritten, calls = kept_json._rewritten, []
    monkeypatch.setattr(kept_json, "_rewritten", lambda *args: calls.append(1) or rewritten(*args))

    assert b"17:00" in built("schedule.json")
    assert calls == [1]


def test_pieces_of_a_former_release_are_not_used(folder: Path) -> None:
    """They have another form under the name alone."""
    make_programme()
    whole = built("schedule.json")
    for path in folder.iterdir():
        path.unlink()
    KEPT_PIECES.store("1-schedule.json", {"about": b'{"settings": []}'})

    assert built("schedule.json") == whole


def test_selection_uses_pieces_of_the_whole_and_keeps_none(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    conference = make_conference(slug="demo")
    event = make_event(conference, kind="session", start="09:00", end="10:00")
    built("schedule.ics")
    monkeypatch.setattr(entries, "vevent", never)
    kept = {path.name: path.read_bytes() for path in folder.iterdir()}

    part = schedule_feed(conference, Event.objects.filter(pk=event.pk), (("kind", "session"),)).build()

    assert str(event.guid).encode() in part.body
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == kept


def test_folder_that_cannot_be_written_keeps_nothing(settings: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    make_programme()
    (tmp_path / "file").write_text("")
    settings.EXPORT_ROOT = tmp_path / "file" / "exports"

    assert built("schedule.ics").startswith(b"BEGIN:VCALENDAR")
    assert KEPT_PIECES.load("1-schedule.ics") == {}
    assert "the next export is built as a whole" in caplog.text
