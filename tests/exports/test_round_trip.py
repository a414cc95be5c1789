"""What another Hallway reads of our files is what we wrote: all of it in JSON, in XML what its schema can say."""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import Any

import pytest
from hypothesis import given

from events.exports.values import is_foreign_slug
from events.programme.data.place import RoomData
from events.programme.data.schedule import AppearanceData, DayData, EventData, ScheduleData, TrackData
from tests.exports.programmes import event, guid, programmes, whole
from tests.exports.reading import as_json, as_xml, from_json, from_xml, problems
from tests.factories import THURSDAY

# What schedule.xml has no place for, and what is read instead.
NOT_IN_XML: dict[str, Any] = {
    "status": "confirmed",
    "official": False,
    "at_venue": None,
    "access_notes": "",
    "audience": "",
    "capacity": None,
    "cost": "",
    "notes": "",
    "notes_source": "",
    "overflow_room": "",
    "position": 0,
    "recording_from": None,
    "recording_offset": None,
    "service": "",
    "signup_checked_at": None,
    "signup_state": "",
    "signup_until": None,
    "takes_questions": False,
    "travel_minutes": None,
}


def in_xml(data: ScheduleData) -> list[EventData]:
    """The events as they are known from schedule.xml: those that happen at a known hour, without what it cannot say."""
    timed = [it for it in data.events if it.start and it.status != "cancelled"]
    shown = {it.key for it in timed}
    # Of two events with one number or slug, the first has it, whether it is shown or not.
    numbers = {it.export_number: it.guid for it in reversed(data.events)}
    slugs = {it.export_slug: it.guid for it in reversed(data.events) if is_foreign_slug(it.export_slug)}
    return [
        dataclasses.replace(
            it,
            session=it.session if it.session in shown else "",
            **texts_in_xml(it),
            do_not_record=it.do_not_record or (False if it.recording_license or it.recording_url else it.do_not_record),
            export_number=it.export_number if numbers.get(it.export_number) == it.guid else None,
            export_slug=it.export_slug if slugs.get(it.export_slug) == it.guid else "",
            people=tuple(AppearanceData(person=who) for who in dict.fromkeys(that.person for that in it.people)),
            **NOT_IN_XML,
        )
        for it in timed
    ]


def texts_in_xml(event: EventData) -> dict[str, str]:
    """Beside a paper, whose abstract is the description, an event has one text."""
    if not event.paper:
        return {}
    return {"abstract": "\n\n".join(filter(None, [event.abstract, event.description])), "description": ""}


def by_guid(events: Any) -> list[EventData]:
    return sorted(events, key=lambda it: it.guid)


def test_json_is_read_back_whole() -> None:
    assert from_json(as_json(whole())) == whole()


def test_xml_is_read_back_as_far_as_its_schema_goes() -> None:
    data = from_xml(as_xml(whole()))

    assert by_guid(data.events) == by_guid(in_xml(whole()))
    assert (data.warnings, data.skipped) == ((), ())
    assert [(it.key, it.name, it.kind) for it in data.types] == [
        ("posters", "Poster session", "session"),
        ("poster", "Poster", "poster"),
        ("mixer", "Affinity <3", "social"),
        ("desk", "Opening hours", "service"),
    ]
    assert [dataclasses.replace(it, tldr="They turn.", topic="bandits") for it in data.papers] == [whole().papers[0]]
    assert (data.tracks, data.topics) == (whole().tracks, whole().topics)


@given(programmes())
def test_any_programme_survives_json(data: ScheduleData) -> None:
    content = as_json(data)

    assert problems(content, "schedule.json") == []
    assert from_json(content) == data


@given(programmes())
def test_any_programme_survives_xml_as_far_as_its_schema_goes(data: ScheduleData) -> None:
    content = as_xml(data)

    assert problems(content, "schedule.xml") == []
    expected = in_xml(data)
    found = from_xml(content).events if expected else ()
    assert by_guid(found) == by_guid(expected)


@pytest.mark.parametrize("write", [as_xml, as_json])
def test_same_programme_is_the_same_bytes(write: Any) -> None:
    assert write(whole()) == write(whole())


def test_xml_keeps_the_order_of_tracks_and_rooms() -> None:
    rooms = tuple(RoomData(key=name, zone="hall", name=name.capitalize(), position=9) for name in ("hall", "cellar", "attic"))
    tracks = tuple(TrackData(key=name, name=name.capitalize(), position=9) for name in ("zoology", "botany"))
    friday = DayData(key="2025-04-25", date=THURSDAY + dt.timedelta(days=1))
    # Each day has two of the three rooms.
    events = [event(guid(number), "Talk", type="mixer", room=name) for number, name in enumerate(["hall", "cellar"], 4)]
    events += [
        dataclasses.replace(event(guid(number), "Talk", type="mixer", room=name), day=friday.key)
        for number, name in enumerate(["cellar", "attic"], 6)
    ]
    data = whole(
        rooms=rooms, tracks=tracks, days=(*whole().days, friday), events=tuple(events), awards=(), amenities=(), plans=()
    )

    found = from_xml(as_xml(data))

    assert [it.name for it in sorted(found.rooms, key=lambda it: it.position)] == ["Hall", "Cellar", "Attic"]
    assert [it.name for it in sorted(found.tracks, key=lambda it: it.position)] == ["Zoology", "Botany"]


def test_opt_out_is_never_exported_as_false() -> None:
    data = whole()
    mixer = next(it for it in data.events if it.guid == guid(6))
    for more in (
        {},
        {"recording_license": ""},
        {"recording_url": "https://v.example/"},
        {"recording_license": "", "paper": guid(3)},
    ):
        changed = dataclasses.replace(data, events=(dataclasses.replace(mixer, **more),), awards=(), amenities=())

        assert b"<optout>true</optout>" in as_xml(changed)
        assert b'"do_not_record":true' in as_json(changed)
        assert b"<optout>false" not in as_xml(changed)
        assert b'"do_not_record":false' not in as_json(changed)
