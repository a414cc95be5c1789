"""The clock: programme dates, the visitor's zone and moments asked for."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core.clock import Clock, parse_at, programme_date
from tests.programme.rules.builders import NEW_ORLEANS, SINGAPORE, VIENNA, ZONES, at


@pytest.mark.parametrize(
    ("instant", "zone", "day"),
    [
        pytest.param(at("09:00"), SINGAPORE, 24, id="in the morning"),
        pytest.param(at("23:59"), SINGAPORE, 24, id="before midnight"),
        pytest.param(at("00:00", day=25), SINGAPORE, 24, id="midnight"),
        pytest.param(at("03:59:59", day=25), SINGAPORE, 24, id="just before the day changes"),
        pytest.param(at("04:00", day=25), SINGAPORE, 25, id="as the day changes"),
        pytest.param(at("23:00", zone=NEW_ORLEANS), SINGAPORE, 25, id="told in another zone"),
    ],
)
def test_programme_date_changes_at_four(instant: dt.datetime, zone: ZoneInfo, day: int) -> None:
    assert programme_date(instant, zone) == dt.date(2025, 4, day)


@pytest.mark.parametrize(
    ("instant", "date"),
    [
        pytest.param(dt.datetime(2025, 3, 30, 1, 30, tzinfo=dt.UTC), dt.date(2025, 3, 29), id="03:30, two hours after midnight"),
        pytest.param(dt.datetime(2025, 3, 30, 2, tzinfo=dt.UTC), dt.date(2025, 3, 30), id="04:00, three hours after midnight"),
        pytest.param(
            dt.datetime(2025, 10, 26, 2, 59, tzinfo=dt.UTC), dt.date(2025, 10, 25), id="03:59, five hours after midnight"
        ),
        pytest.param(dt.datetime(2025, 10, 26, 3, tzinfo=dt.UTC), dt.date(2025, 10, 26), id="04:00, five hours after midnight"),
    ],
)
def test_programme_date_goes_by_the_clock_on_the_wall_when_clocks_change(instant: dt.datetime, date: dt.date) -> None:
    assert programme_date(instant, VIENNA) == date


def test_programme_date_refuses_a_time_without_zone() -> None:
    with pytest.raises(ValueError, match="names no time zone"):
        programme_date(dt.datetime(2025, 4, 24, 9), SINGAPORE)


def test_clock_shows_the_venue_zone_by_default() -> None:
    clock = Clock(at("09:00"), SINGAPORE)

    assert (clock.zone, clock.is_visitor_zone, clock.pinned) == (SINGAPORE, False, False)


def test_clock_shows_the_zone_a_visitor_chose() -> None:
    clock = Clock(at("09:00"), SINGAPORE, VIENNA)

    assert (clock.zone, clock.is_visitor_zone) == (VIENNA, True)


def test_clock_knows_the_venue_zone_from_another_copy_of_it() -> None:
    assert Clock(at("09:00"), SINGAPORE, ZoneInfo.no_cache("Asia/Singapore")).is_visitor_zone is False


def test_clock_today_is_the_date_at_the_venue() -> None:
    clock = Clock(at("23:30"), SINGAPORE, NEW_ORLEANS)

    assert clock.today == dt.date(2025, 4, 24)


def test_clock_today_after_midnight_is_still_the_evening_before() -> None:
    assert Clock(at("01:30", day=25), SINGAPORE).today == dt.date(2025, 4, 24)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        pytest.param("2025-04-24T09:30", at("09:30"), id="minutes, at the venue"),
        pytest.param("2025-04-24T09:30:15", at("09:30:15"), id="seconds"),
        pytest.param("2025-04-24T09:30:15.5", at("09:30:15.500"), id="half a second"),
        pytest.param("2025-04-24", at("08:00"), id="a date is its morning"),
        pytest.param("2025-04-24T01:30Z", at("09:30"), id="UTC"),
        pytest.param("2025-04-23T20:30-05:00", at("09:30"), id="west"),
        pytest.param("2025-04-24T07:00+05:30", at("09:30"), id="east, with half an hour"),
        pytest.param("2025-04-24T07:00+0530", at("09:30"), id="an offset without colon"),
        pytest.param("2025-04-24T03:30+02", at("09:30"), id="an offset of hours"),
        pytest.param("2025-04-24T03:30 02:00", at("09:30"), id="a plus that became a space on the way"),
    ],
)
def test_parse_at_reads(text: str, instant: dt.datetime) -> None:
    found = parse_at(text, SINGAPORE)

    assert (found, found and found.tzinfo) == (instant, SINGAPORE)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("now", id="a word"),
        pytest.param("09:30", id="a time without date"),
        pytest.param("2025-04", id="a month"),
        pytest.param("2025-W17-4", id="a week"),
        pytest.param("20250424T0930", id="no dashes"),
        pytest.param("2025-04-24T0930", id="no colon"),
        pytest.param("2025-04-24 09:30", id="a space for the T"),
        pytest.param("2025-04-24Z", id="a date with an offset"),
        pytest.param("2025-02-29", id="a day that year has not"),
        pytest.param("2025-13-01", id="month 13"),
        pytest.param("2025-04-24T24:00", id="hour 24"),
        pytest.param("2025-04-24T09:30+24:00", id="an offset of a day"),
        pytest.param("2025-04-24T09:30\n", id="a line break after it"),
        pytest.param(" 2025-04-24T09:30", id="a space before it"),
        pytest.param("2025-04-24T09:30\0", id="NUL"),
        pytest.param("２０２５-04-24", id="wide digits"),
        pytest.param("0000-01-01", id="year 0"),
        pytest.param("0001-01-01T00:00+14:00", id="before the first year"),
        pytest.param("9999-12-31T23:59-12:00", id="after the last year"),
        pytest.param("9999-12-31", id="the last day there is"),
        pytest.param("10000-01-01", id="year 10000"),
        pytest.param("2025-04-24T09:30" + "0" * 10_000, id="10 kB"),
        pytest.param("2025-04-24T09:30:00." + "0" * 10_000, id="10 kB of a second"),
    ],
)
def test_parse_at_makes_nothing_of(text: str) -> None:
    assert parse_at(text, SINGAPORE) is None


def test_parse_at_reads_an_hour_the_clocks_skip_as_the_one_they_show() -> None:
    found = parse_at("2025-03-30T02:30", VIENNA)

    assert found is not None
    assert found.isoformat() == "2025-03-30T03:30:00+02:00"


@given(st.text() | st.from_regex(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(Z|[+-]\d\d:\d\d)?)?", fullmatch=True), st.sampled_from(ZONES))
def test_parse_at_gives_a_moment_any_page_can_show_or_nothing(text: str, zone: ZoneInfo) -> None:
    found = parse_at(text, zone)

    if found is not None:
        dates = [programme_date(found, other) for other in ZONES]
        assert max(dates) - min(dates) <= dt.timedelta(days=1)


@given(st.datetimes(dt.datetime(1950, 1, 1), dt.datetime(2100, 1, 1), timezones=st.sampled_from(ZONES)))
def test_parse_at_reads_back_what_a_page_writes(instant: dt.datetime) -> None:
    written = instant.astimezone(dt.UTC).replace(microsecond=0)

    assert parse_at(written.isoformat(), SINGAPORE) == written
