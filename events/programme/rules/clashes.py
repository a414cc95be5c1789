"""Clashes for organisers: one room or one person in two places at once."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal
from zoneinfo import ZoneInfo

from events.core.clock import programme_date
from events.core.spans import Span, close_pairs

ClashKind = Literal["room", "person"]
# Posters share their hall; breaks and opening hours may be in a room with anything else.
ROOM_SHARING_KINDS = frozenset({"poster", "break", "service"})


@dataclass(frozen=True)
class Booking:
    key: Hashable
    start: dt.datetime | None
    end: dt.datetime | None
    # None for events that share their place, such as posters.
    room: Hashable | None = None
    people: frozenset[Hashable] = frozenset()
    parent: Hashable | None = None
    title: str = ""

    @property
    def span(self) -> Span | None:
        return Span.from_times(self.start, self.end)


@dataclass(frozen=True)
class Clash:
    kind: ClashKind
    what: Hashable
    a: Booking
    b: Booking
    start: dt.datetime
    end: dt.datetime

    @property
    def key(self) -> tuple[ClashKind, Hashable, frozenset[Hashable]]:
        """Equal for the same clash at another time."""
        return self.kind, self.what, frozenset({self.a.key, self.b.key})


def clashes(bookings: Iterable[Booking]) -> list[Clash]:
    """Return clashes in order of time.

    Two sessions that clash in a room are one clash: what is inside them is not paired again for the same time.
    """
    bookings = list(bookings)
    parents = {booking.key: booking.parent for booking in bookings}
    pairs = list(_pairs(bookings, parents))
    in_rooms = {pair.key: pair for pair in pairs if pair.kind == "room"}
    return [pair for pair in pairs if pair.kind != "room" or not _is_covered(pair, in_rooms, parents)]


def added_clashes(before: Iterable[Booking], after: Iterable[Booking]) -> list[Clash]:
    """Return the clashes of ``after`` that are not in ``before``, not even inside two sessions that clash."""
    before = list(before)
    known = {pair.key for pair in _pairs(before, {booking.key: booking.parent for booking in before})}
    return [clash for clash in clashes(after) if clash.key not in known]


def _pairs(bookings: Iterable[Booking], parents: Mapping[Hashable, Hashable | None]) -> list[Clash]:
    pairs = []
    for (kind, what), claimed in _claims(bookings).items():
        for a, b in close_pairs(claimed):
            shared = a.span and b.span and a.span.shared_with(b.span)
            if shared and not _is_inside(a, b, parents) and not _is_inside(b, a, parents):
                pairs.append(Clash(kind, what, a, b, *shared))
    # The names make the order of people stable, who come from a set.
    return sorted(pairs, key=lambda clash: (clash.start, clash.end, clash.kind, str(clash.what)))


def _is_covered(pair: Clash, in_rooms: Mapping[Any, Clash], parents: Mapping[Hashable, Hashable | None]) -> bool:
    """Whether sessions of the two events clash in the same room, for at least the same time."""
    sides = [_with_ancestors(side, parents) for side in (pair.a, pair.b)]
    outer = (in_rooms.get((pair.kind, pair.what, frozenset(keys))) for keys in product(*sides))
    return any(it is not None and it is not pair and it.start <= pair.start and pair.end <= it.end for it in outer)


def _with_ancestors(booking: Booking, parents: Mapping[Hashable, Hashable | None]) -> list[Hashable]:
    above = list(_ancestors(booking, parents))
    # Of parents in a circle, each would cover the clash of the other.
    return [booking.key] if booking.key in above else [booking.key, *above]


def _claims(bookings: Iterable[Booking]) -> dict[tuple[ClashKind, Hashable], list[Booking]]:
    claims: dict[tuple[ClashKind, Hashable], list[Booking]] = defaultdict(list)
    for booking in bookings:
        if booking.room is not None:
            claims["room", booking.room].append(booking)
        for person in booking.people:
            claims["person", person].append(booking)
    return claims


def _is_inside(inner: Booking, outer: Booking, parents: Mapping[Hashable, Hashable | None]) -> bool:
    return outer.key in _ancestors(inner, parents)


def _ancestors(booking: Booking, parents: Mapping[Hashable, Hashable | None]) -> Iterator[Hashable]:
    above = booking.parent
    # Parents in a circle are a mistake of the programme: stop at the first that is seen again.
    seen: set[Hashable | None] = {None}
    while above not in seen:
        seen.add(above)
        yield above
        above = parents.get(above)


ROOM_ADVICE, PERSON_ADVICE = "Move one, or give it another room.", "Move one, or ask somebody else."


def clash_advice(kind: str) -> str:
    return ROOM_ADVICE if kind == "room" else PERSON_ADVICE


def clash_sentence(clash: Any, zone: ZoneInfo) -> str:
    """Write one line in the time of ``zone``. ``clash`` has kind, what, start and end; its sides have title, start and end."""
    verb = "holds" if clash.kind == "room" else "is in"
    minutes = -(-(clash.end - clash.start) // dt.timedelta(minutes=1))
    return (
        f"{clash_time(clash.start, clash.end, zone)}: {clash.what} {verb} two events for {minutes} min: "
        f"“{clash.a.title}” ({_claim_hours(clash.a, zone)}) and “{clash.b.title}” ({_claim_hours(clash.b, zone)}). "
        f"{clash_advice(clash.kind)}"
    )


def clash_time(start: dt.datetime, end: dt.datetime, zone: ZoneInfo) -> str:
    start, end = start.astimezone(zone), end.astimezone(zone)
    return f"{start:%a} {start.day} {start:%B}, {start:%H:%M}–{end:%H:%M}"


def _claim_hours(claim: Any, zone: ZoneInfo) -> str:
    return f"{claim.start.astimezone(zone):%H:%M}–{claim.end.astimezone(zone):%H:%M}"


def starts_on_other_day(start: dt.datetime | None, day: dt.date | None, zone: ZoneInfo) -> bool:
    """Whether the event is listed under a day on which it does not start at the venue."""
    return start is not None and day is not None and programme_date(start, zone) != day


def wrong_day_sentence(title: str, start: dt.datetime, day: dt.date, zone: ZoneInfo) -> str:
    local, right = start.astimezone(zone), programme_date(start, zone)
    return (
        f"“{title}” is listed under {_day_text(day)} and starts on {_day_text(local.date())}, {local:%H:%M}. "
        f"Choose the day {_day_text(right)}, or another start."
    )


def _day_text(day: dt.date) -> str:
    return f"{day:%a} {day.day} {day:%B}"
