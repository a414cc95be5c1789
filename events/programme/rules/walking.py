"""Walking times between zones, where they are known."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from events.core.spans import NO_TIME, ONE_MINUTE
from events.programme.rules.slots import TimeSlot

# Origin, destination, minutes, minutes back (None: the same), covered, step-free.
WalkFacts: TypeAlias = tuple[Hashable, Hashable, int, int | None, bool | None, bool | None]


class Need(StrEnum):
    """What a visitor requires or prefers of a way."""

    STEP_FREE = "step-free"
    DRY = "dry"


Needs: TypeAlias = frozenset[Need]
NO_NEEDS: Needs = frozenset()


@dataclass(frozen=True)
class Way:
    minutes: int
    covered: bool | None
    step_free: bool | None


ZERO_WAY = Way(0, covered=True, step_free=True)


class Walks:
    """The ways that a visitor can take.

    Those who need step-free ways cannot take one with steps. A dry way is only preferred.
    """

    def __init__(self, walks: Iterable[WalkFacts] = (), needs: Needs = NO_NEEDS) -> None:
        there: dict[tuple[Hashable, Hashable], Way] = {}
        back: dict[tuple[Hashable, Hashable], Way] = {}
        for origin, destination, minutes, minutes_back, covered, step_free in walks:
            there[origin, destination] = Way(minutes, covered, step_free)
            back[destination, origin] = Way(minutes if minutes_back is None else minutes_back, covered, step_free)
        self.needs = needs
        # A way that was entered is preferred to one inferred from its opposite, unless only the other is usable.
        pairs = there.keys() | back.keys()
        self._ways = {pair: self._best(it for it in (there.get(pair), back.get(pair)) if it) for pair in pairs}

    @property
    def longest(self) -> int:
        return max((way.minutes for way in self._ways.values()), default=0)

    def way(self, origin: Hashable | None, destination: Hashable | None) -> Way | None:
        """Return None if the way is unknown or cannot be taken; ways through a third zone are not combined."""
        if origin is not None and origin == destination:
            return ZERO_WAY
        way = self._ways.get((origin, destination))
        return None if way is None or self._is_unusable(way) else way

    def is_barred(self, origin: Hashable | None, destination: Hashable | None) -> bool:
        """Return True if a way is known, but this visitor cannot take it."""
        way = self._ways.get((origin, destination)) if origin != destination else None
        return way is not None and self._is_unusable(way)

    def _best(self, ways: Iterable[Way]) -> Way:
        return min(ways, key=lambda it: (self._is_unusable(it), Need.DRY in self.needs and it.covered is False))

    def _is_unusable(self, way: Way) -> bool:
        return Need.STEP_FREE in self.needs and way.step_free is False


def way_between(a: TimeSlot, b: TimeSlot, walks: Walks) -> Way | None:
    """Return the way from a to b. An off-site event's travel minutes count, unless a walk between the zones is known."""
    if walks.is_barred(a.zone, b.zone):
        return None
    return walks.way(a.zone, b.zone) or _travel(a, b) or _travel(b, a)


def _travel(away: TimeSlot, at_venue: TimeSlot) -> Way | None:
    if away.travel_minutes is None or at_venue.travel_minutes is not None or at_venue.zone is None:
        return None
    return Way(away.travel_minutes, covered=None, step_free=None)


def way_time(way: Way | None) -> dt.timedelta:
    """An unknown way counts as no time."""
    return way.minutes * ONE_MINUTE if way else NO_TIME


def arrival_time(a: TimeSlot, b: TimeSlot, way: Way | None) -> dt.datetime | None:
    """Return the arrival at b after staying to the end of a; None if b begins earlier or the way is unknown."""
    if way is None or a.span is None or b.span is None or a.span.end > b.span.start:
        return None
    return a.span.end + way_time(way)
