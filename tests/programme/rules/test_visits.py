"""Posters are on for hours and seen in minutes."""

from __future__ import annotations

import datetime as dt

import pytest

from events.programme.rules.days import share_text
from events.programme.rules.overlaps import ConflictVerdict, conflict, count_fitting
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import Walks

TEN = dt.datetime(2025, 4, 24, 10, tzinfo=dt.UTC)


def slot(key: str, minutes: int, after: int = 0, **fields: object) -> TimeSlot:
    start = TEN + dt.timedelta(minutes=after)
    return TimeSlot(key=key, start=start, end=start + dt.timedelta(minutes=minutes), **fields)  # type: ignore[arg-type]


POSTER = slot("poster", 150, is_visit=True)


@pytest.mark.parametrize(
    ("other", "verdict"),
    [
        pytest.param(slot("other", 150, is_visit=True), None, id="another poster"),
        pytest.param(slot("talk", 15, 30), (ConflictVerdict.PARTIAL, 15, 150), id="a talk meanwhile"),
        pytest.param(slot("talk", 150), (ConflictVerdict.PARTIAL, 150, 150), id="a talk just as long"),
        pytest.param(slot("talk", 200), (ConflictVerdict.CLASH, 150, 0), id="a longer talk"),
        pytest.param(slot("workshop", 480, is_container=True), (ConflictVerdict.PARTIAL, 150, 480), id="a workshop around it"),
        pytest.param(slot("session", 90, is_container=True), (ConflictVerdict.PARTIAL, 90, 150), id="a session meanwhile"),
        pytest.param(slot("posters", 150, is_container=True), (ConflictVerdict.PARTIAL, 150, 150), id="another poster session"),
    ],
)
def test_poster_leaves_time_for_others(other: TimeSlot, verdict: tuple[ConflictVerdict, int, int] | None) -> None:
    for a, b in ((POSTER, other), (other, POSTER)):
        found = conflict(a, b, Walks())
        assert (found and (found.verdict, found.minutes, found.of_minutes)) == verdict


def test_fitting_counts_what_clashes_with_no_bookmark() -> None:
    talk, session = slot("talk", 60), slot("session", 60, is_container=True)
    slots = {
        POSTER: ["poster", "next to it"],
        slot("a", 30): ["a", "b", "c"],
        slot("late", 30, 90): ["late"],
        session: ["session"],
    }

    assert count_fitting(slots, [], Walks()) == 7
    assert count_fitting(slots, [talk], Walks()) == 3
    assert count_fitting(slots, [talk, slot("b", 30)], Walks()) == 4
    assert count_fitting({slot("mine", 60, is_container=True): ["mine"]}, [slot("part", 60, parent="mine")], Walks()) == 1


@pytest.mark.parametrize(
    ("minutes", "count", "words"),
    [
        (150, 617, "14 s"),
        (150, 34, "4 min"),
        (120, 34, "3 min 30 s"),
        (150, 12, "12 min"),
        (150, 1, "2 h 30 min"),
        (1, 617, "1 s"),
        (150, 0, "2 h 30 min"),
    ],
)
def test_share_says_the_time_there_is_for_each(minutes: int, count: int, words: str) -> None:
    assert share_text(dt.timedelta(minutes=minutes), count) == words
