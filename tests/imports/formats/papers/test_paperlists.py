"""Lists of papers: accepted papers with their authors, and nothing of rejected ones."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import paperlists
from events.imports.formats.document import Document, Hints
from events.programme.data.schedule import ScheduleData

FOLDER = Path(__file__).parents[3] / "data" / "paperlists"
HINTS = Hints(slug="demo", timezone="Asia/Singapore", start=dt.date(2025, 4, 24), end=dt.date(2025, 4, 28))


def parsed(content: Any) -> ScheduleData:
    return paperlists.parse(Document.from_upload("papers.json", json.dumps(content).encode()), HINTS)


def read(name: str) -> ScheduleData:
    return paperlists.parse(Document.read(FOLDER / name), HINTS)


@pytest.mark.parametrize("name", ["papers.json", "papers.jsonl"])
def test_lists_are_recognised_by_content(name: str) -> None:
    assert paperlists.recognises(Document.from_upload("whatever", (FOLDER / name).read_bytes()))


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'[{"title": "Lunch", "start": "2025-04-24"}]', b'{"title": "x", "authors": []}', b"title,authors\n"]
)
def test_other_content_is_not_recognised(content: bytes) -> None:
    assert not paperlists.recognises(Document.from_upload("papers.json", content))


def test_accepted_papers_come_once_and_without_events() -> None:
    schedule = read("papers.json")

    assert [(it.key, it.title) for it in schedule.papers] == [
        ("abcDEF1234", "Learning & Forgetting"),
        ("abcDEF1235", "Fewer institutions than people"),
    ]
    assert (schedule.events, schedule.days) == ((), ())


def test_papers_have_texts_topic_and_links() -> None:
    paper = read("papers.json").papers[0]

    assert (paper.tldr, paper.abstract, paper.topic) == ("It forgets.", "We prove $a < b$.", "learning-theory")
    assert [(link.kind, link.url) for link in paper.links] == [
        ("paper", "https://openreview.net/forum?id=abcDEF1234"),
        ("website", "https://conf.example.org/virtual/2025/poster/101"),
        ("code", "https://code.example.org/forget"),
    ]


def test_authors_keep_their_order_and_profile() -> None:
    schedule = read("papers.json")
    people = {it.key: (it.name, it.affiliation) for it in schedule.people}

    assert [people[key] for key in schedule.papers[0].authors] == [
        ("Ada Example", "Example University"),
        ("Grace Example", "Institute of Examples"),
        ("Postal Example", ""),
    ]
    assert schedule.papers[0].authors[0] == schedule.papers[1].authors[1] == "author-~Ada_Example1"


def test_institutions_of_another_number_are_left_out() -> None:
    schedule = parsed([{"id": "1", "title": "T", "author": "Ada;Grace", "aff": "Only one"}])

    assert [it.affiliation for it in schedule.people] == ["", ""]


def test_no_address_no_rating_and_nobody_who_was_not_accepted_gets_in() -> None:
    schedule = read("papers.json")

    told = repr(schedule)
    assert "@" not in told
    assert "7.33" not in told
    assert "ecret" not in told


def test_those_left_out_are_counted_by_status() -> None:
    assert read("papers.json").skipped == (
        "paper 8: it has no id",
        "papers of status “Reject”: 1 left out; only accepted ones are imported",
        "papers of status “Withdraw”: 1 left out; only accepted ones are imported",
        "papers of status “Desk Reject”: 1 left out; only accepted ones are imported",
        "papers of status “none”: 1 left out; only accepted ones are imported",
    )


@pytest.mark.parametrize(
    "status",
    ["Oral", "Spotlight", "Poster", "poster", "Top-5%", "notable top 25%", "Accept (regular)", "accept", "Highlight"],
)
def test_every_word_for_accepted_counts(status: str) -> None:
    assert len(parsed([{"id": "1", "title": "T", "author": "Ada", "status": status}]).papers) == 1


@pytest.mark.parametrize(
    "status", ["Reject", "Withdraw", "Desk Reject", "", "Active", "Not accepted", "Poster (withdrawn)", None, 5, ["Oral"]]
)
def test_no_other_status_counts_as_accepted(status: Any) -> None:
    with pytest.raises(ScheduleParseError, match="has no event that can be imported"):
        parsed([{"id": "1", "title": "T", "author": "Ada", "status": status}])


def test_lines_of_json_are_a_list() -> None:
    schedule = read("papers.jsonl")

    assert [(it.key, len(it.authors), it.abstract) for it in schedule.papers] == [
        ("abcDEF1234", 2, ""),
        ("abcDEF1235", 0, "Text."),
    ]
    assert [it.affiliation for it in schedule.people] == ["", ""]
    assert schedule.warnings == ("the file does not give the order of the authors; they stay as listed",)


def test_a_broken_line_is_named_by_its_number() -> None:
    lines = (FOLDER / "papers.jsonl").read_bytes().replace(b'"poster"', b"poster")

    with pytest.raises(ScheduleParseError, match="line 2"):
        paperlists.parse(Document.from_upload("papers.jsonl", lines), HINTS)


def test_topics_of_the_virtual_site_are_area_and_subarea() -> None:
    schedule = parsed([{"id": "1", "title": "T", "authors": ["Ada"], "topic": "Theory->Learning Theory"}])

    assert [(it.area, it.subarea) for it in schedule.topics] == [("Theory", "Learning Theory")]


def test_a_list_keeps_the_dates_of_its_conference() -> None:
    conference = read("papers.json").conference

    assert (conference.start, conference.end, conference.timezone) == (HINTS.start, HINTS.end, "Asia/Singapore")


def test_missing_conference_is_asked_for() -> None:
    with pytest.raises(ScheduleParseError, match="make the conference with its dates first"):
        paperlists.parse(Document.read(FOLDER / "papers.json"), Hints(slug="demo"))


def test_entries_that_are_not_papers_are_reported() -> None:
    schedule = parsed([None, 5, {"id": "1", "title": "T", "author": "Ada"}, {"id": "2", "author": "Ada"}])

    assert schedule.warnings == ("the list: 2 of 4 entries are not objects; they are left out",)
    assert schedule.skipped == ("paper 2: it has no title",)
