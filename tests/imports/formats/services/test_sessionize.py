"""Sessionize: sessions with rooms, tracks and speakers, and nothing of those that were not accepted."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from events.core.parsing.errors import ScheduleParseError, TimeZoneNeededError
from events.imports.formats.document import Hints
from tests.imports.formats.services.service_files import (
    HINTS,
    NO_ZONE,
    changed,
    content_of,
    event,
    hours,
    kinds,
    parsed,
    people,
    read,
)

VIENNA = ZoneInfo("Europe/Vienna")
PARTY, BREAKFAST = "3f2b1e66-9a55-4f0e-8a64-6f6a3f6d0b11", "3f2b1e66-9a55-4f0e-8a64-6f6a3f6d0b10"


def one(**fields: Any) -> dict[str, Any]:
    session = {"id": "1", "title": "Talk", "startsAt": "2025-04-24T09:00:00", "endsAt": "2025-04-24T10:00:00"}
    return {"sessions": [session | {"isServiceSession": False, "speakers": [], "status": "Accepted"} | fields]}


def test_local_times_are_those_of_the_conferences_zone() -> None:
    assert hours(read("sessionize/all.json"), VIENNA) == {
        "510001": "24 09:30–10:15",
        "510002": "24 11:00–12:00",
        "510003": "24 09:30–10:15",
        "510004": "",
        BREAKFAST: "24 08:30–09:30",
        PARTY: "24 20:00–01:00",
    }


def test_unknown_zone_is_asked_for() -> None:
    with pytest.raises(TimeZoneNeededError, match=r"^some\.file: names no time zone: say which one the venue is in, such as "):
        read("sessionize/all.json", NO_ZONE)


def test_formats_and_service_sessions_become_kinds() -> None:
    assert kinds(read("sessionize/all.json")) == {
        "510001": ("talk", "Talk (45 minutes)"),
        "510002": ("invited-talk", "Keynote"),
        "510003": ("talk", "Talk"),
        "510004": ("talk", "Talk"),
        BREAKFAST: ("break", "Break"),
        PARTY: ("social", "Social"),
    }


def test_session_has_room_track_language_texts_and_addresses() -> None:
    schedule = read("sessionize/all.json")
    talk, keynote = event(schedule, "510001"), event(schedule, "510002")

    assert (talk.room, talk.track, talk.language) == ("room-801", "languages", "de")
    assert (talk.abstract, talk.stream_url) == ("Where types flow.\n\nAnd where they do not.", "https://live.example.org/a")
    assert keynote.recording_url == "https://video.example.org/quiet"
    assert [room.name for room in schedule.rooms] == ["Great hall", "Small hall", "Cellar"]
    assert schedule.warnings == ()


def test_speakers_have_their_texts_and_page() -> None:
    schedule = read("sessionize/all.json")

    assert people(schedule, "510001") == [("Ada Example", "speaker"), ("Grace Example", "speaker")]
    ada = schedule.people[0]
    assert (ada.bio, ada.url) == ("Engineer, Example Works\n\nWrites compilers.", "https://blog.example.org/")


def test_cancelled_title_cancels_and_uuids_stay_the_guid() -> None:
    schedule = read("sessionize/all.json")

    bees = event(schedule, "510003")
    assert (bees.title, bees.status) == ("Bees in the build", "cancelled")
    assert {each.key: each.guid for each in schedule.events if each.guid} == {BREAKFAST: BREAKFAST, PARTY: PARTY}


def test_sessions_that_were_not_accepted_are_counted_without_names() -> None:
    schedule = read("sessionize/all.json")

    assert schedule.skipped == ("sessions of status “Declined”: 1 left out; only accepted ones are imported",)
    assert "secret" not in repr(schedule).lower()
    assert "@" not in repr(schedule)


@pytest.mark.parametrize(
    "status",
    [
        "Nominated",
        "Waitlisted",
        "Accept_Queue",
        "Decline_Queue",
        "Declined",
        "declined ",
        ["Accepted"],
        {"a": "Accepted"},
        1,
        True,
        False,
    ],
)
def test_no_other_status_is_imported(status: Any) -> None:
    with pytest.raises(ScheduleParseError, match=r"has no event that can be imported \(sessions of status “.+: 1 left out"):
        parsed(one(status=status))


@pytest.mark.parametrize("status", [None, "", "Accepted", "accepted"])
def test_accepted_sessions_are_imported(status: str | None) -> None:
    assert parsed(one(status=status)).events[0].status == "confirmed"


def test_grid_is_read_like_the_list_and_a_break_in_every_room_comes_once() -> None:
    grid, listed = read("sessionize/grid_smart.json"), read("sessionize/all.json")

    assert [each.key for each in grid.events] == ["510001", BREAKFAST]
    talk, same = event(grid, "510001"), event(listed, "510001")
    assert (talk.title, talk.start, talk.end, talk.room, talk.track) == (same.title, same.start, same.end, same.room, same.track)
    assert people(grid, "510001") == [("Ada Example", "speaker")]
    assert kinds(grid)[BREAKFAST] == ("break", "Break")


def test_times_with_an_offset_are_used_unchanged() -> None:
    schedule = parsed(one(startsAt="2025-04-24T07:00:00Z", endsAt="2025-04-24T08:00:00Z"))

    assert hours(schedule, VIENNA) == {"1": "24 09:00–10:00"}


@pytest.mark.parametrize(
    ("start", "warning"),
    [
        ("2025-03-30T02:30:00", "session 1, “Talk”: the clocks at the venue leave out 02:30 on 2025-03-30; 03:30 is used"),
        ("2025-10-26T02:30:00", "session 1, “Talk”: the clocks at the venue show 02:30 twice on 2025-10-26; the first is used"),
    ],
)
def test_hours_of_a_clock_change_give_a_warning(start: str, warning: str) -> None:
    schedule = parsed(one(startsAt=start, endsAt=start.replace("02:30", "04:30")))

    assert schedule.warnings == (warning,)


def test_unreadable_time_is_named_with_its_remedy() -> None:
    content = one(startsAt="24.04.2025")
    content["sessions"] += one(id="2")["sessions"]

    schedule = parsed(content)

    assert (event(schedule, "1").start, event(schedule, "1").end) == (None, None)
    assert schedule.warnings == (
        "session 1, “Talk”: its start, “24.04.2025”, is no date with a time; it is left out: write it as 2025-04-24T09:30",
    )


def test_sessions_before_the_schedule_is_made_keep_the_dates_of_the_conference() -> None:
    schedule = parsed(one(startsAt=None, endsAt=None))

    assert (schedule.conference.start, schedule.conference.end) == (HINTS.start, HINTS.end)
    assert (schedule.events[0].start, schedule.days) == (None, ())
    with pytest.raises(ScheduleParseError, match="names no day at all: give its events dates"):
        parsed(one(startsAt=None, endsAt=None), Hints(slug="demo", timezone="Europe/Vienna"))


def test_unknown_speakers_are_counted() -> None:
    schedule = parsed(one(speakers=["nobody", "nobody", "none"]))

    assert schedule.warnings == ("speakers without a name in the file: 2; they are left out: fetch the view All",)


def test_file_without_sessions_is_refused() -> None:
    content = changed(content_of("sessionize/all.json"), lambda top: top.update(sessions={"isServiceSession": {}, "startsAt": 1}))

    with pytest.raises(ScheduleParseError, match="has no “sessions” of Sessionize: fetch the view All or GridSmart again"):
        parsed(content)
