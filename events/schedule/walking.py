"""How long the way from one place to another takes, as far as anybody has said."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from events.schedule.slots import Slot

# Origin, destination, minutes, minutes back if they differ, covered, step-free.
Walk: TypeAlias = tuple[Hashable, Hashable, int, int | None, bool | None, bool | None]


class Need(StrEnum):
    """What somebody wants of a way."""

    STEP_FREE = "step-free"
    DRY = "dry"


Needs: TypeAlias = frozenset[Need]
ANY_WAY: Needs = frozenset()


@dataclass(frozen=True)
class Way:
    minutes: int
    covered: bool | None
    step_free: bool | None


NO_WAY_TO_GO = Way(0, covered=True, step_free=True)


class Walks:
    """The ways somebody can take. Who needs steps avoided has no way where there are some; who wants it dry may get wet."""

    def __init__(self, walks: Iterable[Walk] = (), needs: Needs = ANY_WAY) -> None:
        there: dict[tuple[Hashable, Hashable], Way] = {}
        back: dict[tuple[Hashable, Hashable], Way] = {}
        for origin, destination, minutes, minutes_back, covered, step_free in walks:
            there[origin, destination] = Way(minutes, covered, step_free)
            back[destination, origin] = Way(minutes if minutes_back is None else minutes_back, covered, step_free)
        self.needs = needs
        # A way that was entered itself counts more than one inferred from its opposite, unless only that one will do.
        pairs = there.keys() | back.keys()
        self._ways = {pair: self._best(it for it in (there.get(pair), back.get(pair)) if it) for pair in pairs}

    @property
    def longest(self) -> int:
        return max((way.minutes for way in self._ways.values()), default=0)

    def way(self, origin: Hashable | None, destination: Hashable | None) -> Way | None:
        """None if nobody has said, or it cannot be taken: ways are not pieced together through other zones."""
        if origin is not None and origin == destination:
            return NO_WAY_TO_GO
        way = self._ways.get((origin, destination))
        return None if way is None or self._bars(way) else way

    def barred(self, origin: Hashable | None, destination: Hashable | None) -> bool:
        """Whether all ways that are known are none for this visitor."""
        way = self._ways.get((origin, destination)) if origin != destination else None
        return way is not None and self._bars(way)

    def _best(self, ways: Iterable[Way]) -> Way:
        return min(ways, key=lambda it: (self._bars(it), Need.DRY in self.needs and it.covered is False))

    def _bars(self, way: Way) -> bool:
        return Need.STEP_FREE in self.needs and way.step_free is False


def way_between(a: Slot, b: Slot, walks: Walks) -> Way | None:
    """The way from a to b; to and from an off-site place its travel minutes count, unless this very way is known."""
    if walks.barred(a.zone, b.zone):
        return None
    return walks.way(a.zone, b.zone) or _travel(a, b) or _travel(b, a)


def _travel(away: Slot, at_venue: Slot) -> Way | None:
    if away.travel_minutes is None or at_venue.travel_minutes is not None or at_venue.zone is None:
        return None
    return Way(away.travel_minutes, covered=None, step_free=None)


def arrival(a: Slot, b: Slot, way: Way | None) -> dt.datetime | None:
    """When somebody who stays to the end of a gets to b; None if b begins before that end or the way is unknown."""
    if way is None or a.span is None or b.span is None or a.span.end > b.span.start:
        return None
    return a.span.end + dt.timedelta(minutes=way.minutes)
