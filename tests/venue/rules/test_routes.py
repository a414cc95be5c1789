"""Routes: known minutes, and properties that hold on every leg."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from events.programme.rules.walking import NO_NEEDS, Need, Needs, Walks
from events.venue.rules.routes import (
    RouteStep,
    best_journey,
    is_dry,
    is_gate_free,
    is_step_free,
    journey,
    nearest_place,
    total_minutes,
)

RAIN, WHEELS = frozenset({Need.DRY}), frozenset({Need.STEP_FREE})


def _step(
    minutes: int | None = 1, *, covered: bool | None = None, step_free: bool | None = None, gate_free: bool | None = None
) -> RouteStep:
    return RouteStep(minutes, covered, step_free, gate_free)


@pytest.mark.parametrize(
    ("legs", "total"),
    [
        pytest.param([4, 11], (15, True), id="all known"),
        pytest.param([4, None, 11], (15, False), id="one unknown"),
        pytest.param([4], (4, True), id="a single leg"),
        pytest.param([None], (0, False), id="none known"),
        pytest.param([0, 3], (3, True), id="a leg of no time"),
        pytest.param([], (0, False), id="no legs, nothing known"),
    ],
)
def test_total_minutes_adds_what_is_known(legs: list[int | None], total: tuple[int, bool]) -> None:
    assert total_minutes([_step(minutes) for minutes in legs]) == total


FACTS = [
    pytest.param(is_dry, "covered", id="dry"),
    pytest.param(is_step_free, "step_free", id="step-free"),
    pytest.param(is_gate_free, "gate_free", id="gate-free"),
]


@pytest.mark.parametrize(
    ("legs", "promised"),
    [
        pytest.param([True, True], True, id="every leg"),
        pytest.param([True, False], False, id="all but one"),
        pytest.param([True, None], False, id="one unknown"),
        pytest.param([], False, id="no legs, no promise"),
    ],
)
@pytest.mark.parametrize(("keeps", "fact"), FACTS)
def test_route_promises_only_what_every_leg_keeps(
    keeps: Callable[[Sequence[RouteStep]], bool], fact: str, legs: list[bool | None], promised: bool
) -> None:
    assert keeps([_step(**{fact: leg}) for leg in legs]) is promised  # type: ignore[arg-type]


GATE, HALL = "gate", "hall"
DRY_STEPS, WET = _step(5, covered=True, step_free=False), _step(5, covered=False, step_free=True)
GOOD, UNSAID = _step(5, covered=True, step_free=True), _step(5)
WALK = ("gate", "hall", 4, 6, None, True)


@pytest.mark.parametrize(
    ("routes", "needs", "expected"),
    [
        pytest.param([("a", HALL, [GOOD, GOOD]), ("b", HALL, [GOOD])], NO_NEEDS, "b", id="the quickest"),
        pytest.param([("a", HALL, [_step(None)]), ("b", HALL, [GOOD, GOOD])], NO_NEEDS, "b", id="one whose time is known"),
        pytest.param([("a", "elsewhere", [_step(1)]), ("b", HALL, [GOOD])], NO_NEEDS, "b", id="one that gets there"),
        pytest.param([("a", HALL, [WET]), ("b", HALL, [DRY_STEPS, DRY_STEPS])], RAIN, "b", id="dry"),
        pytest.param([("a", HALL, [UNSAID]), ("b", HALL, [GOOD, GOOD])], RAIN, "b", id="known to be dry"),
        pytest.param([("a", HALL, [WET])], RAIN, "a", id="wet, if there is no other"),
        pytest.param([("a", HALL, [DRY_STEPS]), ("b", HALL, [WET])], WHEELS, "b", id="step-free"),
        pytest.param([("a", HALL, [DRY_STEPS]), ("b", HALL, [UNSAID])], WHEELS, None, id="never where steps may be"),
        pytest.param([("a", HALL, [])], WHEELS, None, id="undescribed, no promise"),
        pytest.param([("a", HALL, [WET]), ("b", HALL, [DRY_STEPS])], RAIN | WHEELS, "a", id="step-free before dry"),
        pytest.param([], NO_NEEDS, None, id="none"),
        pytest.param([("a", GATE, [GOOD])], WHEELS, "a", id="on by a step-free walk"),
        pytest.param([("a", GATE, [GOOD])], RAIN, "a", id="on by a walk nobody calls dry"),
    ],
)
def test_best_journey(routes: list[tuple[str, str, list[RouteStep]]], needs: Needs, expected: str | None) -> None:
    found = best_journey(routes, HALL, Walks([WALK], needs), needs)

    assert (found and found.route) == expected


def test_journey_that_ends_where_steps_lead_on_is_none_for_wheels() -> None:
    walks = Walks([("gate", "hall", 4, None, True, False)], WHEELS)

    assert best_journey([("a", GATE, [GOOD])], HALL, walks, WHEELS) is None
    assert best_journey([("a", GATE, [GOOD])], "elsewhere", walks, WHEELS) is not None


@pytest.mark.parametrize(
    ("end", "to", "expected"),
    [
        pytest.param(HALL, HALL, (5, True, True, True), id="to the hall"),
        pytest.param(GATE, HALL, (9, True, None, True), id="and on"),
        pytest.param(HALL, GATE, (11, True, None, True), id="and back, which takes longer"),
        pytest.param("elsewhere", HALL, (5, False, True, True), id="nobody knows how one goes on"),
        pytest.param("elsewhere", None, (5, True, True, True), id="to the venue, wherever"),
    ],
)
def test_journey_adds_the_walk(end: str, to: str | None, expected: tuple[int, bool, bool | None, bool | None]) -> None:
    found = journey("a", end, [GOOD], to, Walks([WALK]))

    assert (found.minutes, found.known, found.covered, found.step_free) == expected


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        pytest.param([GOOD], ["5 min", "covered", "step-free"], id="all"),
        pytest.param([DRY_STEPS, WET], ["10 min", "not covered all the way", "has steps"], id="denied"),
        pytest.param([_step(70), _step(None)], ["at least 1 h 10 min"], id="at least"),
        pytest.param([_step(None)], ["time not known"], id="nothing known"),
        pytest.param([], ["time not known"], id="nothing described"),
        pytest.param([_step(0)], ["0 min"], id="no time"),
    ],
)
def test_journey_in_words(steps: list[RouteStep], words: list[str]) -> None:
    assert journey("a", HALL, steps, HALL, Walks()).facts == words


@pytest.mark.parametrize(
    ("to", "found"),
    [
        pytest.param(HALL, ("at the hall", 0), id="its own"),
        pytest.param(GATE, ("at the hall", 4), id="the nearest"),
        pytest.param("elsewhere", None, id="nobody has said"),
        pytest.param(None, None, id="nowhere"),
    ],
)
def test_nearest_makes_no_claim_where_nobody_has_said(to: str | None, found: tuple[str, int] | None) -> None:
    stands = [("far", "far"), ("at the hall", HALL)]

    known = nearest_place(stands, to, Walks([WALK, ("gate", "far", 9, None, None, None)]))

    assert (known and (known[0], known[1].minutes)) == found
