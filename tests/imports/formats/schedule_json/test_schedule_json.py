"""schedule.json: the events of a file, and the reasons for what is refused or left out."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import schedule_json
from events.imports.formats.document import Document, Hints
from events.programme.data.schedule import EventData, ScheduleData

FOLDER = Path(__file__).parents[3] / "data" / "schedule_json"
GUID = "8f0bb3a6-27a3-4ab2-8b5e-9dcb5c4e1a0{}".format


def parsed(content: Any, **hints: str) -> ScheduleData:
    document = Document.from_upload("schedule.json", json.dumps(content).encode())
    return schedule_json.parse(document, Hints(slug="demo", **hints))


def loaded(name: str) -> Any:
    return json.loads((FOLDER / name).read_bytes())


def read(name: str) -> ScheduleData:
    return schedule_json.parse(Document.read(FOLDER / name), Hints(slug="demo"))


def with_event(**changes: Any) -> ScheduleData:
    """The small file with its first event changed."""
    content = loaded("frab.json")
    content["schedule"]["conference"]["days"][0]["rooms"]["Dome"][0].update(changes)
    return parsed(content)


def first(schedule: ScheduleData) -> EventData:
    return schedule.events[0]


@pytest.mark.parametrize("name", ["frab.json", "v2.json"])
def test_both_versions_are_recognised_by_content(name: str) -> None:
    assert schedule_json.recognises(Document.from_upload("whatever.txt", (FOLDER / name).read_bytes()))


@pytest.mark.parametrize("content", [b"", b"[]", b'{"schedule": {}}', b"<schedule/>", b"\xff\xfe\x00", b'{"conference": {}}'])
def test_other_content_is_not_recognised(content: bytes) -> None:
    assert not schedule_json.recognises(Document.from_upload("schedule.json", content))


def test_conference_says_its_name_dates_zone_and_colour() -> None:
    conference = read("frab.json").conference

    assert (conference.name, conference.timezone, conference.colour) == ("Example Camp 2025", "Europe/Berlin", "#1747B8")
    assert (conference.start, conference.end) == (dt.date(2025, 6, 13), dt.date(2025, 6, 14))
    assert conference.url == "https://example.org/2025/"


def test_events_are_known_by_guid_else_by_code() -> None:
    assert [(event.key, event.guid) for event in read("frab.json").events] == [
        (GUID(1), GUID(1)),
        (GUID(2), GUID(2)),
        (GUID(3), GUID(3)),
        ("not a guid", ""),
        (GUID(5), GUID(5)),
    ]


def test_times_are_those_of_the_date_else_of_day_and_clock() -> None:
    berlin = dt.timezone(dt.timedelta(hours=2))

    assert [(event.day, event.start, event.end) for event in read("frab.json").events] == [
        ("2025-06-13", dt.datetime(2025, 6, 13, 10, tzinfo=berlin), dt.datetime(2025, 6, 13, 11, 30, tzinfo=berlin)),
        ("2025-06-13", dt.datetime(2025, 6, 13, 23, 30, tzinfo=berlin), dt.datetime(2025, 6, 14, 2, tzinfo=berlin)),
        # 01:15 is listed under the 13th and is on the 14th.
        ("2025-06-13", dt.datetime(2025, 6, 14, 1, 15, tzinfo=berlin), dt.datetime(2025, 6, 14, 1, 45, tzinfo=berlin)),
        ("2025-06-14", dt.datetime(2025, 6, 14, 10, tzinfo=berlin), dt.datetime(2025, 6, 15, 16, tzinfo=berlin)),
        ("2025-06-14", None, None),
    ]


def test_rooms_keep_their_order_capacity_and_emptiness() -> None:
    assert [(room.name, room.capacity, room.description) for room in read("frab.json").rooms] == [
        ("Empty hall", 40, "Nothing happens here"),
        ("Dome", 900, ""),
        ("Meadow", None, ""),
    ]


def test_tracks_keep_colours_that_are_colours() -> None:
    assert [(track.name, track.colour) for track in read("frab.json").tracks] == [("Science", "#00A36C"), ("Never used", "")]


def test_number_of_two_people_does_not_merge_them() -> None:
    schedule = read("frab.json")
    names = {person.key: person.name for person in schedule.people}

    assert [names[it.person] for it in first(schedule).people] == ["Ada Example", "Somebody Else"]


def test_people_of_pretalx_have_their_biography() -> None:
    (grace,) = [person for person in read("frab.json").people if person.name == "Grace Example"]

    assert (grace.key, grace.bio, grace.url) == (
        "7f3e0c5e-2f63-4b0e-9a53-0d6c7c8d2b11", "Sings.", "https://example.org/grace",
    )  # fmt: skip


def test_links_lead_to_the_source_and_its_files_and_nowhere_dangerous() -> None:
    schedule = read("frab.json")

    assert [(link.kind, link.url) for link in first(schedule).links] == [
        ("source", "https://example.org/2025/Fahrplan/events/101.html"),
        ("video", "https://example.org/video/101"),
        ("slides", "https://example.org/system/attachments/slides.pdf?1"),
    ]
    assert "javascript:alert(1)" in " ".join(schedule.warnings)


def test_a_relative_file_of_an_unknown_site_is_left_out_with_a_warning() -> None:
    content = loaded("frab.json")
    del content["schedule"]["base_url"], content["schedule"]["conference"]["url"]

    schedule = parsed(content)

    assert [link.kind for link in first(schedule).links] == ["source", "video"]
    assert any("/system/attachments" in warning for warning in schedule.warnings)


def test_texts_are_apart_and_answers_nowhere() -> None:
    schedule = read("frab.json")

    assert first(schedule).title == "Opening of the camp"
    assert (first(schedule).subtitle, first(schedule).abstract) == ("Welcome", "How it all begins.")
    assert first(schedule).description == "How it all begins."
    assert "0160" not in repr(schedule)


def test_title_says_that_an_event_is_cancelled() -> None:
    read_events = [first(with_event(title=title, guid="", id="", url="")) for title in ("Opening", "Opening (cancelled)")]

    assert [(event.title, event.status) for event in read_events] == [("Opening", "confirmed"), ("Opening", "cancelled")]
    assert read_events[0].key == read_events[1].key


def test_version_2_lists_its_events() -> None:
    schedule = read("v2.json")

    assert [(event.title, event.type, event.status) for event in schedule.events] == [
        ("Through the hour that comes twice", "lightning-talk", "confirmed"),
        ("Lunch", "break", "confirmed"),
        ("Called off", "talk", "cancelled"),
    ]
    assert schedule.skipped == ("events, “Not decided”: it is “submitted”, which is not for attendees",)


def test_version_2_names_rooms_tracks_and_roles_elsewhere() -> None:
    schedule = read("v2.json")
    event = first(schedule)

    assert [(room.name, room.description) for room in schedule.rooms] == [("Aula", "On the ground floor")]
    assert (event.room, event.track, event.abstract) == (
        "3b5f1ad4-2e73-43d3-b4cf-5de8e4b41a01",
        "main-track",
        "Half past two, twice.",
    )
    assert [it.role for it in event.people] == ["moderator", "speaker"]


def test_ninety_minutes_are_ninety_where_the_clocks_change() -> None:
    event = first(read("v2.json"))

    assert event.start
    assert event.end
    assert event.day == "2026-10-24"
    assert (event.end - event.start, event.end.astimezone(dt.UTC).hour) == (dt.timedelta(minutes=90), 1)


@pytest.mark.parametrize(
    ("duration", "minutes"),
    [("0:30", 30), ("00:90", 90), ("2:06:00", 54 * 60), ("PT1H30M", 90), (45, 45), ("0:00", 5)],
    ids=["hours and minutes", "ninety minutes", "days", "ISO 8601", "a number", "none at all"],
)
def test_durations_are_read_as_they_are_meant(duration: Any, minutes: int) -> None:
    event = first(with_event(duration=duration))

    assert event.start
    assert event.end
    assert event.end - event.start == dt.timedelta(minutes=minutes)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"title": None}, "it has no title"),
        ({"duration": "-1:00"}, "its duration “-1:00” cannot be read: write hours and minutes, as 0:45"),
        ({"duration": "26:00:00"}, "no event may last more than 14"),
        ({"persons": [{"id": "dsadf", "public_name": "Ada"}]}, "neither code “” nor id “dsadf” of “Ada” can be one"),
    ],
    ids=["no title", "negative", "26 days", "a person's id that is none"],
)
def test_malformed_event_is_skipped_with_location_and_reason(changes: dict[str, Any], reason: str) -> None:
    schedule = with_event(**changes)

    (told,) = schedule.skipped
    assert told.startswith("day 1, room “Dome”, ")
    assert reason in told
    assert len(schedule.events) == 4


@pytest.mark.parametrize(
    "changes",
    [
        {"date": "2025-13-45T10:00:00+02:00", "start": "x"},
        {"date": 5, "start": []},
        {"date": "9999-12-31T23:00:00-14:00", "start": ""},
    ],
    ids=["month 13", "no texts", "year 9999"],
)
def test_a_date_that_cannot_be_read_is_to_be_announced(changes: dict[str, Any]) -> None:
    event = first(with_event(**changes))

    assert (event.day, event.start, event.end) == ("2025-06-13", None, None)


def test_an_event_far_from_its_day_is_where_its_date_says() -> None:
    schedule = with_event(date="2025-06-20T10:00:00+02:00")

    assert first(schedule).day == "2025-06-20"
    assert any("is listed under 2025-06-13" in warning for warning in schedule.warnings)


def test_clock_that_contradicts_the_date_is_reported_once() -> None:
    schedule = with_event(start="07:30")

    assert first(schedule).start == dt.datetime(2025, 6, 13, 8, tzinfo=dt.UTC)
    assert [warning for warning in schedule.warnings if "disagree" in warning] == [
        "day 1, room “Dome”, “Opening of the camp”: date and start disagree; the date is used"
    ]


def test_days_count_where_the_header_is_another_years() -> None:
    content = loaded("frab.json")
    content["schedule"]["conference"].update(start="2027-07-24", end="2027-07-26")

    schedule = parsed(content)

    assert (schedule.conference.start, schedule.conference.end) == (dt.date(2025, 6, 13), dt.date(2025, 6, 14))
    assert any("2027-07-24" in warning for warning in schedule.warnings)


def test_one_submission_in_two_slots_is_two_events() -> None:
    content = loaded("frab.json")
    dome = content["schedule"]["conference"]["days"][0]["rooms"]["Dome"]
    dome[1]["guid"] = dome[0]["guid"]

    assert [(event.key, event.guid) for event in parsed(content).events[:2]] == [(GUID(1), GUID(1)), (GUID(1) + "#2", "")]


def test_the_zone_of_the_conference_stands_in_for_a_missing_one() -> None:
    content = loaded("frab.json")
    del content["schedule"]["conference"]["time_zone_name"]

    assert parsed(content, timezone="Europe/Vienna").conference.timezone == "Europe/Vienna"
    assert parsed(content).conference.timezone.startswith("Etc/GMT")


def _emptied(content: Any) -> None:
    content["schedule"]["conference"]["days"] = []


def _without_conference(content: Any) -> None:
    content["schedule"]["conference"] = 7


def _on_mars(content: Any) -> None:
    content["schedule"]["conference"]["time_zone_name"] = "Mars/Olympus"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_emptied, "has no event that can be imported"),
        (_without_conference, "has no “conference” inside a “schedule”"),
        (_on_mars, "“Mars/Olympus” is not a time zone"),
    ],
)
def test_file_without_a_programme_is_refused_with_a_message(spoil: Callable[[Any], None], message: str) -> None:
    content = loaded("frab.json")
    spoil(content)

    with pytest.raises(ScheduleParseError, match=message):
        parsed(content)
