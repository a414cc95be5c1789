"""Folding changes: first to last, there and back is nothing."""

from __future__ import annotations

import datetime as dt
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from events.schedule.folding import Fold, Step, consequences, folded
from events.schedule.overlaps import Verdict, conflict
from events.schedule.slots import Slot
from events.schedule.walking import Walks

NINE = dt.datetime(2025, 4, 24, 9, tzinfo=dt.UTC)
FIELDS = ("start", "room", "status")
WALKS = Walks([("hall", "annex", 10, None, None, None)])


def at(minutes: int) -> dt.datetime:
    return NINE + dt.timedelta(minutes=minutes)


def step(minutes: int, old: str, new: str, *, field: str = "room", key: str = "a", reason: str = "") -> Step:
    return Step(key, field, old, new, at(minutes), reason)


def test_two_moves_read_as_one() -> None:
    steps = [step(1, "Hall 1", "Hall 2"), step(2, "Hall 2", "Hall 3")]

    assert folded(steps, {"a": at(0)}) == {"a": [Fold("room", "Hall 1", "Hall 3", at(2))]}


def test_there_and_back_is_nothing() -> None:
    assert folded([step(1, "Hall 1", "Hall 2"), step(2, "Hall 2", "Hall 1")], {"a": at(0)}) == {}


def test_what_was_known_is_not_told() -> None:
    steps = [step(1, "Hall 1", "Hall 2"), step(2, "Hall 2", "Hall 3")]

    assert folded(steps, {"a": at(1)}) == {"a": [Fold("room", "Hall 2", "Hall 3", at(2))]}


def test_others_things_are_not_told() -> None:
    assert folded([step(1, "Hall 1", "Hall 2", key="b")], {"a": at(0)}) == {}


def test_last_reason_that_was_given_stays() -> None:
    steps = [step(1, "Hall 1", "Hall 2", reason="Too small"), step(2, "Hall 2", "Hall 3")]

    assert folded(steps, {"a": at(0)})["a"][0].reason == "Too small"


@st.composite
def histories(draw: Any) -> tuple[list[Step], dict[str, int]]:
    """States of two things over time, as the steps that were announced; and when each was looked at last."""
    state: dict[tuple[str, str], str] = {}
    steps = []
    for minute in range(draw(st.integers(0, 12))):
        key, field, new = draw(st.sampled_from("ab")), draw(st.sampled_from(FIELDS)), draw(st.sampled_from("123"))
        old = state.get((key, field), "0")
        if old != new:
            steps.append(Step(key, field, old, new, at(minute + 1)))
            state[key, field] = new
    return steps, {key: draw(st.integers(0, 13)) for key in draw(st.sets(st.sampled_from("ab")))}


@given(histories())
def test_folding_equals_a_replay(history: tuple[list[Step], dict[str, int]]) -> None:
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

    told = folded(steps, {key: at(minute) for key, minute in looked.items()})

    assert {(key, fold.field): (fold.old, fold.new) for key, folds in told.items() for fold in folds} == expected


def slot(key: str, start: int, end: int, zone: str = "hall", **more: Any) -> Slot:
    return Slot(key=key, start=at(start), end=at(end), zone=zone, **more)


def test_move_onto_another_pick_clashes_newly() -> None:
    told = told_of(slot("a", 0, 30), slot("a", 60, 90), slot("b", 75, 120))

    assert told == [("b", Verdict.CLASH, True)]


def test_move_away_makes_the_other_reachable() -> None:
    told = told_of(slot("a", 60, 90), slot("a", 0, 30), slot("b", 75, 120))

    assert told == [("b", Verdict.CLASH, False)]


def test_another_room_may_be_too_far() -> None:
    told = told_of(slot("a", 0, 30), slot("a", 0, 30, "annex"), slot("b", 35, 60))

    assert told == [("b", Verdict.TIGHT, True)]


def test_cancelled_frees_the_time() -> None:
    before = slot("a", 60, 90)
    told = told_of(before, slot("a", 60, 90, cancelled=True), slot("b", 75, 120))

    assert told == [("b", Verdict.CLASH, False)]


spans = st.tuples(st.integers(0, 20), st.integers(1, 8)).map(lambda it: (it[0] * 5, (it[0] + it[1]) * 5))
zones = st.sampled_from(["hall", "annex", "tent"])


@given(spans, spans, zones, zones, st.lists(st.tuples(spans, zones), max_size=5))
def test_consequences_undone_are_the_same_told_the_other_way(old: Any, new: Any, here: str, there: str, rest: Any) -> None:
    before, after = slot("a", *old, here), slot("a", *new, there)
    others = [slot(f"p{number}", *span, zone) for number, (span, zone) in enumerate(rest)]

    forth, back = consequences(before, after, others, WALKS), consequences(after, before, others, WALKS)

    gone = {it.other for it in forth if not it.new}
    assert gone == {it.other for it in back if it.new and conflict(after, named(others, it.other), WALKS) is None}
    assert {it.other for it in forth} == {it.other for it in back}


def told_of(before: Slot, after: Slot, other: Slot) -> list[Any]:
    return [(it.other, it.conflict.verdict, it.new) for it in consequences(before, after, [other], WALKS)]


def named(slots: list[Slot], key: Any) -> Slot:
    return next(it for it in slots if it.key == key)
