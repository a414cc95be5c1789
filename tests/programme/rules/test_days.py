"""Programmes by day and by start."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core.spans import utc
from events.programme.rules.days import by_day, by_start, pages_of_hours, spine_mark
from events.programme.rules.slots import TimeSlot
from tests.programme.rules.builders import NEW_ORLEANS, VIENNA, at, instants, slot, to_be_announced


class Talk(NamedTuple):
    title: str
    day: dt.date | None = None


def _april(day: int) -> dt.date:
    return dt.date(2025, 4, day)


def test_by_day_puts_days_in_order_and_keeps_the_order_within() -> None:
    late, b, a = Talk("late", _april(25)), Talk("b", _april(24)), Talk("a", _april(24))

    assert by_day([late, b, a]) == [(_april(24), [b, a]), (_april(25), [late])]


def test_by_day_puts_what_has_no_day_last() -> None:
    unknown, first = Talk("unknown"), Talk("first", _april(22))

    assert by_day([unknown, first]) == [(_april(22), [first]), (None, [unknown])]


def test_by_day_asks_what_it_is_given() -> None:
    assert by_day([24, 22], day=_april) == [(_april(22), [22]), (_april(24), [24])]


def test_by_start_puts_times_in_order_and_keeps_the_order_within() -> None:
    late, long, short = slot("11:00", "12:00"), slot("09:00", "12:00"), slot("09:00", "10:00")

    assert by_start([late, long, short]) == [(at("09:00"), [long, short]), (at("11:00"), [late])]


def test_by_start_puts_what_is_to_be_announced_last() -> None:
    unknown, known = to_be_announced(), slot("09:00", "10:00")

    assert by_start([unknown, known]) == [(at("09:00"), [known]), (None, [unknown])]


def test_by_start_needs_no_end() -> None:
    open_end = TimeSlot(key="party", start=at("21:00"), end=None)

    assert by_start([open_end]) == [(at("21:00"), [open_end])]


def test_by_start_asks_what_it_is_given() -> None:
    assert by_start(["11:00", "09:00"], start=at) == [(at("09:00"), ["09:00"]), (at("11:00"), ["11:00"])]


def test_by_start_groups_an_instant_given_in_two_zones() -> None:
    here, there = at("09:00"), at("20:00", day=23, zone=NEW_ORLEANS)

    assert by_start([here, there], start=lambda instant: instant) == [(here, [here, there])]


def test_by_start_keeps_the_repeated_hour_apart() -> None:
    first = dt.datetime(2025, 10, 26, 2, 30, tzinfo=VIENNA)
    second = first.replace(fold=1)

    groups = by_start([second, first], start=lambda instant: instant)

    assert [(start and start.isoformat(), len(items)) for start, items in groups] == [
        ("2025-10-26T00:30:00+00:00", 1),
        ("2025-10-26T01:30:00+00:00", 1),
    ]


@pytest.mark.parametrize("group", [pytest.param(by_day, id="by day"), pytest.param(by_start, id="by start")])
def test_nothing_has_no_groups(group: type[object]) -> None:
    assert group([]) == []  # type: ignore[call-arg]


@given(st.lists(st.none() | instants()))
def test_by_start_loses_nothing(starts: list[dt.datetime | None]) -> None:
    groups = by_start(enumerate(starts), start=lambda numbered: numbered[1])

    assert sorted(number for _, items in groups for number, _ in items) == list(range(len(starts)))
    assert all((instant and utc(instant)) == start for start, items in groups for _, instant in items)


@pytest.mark.parametrize(
    ("hours", "sizes"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("8 8 9", [3], id="fits"),
        pytest.param("8 8 9 9 10", [4, 1], id="whole-hours"),
        pytest.param("8 9 9 9 9 10", [1, 4, 1], id="not-in-the-middle-of-one"),
        pytest.param("8 9 9 9 9 9 9 10", [1, 4, 3], id="one-that-is-too-long"),
        pytest.param("8 8 8 - -", [3, 2], id="without-an-hour"),
    ],
)
def test_pages_are_of_whole_hours(hours: str, sizes: list[int]) -> None:
    starts = [None if it == "-" else at(f"{int(it):02}:00") for it in hours.split()]

    pages = pages_of_hours(starts, 4)

    assert [it.stop - it.start for it in pages] == sizes
    assert [it for page in pages for it in starts[page]] == starts


@pytest.mark.parametrize(
    ("start", "mark"), [("09:10", "09:00"), ("09:30", "09:30"), ("09:50", "09:30"), ("10:20", "10:00"), ("08:20", "08:00")]
)
def test_row_is_marked_by_the_last_start_or_its_full_hour(start: str, mark: str) -> None:
    assert spine_mark(at(start), [at("09:00"), at("09:30")], VIENNA) == at(mark)
