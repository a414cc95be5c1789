"""Directions leg by leg: how long they take, and for whom they work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    minutes: int | None
    covered: bool | None
    step_free: bool | None
    gate_free: bool | None


def total_minutes(steps: Sequence[Step]) -> tuple[int, bool]:
    """Add up the minutes that are known, and say whether that is all of them."""
    known = [step.minutes for step in steps if step.minutes is not None]
    return sum(known), 0 < len(known) == len(steps)


def is_dry(steps: Sequence[Step]) -> bool:
    return _known_true([step.covered for step in steps])


def is_step_free(steps: Sequence[Step]) -> bool:
    return _known_true([step.step_free for step in steps])


def is_gate_free(steps: Sequence[Step]) -> bool:
    return _known_true([step.gate_free for step in steps])


def _known_true(facts: Sequence[bool | None]) -> bool:
    # A route without legs is one that nobody has described yet: no promise.
    return bool(facts) and all(facts)
