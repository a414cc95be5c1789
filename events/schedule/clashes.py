"""What organisers have planned that cannot happen: one room or one person in two places at once."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from events.schedule.spans import Span, close_pairs

Kind = Literal["room", "person"]
# Posters share their hall, breaks and opening hours happen around whatever else is in a room.
SHARING = frozenset({"poster", "break", "service"})


@dataclass(frozen=True)
class Booking:
    key: Hashable
    start: dt.datetime | None
    end: dt.datetime | None
    # None for what shares its place with others, as posters do.
    room: Hashable | None = None
    people: frozenset[Hashable] = frozenset()
    parent: Hashable | None = None
    title: str = ""

    @property
    def span(self) -> Span | None:
        return Span.of(self.start, self.end)


@dataclass(frozen=True)
class Clash:
    kind: Kind
    what: Hashable
    a: Booking
    b: Booking
    start: dt.datetime
    end: dt.datetime


def clashes(bookings: Iterable[Booking]) -> list[Clash]:
    """Find every pair, the earlier first, that claims a room or a person at the same time, in order of time."""
    bookings = list(bookings)
    parents = {booking.key: booking.parent for booking in bookings}
    found = []
    for (kind, what), claimed in _claims(bookings).items():
        for a, b in close_pairs(claimed):
            shared = a.span and b.span and a.span.shared_with(b.span)
            if shared and not _within(a, b, parents) and not _within(b, a, parents):
                found.append(Clash(kind, what, a, b, *shared))
    # The names settle the order of people, who come out of a set.
    return sorted(found, key=lambda clash: (clash.start, clash.end, clash.kind, str(clash.what)))


def _claims(bookings: Iterable[Booking]) -> dict[tuple[Kind, Hashable], list[Booking]]:
    claims: dict[tuple[Kind, Hashable], list[Booking]] = defaultdict(list)
    for booking in bookings:
        if booking.room is not None:
            claims["room", booking.room].append(booking)
        for person in booking.people:
            claims["person", person].append(booking)
    return claims


def _within(inner: Booking, outer: Booking, parents: Mapping[Hashable, Hashable | None]) -> bool:
    return outer.key in _ancestors(inner, parents)


def _ancestors(booking: Booking, parents: Mapping[Hashable, Hashable | None]) -> Iterator[Hashable]:
    above = booking.parent
    # A parent that leads back to itself is a mistake to survive, not to follow forever.
    seen: set[Hashable | None] = {None}
    while above not in seen:
        seen.add(above)
        yield above
        above = parents.get(above)
