"""Real schedule.xml files, where they are: everything that was counted in them is taken."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from events.importers import formats
from events.importers.data import ScheduleData
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints

FILES = Path(__file__).parents[2] / "../shared/data/frab_xml"


@dataclass(frozen=True)
class Counted:
    """What was counted in a file, by other means than ours."""

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
    Counted("33c3.xml", 149, 5, 209, (44, 42, 43, 20), "Europe/Berlin", after_midnight=4, unused_rooms=1),
    Counted("38c3.xml", 1007, 72, 571, (245, 320, 306, 136), across_midnight=26, after_midnight=58),
    Counted("emf_2022.xml", 335, 19, 231, (11, 99, 127, 98), "Europe/London", across_midnight=4, after_midnight=8),
    Counted("fosdem_2012_pentabarf.xml", 442, 23, 430, (233, 209), "Europe/Brussels", guids=0),
    Counted("fosdem_2021.xml", 773, 108, 684, (401, 372), "Europe/Brussels", guids=0, unused_rooms=2),
    Counted("fosdem_2025_before.xml", 943, 40, 992, (470, 473), unused_rooms=11),
    Counted("fosdem_2025_after.xml", 1105, 35, 1193, (543, 562)),
    Counted("privacyweek_2017_dst.xml", 109, 5, 80, (22, 23, 9, 18, 17, 14, 6), "Europe/Vienna"),
]
THERE = [it for it in COUNTED if (FILES / it.file).exists()]


@cache
def parse(counted: Counted) -> ScheduleData:
    return formats.parse(Document.read(FILES / counted.file), Hints(slug="real", timezone=counted.timezone))[1]


@pytest.mark.parametrize("counted", THERE, ids=lambda it: it.file)
def test_everything_counted_is_taken(counted: Counted) -> None:
    data = parse(counted)

    guids = [it.guid for it in data.events if it.guid]
    assert (len(data.events), len(data.rooms), len(data.people)) == (counted.events, counted.rooms, counted.people)
    assert tuple(sum(event.day == day.key for event in data.events) for day in data.days) == counted.days
    assert len(set(guids)) == len(guids) == (counted.events if counted.guids is None else counted.guids)
    assert len({it.key for it in data.events}) == counted.events
    assert data.skipped == ()


@pytest.mark.parametrize("counted", THERE, ids=lambda it: it.file)
def test_everything_referred_to_is_there(counted: Counted) -> None:
    data = parse(counted)

    keys = {part: {row.key for row in getattr(data, part)} | {""} for part in ("types", "tracks", "rooms", "people", "days")}
    for event in data.events:
        assert event.type in keys["types"] - {""}
        assert event.track in keys["tracks"]
        assert event.room in keys["rooms"]
        assert event.day in keys["days"] - {""}
        assert {it.person for it in event.people} <= keys["people"] - {""}


@pytest.mark.parametrize("counted", THERE, ids=lambda it: it.file)
def test_every_event_ends_after_it_starts(counted: Counted) -> None:
    lengths = [it.end - it.start for it in parse(counted).events if it.start and it.end]

    assert len(lengths) == counted.events
    assert min(lengths) > dt.timedelta(0)


@pytest.mark.parametrize("counted", [it for it in THERE if it.timezone], ids=lambda it: it.file)
def test_file_that_names_no_zone_is_refused_without_a_hint(counted: Counted) -> None:
    document = Document.read(FILES / counted.file)

    with pytest.raises(ScheduleParseError, match=f"^{counted.file}: names no time zone: say which, as --timezone Europe/"):
        formats.parse(document, Hints(slug="real"))


@pytest.mark.parametrize("counted", THERE, ids=lambda it: it.file)
def test_events_of_the_night_belong_to_the_day_before(counted: Counted) -> None:
    data = parse(counted)

    zone = ZoneInfo(data.conference.timezone)
    nights = [(it.start.astimezone(zone), it.end.astimezone(zone), it.day) for it in data.events if it.start and it.end]
    across = [1 for start, end, _ in nights if start.date() < (end - dt.timedelta(seconds=1)).date()]
    after = [1 for start, _, day in nights if start.date().isoformat() != day]
    assert (len(across), len(after)) == (counted.across_midnight, counted.after_midnight)


@pytest.mark.parametrize("counted", THERE, ids=lambda it: it.file)
def test_rooms_survive_without_an_event(counted: Counted) -> None:
    data = parse(counted)

    assert len({it.key for it in data.rooms} - {it.room for it in data.events}) == counted.unused_rooms
