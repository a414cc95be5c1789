"""Rooms that are too small for who means to come, and what would seat more people."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from events.schedule.spans import Span

Seats = Mapping[Any, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Something that has a room to itself, and how many people are expected."""

    key: Any
    room: Any
    span: Span
    expected: int = 0
    # It has begun, or how many come is not known by who picked it.
    stays: bool = False

    def meets(self, other: Placed) -> bool:
        return self.span.shared_with(other.span) is not None


@dataclass(frozen=True, slots=True)
class Swap:
    """Two that change rooms, and how many more people have a seat then."""

    a: Any
    b: Any
    gain: int


def over(it: Placed, seats: Seats, room: Any = None) -> int:
    """People without a seat, in its own room or another; none where nobody knows the seats."""
    room = it.room if room is None else room
    return max(0, it.expected - seats[room]) if room in seats else 0


def swaps(placed: Collection[Placed], seats: Seats) -> list[Swap]:
    """Pairs at one time that seat more people in each other's rooms, and stand in nobody's way there; the best first."""
    found = []
    for a, b in combinations([it for it in placed if it.room in seats and not it.stays], 2):
        gain = over(a, seats) + over(b, seats) - over(a, seats, b.room) - over(b, seats, a.room)
        if gain > 0 and a.room != b.room and a.meets(b) and _can_swap(a, b, placed):
            found.append(Swap(a.key, b.key, gain))
    return sorted(found, key=lambda it: (-it.gain, str(it.a), str(it.b)))


def _can_swap(a: Placed, b: Placed, placed: Iterable[Placed]) -> bool:
    others = [it for it in placed if it.key not in {a.key, b.key}]
    return _is_free(b.room, a, others) and _is_free(a.room, b, others)


def _is_free(room: Any, it: Placed, others: Iterable[Placed]) -> bool:
    return not any(other.room == room and other.meets(it) for other in others)


def freer(it: Placed, placed: Collection[Placed], seats: Seats) -> list[Any]:
    """Rooms that are free meanwhile and seat more of its people: the smallest that seats all, else the largest first."""
    others = [other for other in placed if other.key != it.key]
    rooms = [room for room in seats if over(it, seats, room) < over(it, seats) and _is_free(room, it, others)]
    return sorted(rooms, key=lambda room: (over(it, seats, room), seats[room], str(room)))
