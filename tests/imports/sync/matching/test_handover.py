"""The same programme in another format: its rows are handed over, and nothing of it goes stale without a word."""

from __future__ import annotations

import dataclasses
import datetime as dt
import uuid
from typing import Any

import pytest

from events.imports.sync.engine import sync
from events.imports.sync.report import ImportHooks, SyncReport, TooManyCancelledError
from events.models import Conference, Event, Person, Room, Track
from events.programme.data.place import RoomData
from events.programme.data.schedule import AppearanceData, ConferenceData, DayData, EventData, PersonData, ScheduleData, TrackData
from tests.factories import THURSDAY, at, make_agenda
from tests.imports.sync.programmes import event, everything, programme, row

pytestmark = pytest.mark.django_db

NUMBERS = range(10)


def guid(number: int) -> str:
    return str(uuid.UUID(int=number + 1))


def talk(number: int, **fields: Any) -> EventData:
    return event(f"xml-{number}", guid=guid(number), **fields)


XML = programme(
    *(talk(number, room="hall-1", people=(AppearanceData(person="id:7"),), abstract="Words.") for number in NUMBERS),
    people=(PersonData(key="id:7", name="Ada Lovelace", bio="Of the engine."),),
)


def as_json(data: ScheduleData, **parts: Any) -> ScheduleData:
    """The same programme as another format names it: other keys for days, rooms, people and events."""
    appearances = (AppearanceData(person="person-7"),)
    events = (
        dataclasses.replace(it, key=it.guid, day="1", room="1" if it.room else "", people=appearances) for it in data.events
    )
    values: dict[str, Any] = {
        "days": (DayData(key="1", date=THURSDAY),),
        "rooms": (RoomData(key="1", zone="", name="Hall 1", capacity=80), RoomData(key="2", zone="", name="Hall 2")),
        "venues": (),
        "zones": (),
        "people": (PersonData(key="person-7", name="Ada Lovelace"),),
        "events": tuple(events),
    }
    return dataclasses.replace(data, **values | parts)


def take(data: ScheduleData, source: str, **options: Any) -> SyncReport:
    return sync(data, source=source, hooks=ImportHooks(hand_over=True, publish=True), **options)


def without(data: ScheduleData, *numbers: int) -> ScheduleData:
    return dataclasses.replace(data, events=tuple(it for it in data.events if it.guid not in map(guid, numbers)))


def moved(data: ScheduleData) -> ScheduleData:
    later = [dataclasses.replace(it, start=at("15:00"), end=at("16:00"), title="New") for it in data.events[:1]]
    return dataclasses.replace(data, events=(*later, *data.events[1:]))


def test_same_programme_in_another_format_changes_what_it_changes() -> None:
    take(XML, "xml")
    picked = row("xml-0", "xml")
    agenda, _ = make_agenda(picked.conference, picked)

    would = take(moved(without(as_json(XML), 9)), "json", dry_run=True)
    report = take(moved(without(as_json(XML), 9)), "json")

    first = Event.objects.get(guid=guid(0))
    assert str(report) == "created 0, changed 1, cancelled 1, unchanged 8, skipped 0"
    assert (first.pk, first.title, first.start, first.source) == (picked.pk, "New", at("15:00"), "json")
    assert Event.objects.get(guid=guid(9)).status == "cancelled"
    assert list(agenda.events.all()) == [first]
    assert report.warnings == would.warnings
    assert report.warnings[0].startswith("This is the programme of “xml” in another file: 9 of its 10 events have the same guids")
    assert "belong to “json”" in report.warnings[0]
    assert set(Event.objects.values_list("source", flat=True)) == {"json"}
    assert Conference.objects.get().source == "json"


def test_handed_over_rows_of_other_tables_are_the_same_rows() -> None:
    take(XML, "xml")
    before = [set(model.objects.values_list("pk", flat=True)) for model in (Event, Person, Room)]

    take(as_json(XML), "json")

    assert [set(model.objects.values_list("pk", flat=True)) for model in (Event, Person, Room)] == before
    assert Room.objects.get(name="Hall 1").capacity == 80


def test_second_file_of_the_new_format_writes_nothing() -> None:
    take(XML, "xml")
    first = take(without(as_json(XML), 9), "json")
    before = everything()

    again = take(without(as_json(XML), 9), "json")

    assert (first.is_empty, again.is_empty, again.warnings, again.sentences("kept")) == (False, True, [], [])
    assert everything() == before


def test_edit_by_hand_and_what_the_new_format_has_nowhere_stay() -> None:
    take(XML, "xml")
    Event.objects.filter(guid=guid(1)).update(start=at("09:30"))
    bare = dataclasses.replace(as_json(XML), events=tuple(dataclasses.replace(it, abstract="") for it in as_json(XML).events))

    reports = [take(bare, "json"), take(moved(bare), "json")]

    edited = Event.objects.get(guid=guid(1))
    assert (edited.start, edited.abstract, Person.objects.get().bio) == (at("09:30"), "Words.", "Of the engine.")
    assert [len(it.sentences("kept")) for it in reports] == [1, 1]
    assert Event.objects.get(guid=guid(0)).start == at("15:00")


def test_event_that_returns_after_the_handover_is_the_same_event() -> None:
    take(XML, "xml")
    take(without(as_json(XML), 9), "json")

    report = take(as_json(XML), "json")

    assert (report.changed, report.created) == (1, 0)
    assert (Event.objects.count(), Event.objects.get(guid=guid(9)).status) == (10, "confirmed")


def test_half_a_programme_in_another_format_cancels_only_when_allowed() -> None:
    take(XML, "xml")

    with pytest.raises(TooManyCancelledError, match="3 of 10 events are missing"):
        take(without(as_json(XML), 7, 8, 9), "json")

    assert set(Event.objects.values_list("source", flat=True)) == {"xml"}


def test_other_programme_with_a_few_of_the_events_takes_nothing_over() -> None:
    take(XML, "xml")
    few = without(as_json(XML), *range(2, 10))
    socials = dataclasses.replace(few, events=(*few.events, *(event(f"social-{it}", day="1") for it in range(3))))

    report = take(moved(socials), "json")

    assert (report.created, report.unchanged, report.elsewhere) == (3, 0, 2)
    assert str(report).endswith("skipped 0, kept by another source 2")
    assert report.warnings == [
        (
            "2 events of this file came from another source, “xml”, which keeps them: nothing of them was changed. "
            "If this file takes its place, import it with the source “xml”."
        )
    ]
    assert row("xml-0", "xml").start == at("09:00")


def test_event_made_by_hand_is_told_apart() -> None:
    take(XML, "xml")
    Event.objects.filter(guid=guid(3)).update(source="", source_key="")

    report = take(XML, "xml")

    assert (report.elsewhere, report.unchanged) == (1, 9)
    assert report.warnings == ["1 event of this file was made here by hand and stays as it is. Edit it here."]


def test_other_format_and_back_again_is_the_same_programme() -> None:
    take(XML, "xml")
    take(as_json(XML), "json")

    report = take(XML, "xml")

    assert (report.created, report.cancelled, report.unchanged) == (0, 0, 10)
    assert set(Event.objects.values_list("source", flat=True)) == {"xml"}


def test_conference_keeps_what_the_new_format_has_nowhere() -> None:
    known = dataclasses.replace(XML.conference, title="The whole name", city="Singapore", country="Singapore", about="Words.")
    take(dataclasses.replace(XML, conference=dataclasses.replace(known, end=known.end + dt.timedelta(days=3))), "xml")
    bare = ConferenceData(slug=known.slug, name=known.name, timezone=known.timezone, start=THURSDAY, end=THURSDAY)
    before = Conference.objects.values("title", "city", "country", "about", "start", "end").get()

    reports = [take(dataclasses.replace(as_json(XML), conference=bare), "json") for _ in range(2)]

    assert Conference.objects.values(*before).get() == before
    assert [line for report in reports for line in report.lines if line.what == "conference"] == []


def test_unknown_is_no_other_value_than_no() -> None:
    take(dataclasses.replace(XML, events=tuple(dataclasses.replace(it, at_venue=False) for it in XML.events)), "xml")

    report = take(as_json(XML), "json")

    assert (report.changed, set(Event.objects.values_list("at_venue", flat=True))) == (0, {False})


def test_track_of_the_same_name_and_the_order_of_tracks_stay() -> None:
    tracks = (TrackData(key="a", name="Looms", position=1), TrackData(key="b", name="Engines", position=2))
    events = tuple(dataclasses.replace(it, track="a") for it in XML.events)
    take(dataclasses.replace(XML, tracks=tracks, events=events), "xml")
    turned = (TrackData(key="engines", name="Engines", position=0), TrackData(key="looms", name="Looms", position=1))
    file = as_json(dataclasses.replace(XML, events=tuple(dataclasses.replace(it, track="looms") for it in events)), tracks=turned)

    reports = [take(file, "json") for _ in range(2)]

    assert list(Track.objects.order_by("position").values_list("name", "slug")) == [("Looms", "a"), ("Engines", "b")]
    assert [(report.changed, report.made) for report in reports] == [(0, [])] * 2
    assert [line for report in reports for line in report.lines if line.what == "track"] == []
