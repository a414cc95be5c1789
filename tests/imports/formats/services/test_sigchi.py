"""Programs of the SIGCHI app: sessions with their contents, papers with authors and awards, and breaks."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from events.core.parsing.errors import TimeZoneNeededError
from tests.imports.formats.services.service_files import (
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

TOKYO = ZoneInfo("Asia/Tokyo")
PROGRAM = content_of("sigchi/program.json")


def with_conference(**fields: Any) -> Any:
    return changed(PROGRAM, lambda top: top["conference"].update(fields))


def with_session(number: int, **fields: Any) -> Any:
    return changed(PROGRAM, lambda top: top["sessions"][number].update(fields))


def test_hours_are_the_clock_of_the_venue_and_papers_follow_one_another() -> None:
    assert hours(read("sigchi/program.json", NO_ZONE), TOKYO) == {
        "session-701": "24 09:00–10:30",
        "content-801": "24 09:00–09:20",
        "content-802": "24 09:20–09:35",
        "session-702": "24 13:00–15:00",
        "content-803": "24 13:00–15:00",
        "session-703": "24 13:00–15:00",
        "session-704": "24 13:00–15:00",
        "content-805": "24 13:00–14:30",
        "event-711": "24 12:00–13:00",
        "event-712": "24 18:00–20:00",
        "time-slot-602": "24 10:30–11:00",
    }


def test_file_whose_first_day_begins_at_midnight_of_the_venue_has_instants() -> None:
    nine_hours = 9 * 3_600_000
    moved = with_conference(startDate=PROGRAM["conference"]["startDate"] - nine_hours)
    for part in ("timeSlots", "events"):
        for entry in moved[part]:
            entry["startDate"] -= nine_hours
            entry["endDate"] -= nine_hours

    assert hours(parsed(moved), TOKYO) == hours(parsed(PROGRAM), TOKYO)


def test_conference_has_its_names_dates_and_page() -> None:
    conference = read("sigchi/program.json").conference

    assert (conference.name, conference.title) == ("EXAMPLE 2025", "ACM Conference on Examples")
    assert (conference.timezone, conference.url) == ("Asia/Tokyo", "https://example.acm.example/2025/")
    assert (f"{conference.start}", f"{conference.end}") == ("2025-04-24", "2025-04-25")


def test_zone_of_old_programs_follows_from_city_and_offset() -> None:
    old = with_conference(timeZoneName=None, location="Sydney, Australia", timeZoneOffset=600)

    assert parsed(old, NO_ZONE).conference.timezone == "Australia/Sydney"
    without_place = with_conference(timeZoneName=None, location="", timeZoneOffset=600)
    assert parsed(without_place, NO_ZONE).conference.timezone == "Etc/GMT-10"
    with pytest.raises(TimeZoneNeededError, match="names no time zone"):
        parsed(with_conference(timeZoneName=None, timeZoneOffset=None), NO_ZONE)


def test_types_become_kinds() -> None:
    assert kinds(read("sigchi/program.json")) == {
        "session-701": ("session", "Paper session"),
        "content-801": ("talk", "Paper"),
        "content-802": ("talk", "Paper"),
        "session-702": ("session", "Poster session"),
        "content-803": ("poster", "Poster"),
        "session-703": ("session", "Workshop"),
        "session-704": ("session", "Panel"),
        "content-805": ("talk", "Talk"),
        "event-711": ("break", "Break"),
        "event-712": ("social", "Social"),
        "time-slot-602": ("break", "Break"),
    }


def test_contents_are_inside_their_session_in_its_room() -> None:
    schedule = read("sigchi/program.json")

    assert {each.key: (each.session, each.room) for each in schedule.events if each.session} == {
        "content-801": ("session-701", "room-301"),
        "content-802": ("session-701", "room-301"),
        "content-803": ("session-702", "room-302"),
        "content-805": ("session-704", "room-301"),
    }
    assert [(room.name, room.capacity) for room in schedule.rooms] == [("Hall A", 200), ("Foyer", None)]


def test_papers_have_authors_links_and_awards() -> None:
    schedule = read("sigchi/program.json")
    names = {each.key: (each.name, each.affiliation) for each in schedule.people}
    paper = schedule.papers[0]

    assert [names[key] for key in paper.authors] == [("Ada Example", "Uni Example"), ("Grace M Example", "Example Works")]
    assert [(link.kind, link.url) for link in paper.links] == [
        ("paper", "https://doi.org/10.1145/0000000.0000001"),
        ("video", "https://video.example.org/801"),
    ]
    assert schedule.papers[1].links[0].url == "https://doi.org/10.1145/0000000.0000002"
    assert [(each.name, each.level, each.year, each.paper) for each in schedule.awards] == [
        ("Best paper", "winner", 2025, "content-801"),
        ("Honorable mention", "honourable-mention", 2025, "content-802"),
    ]
    talk = event(schedule, "content-801")
    assert (talk.paper, talk.abstract, talk.track) == ("content-801", "", "example-2025-papers")


def test_content_without_a_session_is_a_paper_without_an_event() -> None:
    schedule = read("sigchi/program.json")

    assert [each.key for each in schedule.papers] == ["content-801", "content-802", "content-803", "content-806"]
    assert "content-806" not in [each.key for each in schedule.events]


def test_workshop_and_its_only_content_are_one_event() -> None:
    workshop = event(read("sigchi/program.json"), "session-703")

    assert (workshop.title, workshop.abstract) == ("Workshop on Small Files", "Bring one.")
    assert people(read("sigchi/program.json"), "session-703") == [("Grace M Example", "speaker")]


def test_chairs_panellists_and_hosts_of_events_are_on_stage() -> None:
    schedule = read("sigchi/program.json")

    assert people(schedule, "session-701") == [("Carla Chair", "moderator")]
    assert people(schedule, "content-805") == [("Ada Example", "panellist")]
    assert people(schedule, "event-712") == [("Ada Example", "speaker")]
    assert "@" not in repr(schedule)


def test_cancelled_session_cancels_what_is_inside() -> None:
    schedule = read("sigchi/program.json")

    assert (event(schedule, "session-704").title, event(schedule, "session-704").status) == ("Panel on Panels", "cancelled")
    assert event(schedule, "content-805").status == "cancelled"


@pytest.mark.parametrize(
    "content",
    [
        with_session(0, isParallelPresentation=True),
        changed(PROGRAM, lambda top: top["contentTypes"][0].update(duration=0)),
        changed(PROGRAM, lambda top: top["contentTypes"][0].update(duration=100)),
    ],
    ids=["at the same time", "no length", "longer than the session"],
)
def test_papers_whose_hour_is_not_known_are_to_be_announced_on_the_day_of_the_session(content: Any) -> None:
    paper = event(parsed(content), "content-801")

    assert (paper.start, paper.end, paper.day) == (None, None, "2025-04-24")


def test_what_the_file_refers_to_and_does_not_have_is_named() -> None:
    assert read("sigchi/program.json").warnings == (
        "session 702, “Posters”: 1 of its 2 contents are not in the file; they are left out",
        "session 703, “Workshop on Small Files”: the file has no room “399”; it is imported without a room",
    )
    schedule = parsed(with_session(0, timeSlotId=1))
    assert "session 701, “Examples at Work”: the file has no time slot “1”; its hour is to be announced" in schedule.warnings
    assert event(schedule, "session-701").start is None


def test_time_that_is_none_is_named() -> None:
    content = changed(PROGRAM, lambda top: top["timeSlots"][0].update(startDate="soon"))

    assert parsed(content).warnings[0] == (
        "session 701, “Examples at Work”: its start, “soon”, is no time in milliseconds; it is left out: export it again"
    )


def test_break_of_which_an_event_says_more_comes_once() -> None:
    without_lunch = changed(PROGRAM, lambda top: top["events"].pop(0))

    assert "time-slot-603" not in [each.key for each in parsed(PROGRAM).events]
    lunch = event(parsed(without_lunch), "time-slot-603")
    assert (lunch.title, kinds(parsed(without_lunch))["time-slot-603"]) == ("Lunch", ("break", "Break"))
