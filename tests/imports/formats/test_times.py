from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.imports.formats.times import (
    StartTime,
    parse_clock,
    parse_datetime,
    parse_day_change,
    parse_duration,
    parse_leading_date,
    start_on_day,
)

VIENNA = ZoneInfo("Europe/Vienna")
KOLKATA = ZoneInfo("Asia/Kolkata")
MINUTES = st.integers(0, 99)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("0:30", 30),
        ("00:30", 30),
        ("1:00", 60),
        (" 01:05 ", 65),
        ("00:90", 90),
        ("26:00", 26 * 60),
        ("2:06:00", 54 * 60),
        ("1:12:00", 36 * 60),
        ("PT45M", 45),
        ("PT1H30M", 90),
        ("P1DT2H", 26 * 60),
        ("45", 45),
        ("0:00", 0),
    ],
)
def test_duration(text: str, minutes: int) -> None:
    assert parse_duration(text) == dt.timedelta(minutes=minutes)


@pytest.mark.parametrize("text", ["", "-0:30", "1:-30", "soon", "1:2:3:4", "1.5", ":", "1:", "P", "PT", "٣:٠٠", "123456", "1e3"])
def test_malformed_duration_is_none(text: str) -> None:
    assert parse_duration(text) is None


@given(days=MINUTES, hours=MINUTES, minutes=MINUTES)
def test_any_duration_is_the_sum_of_its_parts(days: int, hours: int, minutes: int) -> None:
    assert parse_duration(f"{days}:{hours:02}:{minutes:02}") == dt.timedelta(days=days, hours=hours, minutes=minutes)
    assert parse_duration(f"{hours}:{minutes:02}") == dt.timedelta(hours=hours, minutes=minutes)


@given(text=st.text(alphabet="0123456789:-PTDHMS. ٣", max_size=12))
def test_any_text_is_a_duration_or_none(text: str) -> None:
    found = parse_duration(text)

    assert found is None or dt.timedelta(0) <= found < dt.timedelta(days=20_000)


@pytest.mark.parametrize(
    ("text", "time"),
    [("9:30", dt.time(9, 30)), ("09:30", dt.time(9, 30)), ("09:30:00", dt.time(9, 30)), ("24:00", None), ("9", None), ("", None)],
)
def test_clock(text: str, time: dt.time | None) -> None:
    assert parse_clock(text) == time


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2025-04-24T09:00:00+05:30", "2025-04-24T03:30+00:00"),
        ("2025-04-24T09:00+00:00", "2025-04-24T09:00+00:00"),
        ("2025-04-24T09:00:00Z", "2025-04-24T09:00+00:00"),
        ("2025-04-24 09:00", "2025-04-24T03:30+00:00"),
        (" 2025-04-24T09:00:00.5-12:00 ", "2025-04-24T21:00:00.500000+00:00"),
    ],
)
def test_moment(text: str, at: str) -> None:
    assert parse_datetime(text, KOLKATA) == dt.datetime.fromisoformat(at)


@pytest.mark.parametrize(
    "text", ["2025-04-24", "9999-12-31T23:59:00-14:00", "0001-01-01T00:00:00+14:00", "20008-02-24T09:00", "now", ""]
)
def test_malformed_datetime_is_none(text: str) -> None:
    assert parse_datetime(text, KOLKATA) is None


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2025-04-24", dt.date(2025, 4, 24)),
        ("2025-04-24T09:00:00+05:30", dt.date(2025, 4, 24)),
        ("20008-02-24", None),
        ("2025-02-30", None),
        ("1899-01-01", None),
        ("", None),
    ],
)
def test_day_of(text: str, date: dt.date | None) -> None:
    assert parse_leading_date(text) == date


@pytest.mark.parametrize(
    ("text", "change"), [("09:00:00", dt.time(9)), ("00:00", dt.time(0)), ("", dt.time(4)), ("x", dt.time(4))]
)
def test_day_change(text: str, change: dt.time) -> None:
    assert parse_day_change(text) == change


def test_gap_and_fold_are_reported() -> None:
    gap = start_on_day(dt.date(2025, 3, 30), dt.time(2, 30), VIENNA, change=dt.time(0))
    fold = start_on_day(dt.date(2025, 10, 26), dt.time(2, 30), VIENNA, change=dt.time(0))

    assert gap.at.isoformat() == "2025-03-30T03:30:00+02:00"
    assert gap.warning == "the clocks at the venue leave out 02:30 on 2025-03-30; 03:30 is used"
    assert fold.at.isoformat() == "2025-10-26T02:30:00+02:00"
    assert fold.warning == "the clocks at the venue show 02:30 twice on 2025-10-26; the first is used"


@given(date=st.dates(dt.date(1900, 1, 1), dt.date(2199, 12, 31)), start=st.times(), change=st.times())
def test_any_time_is_on_its_day_or_the_morning_after(date: dt.date, start: dt.time, change: dt.time) -> None:
    found = start_on_day(date, start, VIENNA, change=change)

    assert isinstance(found, StartTime)
    if not found.warning:
        assert found.at.replace(tzinfo=None) == dt.datetime.combine(date + dt.timedelta(days=start < change), start)
