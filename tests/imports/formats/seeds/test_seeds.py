from __future__ import annotations

import datetime as dt
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from events.imports.formats.seeds.reader import parse_folder
from events.programme.data.place import LegData, RouteData, WalkData
from events.programme.data.schedule import (
    AnnouncementData,
    AppearanceData,
    ConferenceData,
    LinkData,
    PaperData,
    PersonData,
    ScheduleData,
)
from tests.imports.formats.seeds.seed_folders import CONFERENCE, PLACE, write_folder

VIENNA = ZoneInfo("Europe/Vienna")


def at(day: int, hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(2025, 3, day, hour, minute, tzinfo=VIENNA)


def parse(tmp_path: Path, **files: str | bytes) -> ScheduleData:
    named = {f"{name}.csv": content for name, content in files.items()}
    return parse_folder(write_folder(tmp_path, named))


def test_conference_toml_alone_is_a_conference(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {})
    (folder / "place.toml").unlink()

    schedule = parse_folder(folder)

    assert schedule.conference == ConferenceData(
        slug="demo", name="Demo", timezone="Europe/Vienna", start=dt.date(2025, 3, 28), end=dt.date(2025, 3, 30)
    )
    assert schedule.count() == 5


def test_folder_is_read_the_same_from_inside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_folder(tmp_path, {})
    monkeypatch.chdir(folder)

    assert parse_folder(Path()) == parse_folder(folder)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("key,title,type\na,Ünü,talk\n", id="commas"),
        pytest.param("key;title;type\na;Ünü;talk\n", id="semicolons"),
        pytest.param("key\ttitle\ttype\na\tÜnü\ttalk\n", id="tabs"),
        pytest.param("\ufeffkey,title,type\r\na,Ünü,talk\r\n", id="a spreadsheet's byte order mark and line ends"),
        pytest.param("\n\nKey, Title ,TYPE,,\n\n,,,,\na , Ünü,talk,,\n\n", id="blank lines, empty columns, capitals, spaces"),
        pytest.param("type,key,title\ntalk,a,Ünü", id="another order, no last line end"),
    ],
)
def test_csv_is_read_as_spreadsheets_write_it(tmp_path: Path, text: str) -> None:
    schedule = parse(tmp_path, events=text)

    assert [(event.key, event.title, event.type) for event in schedule.events] == [("a", "Ünü", "talk")]


@pytest.mark.parametrize(
    ("cells", "start", "end", "status"),
    [
        pytest.param("2025-03-29,09:30,10:00", at(29, 9, 30), at(29, 10), "confirmed", id="both times"),
        pytest.param("2025-03-29,9:30,", at(29, 9, 30), at(29, 10, 15), "tentative", id="no end: the type's usual length"),
        pytest.param("2025-03-29,,", None, None, "tentative", id="time to be announced"),
        pytest.param(",,", None, None, "tentative", id="day to be announced"),
        pytest.param("2025-03-29,22:00,01:30", at(29, 22), at(30, 1, 30), "confirmed", id="past midnight"),
        pytest.param("2025-03-29,22:00,00:00", at(29, 22), at(30, 0), "confirmed", id="until midnight"),
        pytest.param("2025-03-29,01:00,01:30", at(30, 1), at(30, 1, 30), "confirmed", id="the night after the day"),
        pytest.param("2025-03-29,01:30,03:30", at(30, 1, 30), at(30, 3, 30), "confirmed", id="across the clocks' change"),
        pytest.param("2025-03-29,09:00:00,09:00:00", at(29, 9), at(30, 9), "confirmed", id="all around the clock"),
    ],
)
def test_times_are_those_of_the_venue(
    tmp_path: Path, cells: str, start: dt.datetime | None, end: dt.datetime | None, status: str
) -> None:
    schedule = parse(tmp_path, events=f"key,title,type,day,start,end\na,A,talk,{cells}\n")

    assert [(event.start, event.end, event.status) for event in schedule.events] == [(start, end, status)]


def test_doubled_hour_is_its_first(tmp_path: Path) -> None:
    schedule = parse(tmp_path, events="key,title,type,day,start,end\na,A,talk,2025-10-25,02:30,03:30\n")

    assert [(event.start, event.end) for event in schedule.events] == [
        (dt.datetime(2025, 10, 26, 0, 30, tzinfo=dt.UTC), dt.datetime(2025, 10, 26, 2, 30, tzinfo=dt.UTC))
    ]


def test_people_are_found_by_key_by_name_or_made(tmp_path: Path) -> None:
    schedule = parse(
        tmp_path,
        people="key,name,affiliation\nba,Jimmy Ba,Toronto\n",
        events="key,title,type,people\n"
        'a,A,talk,"ba (remote); Zhangyang (Atlas) Wang (Host); 张伟 (moderator, remote); jimmy  ba (host)"\n',
    )

    assert schedule.events[0].people == (
        AppearanceData(person="ba", remote=True),
        AppearanceData(person="zhangyang-atlas-wang", role="host"),
        AppearanceData(person="张伟", role="moderator", remote=True),
        AppearanceData(person="ba", role="host"),
    )
    assert schedule.people == (
        PersonData(key="ba", name="Jimmy Ba", affiliation="Toronto"),
        PersonData(key="zhangyang-atlas-wang", name="Zhangyang (Atlas) Wang"),
        PersonData(key="张伟", name="张伟"),
    )
    assert schedule.warnings == ("events.csv, line 2, column “people”: “jimmy ba” is taken to be “Jimmy Ba”",)


def test_paper_keeps_the_order_of_authors_and_its_links(tmp_path: Path) -> None:
    schedule = parse(
        tmp_path,
        papers='key,title,authors,links\np,P,"Zoe Z; Al A; Bo B","paper https://a.org/p;Video https://a.org/v?x=1 The talk"\n',
    )

    assert schedule.papers == (
        PaperData(
            key="p",
            title="P",
            authors=("zoe-z", "al-a", "bo-b"),
            links=(
                LinkData(kind="paper", url="https://a.org/p"),
                LinkData(kind="video", url="https://a.org/v?x=1", title="The talk"),
            ),
        ),
    )


def test_event_is_at_the_venue_if_its_room_is(tmp_path: Path) -> None:
    schedule = parse(
        tmp_path,
        events="key,title,type,room,at_venue,official\na,A,talk,hall-1,,\nb,B,talk,bar,,no\nc,C,talk,,,\nd,D,talk,bar,yes,\n",
        socials="key,title,official,at_venue\ne,E,,\nf,F,yes,no\n",
    )

    assert [(event.key, event.type, event.official, event.at_venue) for event in schedule.events] == [
        ("a", "talk", True, True),
        ("b", "talk", False, False),
        ("c", "talk", True, None),
        ("d", "talk", True, True),
        ("e", "social", False, None),
        ("f", "social", True, False),
    ]


def test_social_has_a_sign_up(tmp_path: Path) -> None:
    columns = "key,title,audience,signup_url,signup_state,signup_checked_at,signup_until,cost,capacity,access_notes"
    row = "a,A,Everybody,https://lu.ma/a,filling,2025-03-29 14:00,2025-03-29 16:00,Free,80,Two steps"
    schedule = parse(tmp_path, socials=f"{columns}\n{row}\n")

    social = schedule.events[0]
    assert (social.audience, social.signup_url, social.signup_state) == ("Everybody", "https://lu.ma/a", "filling")
    assert (social.signup_checked_at, social.cost, social.capacity) == (at(29, 14), "Free", 80)
    assert (social.signup_until, social.access_notes) == (at(29, 16), "Two steps")


def test_recording_offset_is_minutes_and_seconds(tmp_path: Path) -> None:
    columns = "key,title,type,recording_url,recording_from,recording_offset"
    schedule = parse(tmp_path, events=f"{columns}\na,A,talk,https://v.org/1,2025-04-29,23:05\n")

    event = schedule.events[0]
    assert (event.recording_url, event.recording_from, event.recording_offset) == ("https://v.org/1", dt.date(2025, 4, 29), 1385)


def test_notes_may_be_a_file_of_their_own(tmp_path: Path) -> None:
    files = {"events.csv": "key,title,type,notes\na,A,talk,\nb,B,talk,Short.\n", "notes/a.md": "One.\r\n\r\nTwo.\n"}

    schedule = parse_folder(write_folder(tmp_path, files))

    assert [event.notes for event in schedule.events] == ["One.\n\nTwo.", "Short."]


def test_dates_of_an_announcement_are_whole_days(tmp_path: Path) -> None:
    schedule = parse(tmp_path, announcements="key,title,from,until\na,A,2025-03-29,2025-03-29\nb,B,2025-03-29 10:00,\n")

    assert schedule.announcements == (
        AnnouncementData(key="a", title="A", starts_at=at(29, 0), until=at(30, 0)),
        AnnouncementData(key="b", title="B", starts_at=at(29, 10), until=None),
    )


def test_legs_belong_to_the_route_above_them(tmp_path: Path) -> None:
    place = (
        PLACE
        + """
[[walks]]
from = "hall"
to = "bar"
minutes = 5

[[routes]]
key = "dry"
start = "station"
zone = "hall"
title = "Dry"
checked_on = 2025-03-01
[[routes.legs]]
instruction = "Down."
mode = "lift"
covered = true
step_free = false
[[routes.legs]]
instruction = "Along."
minutes = 4

[[routes]]
key = "empty"
start = "station"
zone = "hall"
title = "Empty"
"""
    )

    schedule = parse_folder(write_folder(tmp_path, {"place.toml": place}))

    down = LegData(instruction="Down.", mode="lift", covered=True, step_free=False)
    assert schedule.walks == (WalkData(key="hall--bar", origin="hall", destination="bar", minutes=5),)
    assert schedule.routes == (
        RouteData(
            key="dry",
            start="station",
            zone="hall",
            title="Dry",
            checked_on=dt.date(2025, 3, 1),
            position=1,
            legs=(down, LegData(instruction="Along.", minutes=4)),
        ),
        RouteData(key="empty", start="station", zone="hall", title="Empty", position=2),
    )


def test_toml_may_be_written_inline(tmp_path: Path) -> None:
    text = 'facts = [{label = "Papers", value = "3"}]\n' + CONFERENCE

    schedule = parse_folder(write_folder(tmp_path, {"conference.toml": text}))

    assert [(fact.key, fact.value, fact.position) for fact in schedule.facts] == [("papers", "3", 1)]
