"""Opening hours: open now, opening soon, closing soon."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core.spans import ONE_MINUTE, utc
from events.programme.rules.days import Opening, opening
from tests.programme.rules.builders import VIENNA, at, instants, spans

# Registration on Thursday and Friday, with the evening entered as two.
DESK = [
    (at("08:00", day=25), at("17:00", day=25)),
    (at("07:30"), at("12:00")),
    (at("12:00"), at("19:00")),
]


def _closed(opens_at: dt.datetime | None) -> Opening:
    return Opening(is_open=False, until=None, opens_at=opens_at, always=False)


def _open(until: dt.datetime) -> Opening:
    return Opening(is_open=True, until=until, opens_at=None, always=False)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        pytest.param(at("06:59"), _closed(at("07:30")), id="06:59, before it opens"),
        pytest.param(at("07:29:59"), _closed(at("07:30")), id="a second before"),
        pytest.param(at("07:30"), _open(at("19:00")), id="07:30, as it opens"),
        pytest.param(at("12:00"), _open(at("19:00")), id="where two entries touch"),
        pytest.param(at("18:59:59"), _open(at("19:00")), id="a second before it closes"),
        pytest.param(at("19:00"), _closed(at("08:00", day=25)), id="19:00, as it closes"),
        pytest.param(at("03:00", day=25), _closed(at("08:00", day=25)), id="at night"),
        pytest.param(at("17:00", day=25), _closed(None), id="closed for good"),
    ],
)
def test_opening_of_a_desk(now: dt.datetime, expected: Opening) -> None:
    assert opening(DESK, now) == expected


def test_opening_without_hours_is_always() -> None:
    assert opening([], at("03:00")) == Opening(is_open=True, until=None, opens_at=None, always=True)


def test_opening_joins_hours_that_overlap() -> None:
    assert opening([(at("08:00"), at("17:00")), (at("09:00"), at("10:00"))], at("09:30")) == _open(at("17:00"))


def test_opening_past_midnight_is_still_open() -> None:
    assert opening([(at("20:00"), at("02:00", day=25))], at("01:30", day=25)) == _open(at("02:00", day=25))


def test_opening_ignores_hours_without_length() -> None:
    assert opening([(at("09:00"), at("09:00"))], at("08:00")) == _closed(None)


@pytest.mark.parametrize(
    ("fold", "expected"),
    [
        pytest.param(0, True, id="the first 02:15"),
        pytest.param(1, False, id="the second 02:15"),
    ],
)
def test_opening_tells_the_repeated_hour_from_the_first(fold: int, expected: bool) -> None:
    night = dt.datetime(2025, 10, 26, 2, tzinfo=VIENNA)

    assert opening([(night, night.replace(minute=30))], night.replace(minute=15, fold=fold)).is_open is expected


@given(st.lists(spans(), min_size=1), instants())
def test_opening_agrees_with_looking_at_each(hours: list[tuple[dt.datetime, dt.datetime]], now: dt.datetime) -> None:
    found = opening(hours, now)

    assert found.is_open is any(utc(start) <= utc(now) < utc(end) for start, end in hours)
    if found.until:
        assert (opening(hours, found.until).is_open, opening(hours, found.until - ONE_MINUTE).is_open) == (False, True)
    if found.opens_at:
        assert found.opens_at == min(utc(start) for start, _ in hours if utc(start) > utc(now))


@pytest.mark.parametrize(
    ("now", "opens_in", "closes_in"),
    [
        pytest.param(at("06:59"), 31, None, id="06:59"),
        pytest.param(at("07:29:30"), 1, None, id="half a minute is one that has begun"),
        pytest.param(at("07:30"), None, None, id="07:30, open all day"),
        pytest.param(at("16:59"), None, None, id="long before it closes"),
        pytest.param(at("17:00"), None, 120, id="two hours before it closes"),
        pytest.param(at("18:35"), None, 25, id="soon"),
        pytest.param(at("19:00"), None, None, id="19:00, till tomorrow"),
        pytest.param(at("20:00"), 720, None, id="half a day"),
        pytest.param(at("17:00", day=25), None, None, id="closed for good"),
    ],
)
def test_opening_says_how_soon_once_it_is_soon(now: dt.datetime, opens_in: int | None, closes_in: int | None) -> None:
    found = opening(DESK, now)

    assert (found.opens_in, found.closes_in) == (opens_in, closes_in)


@pytest.mark.parametrize(
    ("now", "for_days"),
    [
        pytest.param(at("18:59"), True, id="more than a day"),
        pytest.param(at("19:00"), False, id="a day: the hour says it"),
        pytest.param(at("18:00", day=25), False, id="soon"),
    ],
)
def test_opening_over_days_needs_a_date_for_its_closing_time(now: dt.datetime, for_days: bool) -> None:
    nights = [(at("08:00"), at("00:00", day=25)), (at("00:00", day=25), at("19:00", day=25))]

    assert opening(nights, now).for_days is for_days


@pytest.mark.parametrize(
    ("day", "hours"),
    [
        pytest.param(dt.date(2025, 3, 30), 22, id="an hour is left out"),
        pytest.param(dt.date(2025, 10, 26), 24, id="an hour comes twice"),
    ],
)
def test_minutes_until_a_desk_opens_are_those_that_pass(day: dt.date, hours: int) -> None:
    opens = dt.datetime.combine(day, dt.time(9), VIENNA)
    before = dt.datetime.combine(day, dt.time(1), VIENNA)

    found = opening([(opens, dt.datetime.combine(day, dt.time(23), VIENNA))], before)

    assert found.opens_in == (hours - 15) * 60
