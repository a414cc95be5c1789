"""Fields and values as texts of the report."""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import Any

import pytest

from events.imports.sync.engine import sync
from events.imports.sync.report import ReportLine, shortened
from events.programme.data.place import LegData
from events.programme.data.schedule import AppearanceData, DayData, EventTypeData, LinkData, PaperData, ScheduleData, TrackData
from tests.factories import THURSDAY, at
from tests.imports.sync.programmes import changed, event, programme, whole_programme

pytestmark = pytest.mark.django_db

LONG = "word " * 60


def differences(data: ScheduleData) -> list[tuple[str, str, list[tuple[str, str, str]]]]:
    """What a second import of ``whole_programme`` in this form says it changed."""
    sync(whole_programme(), source="file")
    report = sync(data, source="file")
    return [
        (line.what, line.title, [(it.field, it.old, it.new) for it in line.differences])
        for line in report.lines
        if line.verb == "changed"
    ]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({"official": True}, ("official", "no", "yes"), id="yes-or-no"),
        pytest.param({"at_venue": False}, ("at the venue", "", "no"), id="unknown-to-no"),
        pytest.param({"status": "tentative"}, ("status", "Confirmed", "Tentative"), id="choice"),
        pytest.param({"signup_url": "https://example.org/"}, ("sign-up page", "", "https://example.org/"), id="label"),
        pytest.param({"recording_from": THURSDAY}, ("recording public from", "", "Thu 24 April 2025"), id="date"),
        pytest.param({"track": ""}, ("track", "Theory", ""), id="reference-to-nothing"),
        pytest.param({"session": ""}, ("session", "Session", ""), id="session"),
        pytest.param({"paper": ""}, ("paper", "Adam", ""), id="paper"),
        pytest.param({"capacity": 40}, ("capacity", "", "40"), id="number"),
        pytest.param(
            {"people": (AppearanceData(person="ada", role="host", remote=True),)},
            ("people", "Durk Kingma, Ada Lovelace", "Ada Lovelace (host, remote)"),
            id="people",
        ),
        pytest.param({"links": ()}, ("links", "Slides: https://example.org/slides", ""), id="links"),
        pytest.param({"abstract": LONG}, ("abstract", "", LONG[:160] + "…"), id="long-text"),
    ],
)
def test_event_field_is_reported_as_text(fields: dict[str, Any], expected: tuple[str, str, str]) -> None:
    assert differences(changed(whole_programme(), "oral", **fields)) == [("event", "Oral", [expected])]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param(
            lambda it: {"walks": (dataclasses.replace(it.walks[0], minutes=9),)},
            ("walk", "Halls → Exit A", [("minutes", "5", "9")]),
            id="walk",
        ),
        pytest.param(
            lambda it: {"tracks": (TrackData(key="theory", name="Proofs"),)},
            ("track", "Theory", [("name", "Theory", "Proofs")]),
            id="track",
        ),
        pytest.param(
            lambda it: {"days": (dataclasses.replace(it.days[0], title="Main"),)},
            ("day", "Thu 24 April 2025", [("title", "", "Main")]),
            id="day",
        ),
        pytest.param(
            lambda it: {"papers": (PaperData(key="adam", title="Adam", authors=("ada",), links=it.papers[0].links),)},
            ("paper", "Adam", [("authors", "Durk Kingma, Ada Lovelace", "Ada Lovelace")]),
            id="authors",
        ),
        pytest.param(
            lambda it: {"routes": (dataclasses.replace(it.routes[0], legs=(LegData(instruction="Fly"),)),)},
            ("route", "On foot", [("legs", "Up, On", "Fly")]),
            id="legs",
        ),
        pytest.param(
            lambda it: {"conference": dataclasses.replace(it.conference, city="Vienna")},
            ("conference", "Demo", [("city", "", "Vienna")]),
            id="conference",
        ),
        pytest.param(
            lambda it: {"services": (dataclasses.replace(it.services[0], zone="", room="hall-1"),)},
            ("service", "Desk", [("zone", "Exit A", ""), ("room", "", "Hall 1")]),
            id="service",
        ),
    ],
)
def test_other_rows_are_reported_by_name(parts: Any, expected: tuple[str, str, list[tuple[str, str, str]]]) -> None:
    data = whole_programme()

    assert differences(dataclasses.replace(data, **parts(data))) == [expected]


def test_references_have_their_old_and_new_names() -> None:
    data = programme(event(room="hall-1"))
    sync(data, source="file")
    rooms = (dataclasses.replace(data.rooms[0], name="Foyer"), dataclasses.replace(data.rooms[1], name="Attic"))

    report = sync(dataclasses.replace(changed(data, "keynote", room="hall-2"), rooms=rooms), source="file")

    assert report.sentences("changed")[-1] == "changed “Keynote”: room: “Hall 1” → “Attic”"


def test_type_is_reported_by_name() -> None:
    data = programme(event())
    sync(data, source="file")
    types = (*data.types, EventTypeData(key="chat", name="Mentorship chat", kind="social"))

    report = sync(dataclasses.replace(changed(data, "keynote", type="chat"), types=types), source="file")

    assert report.sentences("changed") == ["changed “Keynote”: type: “Talk” → “Mentorship chat”"]


def test_long_texts_are_shown_from_their_first_difference() -> None:
    old, new = f"{'a' * 300} old {'z' * 300}", f"{'a' * 300} new {'z' * 300}"

    assert shortened(old, new) == (
        f"…{'a' * 29} old {'z' * 126}…",
        f"…{'a' * 29} new {'z' * 126}…",
    )


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (ReportLine("created", "Keynote"), "created “Keynote”"),
        (ReportLine("cancelled", "Keynote", reason="no longer in the file"), "cancelled “Keynote”: no longer in the file"),
        (ReportLine("skipped", "event 3: it has no title"), "skipped event 3: it has no title"),
    ],
)
def test_line_as_a_sentence(line: ReportLine, sentence: str) -> None:
    assert str(line) == sentence


def test_link_is_reported_with_its_kind() -> None:
    data = changed(whole_programme(), "oral", links=(LinkData(kind="website", url="https://example.org/x"),))

    assert differences(data) == [
        ("event", "Oral", [("links", "Slides: https://example.org/slides", "Website: https://example.org/x")]),
    ]


def test_slot_names_a_year_that_is_not_the_conference_s() -> None:
    later = dt.timedelta(days=366)
    moved = changed(whole_programme(), "oral", start=at("09:00") + later, end=at("10:00") + later, day="", room="")
    sync(whole_programme(), source="file")
    day = DayData(key="far", date=THURSDAY + later)

    events = tuple(dataclasses.replace(it, day="far") if it.key == "oral" else it for it in moved.events)
    report = sync(dataclasses.replace(moved, days=(*moved.days, day), events=events), source="file")

    assert [line.slot for line in report.lines if line.verb == "changed"] == ["Sat 25 April 2026, 09:00–10:00"]
