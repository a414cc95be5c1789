"""Excerpts of schedule.xml files of many systems: all counted rows are imported."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from events.programme.data.schedule import ScheduleData

FILES = Path(__file__).parents[3] / "data/excerpts/schedule_xml"


@dataclass(frozen=True)
class Counted:
    """What a file holds, counted with XPath and not by the importer."""

    file: str
    events: int
    rooms: int
    people: int
    days: tuple[int, ...]
    timezone: str = ""
    guids: int | None = None
    across_midnight: int = 0
    after_midnight: int = 0
    unused_rooms: int = 0


COUNTED = [
    Counted("camp.xml", 13, 7, 8, (3, 4, 4, 2), "Europe/London", after_midnight=5, unused_rooms=2),
    Counted("clock_change.xml", 17, 4, 18, (3, 3, 2, 2, 3, 2, 2), "Europe/Vienna", unused_rooms=2),
    Counted("frab.xml", 14, 5, 25, (5, 4, 3, 2), "Europe/Berlin", after_midnight=4, unused_rooms=2),
    Counted("hub.xml", 14, 4, 18, (5, 3, 4, 2), across_midnight=1, after_midnight=5, unused_rooms=2),
    Counted("pentabarf.xml", 6, 5, 9, (4, 2), "Europe/Brussels", guids=0),
    Counted("pentabarf_online.xml", 5, 6, 7, (3, 2), "Europe/Brussels", guids=0, unused_rooms=2),
    Counted("pretalx_after.xml", 30, 21, 39, (19, 11), unused_rooms=2),
    Counted("pretalx_before.xml", 28, 19, 34, (17, 11), unused_rooms=2),
]


@cache
def parse(counted: Counted) -> ScheduleData:
    return registry.parse_document(Document.read(FILES / counted.file), Hints(slug="demo", timezone=counted.timezone))[1]


@pytest.mark.parametrize("counted", COUNTED, ids=lambda it: it.file)
def test_everything_counted_is_imported(counted: Counted) -> None:
    data = parse(counted)

    guids = [it.guid for it in data.events if it.guid]
    assert (len(data.events), len(data.rooms), len(data.people)) == (counted.events, counted.rooms, counted.people)
    assert tuple(sum(event.day == day.key for event in data.events) for day in data.days) == counted.days
    assert len(set(guids)) == len(guids) == (counted.events if counted.guids is None else counted.guids)
    assert len({it.key for it in data.events}) == counted.events
    assert data.skipped == ()


@pytest.mark.parametrize("counted", COUNTED, ids=lambda it: it.file)
def test_everything_referred_to_is_there(counted: Counted) -> None:
    data = parse(counted)

    keys = {part: {row.key for row in getattr(data, part)} | {""} for part in ("types", "tracks", "rooms", "people", "days")}
    for event in data.events:
        assert event.type in keys["types"] - {""}
        assert event.track in keys["tracks"]
        assert event.room in keys["rooms"]
        assert event.day in keys["days"] - {""}
        assert {it.person for it in event.people} <= keys["people"] - {""}


@pytest.mark.parametrize("counted", COUNTED, ids=lambda it: it.file)
def test_every_event_ends_after_it_starts(counted: Counted) -> None:
    lengths = [it.end - it.start for it in parse(counted).events if it.start and it.end]

    assert len(lengths) == counted.events
    assert min(lengths) > dt.timedelta(0)


WITH_OFFSETS = {"camp.xml", "frab.xml"}


@pytest.mark.parametrize("counted", [it for it in COUNTED if it.file in WITH_OFFSETS], ids=lambda it: it.file)
def test_file_with_one_offset_needs_no_zone(counted: Counted) -> None:
    _, data = registry.parse_document(Document.read(FILES / counted.file), Hints(slug="demo"))

    starts = {event.key: event.start for event in data.events}
    assert data.conference.timezone.startswith("Etc/GMT")
    assert starts == {event.key: event.start for event in parse(counted).events}


@pytest.mark.parametrize("counted", [it for it in COUNTED if it.timezone and it.file not in WITH_OFFSETS], ids=lambda it: it.file)
def test_file_that_names_no_zone_is_refused_without_a_hint(counted: Counted) -> None:
    document = Document.read(FILES / counted.file)

    with pytest.raises(ScheduleParseError, match=f"^{counted.file}: names no time zone: .* such as Europe/"):
        registry.parse_document(document, Hints(slug="demo"))


@pytest.mark.parametrize("counted", COUNTED, ids=lambda it: it.file)
def test_events_of_the_night_belong_to_the_day_before(counted: Counted) -> None:
    data = parse(counted)

    zone = ZoneInfo(data.conference.timezone)
    nights = [(it.start.astimezone(zone), it.end.astimezone(zone), it.day) for it in data.events if it.start and it.end]
    across = [1 for start, end, _ in nights if start.date() < (end - dt.timedelta(seconds=1)).date()]
    after = [1 for start, _, day in nights if start.date().isoformat() != day]
    assert (len(across), len(after)) == (counted.across_midnight, counted.after_midnight)


@pytest.mark.parametrize("counted", COUNTED, ids=lambda it: it.file)
def test_rooms_survive_without_an_event(counted: Counted) -> None:
    data = parse(counted)

    assert len({it.key for it in data.rooms} - {it.room for it in data.events}) == counted.unused_rooms
