"""OpenReview's notes: accepted papers with their authors; nothing of others, and no e-mail address anywhere."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import openreview
from events.imports.formats.document import Document, Hints
from tests.imports.formats.services.service_files import content_of, parsed, read

ADDRESS = "ada@private.example"


def note(number: int = 1, *, venueid: str | None = "Example.cc/2025/Conference", **fields: Any) -> dict[str, Any]:
    content = {"title": "A title", "authors": ["Ada Example"], "authorids": ["~Ada_Example1"], "venueid": venueid} | fields
    key = f"noteId{number:04}"
    return {"id": key, "forum": key, "content": {name: {"value": value} for name, value in content.items() if value is not None}}


def test_accepted_papers_come_without_events() -> None:
    schedule = read("openreview/notes.json")

    assert [(each.key, each.title) for each in schedule.papers] == [
        ("aBcDeF0001", "Learning & Forgetting"),
        ("aBcDeF0002", "Blind examples"),
        ("aBcDeF0005", "People as objects"),
    ]
    assert (schedule.events, schedule.days) == ((), ())


def test_papers_have_texts_topic_and_links() -> None:
    paper = read("openreview/notes.json").papers[0]

    assert (paper.tldr, paper.abstract, paper.topic) == ("It forgets.", "We prove $a < b$.", "learning-theory")
    assert [(link.kind, link.url) for link in paper.links] == [
        ("paper", "https://openreview.net/forum?id=aBcDeF0001"),
        ("paper", "https://openreview.net/pdf/0123456789abcdef.pdf"),
        ("code", "https://code.example.org/forget"),
    ]


def test_authors_keep_their_order_and_only_profiles_are_identities() -> None:
    schedule = read("openreview/notes.json")

    assert [each.authors for each in schedule.papers] == [
        ("author-~Ada_Example1", "author-~Grace_Example2", "postal-example"),
        (),
        ("author-~Ada_Example1", "eve-example"),
    ]


def test_authors_that_are_not_public_stay_out() -> None:
    schedule = read("openreview/notes.json")

    assert schedule.warnings == ("papers whose authors are not public on OpenReview: 1; they are imported without authors",)


def test_nobody_who_was_not_accepted_and_no_address_gets_in() -> None:
    told = repr(read("openreview/notes.json"))

    assert "@" not in told
    assert "ecret" not in told


def test_refused_notes_are_counted() -> None:
    assert read("openreview/notes.json").skipped == (
        "notes of venueid “Rejected_Submission”: 1 left out; only accepted papers are imported",
        "notes of venueid “Withdrawn_Submission”: 1 left out; only accepted papers are imported",
        "replies to papers: 1 left out; only accepted papers are imported",
    )


@pytest.mark.parametrize(
    ("venueid", "venue"),
    [
        ("Example.cc/2025/Conference/Submission", None),
        ("Example.cc/2025/Conference/Desk_Rejected_Submission", None),
        ("TMLR/Under_Review", None),
        ("TMLR/Decision_Pending", None),
        ("TMLR/Rejected", None),
        ("Example.cc/2025/Conference", "Submitted to Example 2025"),
        ("Example.cc/2025/Conference", "Example 2025 Conference Withdrawn Submission"),
        (f"Example.cc/2025/{ADDRESS}/Submission", None),
        ("", None),
        (None, None),
    ],
)
def test_no_other_venue_counts_as_accepted(venueid: str | None, venue: str | None) -> None:
    content = [note(venueid=venueid, venue=venue), note(2)]

    schedule = parsed(content)

    assert [each.key for each in schedule.papers] == ["noteId0002"]
    assert len(schedule.skipped) == 1


def test_part_of_a_venue_of_the_file_is_not_accepted() -> None:
    schedule = parsed([note(), note(2, venueid="Example.cc/2025/Conference/Some_New_State")])

    assert [each.key for each in schedule.papers] == ["noteId0001"]


def test_deleted_notes_stay_out() -> None:
    assert len(parsed([note(), note(2) | {"ddate": 1745000000000}]).papers) == 1


PLACES: dict[str, dict[str, Any]] = {
    "an id": {"authorids": [ADDRESS]},
    "ids that do not fit": {"authorids": [ADDRESS, ADDRESS]},
    "ids as a text": {"authorids": ADDRESS},
    "a name": {"authors": [ADDRESS]},
    "an author as an object": {"authors": [{"fullname": "Ada", "username": ADDRESS}]},
    "a name in an object": {"authors": [{"fullname": ADDRESS, "username": "~Ada1"}]},
    "another field of an object": {"authors": [{"fullname": "Ada", "email": ADDRESS}]},
    "an author that is only an address": {"authors": [{"email": ADDRESS}]},
    "authors as a text": {"authors": ADDRESS},
    "an id with a control character": {"authorids": [f"{ADDRESS}\x00"]},
    "an id that looks like a profile": {"authorids": [f"~{ADDRESS}"]},
    "an object as an id": {"authorids": [{"x": ADDRESS}]},
    "a venue": {"venueid": f"{ADDRESS}/Submission"},
    "a last part of a venue": {"venueid": f"Example.cc/{ADDRESS}_Submission"},
    "an address for a link": {"code": f"mailto:{ADDRESS}", "pdf": ADDRESS, "video": ADDRESS},
}


@pytest.mark.parametrize("place", PLACES)
def test_an_address_is_neither_stored_nor_shown_nor_logged(place: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    schedule = parsed([note(2), note(**PLACES[place])])

    assert "private" not in repr(schedule)
    assert "private" not in caplog.text


@pytest.mark.parametrize("place", PLACES)
def test_an_address_is_not_in_an_error(place: str) -> None:
    for content in ([note(**PLACES[place], title="")], [note(**PLACES[place])] + [note()] * 2):
        for sent, hints in ((content, Hints(slug="demo")), ({"notes": content, "count": 99}, Hints(slug="demo"))):
            with pytest.raises(ScheduleParseError) as caught:
                parsed(sent, hints)
            assert "private" not in str(caught.value)


def test_one_page_of_several_is_refused() -> None:
    content = content_of("openreview/notes.json") | {"count": 3704}

    with pytest.raises(ScheduleParseError, match="holds 6 of 3704 notes, one page of several: fetch all pages into one file"):
        parsed(content)


def test_missing_conference_is_asked_for() -> None:
    with pytest.raises(ScheduleParseError, match="make the conference with its dates first"):
        parsed([note()], Hints(slug="demo"))


def test_notes_of_the_first_api_are_not_recognised() -> None:
    first = b'{"notes": [{"id": "a", "content": {"title": "T", "venueid": "X"}}]}'

    assert not openreview.recognises(Document.from_upload("x", first))
