"""What fits in a gap."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.agenda.rules.gaps import Gap, GapFit, free_gaps, gap_fits
from events.core.spans import Span
from events.programme.rules.overlaps import conflicts_with
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import Walks, way_between

NINE = dt.datetime(2025, 4, 24, 9, tzinfo=dt.UTC)
WALKS = Walks([("hall", "annex", 10, 15, None, None)])


def at(minutes: int) -> dt.datetime:
    return NINE + dt.timedelta(minutes=minutes)


def slot(key: str, start: int, end: int, zone: str = "hall", **more: Any) -> TimeSlot:
    return TimeSlot(key=key, start=at(start), end=at(end), zone=zone, **more)


BEFORE, AFTER = slot("before", 0, 30), slot("after", 90, 120)
GAP = Gap(Span(at(30), at(90)), BEFORE, AFTER)
PICKS = [BEFORE, AFTER]


def shown_fits(*slots: TimeSlot, bookmarks: list[TimeSlot] = PICKS) -> list[tuple[Any, int, int, int]]:
    found = gap_fits(GAP, slots, bookmarks, WALKS)
    return [(it.key, int((it.arrive - NINE).total_seconds() // 60), it.minutes, it.missed) for it in found]


def test_what_is_in_the_gap_fits_whole() -> None:
    assert shown_fits(slot("talk", 40, 60)) == [("talk", 40, 20, 0)]


def test_walk_there_and_on_is_counted() -> None:
    assert shown_fits(slot("poster", 0, 120, "annex")) == [("poster", 40, 35, 85)]


def test_less_than_ten_minutes_is_no_proposal() -> None:
    assert shown_fits(slot("short", 81, 120)) == []
    assert shown_fits(slot("just", 80, 120)) == [("just", 80, 10, 30)]


def test_unknown_way_makes_no_claim() -> None:
    found = gap_fits(GAP, [slot("tent", 0, 120, "tent")], PICKS, WALKS)

    assert found == [GapFit("tent", at(30), at(90), None, None, 60)]


@pytest.mark.parametrize("more", [{"is_break": True}, {"cancelled": True}], ids=["break", "cancelled"])
def test_nothing_to_attend_is_no_proposal(more: dict[str, bool]) -> None:
    assert shown_fits(slot("nothing", 40, 60, **more)) == []


def test_what_is_picked_already_is_no_proposal() -> None:
    workshop = slot("workshop", 0, 200, is_container=True)

    assert shown_fits(workshop, bookmarks=[BEFORE, AFTER, workshop]) == []


def test_nothing_fits_while_one_is_in_a_workshop() -> None:
    assert shown_fits(slot("talk", 40, 60), bookmarks=[slot("workshop", 0, 200, is_container=True)]) == []


def test_gap_of_a_workshop_is_free() -> None:
    workshop = slot("workshop", 0, 200, is_container=True, gaps=((at(35), at(70)),))

    assert shown_fits(slot("talk", 40, 60), bookmarks=[workshop]) == [("talk", 40, 20, 0)]


def test_untimed_is_no_proposal() -> None:
    assert gap_fits(GAP, [TimeSlot(key="someday", start=None, end=None)], PICKS, WALKS) == []


def test_before_the_first_pick_one_comes_from_nowhere() -> None:
    found = gap_fits(Gap(Span(at(0), at(90)), None, AFTER), [slot("poster", 0, 120, "annex")], [AFTER], WALKS)

    assert [(it.arrive, it.leave) for it in found] == [(at(0), at(75))]


zones = st.sampled_from(["hall", "annex", "tent"])
slots = st.builds(
    lambda key, start, length, zone, visit: slot(f"s{key}", start * 5, (start + length) * 5, zone, is_visit=visit),
    st.integers(0, 99),
    st.integers(0, 24),
    st.integers(1, 12),
    zones,
    st.booleans(),
)


@given(st.lists(slots, max_size=6, unique_by=lambda it: it.key), zones, zones)
def test_fits_are_those_that_a_minute_by_minute_check_finds(candidates: list[TimeSlot], here: str, there: str) -> None:
    before, after = slot("before", 0, 30, here), slot("after", 90, 120, there)
    gap, bookmarks = Gap(Span(at(30), at(90)), before, after), [before, after]

    expected = {}
    for it in candidates:
        way, onward = way_between(before, it, WALKS), way_between(it, after, WALKS)
        first, last = 30 + (way.minutes if way else 0), 90 - (onward.minutes if onward else 0)
        inside = [minute for minute in range(first, last) if it.start <= at(minute) < it.end]  # type: ignore[operator]
        if len(inside) >= 10:
            expected[it.key] = (at(inside[0]), len(inside))

    found = gap_fits(gap, candidates, bookmarks, WALKS)

    assert {it.key: (it.arrive, it.minutes) for it in found} == expected
    for fit in found:
        one = next(it for it in candidates if it.key == fit.key)
        assert conflicts_with(TimeSlot(key="me", start=fit.arrive, end=fit.leave, zone=one.zone), bookmarks, WALKS) == []


def pieces(span: tuple[int, int], *bookmarks: TimeSlot) -> list[tuple[int, int, Any, Any]]:
    """From when to when one is free, between what and what."""
    found = free_gaps(Span(at(span[0]), at(span[1])), bookmarks)
    return [
        (
            int((it.span.start - NINE).total_seconds() // 60),
            int((it.span.end - NINE).total_seconds() // 60),
            it.before and it.before.key,
            it.after and it.after.key,
        )
        for it in found
    ]


def test_gap_is_between_what_was_and_what_comes() -> None:
    assert pieces((30, 90), BEFORE, AFTER) == [(30, 90, "before", "after")]


def test_pick_in_it_parts_a_gap() -> None:
    assert pieces((30, 90), BEFORE, slot("coffee talk", 50, 60), AFTER) == [
        (30, 50, "before", "coffee talk"),
        (60, 90, "coffee talk", "after"),
    ]


def test_break_of_a_workshop_is_a_gap_on_the_way_back_to_it() -> None:
    workshop = slot("workshop", 0, 200, is_container=True, gaps=((at(60), at(90)),))

    assert pieces((0, 200), workshop) == [(60, 90, "workshop", "workshop")]


@pytest.mark.parametrize("more", [{"is_break": True}, {"cancelled": True}, {"later": True}], ids=["break", "cancelled", "later"])
def test_what_is_not_attended_claims_no_time(more: dict[str, bool]) -> None:
    assert pieces((30, 90), slot("nothing", 40, 60, **more)) == [(30, 90, None, None)]


def test_what_ended_long_ago_is_nowhere_to_come_from() -> None:
    assert pieces((91, 120), BEFORE) == [(91, 120, None, None)]
    assert pieces((90, 120), BEFORE) == [(90, 120, "before", None)]


def test_who_is_free_for_a_while_is_there_already() -> None:
    bookmarks = [BEFORE, slot("next", 100, 120)]
    (gap,) = free_gaps(Span(at(35), at(90)), bookmarks)

    (fit,) = gap_fits(gap, [slot("poster", 0, 120, "annex", is_visit=True)], bookmarks, WALKS)

    assert (fit.arrive, fit.leave) == (at(40), at(85))


@given(st.lists(slots, max_size=5, unique_by=lambda it: it.key), st.integers(0, 90), st.integers(1, 90))
def test_free_time_is_every_minute_that_no_pick_claims(bookmarks: list[TimeSlot], start: int, length: int) -> None:
    expected = {
        minute
        for minute in range(start, start + length)
        if not any(it.start <= at(minute) < it.end for it in bookmarks)  # type: ignore[operator]
    }

    found = pieces((start, start + length), *bookmarks)

    assert {minute for first, last, *_ in found for minute in range(first, last)} == expected
    assert all(one[1] < two[0] for one, two in pairwise(found))
