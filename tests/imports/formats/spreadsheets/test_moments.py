"""Dates, hours and lengths of cells as people and programs write them."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from events.imports.formats.spreadsheet.lengths import parse_length, unit_of_column
from events.imports.formats.spreadsheet.moments import DAY_FIRST, CellMoment, DateReading, lacks_year, parse_moment

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
    "9.30-10": (HALF_PAST_NINE, dt.time(10)),
    "0930-1015": (HALF_PAST_NINE, dt.time(10, 15)),
    "23:00–24:00": (dt.time(23), dt.time(0)),
}
BARE_RANGES: dict[str, tuple[dt.time, dt.time]] = {
    "9-10": (NINE, dt.time(10)),
    "22 – 1": (dt.time(22), dt.time(1)),
    "23-24": (dt.time(23), dt.time(0)),
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
    "1 pm - 2",
    "9-10",
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


@pytest.mark.parametrize(("text", "hours"), (RANGES | BARE_RANGES).items())
def test_range_of_bare_hours_is_read_where_hours_are_expected(text: str, hours: tuple[dt.time, dt.time]) -> None:
    assert parse_moment(text, READING, bare_hours=True) == CellMoment(start=hours[0], end=hours[1])


@pytest.mark.parametrize("text", ["9", "9-25", "1 pm - 2", "9-10 11", "room 9-10", "-9"])
def test_numbers_that_are_no_range_of_hours_are_not_read(text: str) -> None:
    assert parse_moment(text, READING, bare_hours=True) is None


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
    ("last", "text", "date"),
    [
        pytest.param(dt.date(2027, 1, 31), "15 Jan", dt.date(2027, 1, 15), id="the one within"),
        pytest.param(dt.date(2027, 1, 31), "20 Feb", dt.date(2026, 2, 20), id="nor the other"),
        pytest.param(dt.date(2027, 2, 28), "20 Feb", None, id="two within"),
        pytest.param(dt.date(2026, 2, 12), "15 Feb", dt.date(2026, 2, 15), id="none within, the nearest"),
        pytest.param(dt.date(2026, 2, 12), "31 Feb", None, id="no date"),
    ],
)
def test_date_without_a_year_is_the_one_within_the_conference(last: dt.date, text: str, date: dt.date | None) -> None:
    read = parse_moment(text, DateReading(DAY_FIRST, dt.date(2026, 2, 10), last))

    assert (read and read.date) == date


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("14 Sept", True),
        ("Mon 14 September 9:00", True),
        ("14 Sept 2026", False),
        ("Monday", False),
        ("31 Feb", False),
        ("x" * 5_000, False),
    ],
    ids=lambda value: str(value)[:12],
)
def test_date_that_only_lacks_its_year_is_known(text: str, expected: bool) -> None:
    assert lacks_year(text, DateReading()) is expected


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        *(("45", 45), ("45 min", 45), ("1:30", 90), ("01:30:00", 90), ("1 h 30", 90), ("1.5 hours", 90), ("1,5 Std.", 90)),
        *(("PT45M", 45), ("0.0625", 90), ("long", None), ("", None), ("9" * 500, None)),
    ],
)
def test_length_is_read(text: str, minutes: Any) -> None:
    assert parse_length(text) == (None if minutes is None else dt.timedelta(minutes=minutes))


@pytest.mark.parametrize(
    ("header", "texts", "unit"),
    [
        *((f"Duration ({unit})", ["90"], "hours") for unit in ("h", "hrs", "hours", "Std", "Stunden")),
        *((header, ["1.5"], "minutes") for header in ("Duration (min)", "Minutes", "duration_mins")),
        ("Dauer", ["1", "1,5", "", "lang"], "hours"),
        *(("Duration", texts, "") for texts in (["45"], ["0.5", "1"], ["45", "22.5"], [])),
        ("Length (h:mm)", ["1:30"], ""),
    ],
)
def test_unit_of_lengths_is_in_the_header_or_follows_from_the_column(header: str, texts: list[str], unit: str) -> None:
    assert unit_of_column(header, texts) == unit


@pytest.mark.parametrize(
    ("text", "unit", "minutes"),
    [
        *(("1", "hours", 60), ("0,75", "hours", 45), (".5", "hours", 30), ("45 min", "hours", 45), ("1:30", "hours", 90)),
        *(("1", "minutes", 1), ("0.5 h", "minutes", 30), ("9" * 500, "hours", None)),
    ],
)
def test_plain_number_has_the_unit_of_its_column(text: str, unit: str, minutes: Any) -> None:
    assert parse_length(text, unit) == (None if minutes is None else dt.timedelta(minutes=minutes))
