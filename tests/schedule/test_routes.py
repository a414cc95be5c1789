"""Routes: minutes that are known, and promises that every leg keeps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from events.schedule.routes import Step, is_dry, is_gate_free, is_step_free, total_minutes


def _step(
    minutes: int | None = 1, *, covered: bool | None = None, step_free: bool | None = None, gate_free: bool | None = None
) -> Step:
    return Step(minutes, covered, step_free, gate_free)


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
    keeps: Callable[[Sequence[Step]], bool], fact: str, legs: list[bool | None], promised: bool
) -> None:
    assert keeps([_step(**{fact: leg}) for leg in legs]) is promised  # type: ignore[arg-type]
