"""Other times of what one must miss."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.agenda.rules.itinerary import attendable_times
from events.programme.rules.overlaps import ConflictVerdict, conflicts_with
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import Walks

NINE = dt.datetime(2025, 4, 24, 9, tzinfo=dt.UTC)
WALKS = Walks([("hall", "annex", 10, None, None, None)])


def at(minutes: int) -> dt.datetime:
    return NINE + dt.timedelta(minutes=minutes)


def slot(key: str, start: int, end: int, zone: str = "hall", **more: Any) -> TimeSlot:
    return TimeSlot(key=key, start=at(start), end=at(end), zone=zone, **more)


ORAL, OTHER = slot("oral", 0, 30), slot("other", 15, 45)


def keys(times: list[TimeSlot], bookmarks: list[TimeSlot], now: int = -60) -> list[Any]:
    return [it.key for it in attendable_times(ORAL, times, bookmarks, WALKS, at(now))]


def test_poster_of_the_same_work_is_an_answer() -> None:
    assert keys([slot("poster", 300, 420, is_visit=True)], [ORAL, OTHER]) == ["poster"]


def test_poster_may_be_left_for_another_pick() -> None:
    times = [slot("poster", 300, 420, is_visit=True), slot("repeat", 500, 530)]

    assert keys(times, [ORAL, OTHER, slot("talk", 310, 330)]) == ["repeat", "poster"]


def test_answer_never_clashes() -> None:
    assert keys([slot("repeat", 300, 330)], [ORAL, OTHER, slot("talk", 310, 340)]) == []


def test_answer_is_never_too_far() -> None:
    assert keys([slot("repeat", 300, 330, "annex")], [ORAL, OTHER, slot("talk", 335, 350)]) == []


@pytest.mark.parametrize(
    "time",
    [slot("gone", 300, 330, cancelled=True), TimeSlot(key="someday", start=None, end=None), slot("other", 300, 330)],
    ids=["cancelled", "no-time", "picked-already"],
)
def test_what_cannot_be_had_is_no_answer(time: TimeSlot) -> None:
    assert keys([time], [ORAL, OTHER]) == []


def test_what_is_over_is_no_answer() -> None:
    assert keys([slot("repeat", 300, 330)], [ORAL, OTHER], now=330) == []


def test_same_time_as_the_pick_itself_is_no_obstacle() -> None:
    assert keys([slot("repeat", 0, 15)], [ORAL, OTHER]) == ["repeat"]


slots = st.builds(
    lambda number, start, length, zone, visit: slot(str(number), start * 5, (start + length) * 5, zone, is_visit=visit),
    st.integers(0, 30),
    st.integers(0, 40),
    st.integers(1, 24),
    st.sampled_from(["hall", "annex"]),
    st.booleans(),
)


@given(st.lists(slots, max_size=6, unique_by=lambda it: it.key), st.lists(slots, max_size=4, unique_by=lambda it: it.key))
def test_answers_are_all_that_clash_with_nothing(times: list[TimeSlot], rest: list[TimeSlot]) -> None:
    bookmarks = [ORAL, *rest]

    def fits(it: TimeSlot) -> bool:
        verdicts = {found.verdict for found in conflicts_with(it, rest, WALKS)}
        return not verdicts or (it.is_visit and verdicts == {ConflictVerdict.PARTIAL})

    expected = {it.key for it in times if it.key not in {bookmark.key for bookmark in bookmarks} and fits(it)}

    assert set(keys(times, bookmarks)) == expected
