"""Time spans: UTC, half-open, compared in one sweep."""

from __future__ import annotations

import datetime as dt
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core.spans import ONE_MINUTE, Span, close_pairs, merge_spans, sort_by_span, utc, whole_minutes
from events.programme.rules.slots import TimeSlot
from tests.programme.rules.builders import NEW_ORLEANS, VIENNA, at, programmes, slot, spans, to_be_announced


def test_utc_keeps_the_instant() -> None:
    assert (utc(at("09:30")), utc(at("09:30")).tzinfo) == (at("09:30"), dt.UTC)


def test_utc_refuses_a_time_without_zone() -> None:
    with pytest.raises(ValueError, match=r"^2025-04-24 09:30:00 names no time zone$"):
        utc(dt.datetime(2025, 4, 24, 9, 30))


@pytest.mark.parametrize(
    ("start", "end"),
    [
        pytest.param(None, at("10:00"), id="no start"),
        pytest.param(at("10:00"), None, id="no end"),
        pytest.param(None, None, id="neither"),
        pytest.param(at("10:00"), at("10:00"), id="no length"),
        pytest.param(at("10:00"), at("09:00"), id="end before start"),
    ],
)
def test_span_of_no_time_is_none(start: dt.datetime | None, end: dt.datetime | None) -> None:
    assert Span.from_times(start, end) is None


@pytest.mark.parametrize(
    ("start", "end", "hours"),
    [
        pytest.param(
            dt.datetime(2025, 3, 30, 1, tzinfo=VIENNA),
            dt.datetime(2025, 3, 30, 4, tzinfo=VIENNA),
            2,
            id="night that loses an hour",
        ),
        pytest.param(
            dt.datetime(2025, 10, 26, 1, tzinfo=VIENNA),
            dt.datetime(2025, 10, 26, 4, tzinfo=VIENNA),
            4,
            id="night that gains an hour",
        ),
        pytest.param(
            dt.datetime(2025, 10, 26, 2, 30, tzinfo=VIENNA),
            dt.datetime(2025, 10, 26, 2, 30, tzinfo=VIENNA, fold=1),
            1,
            id="from 02:30 to the second 02:30",
        ),
        pytest.param(at("23:00"), at("01:00", day=25), 2, id="past midnight"),
        pytest.param(at("09:00"), at("21:00", day=23, zone=NEW_ORLEANS), 1, id="across zones"),
    ],
)
def test_span_length_is_the_time_that_passes(start: dt.datetime, end: dt.datetime, hours: int) -> None:
    span = Span.from_times(start, end)

    assert span is not None
    assert span.length == dt.timedelta(hours=hours)


@pytest.mark.parametrize(
    ("seconds", "minutes"),
    [
        pytest.param(0, 0, id="nothing"),
        pytest.param(1, 1, id="one second"),
        pytest.param(60, 1, id="one minute"),
        pytest.param(61, 2, id="a minute and a second"),
        pytest.param(28800, 480, id="eight hours"),
    ],
)
def test_whole_minutes_counts_those_begun(seconds: int, minutes: int) -> None:
    assert whole_minutes(dt.timedelta(seconds=seconds)) == minutes


@pytest.mark.parametrize(
    ("pairs", "joined"),
    [
        pytest.param([], [], id="none"),
        pytest.param([("09:00", "10:00"), ("10:00", "11:00")], [("09:00", "11:00")], id="touching"),
        pytest.param([("09:30", "11:00"), ("09:00", "10:00")], [("09:00", "11:00")], id="overlapping, out of order"),
        pytest.param([("09:00", "12:00"), ("10:00", "11:00")], [("09:00", "12:00")], id="one inside the other"),
        pytest.param([("11:00", "12:00"), ("09:00", "10:00")], [("09:00", "10:00"), ("11:00", "12:00")], id="apart"),
        pytest.param([("09:00", "10:00"), ("13:00", "12:00")], [("09:00", "10:00")], id="one without length"),
    ],
)
def test_merged_joins_what_meets(pairs: list[tuple[str, str]], joined: list[tuple[str, str]]) -> None:
    assert merge_spans((at(start), at(end)) for start, end in pairs) == [(at(start), at(end)) for start, end in joined]


@given(st.lists(spans()))
def test_merged_leaves_time_between_and_covers_the_same(pairs: list[tuple[dt.datetime, dt.datetime]]) -> None:
    joined = merge_spans(pairs)

    assert all(earlier.end < later.start for earlier, later in pairwise(joined))
    assert _minutes_in(joined) == _minutes_in(pairs)


def _minutes_in(pairs: list[Span] | list[tuple[dt.datetime, dt.datetime]]) -> set[dt.datetime]:
    """Every fifth minute in any of the spans: their ends fall on those."""
    return {
        utc(start) + step * 5 * ONE_MINUTE for start, end in pairs for step in range(whole_minutes(utc(end) - utc(start)) // 5)
    }


def test_in_order_sorts_by_start_then_end_without_the_unknown() -> None:
    long, short, early = slot("10:00", "12:00"), slot("10:00", "11:00"), slot("09:00", "17:00")

    ordered = sort_by_span([long, to_be_announced(), short, early])

    assert ordered == [
        (Span(at("09:00"), at("17:00")), early),
        (Span(at("10:00"), at("11:00")), short),
        (Span(at("10:00"), at("12:00")), long),
    ]


def test_close_pairs_ignores_what_touches() -> None:
    assert list(close_pairs([slot("09:00", "10:00"), slot("10:00", "11:00")])) == []


def test_close_pairs_reaches_over_a_gap_shorter_than_its_reach() -> None:
    first, second, third = slot("09:00", "10:00"), slot("10:04", "10:30"), slot("10:35", "11:00")

    assert list(close_pairs([third, first, second], reach=5 * ONE_MINUTE)) == [(first, second)]


@given(programmes(), st.integers(0, 60))
def test_close_pairs_agrees_with_comparing_everything(programme: list[TimeSlot], minutes: int) -> None:
    reach = minutes * ONE_MINUTE

    found = list(close_pairs(programme, reach))

    ordered = sort_by_span(programme)
    expected = [(a, b) for (one, a), (other, b) in combinations(ordered, 2) if other.start - one.end < reach]
    assert sorted(found, key=_keys) == sorted(expected, key=_keys)


def _keys(pair: tuple[TimeSlot, TimeSlot]) -> tuple[str, str]:
    return str(pair[0].key), str(pair[1].key)
