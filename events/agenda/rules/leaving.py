"""What a visitor goes to next, where they are before it, and when they have to leave."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable

from events.core.spans import ONE_MINUTE, Span, utc
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import Walks, way_between


def next_slot(slots: Iterable[TimeSlot], now: dt.datetime) -> TimeSlot | None:
    """The first that has not begun; of several at once the one that is wanted most."""
    coming = [(utc(it.start), _rank(it), str(it.key), it) for it in slots if it.start and it.start > now and _is_attended(it)]
    return min(coming, key=lambda row: row[:-1])[-1] if coming else None


def place_before(
    following: TimeSlot, slots: Iterable[TimeSlot], private: Collection[Span], now: dt.datetime, since: dt.datetime
) -> TimeSlot | None:
    """The slot in whose place the visitor is until they leave for ``following``; None if that is not known.

    That is the one that is on, else the one that ended last ``since`` a time. Of several that are on it is the one that
    began last; if two began at once in different zones, nobody knows.
    """
    begun = [it for it in slots if it.span and it.span.start <= now and it.span.end > since and _is_attended(it)]
    placed = [it for it in begun if it.zone is not None or not it.is_break]
    running = [it for it in placed if it.span and it.span.end > now]
    here = _the_one(running, lambda span: span.start) if running else _the_one(placed, lambda span: span.end)
    if here is None or here.span is None or is_private_before(following, private, min(here.span.end, utc(now))):
        return None
    return here


def has_been_somewhere(slots: Iterable[TimeSlot], now: dt.datetime, since: dt.datetime) -> bool:
    """Whether a bookmark began today: then the visitor is no longer where the day starts."""
    return any(it.span and it.span.start <= now and it.span.end > since and _is_attended(it) for it in slots)


def is_private_before(following: TimeSlot, private: Iterable[Span], since: dt.datetime) -> bool:
    """Whether a private entry comes between: the way from there is unknown."""
    return following.start is not None and any(it.end > since and it.start < following.start for it in private)


def _is_attended(slot: TimeSlot) -> bool:
    return not (slot.cancelled or slot.later or slot.is_service)


def _rank(slot: TimeSlot) -> int:
    return 0 if slot.fixed else 1 + slot.maybe


def _the_one(slots: Collection[TimeSlot], moment: Callable[[Span], dt.datetime]) -> TimeSlot | None:
    """The slot whose ``moment`` is the latest; None if that leaves several zones."""
    if not slots:
        return None
    ranked = [((moment(it.span), -_rank(it)), it) for it in slots if it.span]
    latest = max(rank for rank, _ in ranked)
    found = [it for rank, it in ranked if rank == latest]
    return found[0] if len({(it.zone, it.travel_minutes) for it in found}) == 1 else None


def minutes_between(here: TimeSlot, following: TimeSlot, walks: Walks) -> int | None:
    """The minutes of the way; None if it is unknown, and if it takes none."""
    way = way_between(here, following, walks)
    return way.minutes if way and way.minutes else None


def leave_time(start: dt.datetime | None, minutes: int | None) -> dt.datetime | None:
    """When to leave for what begins at ``start``."""
    return utc(start) - minutes * ONE_MINUTE if start and minutes else None
