"""Sched: sessions from JSON and CSV, without those that attendees do not see."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from events.core.parsing.errors import ScheduleParseError, TimeZoneNeededError
from tests.imports.formats.services.service_files import DATA, NO_ZONE, event, hours, kinds, parsed, people, read

VIENNA = ZoneInfo("Europe/Vienna")
TABLE = (DATA / "sched/export.csv").read_bytes()


def one(**fields: Any) -> list[dict[str, Any]]:
    return [{"event_key": "1", "name": "Talk", "event_start": "2025-04-24 09:00", "event_end": "2025-04-24 10:00"} | fields]


def test_local_times_are_those_of_the_conferences_zone() -> None:
    assert hours(read("sched/export.json"), VIENNA) == {
        "KEY1": "24 09:00–10:00",
        "KEY2": "24 12:00–13:00",
        "KEY4": "24 14:00–14:45",
    }


def test_unknown_zone_is_asked_for() -> None:
    for name in ("sched/export.json", "sched/export.csv"):
        with pytest.raises(TimeZoneNeededError, match="names no time zone: say which one the venue is in"):
            read(name, NO_ZONE)


def test_types_become_kinds_and_subtypes_tracks() -> None:
    schedule = read("sched/export.json")

    assert kinds(schedule) == {
        "KEY1": ("invited-talk", "Keynote"),
        "KEY2": ("break", "Break"),
        "KEY4": ("talk", "Talk"),
    }
    assert event(schedule, "KEY1").track == "beginner"


def test_session_has_texts_room_seats_and_links() -> None:
    schedule = read("sched/export.json")
    opening = event(schedule, "KEY1")

    assert (opening.title, opening.room, opening.capacity) == ("Opening & keynote", "great-hall", 300)
    assert opening.abstract.startswith("<p>We <b>open</b>.</p>")
    assert opening.stream_url == "https://live.example.org/1"
    assert [link.url for link in opening.links] == [
        "https://files.example.org/slides.pdf",
        "https://files.example.org/opening.pdf",
    ]
    assert (event(schedule, "KEY2").place, event(schedule, "KEY2").capacity) == ("Garden", None)


def test_people_are_a_text_or_objects() -> None:
    schedule = read("sched/export.json")

    assert people(schedule, "KEY1") == [
        ("Ada Example, PhD", "speaker"),
        ("Grace Example", "speaker"),
        ("Carla Chair", "moderator"),
    ]
    assert people(schedule, "KEY4") == [("Ada Example", "speaker")]
    assert "@" not in repr(schedule)


def test_hidden_sessions_are_counted_and_cancelled_ones_cancelled() -> None:
    schedule = read("sched/export.json")

    assert schedule.skipped == ("sessions that are not active: 1 left out; attendees do not see them on Sched",)
    assert "secret" not in repr(schedule)
    assert (event(schedule, "KEY4").title, event(schedule, "KEY4").status) == ("Bees", "cancelled")


def test_table_is_read_like_the_list() -> None:
    schedule = read("sched/export.csv")

    assert hours(schedule, VIENNA) == {"KEY1": "24 09:00–10:00", "KEY2": "24 12:00–13:00"}
    opening = event(schedule, "KEY1")
    assert (opening.title, opening.abstract, opening.capacity) == ("Opening, with keynote", "We open.\nOn two lines.", 300)
    assert people(schedule, "KEY1") == [("Ada Example", "speaker"), ("Grace Example", "speaker")]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"\xef\xbb\xbf" + TABLE, id="byte order mark"),
        pytest.param(TABLE.replace(b"\n", b"\r\n"), id="lines of Windows"),
        pytest.param(b"\n\n" + TABLE, id="blank lines first"),
        pytest.param(TABLE.replace(b'"Ada Example, Grace Example"', b"Ada Example"), id="fewer quotes"),
    ],
)
def test_spellings_of_the_table_are_read(content: bytes) -> None:
    assert [each.key for each in parsed(content).events] == ["KEY1", "KEY2"]


def test_table_with_semicolons_is_read() -> None:
    content = b"event_key;event_start;event_end;name\n1;2025-04-24 09:00;2025-04-24 10:00;A, B\n"

    assert event(parsed(content), "1").title == "A, B"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (TABLE[: TABLE.index(b"On two")], r"some\.file, line 2: cannot be read as CSV \(unexpected end of data\)"),
        (TABLE.replace(b",300", b",300,7"), r"some\.file, line 3: has more cells than columns"),
        (TABLE.replace(b"Lunch", b"L\xfcnch"), r"some\.file, line 4: byte 0xFC is not UTF-8: save the file as UTF-8"),
        (TABLE.replace(b"On two lines", b"x" * 140_000), "field larger than field limit"),
        (TABLE[: TABLE.index(b"\n") + 1], "has no sessions of Sched"),
    ],
    ids=["cut off", "too many cells", "Latin-1", "a huge cell", "only a header"],
)
def test_broken_tables_are_refused_with_place_and_remedy(content: bytes, problem: str) -> None:
    with pytest.raises(ScheduleParseError, match=problem):
        parsed(content)


def test_session_without_a_key_is_skipped_and_one_that_is_there_twice_comes_once() -> None:
    schedule = parsed(one() + one(event_key="") + one() + one(event_start="2025-04-24 11:00", event_end="2025-04-24 12:00"))

    assert [each.key for each in schedule.events] == ["1", "1#2"]
    assert schedule.skipped == (
        "session 2, “Talk”: it has neither event_key nor id: export it again",
        "session 3, “Talk”: it is there twice, at the same time in the same room",
    )


@pytest.mark.parametrize("active", ["N", "n", "No", "0", 0, False, "X", [], {"a": "Y"}])
def test_no_session_that_is_not_active_is_imported(active: Any) -> None:
    with pytest.raises(ScheduleParseError, match="has no event that can be imported"):
        parsed(one(active=active))
