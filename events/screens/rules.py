"""The events of a screen at one minute, alternatives to a full room, and the split of rows into sheets."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from events.programme.rules.running import running_one

SCREEN_SOON_WITHIN = dt.timedelta(minutes=15)
"""An event that starts within this is an alternative to a full room, as a running one is."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ScreenTurn:
    """An event or group in a room from start to end; None as room means every room."""

    key: Hashable
    room: Hashable | None
    start: dt.datetime
    end: dt.datetime
    parent: Hashable | None = None
    is_pause: bool = False
    is_cancelled: bool = False
    about: frozenset[Hashable] = frozenset()

    def is_running(self, now: dt.datetime) -> bool:
        return self.start <= now < self.end

    def is_soon(self, now: dt.datetime) -> bool:
        return self.start - SCREEN_SOON_WITHIN <= now < self.end


@dataclass(frozen=True, slots=True)
class NowAndNext:
    """The state of one room; ``inside`` is the running part of a session, whose next parts come first."""

    now: ScreenTurn | None = None
    inside: ScreenTurn | None = None
    coming: tuple[ScreenTurn, ...] = ()

    @property
    def is_empty(self) -> bool:
        return self.now is None and not self.coming

    @property
    def about(self) -> frozenset[Hashable]:
        return frozenset().union(*(it.about for it in (self.now, self.inside) if it))


def now_and_next(turns: Iterable[ScreenTurn], room: Hashable, now: dt.datetime, most: int = 3) -> NowAndNext:
    """Return the events of one room. A break in every room is only shown if nothing else is on.

    A session represents its parts. One that is cancelled does not represent its talks that take place.
    """
    here = [it for it in turns if it.room in {room, None} and it.end > now]
    in_room = [it for it in here if it.room is not None]
    keys = {it.key for it in in_room}
    taking_place = {it.key for it in in_room if not it.is_cancelled}
    outer = [it for it in in_room if it.parent not in (keys if it.is_cancelled or it.is_pause else taking_place)]
    running = [it for it in outer if it.is_running(now)] or [it for it in here if it.room is None and it.is_running(now)]
    on = running_one(sorted(running, key=lambda it: str(it.key)), now)
    parts = [it for it in in_room if on is not None and it.parent == on.key]
    inside = running_one(sorted(parts, key=lambda it: str(it.key)), now)
    coming = sorted((it for it in {*outer, *parts} if it.start > now), key=lambda it: (it.start, it.is_cancelled, str(it.key)))
    return NowAndNext(on, inside, tuple(coming[:most]))


@dataclass(frozen=True, slots=True)
class AlternativeRoom:
    """A room with its current event, or one that starts soon."""

    room: Hashable
    turn: ScreenTurn
    minutes: int | None
    shares: bool = False
    shows_the_same: bool = False
    is_filling: bool = False


def best_alternative_room(candidates: Iterable[AlternativeRoom]) -> AlternativeRoom | None:
    """Prefer a room that shows the same, then one on the same subject, then the nearest.

    An unknown walk counts as the longest. A nearly full room is the last choice: it would be full before anybody arrives.
    """

    def worth(room: AlternativeRoom) -> tuple[bool, bool, bool, bool, int, dt.datetime, str]:
        unknown = room.minutes is None
        return (
            room.is_filling,
            not room.shows_the_same,
            not room.shares,
            unknown,
            room.minutes or 0,
            room.turn.start,
            str(room.room),
        )

    return min(candidates, key=worth, default=None)


def is_worth_going(turn: ScreenTurn | None, now: dt.datetime) -> bool:
    return turn is not None and not turn.is_cancelled and not turn.is_pause and turn.is_soon(now)


def split_into_sheets(rows: Sequence[T], most: int) -> list[Sequence[T]]:
    """Return as few and as even sheets as possible: with ``most`` 6, seven rows are 4 + 3 and not 6 + 1."""
    count = -(-len(rows) // most)
    size, more = divmod(len(rows), count) if count else (0, 0)
    ends = [size * number + min(number, more) for number in range(count + 1)]
    return [rows[start:end] for start, end in pairwise(ends)]


def current_sheet(sheets: Collection[object], now: dt.datetime) -> int:
    """Return the index of the sheet of this minute, which is the same on every screen."""
    return int(now.timestamp() // 60) % len(sheets) if sheets else 0
