"""Indico: sessions with their contributions, from both of its exports."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from events.core.parsing.errors import ScheduleParseError, TimeZoneNeededError
from tests.imports.formats.services.service_files import (
    DATA,
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

ZURICH = ZoneInfo("Europe/Zurich")


def test_event_export_has_its_sessions_and_their_contributions() -> None:
    schedule = read("indico/sessions.json", NO_ZONE)

    assert {each.key: each.session for each in schedule.events} == {
        "session-501": "",
        "contribution-90101": "session-501",
        "contribution-90102": "session-501",
        "session-502": "",
        "contribution-90103": "session-502",
        "session-503": "",
        "contribution-90109": "",
    }
    assert kinds(schedule) == {
        "session-501": ("session", "Session"),
        "contribution-90101": ("talk", "Oral"),
        "contribution-90102": ("talk", "Oral"),
        "session-502": ("session", "Poster session"),
        "contribution-90103": ("poster", "Poster"),
        "session-503": ("break", "Break"),
        "contribution-90109": ("talk", "Talk"),
    }
    assert hours(schedule, ZURICH)["contribution-90101"] == "24 10:00–10:20"


def test_conference_has_its_name_dates_zone_and_page() -> None:
    conference = read("indico/sessions.json", NO_ZONE).conference

    assert (conference.name, conference.timezone) == ("Workshop on Example Detectors", "Europe/Zurich")
    assert (f"{conference.start}", f"{conference.end}") == ("2025-04-24", "2025-04-25")
    assert conference.url == "https://indico.example.org/event/4711/"


def test_posters_without_a_time_hang_during_their_session() -> None:
    found = hours(read("indico/sessions.json"), ZURICH)

    assert found["contribution-90103"] == found["session-502"] == "24 16:00–18:00"


def test_contribution_without_a_time_is_to_be_announced_on_the_day_of_its_session() -> None:
    def forget_time(top: Any) -> None:
        top["results"][0]["sessions"][0]["contributions"][0] |= {"startDate": None, "endDate": None}

    talk = event(parsed(changed(content_of("indico/sessions.json"), forget_time)), "contribution-90101")

    assert (talk.start, talk.end, talk.day) == (None, None, "2025-04-24")


def test_authors_have_a_paper_and_speakers_and_conveners_are_on_stage() -> None:
    schedule = read("indico/sessions.json")

    (paper,) = schedule.papers
    names = {each.key: (each.name, each.affiliation) for each in schedule.people}
    assert [names[key] for key in paper.authors] == [("Ada Example", "Uni Example"), ("Grace Example", "Uni Example")]
    assert paper.abstract.startswith("<p>We <em>cool</em> them.</p>")
    assert (event(schedule, "contribution-90101").paper, event(schedule, "contribution-90101").abstract) == (paper.key, "")
    assert people(schedule, "contribution-90101") == [("Ada Example", "speaker")]
    assert people(schedule, "session-501") == [("Carla Chair", "moderator")]


def test_same_number_for_two_names_is_no_identity() -> None:
    def share_number(top: Any) -> None:
        for contribution in top["results"][0]["sessions"][0]["contributions"]:
            contribution["speakers"][0]["id"] = 7

    schedule = parsed(changed(content_of("indico/sessions.json"), share_number))

    assert people(schedule, "contribution-90101") == [("Ada Example", "speaker")]
    assert people(schedule, "contribution-90102") == [("Durk Example", "speaker")]
    assert not any(each.key == "person-7" for each in schedule.people)


def test_links_are_the_page_and_public_files() -> None:
    talk = event(read("indico/sessions.json"), "contribution-90101")

    assert [(link.kind, link.url) for link in talk.links] == [
        ("source", "https://indico.example.org/event/4711/contributions/1/"),
        ("slides", "https://indico.example.org/event/4711/attachments/1/slides.pdf"),
    ]


def test_place_is_named_where_it_is_not_that_of_the_event() -> None:
    schedule = read("indico/sessions.json")

    assert (event(schedule, "session-503").place, event(schedule, "session-501").place) == ("Canteen", "")
    assert (event(schedule, "session-501").room, event(schedule, "contribution-90109").room) == ("40-s2-c01", "aula")


def test_cancelled_title_cancels() -> None:
    hot = event(read("indico/sessions.json"), "contribution-90102")

    assert (hot.title, hot.status) == ("Hot examples", "cancelled")


def test_description_of_the_whole_session_is_that_of_its_part() -> None:
    assert event(read("indico/sessions.json"), "session-501").abstract == "<p>Hot and cold.</p>"


def test_subcontributions_are_counted_and_nothing_personal_gets_in() -> None:
    schedule = read("indico/sessions.json")

    assert schedule.skipped == ("subcontributions: 1 left out; Indico gives them no times",)
    told = repr(schedule) + repr(read("indico/timetable.json"))
    assert "@" not in told
    assert "ecret" not in told


def test_timetable_has_the_same_keys_and_breaks() -> None:
    schedule = read("indico/timetable.json", NO_ZONE)

    assert {each.key: each.session for each in schedule.events} == {
        "session-501": "",
        "contribution-90101": "session-501",
        "break-b12": "session-501",
        "break-b13": "",
    }
    assert hours(schedule, ZURICH) == {
        "session-501": "24 10:00–11:30",
        "contribution-90101": "24 10:00–10:20",
        "break-b12": "24 10:20–10:30",
        "break-b13": "24 11:30–12:00",
    }
    assert kinds(schedule)["break-b13"] == ("break", "Break")
    assert event(schedule, "session-501").title == event(read("indico/sessions.json"), "session-501").title
    assert event(schedule, "break-b13").place == "Garden"
    assert event(schedule, "session-501").links[1].url == "https://indico.example.org/event/4711/attachments/2/agenda.pdf"


def test_timetable_in_utc_is_of_the_zone_that_was_named() -> None:
    content = (DATA / "indico/timetable.json").read_bytes().replace(b"Europe/Zurich", b"UTC")

    schedule = parsed(content)

    assert schedule.conference.timezone == "Europe/Vienna"
    assert hours(schedule, ZoneInfo("UTC"))["session-501"] == "24 10:00–11:30"


def test_sessions_that_contributions_name_are_made() -> None:
    schedule = read("indico/contributions.json")

    assert {each.key: (each.title, each.session) for each in schedule.events} == {
        "session-morning-2025-04-24": ("Morning", ""),
        "contribution-1": ("First", "session-morning-2025-04-24"),
        "contribution-2": ("Second", "session-morning-2025-04-24"),
        "contribution-3": ("Alone", ""),
    }
    assert hours(schedule, ZURICH) == {
        "session-morning-2025-04-24": "24 09:00–10:00",
        "contribution-1": "24 09:00–09:30",
        "contribution-2": "24 09:30–10:00",
        "contribution-3": "24 11:00–11:45",
    }
    assert event(schedule, "session-morning-2025-04-24").room == "a1"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda top: top["results"].append(top["results"][0]), "holds 2 events of Indico: export one of them"),
        (lambda top: top.update(complete=False), "holds only a part of the event: export it again without a limit"),
        (
            lambda top: [top["results"][0].pop(name) for name in ("sessions", "contributions")],
            r"holds the event without its sessions: add \?detail=sessions to the address",
        ),
        (lambda top: top.update(results=[]), "has no event that can be imported|names no time zone"),
    ],
    ids=["two events", "a part", "no detail", "nothing"],
)
def test_other_exports_are_refused_with_the_remedy(change: Any, problem: str) -> None:
    content = changed(content_of("indico/sessions.json"), change)
    content["hint"] = {"startDate": {"tz": ""}}

    with pytest.raises(ScheduleParseError, match=problem):
        parsed(content)


def test_entries_without_an_id_are_skipped_and_named() -> None:
    def forget_ids(top: Any) -> None:
        for name in ("id", "db_id"):
            top["results"][0]["contributions"][0].pop(name)
        top["results"][0]["sessions"][2].pop("id")

    schedule = parsed(changed(content_of("indico/sessions.json"), forget_ids))

    assert schedule.skipped[:2] == (
        "session “Lunch”: it has no id: export it again",
        "contribution “Welcome”: it has no id: export it again",
    )
    assert len(schedule.events) == 5


def test_unknown_zones_are_named() -> None:
    content = changed(content_of("indico/sessions.json"), lambda top: top["results"][0].update(timezone="Mars/Olympus"))

    with pytest.raises(TimeZoneNeededError, match="“Mars/Olympus” is not a time zone"):
        parsed(content, NO_ZONE)

    def set_zone(top: Any) -> None:
        top["results"][0]["contributions"][0]["startDate"]["tz"] = "Mars/Olympus"

    schedule = parsed(changed(content_of("indico/sessions.json"), set_zone))
    assert schedule.warnings == ("“Mars/Olympus” is not a time zone; Europe/Zurich is used",)
