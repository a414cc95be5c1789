"""Routes leg by leg: their duration, whether they are covered and step-free, and the best one for a visitor's needs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from events.core.spans import spoken_duration
from events.programme.rules.walking import NO_NEEDS, ZERO_WAY, Need, Needs, Walks, Way


@dataclass(frozen=True)
class RouteStep:
    minutes: int | None
    covered: bool | None
    step_free: bool | None
    gate_free: bool | None


def unconfirmed_steps(facts: Sequence[bool | None]) -> list[int]:
    """Return the numbers of the steps without an answer, from 1, if all others are known to be true and there is one."""
    if False in facts or True not in facts:
        return []
    return [number for number, fact in enumerate(facts, start=1) if fact is None]


def total_minutes(steps: Sequence[RouteStep]) -> tuple[int, bool]:
    """Return the sum of the known minutes, and whether all are known."""
    known = [step.minutes for step in steps if step.minutes is not None]
    return sum(known), 0 < len(known) == len(steps)


def is_dry(steps: Sequence[RouteStep]) -> bool:
    return _known_true([step.covered for step in steps])


def is_step_free(steps: Sequence[RouteStep]) -> bool:
    return _known_true([step.step_free for step in steps])


def is_gate_free(steps: Sequence[RouteStep]) -> bool:
    return _known_true([step.gate_free for step in steps])


def _known_true(facts: Sequence[bool | None]) -> bool:
    # A route without legs is not described yet, and promises nothing.
    return bool(facts) and all(facts)


@dataclass(frozen=True)
class Journey:
    """A route and the walk from its end to the destination; ``walk`` is None if it is unknown."""

    route: Hashable
    walk: Way | None
    minutes: int
    # Whether all minutes are known.
    known: bool
    # None is unknown: not every step has an answer.
    covered: bool | None
    step_free: bool | None

    @property
    def facts(self) -> list[str]:
        length = (
            f"{'' if self.known else 'at least '}{spoken_duration(self.minutes)}"
            if self.minutes or self.known
            else "time not known"
        )
        covered = {True: "covered", False: "not covered all the way", None: ""}[self.covered]
        steps = {True: "step-free", False: "has steps", None: ""}[self.step_free]
        return [fact for fact in (length, covered, steps) if fact]

    def suits(self, needs: Needs) -> bool:
        """Return whether every need is known to be met."""
        facts = {Need.DRY: self.covered, Need.STEP_FREE: self.step_free}
        return all(facts[need] for need in needs)


def except_text(fact: str, numbers: Sequence[int]) -> str:
    """As "covered except step 1 (not confirmed)"; empty without numbers."""
    if not numbers:
        return ""
    *first, last = map(str, numbers)
    steps = f"steps {', '.join(first)} and {last}" if first else f"step {last}"
    return f"{fact} except {steps} (not confirmed)"


def best_journey(
    routes: Iterable[tuple[Hashable, Hashable, Sequence[RouteStep]]], to: Hashable | None, walks: Walks, needs: Needs = NO_NEEDS
) -> Journey | None:
    """Prefer a journey that meets the needs, then one that reaches ``to`` itself, then the quickest.

    ``routes`` are (id, zone of the end, steps). A route that is not known to be step-free is never returned to a visitor who
    needs that. One that is not covered is returned if there is none that may be.
    """
    journeys = [journey(route, end, steps, to, walks) for route, end, steps in routes if not walks.is_barred(end, to)]
    possible = [it for it in journeys if it.suits(needs - {Need.DRY})]
    return min(possible, key=lambda it: (*_shortfall(it, needs), it.walk is None, not it.known, it.minutes), default=None)


def _shortfall(journey: Journey, needs: Needs) -> tuple[bool, bool]:
    return not journey.suits(needs), Need.DRY in needs and journey.covered is False


def journey(route: Hashable, end: Hashable, steps: Sequence[RouteStep], to: Hashable | None, walks: Walks) -> Journey:
    walk = ZERO_WAY if to is None else walks.way(end, to)
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


def nearest_place(places: Iterable[tuple[Hashable, Hashable]], to: Hashable | None, walks: Walks) -> tuple[Hashable, Way] | None:
    """Return the place with the shortest known walk; ``places`` are (id, zone)."""
    ways = [(place, walks.way(to, zone)) for place, zone in places]
    return min(((place, way) for place, way in ways if way), key=lambda it: it[1].minutes, default=None)


def _all_known(facts: Sequence[bool | None], *, is_described: bool) -> bool | None:
    """Return False if one fact is false, True if all are true, else None."""
    if False in facts:
        return False
    return True if is_described and all(facts) else None
