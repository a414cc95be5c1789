"""What a screen at a door or in a foyer shows of a programme at one minute."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

SOON = dt.timedelta(minutes=15)
"""What starts within this is worth sending people to, as what is on is."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Turn:
    """Something that is on in a room for a while; one without a room is on in all of them."""

    key: Hashable
    room: Hashable | None
    start: dt.datetime
    end: dt.datetime
    parent: Hashable | None = None
    is_pause: bool = False
    is_cancelled: bool = False
    about: frozenset[Hashable] = frozenset()

    def runs(self, now: dt.datetime) -> bool:
        return self.start <= now < self.end

    def is_soon(self, now: dt.datetime) -> bool:
        return self.start - SOON <= now < self.end


@dataclass(frozen=True, slots=True)
class Showing:
    """One room: what is on, the part of it that is on, and what comes."""

    now: Turn | None = None
    inside: Turn | None = None
    coming: tuple[Turn, ...] = ()

    @property
    def is_empty(self) -> bool:
        return self.now is None and not self.coming

    @property
    def about(self) -> frozenset[Hashable]:
        return frozenset().union(*(it.about for it in (self.now, self.inside) if it))


def showing(turns: Iterable[Turn], room: Hashable, now: dt.datetime, most: int = 3) -> Showing:
    """What stands at a room's door. A pause everywhere fills a room in which nothing else is on."""
    here = [it for it in turns if it.room in {room, None} and it.end > now]
    own = [it for it in here if it.room is not None]
    keys = {it.key for it in own}
    outer = [it for it in own if it.parent not in keys]
    running = [it for it in outer if it.runs(now)] or [it for it in here if it.room is None and it.runs(now)]
    # What takes place before what does not; of several the one that began last, which is the least like an exhibition.
    on = min(running, key=lambda it: (it.is_cancelled, -it.start.timestamp(), it.end, str(it.key)), default=None)
    parts = [it for it in own if on is not None and it.parent == on.key and it.runs(now)]
    inside = min(parts, key=lambda it: (it.is_cancelled, -it.start.timestamp(), str(it.key)), default=None)
    coming = sorted((it for it in outer if it.start > now), key=lambda it: (it.start, it.is_cancelled, str(it.key)))
    return Showing(on, inside, tuple(coming[:most]))


@dataclass(frozen=True, slots=True)
class Instead:
    """A room one could go to, and what is on there or about to be."""

    room: Hashable
    turn: Turn
    minutes: int | None
    shares: bool = False
    shows_the_same: bool = False
    is_filling: bool = False


def go_instead(candidates: Iterable[Instead]) -> Instead | None:
    """Where the same is shown, else something on the same subject, else the nearest; a way nobody knows is the longest.

    A room that is nearly full is named only when there is no other: it would be full before anybody is there.
    """

    def worth(it: Instead) -> tuple[bool, bool, bool, bool, int, dt.datetime, str]:
        unknown = it.minutes is None
        return it.is_filling, not it.shows_the_same, not it.shares, unknown, it.minutes or 0, it.turn.start, str(it.room)

    return min(candidates, key=worth, default=None)


def worth_going(turn: Turn | None, now: dt.datetime) -> bool:
    return turn is not None and not turn.is_cancelled and not turn.is_pause and turn.is_soon(now)


def sheets(rows: Sequence[T], most: int) -> list[Sequence[T]]:
    """Rows in as few sheets as hold them, as evenly as can be: seven in four and three, not in six and one."""
    count = -(-len(rows) // most)
    size, more = divmod(len(rows), count) if count else (0, 0)
    ends = [size * number + min(number, more) for number in range(count + 1)]
    return [rows[start:end] for start, end in pairwise(ends)]


def turned_up(sheets: Collection[object], now: dt.datetime) -> int:
    """Which of them is to be seen at this minute: the same on every screen."""
    return int(now.timestamp() // 60) % len(sheets) if sheets else 0
