"""What comes next, where a visitor is before it, and when to leave."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from events.agenda.rules.leaving import has_been_somewhere, leave_time, minutes_between, next_slot, place_before
from events.core.spans import Span
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import Need, Walks
from tests.factories import at

SINCE = at("04:00")
WALKS = [("hall", "garnet", 6, 8, True, False), ("hall", "expo", 9, None, None, True)]


def slot(key: str, start: str, end: str = "", zone: str | None = "hall", **fields: Any) -> TimeSlot:
    begin = at(start)
    return TimeSlot(key=key, start=begin, end=at(end) if end else begin + dt.timedelta(minutes=30), zone=zone, **fields)


NEXT = slot("next", "11:00", zone="garnet")


def place(now: str, *slots: TimeSlot, private: tuple[tuple[str, str], ...] = ()) -> Any:
    spans = [Span(at(start), at(end)) for start, end in private]
    found = place_before(NEXT, [*slots, NEXT], spans, at(now), SINCE)
    return found and found.key


@pytest.mark.parametrize(
    ("slots", "expected"),
    [
        pytest.param([slot("late", "12:00"), slot("soon", "11:00")], "soon", id="the-first"),
        pytest.param([slot("on", "10:00"), slot("soon", "11:00")], "soon", id="what-begins-now-has-begun"),
        pytest.param([slot("maybe", "11:00", maybe=True), slot("must", "11:00")], "must", id="must-before-maybe"),
        pytest.param([slot("must", "11:00"), slot("mine", "11:00", fixed=True)], "mine", id="what-one-presents-before-all"),
        pytest.param([slot("maybe", "10:50", maybe=True), slot("must", "11:00")], "maybe", id="an-earlier-maybe"),
        pytest.param([slot("off", "10:30", cancelled=True), slot("soon", "11:00")], "soon", id="not-what-is-cancelled"),
        pytest.param([slot("video", "10:30", later=True), slot("soon", "11:00")], "soon", id="not-what-is-watched-later"),
        pytest.param([slot("desk", "10:30", is_service=True), slot("soon", "11:00")], "soon", id="not-opening-hours"),
        pytest.param([TimeSlot(key="tba", start=None, end=None), slot("soon", "11:00")], "soon", id="not-without-an-hour"),
        pytest.param([slot("on", "09:00")], None, id="nothing"),
    ],
)
def test_next_slot_is_the_first_that_has_not_begun(slots: list[TimeSlot], expected: str | None) -> None:
    found = next_slot(slots, at("10:00"))

    assert (found and found.key) == expected


@pytest.mark.parametrize(
    ("slots", "expected"),
    [
        pytest.param([slot("talk", "10:00", "11:00")], "talk", id="what-is-on"),
        pytest.param([slot("talk", "09:00", "09:30")], "talk", id="what-ended-last"),
        pytest.param([slot("early", "08:00", "08:30"), slot("last", "09:00", "09:30")], "last", id="not-what-ended-before"),
        pytest.param([slot("workshop", "09:00", "17:00"), slot("talk", "10:00", "10:45")], "talk", id="the-talk-in-a-workshop"),
        pytest.param(
            [slot("workshop", "09:00", "17:00"), slot("talk", "10:00", "10:20")], "workshop", id="then-back-in-the-workshop"
        ),
        pytest.param(
            [slot("talk", "09:00", "10:00"), slot("coffee", "10:00", "10:30", None, is_break=True)], "talk", id="coffee"
        ),
        pytest.param(
            [slot("talk", "09:00", "10:00"), slot("lunch", "10:00", "10:30", "expo", is_break=True)], "lunch", id="lunch"
        ),
        pytest.param([slot("a", "10:00", "11:00"), slot("b", "10:00", "11:00", "expo")], None, id="two-at-once-in-two-zones"),
        pytest.param(
            [slot("a", "10:00", "11:00"), slot("b", "10:00", "11:00", "expo", maybe=True)], "a", id="a-must-and-a-maybe"
        ),
        pytest.param([slot("off", "10:00", "11:00", cancelled=True)], None, id="what-is-cancelled"),
        pytest.param([slot("desk", "10:00", "11:00", is_service=True)], None, id="opening-hours"),
        pytest.param([slot("night", "00:30", "03:00")], None, id="the-party-of-last-night"),
        pytest.param([slot("party", "03:00", "05:00")], "party", id="a-party-into-the-day"),
        pytest.param([], None, id="nothing"),
    ],
)
def test_visitor_is_where_a_bookmark_is_or_was_last(slots: list[TimeSlot], expected: str | None) -> None:
    assert place("10:30", *slots) == expected


@pytest.mark.parametrize(
    ("private", "expected"),
    [
        pytest.param((("10:00", "11:00"),), None, id="it-is-on"),
        pytest.param((("09:45", "10:15"),), None, id="it-came-after-the-talk"),
        pytest.param((("10:45", "11:00"),), None, id="it-comes-before-the-next"),
        pytest.param((("10:45", "14:00"),), None, id="it-overlaps-the-next"),
        pytest.param((("08:00", "09:30"),), "talk", id="it-was-over-before-the-talk-ended"),
        pytest.param((("11:00", "12:00"),), "talk", id="it-comes-with-the-next"),
    ],
)
def test_private_entry_leaves_the_place_unknown(private: tuple[tuple[str, str], ...], expected: str | None) -> None:
    assert place("10:30", slot("talk", "09:00", "09:30"), private=private) == expected


def test_private_entry_during_a_talk_that_goes_on_changes_nothing_afterwards() -> None:
    talk = slot("talk", "09:00", "11:00")

    found = {now: place(now, talk, private=(("09:30", "10:00"),)) for now in ("09:15", "09:45", "10:15")}

    assert found == {"09:15": None, "09:45": None, "10:15": "talk"}


def test_nobody_was_anywhere_before_the_first_bookmark_of_the_day() -> None:
    slots = [slot("night", "00:30", "03:00"), slot("talk", "09:00"), slot("off", "07:00", cancelled=True)]

    found = {now: has_been_somewhere(slots, at(now), SINCE) for now in ("08:59", "09:00", "23:00")}

    assert found == {"08:59": False, "09:00": True, "23:00": True}


@pytest.mark.parametrize(
    ("here", "following", "needs", "minutes"),
    [
        pytest.param(slot("a", "09:00"), NEXT, [], 6, id="a-walk"),
        pytest.param(NEXT, slot("a", "12:00"), [], 8, id="the-walk-back"),
        pytest.param(slot("a", "09:00"), NEXT, [Need.STEP_FREE], None, id="steps"),
        pytest.param(slot("a", "09:00"), slot("b", "12:00", zone="expo"), [Need.STEP_FREE], 9, id="without-steps"),
        pytest.param(slot("a", "09:00"), slot("b", "12:00"), [], None, id="the-same-zone"),
        pytest.param(slot("a", "09:00", zone="opal"), NEXT, [], None, id="nobody-described-it"),
        pytest.param(slot("a", "09:00", zone=None), NEXT, [], None, id="a-place-without-a-zone"),
        pytest.param(slot("a", "09:00"), slot("b", "19:00", zone=None, travel_minutes=25), [], 25, id="off-site"),
        pytest.param(slot("a", "09:00", zone=None, travel_minutes=25), NEXT, [], 25, id="from-off-site"),
    ],
)
def test_minutes_are_those_of_a_known_way(here: TimeSlot, following: TimeSlot, needs: list[Need], minutes: int | None) -> None:
    assert minutes_between(here, following, Walks(WALKS, frozenset(needs))) == minutes


def test_time_to_leave_is_known_with_the_minutes() -> None:
    assert [leave_time(at("11:00"), it) for it in (6, None)] == [at("10:54"), None]
