"""Several changes of a field as one, and conflicts that a move makes or ends."""

from __future__ import annotations

import datetime as dt
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from events.programme.rules.changes import FieldChange, NetChange, consequences, net_changes
from events.programme.rules.overlaps import ConflictVerdict, conflict
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import Walks

NINE = dt.datetime(2025, 4, 24, 9, tzinfo=dt.UTC)
FIELDS = ("start", "room", "status")
WALKS = Walks([("hall", "annex", 10, None, None, None)])


def at(minutes: int) -> dt.datetime:
    return NINE + dt.timedelta(minutes=minutes)


def step(minutes: int, old: str, new: str, *, field: str = "room", key: str = "a", reason: str = "") -> FieldChange:
    return FieldChange(key, field, old, new, at(minutes), reason)


def test_two_moves_read_as_one() -> None:
    steps = [step(1, "Hall 1", "Hall 2"), step(2, "Hall 2", "Hall 3")]

    assert net_changes(steps, {"a": at(0)}) == {"a": [NetChange("room", "Hall 1", "Hall 3", at(2))]}


def test_change_that_was_taken_back_is_left_out() -> None:
    assert net_changes([step(1, "Hall 1", "Hall 2"), step(2, "Hall 2", "Hall 1")], {"a": at(0)}) == {}


def test_change_before_the_given_time_is_left_out() -> None:
    steps = [step(1, "Hall 1", "Hall 2"), step(2, "Hall 2", "Hall 3")]

    assert net_changes(steps, {"a": at(1)}) == {"a": [NetChange("room", "Hall 2", "Hall 3", at(2))]}


def test_change_of_another_key_is_left_out() -> None:
    assert net_changes([step(1, "Hall 1", "Hall 2", key="b")], {"a": at(0)}) == {}


def test_last_reason_that_was_given_stays() -> None:
    steps = [step(1, "Hall 1", "Hall 2", reason="Too small"), step(2, "Hall 2", "Hall 3")]

    assert net_changes(steps, {"a": at(0)})["a"][0].reason == "Too small"


@st.composite
def histories(draw: Any) -> tuple[list[FieldChange], dict[str, int]]:
    """Values of two events over time as recorded changes, and when each was looked at last."""
    state: dict[tuple[str, str], str] = {}
    steps = []
    for minute in range(draw(st.integers(0, 12))):
        key, field, new = draw(st.sampled_from("ab")), draw(st.sampled_from(FIELDS)), draw(st.sampled_from("123"))
        old = state.get((key, field), "0")
        if old != new:
            steps.append(FieldChange(key, field, old, new, at(minute + 1)))
            state[key, field] = new
    return steps, {key: draw(st.integers(0, 13)) for key in draw(st.sets(st.sampled_from("ab")))}


@given(histories())
def test_folding_equals_a_replay(history: tuple[list[FieldChange], dict[str, int]]) -> None:
    steps, looked = history

    def state_at(moment: dt.datetime) -> dict[tuple[Any, str], str]:
        return {(it.key, it.field): it.new for it in steps if it.at <= moment}

    last = state_at(at(99))
    expected = {}
    for key, minute in looked.items():
        known = state_at(at(minute))
        for field in FIELDS:
            before, now = known.get((key, field), "0"), last.get((key, field), "0")
            if before != now:
                expected[key, field] = (before, now)

    result = net_changes(steps, {key: at(minute) for key, minute in looked.items()})

    assert {(key, fold.field): (fold.old, fold.new) for key, folds in result.items() for fold in folds} == expected


def slot(key: str, start: int, end: int, zone: str = "hall", **more: Any) -> TimeSlot:
    return TimeSlot(key=key, start=at(start), end=at(end), zone=zone, **more)


def test_move_onto_another_bookmark_is_a_new_clash() -> None:
    result = consequences_of(slot("a", 0, 30), slot("a", 60, 90), slot("b", 75, 120))

    assert result == [("b", ConflictVerdict.CLASH, True)]


def test_move_away_makes_the_other_reachable() -> None:
    result = consequences_of(slot("a", 60, 90), slot("a", 0, 30), slot("b", 75, 120))

    assert result == [("b", ConflictVerdict.CLASH, False)]


def test_another_room_may_be_too_far() -> None:
    result = consequences_of(slot("a", 0, 30), slot("a", 0, 30, "annex"), slot("b", 35, 60))

    assert result == [("b", ConflictVerdict.TIGHT, True)]


def test_cancelled_frees_the_time() -> None:
    before = slot("a", 60, 90)
    result = consequences_of(before, slot("a", 60, 90, cancelled=True), slot("b", 75, 120))

    assert result == [("b", ConflictVerdict.CLASH, False)]


spans = st.tuples(st.integers(0, 20), st.integers(1, 8)).map(lambda it: (it[0] * 5, (it[0] + it[1]) * 5))
zones = st.sampled_from(["hall", "annex", "tent"])


@given(spans, spans, zones, zones, st.lists(st.tuples(spans, zones), max_size=5))
def test_undone_move_has_the_opposite_consequences(old: Any, new: Any, here: str, there: str, rest: Any) -> None:
    before, after = slot("a", *old, here), slot("a", *new, there)
    others = [slot(f"p{number}", *span, zone) for number, (span, zone) in enumerate(rest)]
    unmoved = [(other, other) for other in others]

    forth, back = consequences(before, after, unmoved, WALKS), consequences(after, before, unmoved, WALKS)

    gone = {it.other for it in forth if not it.new}
    assert gone == {it.other for it in back if it.new and conflict(after, named(others, it.other), WALKS) is None}
    assert {it.other for it in forth} == {it.other for it in back}


def consequences_of(before: TimeSlot, after: TimeSlot, other: TimeSlot) -> list[Any]:
    return [(it.other, it.conflict.verdict, it.new) for it in consequences(before, after, [(other, other)], WALKS)]


def named(slots: list[TimeSlot], key: Any) -> TimeSlot:
    return next(it for it in slots if it.key == key)
