"""Dates, hours and lengths of cells as people and programs write them."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from events.imports.formats.spreadsheet.moments import DAY_FIRST, CellMoment, DateReading, parse_length, parse_moment

DAY = dt.date(2026, 4, 23)
NINE, HALF_PAST_NINE = dt.time(9), dt.time(9, 30)
READING = DateReading(DAY_FIRST, dt.date(2026, 4, 22), dt.date(2026, 4, 25))
DATES = [
    *("2026-04-23", "2026/04/23", "23.4.26", "23/04/2026", "23-04-2026", "46135"),
    *("23 April 2026", "April 23, 2026", "Apr 23rd, 2026", "23. April", "Thursday", "Thu 23 Apr"),
    *("Donnerstag, 23. April 2026", "jeudi 23 avril 2026", "23 de abril de 2026", "giovedì 23 aprile"),
]
MOMENTS = [
    *("2026-04-23 09:30", "2026-04-23T09:30:00", "23.04.2026 9.30", "23/04/2026 09:30", "4/23/2026 9:30 AM"),
    *("Thu, 23 Apr 2026, 9:30", "jeudi 23 avril 2026 à 9h30", "23. April 2026 um 9.30 Uhr", "46135.395833333336"),
]
HOURS = ["9:30", "09.30", "9.30 Uhr", "9h30", "9:30 am", "9:30 a.m.", "0930", "0.3958333333", "09:30:00"]
RANGES: dict[str, tuple[dt.time, dt.time]] = {
    "9:00 AM - 10:30 AM": (NINE, dt.time(10, 30)),
    "9 – 10:30 am": (NINE, dt.time(10, 30)),
    "11:00 – 1:00 PM": (dt.time(11), dt.time(13)),
    "9:00 to 10:30": (NINE, dt.time(10, 30)),
    "0930-1015": (HALF_PAST_NINE, dt.time(10, 15)),
    "23:00–24:00": (dt.time(23), dt.time(0)),
}
UNREADABLE = [
    "3rd floor",
    "31.02.2026",
    "25:00",
    "9:60",
    "room 9",
    "9",
    "9:00 EST",
    "Sunday",
    "13:00 PM",
    "x" * 5_000,
    "1" * 5_000,
]


@pytest.mark.parametrize("text", DATES)
def test_date_is_read(text: str) -> None:
    assert parse_moment(text, READING) == CellMoment(date=DAY)


@pytest.mark.parametrize("text", MOMENTS)
def test_date_with_an_hour_is_read(text: str) -> None:
    assert parse_moment(text, READING) == CellMoment(date=DAY, start=HALF_PAST_NINE)


@pytest.mark.parametrize("text", HOURS)
def test_hour_is_read(text: str) -> None:
    assert parse_moment(text, READING) == CellMoment(start=HALF_PAST_NINE)


@pytest.mark.parametrize(("text", "hours"), RANGES.items())
def test_range_of_hours_is_read(text: str, hours: tuple[dt.time, dt.time]) -> None:
    assert parse_moment(text, READING) == CellMoment(start=hours[0], end=hours[1])


def test_range_over_midnight_and_an_offset_are_read() -> None:
    night = CellMoment(date=DAY, start=dt.time(22), end_date=dt.date(2026, 4, 24), end=dt.time(1))
    offset = CellMoment(date=DAY, start=NINE, offset=dt.timezone(dt.timedelta(hours=8)))

    assert parse_moment("23/04/2026 22:00 - 24/04/2026 01:00", READING) == night
    assert parse_moment("2026-04-23T09:00:00+08:00", READING) == offset


@pytest.mark.parametrize("text", UNREADABLE, ids=lambda text: text[:12])
def test_text_with_anything_left_over_is_not_read(text: str) -> None:
    assert parse_moment(text, READING) is None


def test_order_that_is_open_is_not_guessed() -> None:
    assert parse_moment("4/5/2026", DateReading()) is None


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        *(("45", 45), ("45 min", 45), ("1:30", 90), ("01:30:00", 90), ("1 h 30", 90), ("1.5 hours", 90), ("1,5 Std.", 90)),
        *(("PT45M", 45), ("0.0625", 90), ("long", None), ("", None), ("9" * 500, None)),
    ],
)
def test_length_is_read(text: str, minutes: Any) -> None:
    assert parse_length(text) == (None if minutes is None else dt.timedelta(minutes=minutes))
