"""How long the way from one place to another takes, as far as anybody has said."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from events.schedule.slots import Slot

# Origin, destination, minutes, minutes back if they differ, covered, step-free.
Walk: TypeAlias = tuple[Hashable, Hashable, int, int | None, bool | None, bool | None]


@dataclass(frozen=True)
class Way:
    minutes: int
    covered: bool | None
    step_free: bool | None


NO_WAY_TO_GO = Way(0, covered=True, step_free=True)


class Walks:
    def __init__(self, walks: Iterable[Walk] = ()) -> None:
        there: dict[tuple[Hashable, Hashable], Way] = {}
        back: dict[tuple[Hashable, Hashable], Way] = {}
        for origin, destination, minutes, minutes_back, covered, step_free in walks:
            there[origin, destination] = Way(minutes, covered, step_free)
            back[destination, origin] = Way(minutes if minutes_back is None else minutes_back, covered, step_free)
        # A way that was entered itself counts more than one inferred from its opposite.
        self._ways = back | there

    @property
    def longest(self) -> int:
        return max((way.minutes for way in self._ways.values()), default=0)

    def way(self, origin: Hashable | None, destination: Hashable | None) -> Way | None:
        """None if nobody has said: ways are not pieced together through other zones."""
        if origin is not None and origin == destination:
            return NO_WAY_TO_GO
        return self._ways.get((origin, destination))


def way_between(a: Slot, b: Slot, walks: Walks) -> Way | None:
    """The way from a to b; to and from an off-site place its travel minutes count, unless this very way is known."""
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
