"""Slots: duration, and the time that two of them share."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given

from events.core.spans import ONE_MINUTE
from events.programme.rules.slots import TimeSlot, overlap_time, slot_minutes
from tests.programme.rules.builders import VIENNA, at, programmes, slot, to_be_announced


@pytest.mark.parametrize(
    ("start", "end", "timed"),
    [
        pytest.param(at("09:00"), at("10:00"), True, id="start and end"),
        pytest.param(at("09:00"), None, False, id="no end yet"),
        pytest.param(None, at("10:00"), False, id="no start yet"),
        pytest.param(None, None, False, id="to be announced"),
        pytest.param(at("09:00"), at("09:00"), False, id="no length"),
    ],
)
def test_timed_needs_start_and_end(start: dt.datetime | None, end: dt.datetime | None, timed: bool) -> None:
    assert TimeSlot(key=1, start=start, end=end).timed is timed


@pytest.mark.parametrize(
    ("one", "length"),
    [
        pytest.param(slot("09:00", "17:00"), 480, id="workshop"),
        pytest.param(slot("09:00", "17:00", gaps=((at("12:00"), at("13:00")),)), 480, id="workshop with a free hour"),
        pytest.param(slot("09:00", "09:15"), 15, id="talk"),
        pytest.param(to_be_announced(), 0, id="to be announced"),
    ],
)
def test_minutes_is_from_start_to_end(one: TimeSlot, length: int) -> None:
    assert slot_minutes(one) == length


def test_minutes_counts_the_hour_that_is_repeated_when_clocks_go_back() -> None:
    party = TimeSlot(key=1, start=dt.datetime(2025, 10, 26, 1, tzinfo=VIENNA), end=dt.datetime(2025, 10, 26, 4, tzinfo=VIENNA))

    assert slot_minutes(party) == 240


NOON = (at("12:00"), at("13:00"))


@pytest.mark.parametrize(
    ("a", "b", "shared"),
    [
        pytest.param(slot("09:00", "10:00"), slot("09:30", "10:30"), 30, id="half of each"),
        pytest.param(slot("09:00", "17:00"), slot("10:00", "10:15"), 15, id="one inside the other"),
        pytest.param(slot("09:00", "10:00"), slot("09:00", "10:00"), 60, id="at the same time"),
        pytest.param(slot("09:00", "10:00"), slot("10:00", "11:00"), 0, id="touching"),
        pytest.param(slot("09:00", "10:00"), slot("11:00", "12:00"), 0, id="apart"),
        pytest.param(slot("09:00", "10:00"), to_be_announced(), 0, id="one to be announced"),
        pytest.param(slot("09:00", "17:00", gaps=(NOON,)), slot("12:00", "13:00"), 0, id="exactly in a gap"),
        pytest.param(slot("09:00", "17:00", gaps=(NOON,)), slot("12:15", "12:45"), 0, id="within a gap"),
        pytest.param(slot("09:00", "17:00", gaps=(NOON,)), slot("12:30", "13:30"), 30, id="half in a gap"),
        pytest.param(slot("09:00", "17:00", gaps=(NOON,)), slot("11:00", "14:00"), 120, id="around a gap"),
        pytest.param(
            slot("09:00", "17:00", gaps=(NOON, (at("12:30"), at("13:30")))), slot("11:00", "14:00"), 90, id="gaps that overlap"
        ),
        pytest.param(
            slot("09:00", "17:00", gaps=(NOON,)),
            slot("09:00", "17:00", gaps=((at("12:30"), at("14:00")),)),
            360,
            id="two workshops with a gap each",
        ),
        pytest.param(
            slot("09:00", "17:00", gaps=((at("18:00"), at("19:00")),)), slot("09:00", "10:00"), 60, id="a gap after its end"
        ),
        pytest.param(
            slot("09:00", "17:00", gaps=((at("13:00"), at("12:00")),)), slot("12:00", "13:00"), 60, id="a gap the wrong way round"
        ),
    ],
)
def test_overlap_is_the_programme_two_share(a: TimeSlot, b: TimeSlot, shared: int) -> None:
    assert (overlap_time(a, b), overlap_time(b, a)) == (shared * ONE_MINUTE, shared * ONE_MINUTE)


@given(programmes())
def test_overlap_is_symmetric_and_no_longer_than_either(programme: list[TimeSlot]) -> None:
    for a in programme:
        for b in programme:
            assert overlap_time(a, b) == overlap_time(b, a)
            assert (
                dt.timedelta()
                <= overlap_time(a, b)
                <= min(overlap_time(a, a), overlap_time(b, b))
                <= slot_minutes(a) * ONE_MINUTE
            )
