"""The virtual site's orals and posters: papers with several events, and sessions made from their members."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import virtual_site
from events.imports.formats.document import Document, Hints
from events.programme.data.schedule import EventData, PaperData, ScheduleData

FOLDER = Path(__file__).parents[3] / "data" / "virtual_site"
HINTS = Hints(slug="demo", timezone="Asia/Singapore")
SINGAPORE = dt.timezone(dt.timedelta(hours=8))
UID = "00000000000000000000000000000a0{}".format


@pytest.fixture(scope="module")
def schedule() -> ScheduleData:
    return virtual_site.parse(Document.read(FOLDER), HINTS)


def with_record(**changes: Any) -> ScheduleData:
    """The small file with its first record changed, and without its abstracts."""
    content = json.loads((FOLDER / "orals-posters.json").read_bytes())
    content["results"][0].update(changes)
    return virtual_site.parse(Document.from_upload("x.json", json.dumps(content).encode()), HINTS)


def event(schedule: ScheduleData, key: str) -> EventData:
    return next(it for it in schedule.events if it.key == key)


def paper(schedule: ScheduleData, number: int) -> PaperData:
    return next(it for it in schedule.papers if it.key == UID(number))


def test_it_is_recognised_by_content_alone_and_beside_its_abstracts() -> None:
    content = (FOLDER / "orals-posters.json").read_bytes()

    assert virtual_site.recognises(Document.from_upload("whatever.bin", content))
    assert virtual_site.recognises(Document.read(FOLDER))
    assert not virtual_site.recognises(Document.read(FOLDER / "abstracts.json"))


def test_records_without_their_envelope_are_the_same(schedule: ScheduleData) -> None:
    content = json.loads((FOLDER / "orals-posters.json").read_bytes())["results"]

    bare = virtual_site.parse(Document.from_upload("x.json", json.dumps(content).encode()), HINTS)

    assert [it.key for it in bare.events] == [it.key for it in schedule.events]


def test_oral_and_poster_of_a_paper_are_one_paper_with_two_events(schedule: ScheduleData) -> None:
    shown = [it for it in schedule.events if it.paper == UID(1)]

    assert len(schedule.papers) == 4
    assert [(it.key, it.type, it.board, it.start) for it in shown] == [
        ("101", "poster", "461", dt.datetime(2025, 4, 25, 10, tzinfo=SINGAPORE)),
        ("201", "oral", "", dt.datetime(2025, 4, 25, 10, 30, tzinfo=SINGAPORE)),
    ]


def test_field_missing_in_one_record_is_taken_from_the_other() -> None:
    schedule = with_record(authors=None, abstract=None, topic=None, uid=UID(2))

    assert [len(paper(schedule, 2).authors), paper(schedule, 2).abstract, paper(schedule, 2).topic] == [
        1,
        "Short.",
        "applications",
    ]


def test_names_escaped_twice_are_read_and_never_cut_at_semicolons(schedule: ScheduleData) -> None:
    names = {person.key: (person.name, person.affiliation) for person in schedule.people}

    assert paper(schedule, 1).authors == ("author-11", "author-12")
    assert names["author-11"] == ("Ada D'Example", "Example University")
    assert names["author-12"] == ("Semi; Colon", "")


def test_texts_come_unescaped_and_from_the_abstracts_beside(schedule: ScheduleData) -> None:
    assert [(it.title, it.abstract) for it in schedule.papers] == [
        ("Learning & Forgetting at Scale", "We prove $a < b$."),
        ("A second talk in the session", "Short."),
        ("A spotlight without a time", "Bright & brief."),
        ("Without decision and session", "Told apart."),
    ]


def test_topics_are_area_and_subarea(schedule: ScheduleData) -> None:
    assert [(it.area, it.subarea) for it in schedule.topics] == [("Theory", "Learning Theory"), ("Applications", "")]
    assert [it.topic for it in schedule.papers] == ["theory-learning-theory", "applications", "", "theory-learning-theory"]


def test_links_are_the_papers_and_only_what_the_site_shows(schedule: ScheduleData) -> None:
    assert [(link.kind, link.url) for link in paper(schedule, 1).links] == [
        ("paper", "https://openreview.net/forum?id=abcDEF1234"),
        ("poster", "https://conf.example.org/media/PosterPDFs/101.png"),
        ("code", "https://code.example.org/forget"),
    ]


def test_an_events_page_is_on_the_site_its_authors_are_on(schedule: ScheduleData) -> None:
    assert [link.url for link in event(schedule, "201").links] == ["https://conf.example.org/virtual/2025/oral/201"]


def test_without_a_known_site_relative_addresses_stay_out() -> None:
    schedule = with_record(authors=[{"id": 1, "fullname": "A", "url": "https://elsewhere.example/api/miniconf/users/1"}])

    assert event(schedule, "201").links == ()


def test_sessions_span_their_members_and_take_their_room(schedule: ScheduleData) -> None:
    sessions = [it for it in schedule.events if it.key.startswith("session-")]

    assert [(it.key, it.title, it.type, it.room) for it in sessions] == [
        ("session-903", "Poster Session 3", "poster-session", "hall-3-hall-2b"),
        ("session-904", "Oral Session 3A", "oral-session", "hall-1"),
    ]
    assert [(it.start, it.end) for it in sessions] == [
        (dt.datetime(2025, 4, 25, 10, tzinfo=SINGAPORE), dt.datetime(2025, 4, 25, 12, 30, tzinfo=SINGAPORE)),
        (dt.datetime(2025, 4, 25, 10, 30, tzinfo=SINGAPORE), dt.datetime(2025, 4, 25, 11, tzinfo=SINGAPORE)),
    ]


def test_members_are_part_of_their_session_and_others_of_none(schedule: ScheduleData) -> None:
    members = {it.key: it.session for it in schedule.events if not it.key.startswith("session-")}

    assert members == {
        "101": "session-903",
        "102": "session-903",
        "103": "",
        "201": "session-904",
        "202": "session-904",
        "301": "",
    }


def test_session_in_two_rooms_has_no_room() -> None:
    assert event(with_record(session="Oral Session 3A", parent1=None), "session-904").room == ""


def test_sessions_of_one_name_on_two_days_are_two() -> None:
    content = json.loads((FOLDER / "orals-posters.json").read_bytes())
    for record, date in zip(content["results"][:2], ("2025-04-24", "2025-04-25"), strict=True):
        record.update(session="Posters", starttime=f"{date}T10:00:00+08:00", endtime=f"{date}T11:00:00+08:00", parent1=None)

    schedule = virtual_site.parse(Document.from_upload("x.json", json.dumps(content).encode()), HINTS)

    assert [it.key for it in schedule.events if it.title == "Posters"] == [
        "session-posters-2025-04-24",
        "session-posters-2025-04-25",
    ]


def test_spotlights_have_a_type_of_their_own_and_wait_for_their_time(schedule: ScheduleData) -> None:
    spotlight = event(schedule, "102")

    assert {it.key: it.kind for it in schedule.types}[spotlight.type] == "poster"
    assert (spotlight.type, spotlight.board, spotlight.start, spotlight.end) == ("spotlight-poster", "A-1", None, None)
    # Its session's day is known.
    assert spotlight.day == "2025-04-25"


def test_missing_end_is_reported(schedule: ScheduleData) -> None:
    told = event(schedule, "103")

    assert told.start
    assert told.end == told.start + dt.timedelta(hours=1)
    assert any("record 103" in warning for warning in schedule.warnings)


def test_what_the_site_hides_stays_hidden(schedule: ScheduleData) -> None:
    assert schedule.skipped == ("record 104, “Hidden by the site”: the site itself does not show it",)
    assert "Hidden by the site" not in repr(schedule.papers) + repr(schedule.events)


def test_other_events_show_people_instead_of_a_paper(schedule: ScheduleData) -> None:
    talk = event(schedule, "301")

    assert (talk.paper, talk.abstract, [it.person for it in talk.people]) == ("", "A look ahead.", ["author-14"])


def test_dates_are_those_of_its_events(schedule: ScheduleData) -> None:
    assert (schedule.conference.start, schedule.conference.end) == (dt.date(2025, 4, 24), dt.date(2025, 4, 26))


@pytest.mark.parametrize(
    "changes",
    [{"starttime": "2025-04-25T13:00:00+08:00"}, {"name": None}, {"endtime": "2025-06-25T13:00:00+08:00", "session": "Alone"}],
    ids=["ends before it starts", "no name", "two months"],
)
def test_malformed_record_alone_is_skipped(changes: dict[str, Any]) -> None:
    schedule = with_record(**changes)

    assert [it.partition(",")[0] for it in schedule.skipped if it.startswith("record 101")] == ["record 101"]
    assert {"102", "103", "201", "202", "301"} <= {it.key for it in schedule.events}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            {"count": 2, "next": "https://example.org/?page=2", "results": [{"eventtype": "Oral", "virtualsite_url": ""}]},
            "1 of 2",
        ),
        ({"results": [], "eventtype": 0, "virtualsite_url": 0}, "download it again"),
        ({"results": [{"name": "Untimed", "eventtype": "Oral", "virtualsite_url": ""}]}, "names no day at all"),
        ({"results": [{"eventtype": "Oral", "virtualsite_url": ""}]}, "it has no name"),
    ],
    ids=["one page of several", "nothing", "no day", "no name"],
)
def test_file_without_a_programme_is_refused_with_a_message(content: Any, message: str) -> None:
    with pytest.raises(ScheduleParseError, match=message):
        virtual_site.parse(Document.from_upload("x.json", json.dumps(content).encode()), HINTS)


def test_a_file_without_a_zone_asks_for_one() -> None:
    with pytest.raises(ScheduleParseError, match="time zone"):
        virtual_site.parse(Document.read(FOLDER), Hints(slug="demo"))
