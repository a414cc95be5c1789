"""Directions leg by leg: how long they take, and for whom they work."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from events.schedule.spans import spoken
from events.schedule.walking import ANY_WAY, NO_WAY_TO_GO, Need, Needs, Walks, Way


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


@dataclass(frozen=True)
class Journey:
    """A route, and the walk from where it ends; without a walk nobody has said how one gets on from there."""

    route: Hashable
    walk: Way | None
    minutes: int
    # Whether that is all of them.
    known: bool
    # None: nobody has said so of every step.
    covered: bool | None
    step_free: bool | None

    @property
    def words(self) -> list[str]:
        """How long, and what it is like: "9 min", "covered", "step-free"."""
        length = f"{'' if self.known else 'at least '}{spoken(self.minutes)}" if self.minutes or self.known else "time not known"
        covered = {True: "covered", False: "not covered all the way", None: ""}[self.covered]
        steps = {True: "step-free", False: "has steps", None: ""}[self.step_free]
        return [word for word in (length, covered, steps) if word]

    def suits(self, needs: Needs) -> bool:
        """Whether it is known to be what somebody needs, as far as it is described at all."""
        facts = {Need.DRY: self.covered, Need.STEP_FREE: self.step_free}
        return all(facts[need] for need in needs)


def best_journey(
    routes: Iterable[tuple[Hashable, Hashable, Sequence[Step]]], to: Hashable | None, walks: Walks, needs: Needs = ANY_WAY
) -> Journey | None:
    """The way there that suits, reaches the place itself, and is quickest; else the first to anywhere near.

    A route is told by its own name, where it ends, and its steps. Who needs steps avoided is led nowhere they are; who
    wants to keep dry is shown a wet way if there is no other.
    """
    found = [journey(route, end, steps, to, walks) for route, end, steps in routes if not walks.barred(end, to)]
    ways = [it for it in found if it.suits(needs - {Need.DRY})]
    return min(ways, key=lambda it: (not it.suits(needs), it.walk is None, not it.known, it.minutes), default=None)


def journey(route: Hashable, end: Hashable, steps: Sequence[Step], to: Hashable | None, walks: Walks) -> Journey:
    walk = NO_WAY_TO_GO if to is None else walks.way(end, to)
    minutes, known = total_minutes(steps)
    facts = [(step.covered, step.step_free) for step in steps]
    if walk is not None:
        facts.append((walk.covered, walk.step_free))
    return Journey(
        route=route,
        walk=walk,
        minutes=minutes + (walk.minutes if walk else 0),
        known=known and walk is not None,
        covered=_all_known([covered for covered, _ in facts], is_described=bool(steps)),
        step_free=_all_known([step_free for _, step_free in facts], is_described=bool(steps)),
    )


def nearest(places: Iterable[tuple[Hashable, Hashable]], to: Hashable | None, walks: Walks) -> tuple[Hashable, Way] | None:
    """The place, by its name and where it is, with the shortest known walk to it; none where nobody has said."""
    ways = [(name, walks.way(to, where)) for name, where in places]
    return min(((name, way) for name, way in ways if way), key=lambda it: it[1].minutes, default=None)


def _all_known(facts: Sequence[bool | None], *, is_described: bool) -> bool | None:
    """What is known of every step; False once it is denied of one."""
    if False in facts:
        return False
    return True if is_described and all(facts) else None
