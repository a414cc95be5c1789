from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from django.db import connection

from events.imports.sync.engine import sync
from events.imports.sync.report import SyncError
from events.programme.data.place import LegData, RouteData
from events.programme.data.schedule import AppearanceData, AwardData, LinkData, PaperData, PersonData, ScheduleData
from tests.factories import at
from tests.imports.sync.programmes import changed, event, everything, programme, whole_programme

pytestmark = pytest.mark.django_db


def last_talk(**fields: Any) -> ScheduleData:
    """A good programme whose last row is not."""
    return programme(event("good"), event("last", **fields))


def with_part(**parts: Any) -> ScheduleData:
    return dataclasses.replace(whole_programme(), **parts)


REFUSED: dict[str, tuple[ScheduleData, str]] = {
    "ends-before-it-starts": (
        last_talk(start=at("10:00"), end=at("09:00")),
        (
            "events, “last”: it ends at 2025-04-24 09:00:00+08:00 and starts at 2025-04-24 10:00:00+08:00; "
            "an event ends after it starts."
        ),
    ),
    "start-without-end": (
        last_talk(end=None),
        "events, “last”: it ends at None and starts at 2025-04-24 09:00:00+08:00; an event ends after it starts.",
    ),
    "title-too-long": (
        last_talk(title="x" * 301),
        "events, “last”: title: Ensure this value has at most 300 characters (it has 301).",
    ),
    "no-title": (last_talk(title=""), "events, “last”: title: This field cannot be blank."),
    "control-character": (
        last_talk(abstract="a\x00b"),
        "events, “last”: abstract: Character 2 (U+0000) cannot be shown: delete it and type the text again.",
    ),
    "unknown-status": (last_talk(status="maybe"), "events, “last”: status: Value 'maybe' is not a valid choice."),
    "number-too-large": (
        last_talk(capacity=10**19),
        "events, “last”: capacity: Ensure this value is less than or equal to {largest}.",
    ),
    "script-as-a-link": (
        last_talk(links=(LinkData(kind="slides", url="javascript:alert(1)"),)),
        "events, “last”, links: url: “javascript:alert(1)” is not a web address: it starts with https:// and has no spaces.",
    ),
    "unknown-role": (
        changed(whole_programme(), "oral", people=(AppearanceData(person="ada", role="king"),)),
        "events, “oral”, people: role: Value 'king' is not a valid choice.",
    ),
    "unknown-speaker": (
        last_talk(people=(AppearanceData(person="nobody"),)),
        "events, “last”: people “nobody” is not among the people.",
    ),
    "unknown-author": (
        with_part(papers=(PaperData(key="p", title="P", authors=("nobody",)),)),
        "papers, “p”: authors “nobody” is not among the people.",
    ),
    "leg-too-long": (
        with_part(routes=(RouteData(key="r", start="mrt", zone="hall", title="R", legs=(LegData(instruction="x" * 1001),)),)),
        "routes, “r”, legs: instruction: Ensure this value has at most 1000 characters (it has 1001).",
    ),
    "unknown-day": (last_talk(day="fri"), "events: day “fri” is not among the days."),
    "unknown-room": (last_talk(room="hall-9"), "events: room “hall-9” is not among the rooms."),
    "unknown-session": (
        last_talk(session="nowhere"),
        "events: “last” belongs to something unknown, or to something that belongs to it.",
    ),
    "part-of-itself": (
        last_talk(session="last"),
        "events: “last” belongs to something unknown, or to something that belongs to it.",
    ),
    "unknown-paper-of-an-award": (
        with_part(awards=(AwardData(key="a", name="A", year=2025, paper="nowhere"),)),
        "awards: paper “nowhere” is not among the papers.",
    ),
    "person-without-a-name": (
        with_part(people=(*whole_programme().people, PersonData(key="x", name=""))),
        "people, “x”: name: This field cannot be blank.",
    ),
    "time-zone": (
        dataclasses.replace(programme(event()), conference=dataclasses.replace(programme().conference, timezone="Mars")),
        "conference, timezone: “Mars” is not a time zone: write a name such as Asia/Singapore.",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_bad_value_is_refused_by_name_and_nothing_is_written(what: str) -> None:
    data, message = REFUSED[what]
    before = everything()

    with pytest.raises(SyncError) as caught:
        sync(data, source="file")

    largest = connection.ops.integer_field_range("PositiveIntegerField")[1]
    assert str(caught.value) == message.format(largest=largest)
    assert everything() == before


def test_bad_value_in_the_last_row_leaves_the_rows_before_as_they_were() -> None:
    sync(programme(event("good"), event("last")), source="file")
    before = everything()

    with pytest.raises(SyncError):
        sync(programme(event("good", title="Changed"), event("last", title="")), source="file")

    assert everything() == before


def test_events_that_contain_each_other_are_refused() -> None:
    with pytest.raises(SyncError, match="“a” belongs to something unknown, or to something that belongs to it"):
        sync(programme(event("a", session="b"), event("b", session="a")), source="file")


def test_bad_children_of_a_stored_row_leave_its_children() -> None:
    sync(whole_programme(), source="file")
    before = everything()

    with pytest.raises(SyncError):
        sync(changed(whole_programme(), "oral", links=(LinkData(kind="slides", url="no address"),)), source="file")

    assert everything() == before


def test_two_days_with_one_date_are_refused() -> None:
    data = programme(event())
    twice = dataclasses.replace(data, days=(*data.days, dataclasses.replace(data.days[0], key="again")))

    with pytest.raises(SyncError, match="days: “thu” and “again” would be the same; each needs a date of its own"):
        sync(twice, source="file")
