"""What fits between two picks: how much of it is left when one gets there, and one leaves it in time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from events.schedule.overlaps import conflicts_with
from events.schedule.slots import Slot
from events.schedule.spans import MINUTE, Span, whole_minutes, without
from events.schedule.walking import Walks, Way, way_between

LEAST = 10 * MINUTE
# From what ended longer ago nobody is on the way any more.
NEAR = 60 * MINUTE


@dataclass(frozen=True)
class Gap:
    """Free time, and what one comes from and goes to, if anything."""

    span: Span
    before: Slot | None = None
    after: Slot | None = None
    # When one may set out and has to be there, where that is not at the beginning and at the end.
    left: dt.datetime | None = None
    due: dt.datetime | None = None


@dataclass(frozen=True)
class Fit:
    """One thing as it can be attended in a gap; the ways are None where nobody knows them."""

    key: Hashable
    arrive: dt.datetime
    leave: dt.datetime
    there: Way | None
    onward: Way | None
    # Of its beginning and of its end.
    missed: int

    @property
    def minutes(self) -> int:
        return whole_minutes(self.leave - self.arrive)


def free_gaps(span: Span, picks: Collection[Slot]) -> list[Gap]:
    """What of this time no pick claims, in order of time; a workshop's own breaks are free."""
    claims = [(piece, it) for it in picks if _is_attended(it) for piece in _programme(it)]
    return [_gap(free, claims) for free in without(span, (piece for piece, _ in claims))]


def _gap(free: Span, claims: Sequence[tuple[Span, Slot]]) -> Gap:
    earlier = [(piece.end, it) for piece, it in claims if free.start - NEAR <= piece.end <= free.start]
    later = [(piece.start, it) for piece, it in claims if free.end <= piece.start <= free.end + NEAR]
    left, before = max(earlier, key=itemgetter(0), default=(None, None))
    due, after = min(later, key=itemgetter(0), default=(None, None))
    return Gap(free, before, after, left, due)


def _is_attended(slot: Slot) -> bool:
    return not (slot.is_break or slot.cancelled or slot.later)


def _programme(slot: Slot) -> list[Span]:
    """The times at which it has programme."""
    return without(slot.span, slot.gaps) if slot.span else []


def fits(gap: Gap, slots: Iterable[Slot], picks: Collection[Slot], walks: Walks, least: dt.timedelta = LEAST) -> list[Fit]:
    """Whatever leaves at least so much time and is in conflict with none of the picks, in order of arrival.

    An unknown way makes no claim: one may be there at once. Breaks are no answer, they are what a gap is.
    """
    found = [fit for slot in slots if (fit := _fit(gap, slot, walks, least)) and not _collides(fit, slot, picks, walks)]
    return sorted(found, key=lambda fit: (fit.arrive, -fit.minutes))


def _fit(gap: Gap, slot: Slot, walks: Walks, least: dt.timedelta) -> Fit | None:
    span = slot.span
    if span is None or slot.is_break or slot.cancelled:
        return None
    there = way_between(gap.before, slot, walks) if gap.before else None
    onward = way_between(slot, gap.after, walks) if gap.after else None
    arrive = max(span.start, gap.span.start, (gap.left or gap.span.start) + _length(there))
    leave = min(span.end, gap.span.end, (gap.due or gap.span.end) - _length(onward))
    if leave - arrive < least:
        return None
    return Fit(slot.key, arrive, leave, there, onward, missed=whole_minutes(span.length - (leave - arrive)))


def _collides(fit: Fit, slot: Slot, picks: Collection[Slot], walks: Walks) -> bool:
    """Whether being there from arriving to leaving is in conflict with a pick."""
    attended = replace(slot, start=fit.arrive, end=fit.leave, gaps=(), is_container=False)
    return any(it.key == slot.key for it in picks) or bool(conflicts_with(attended, picks, walks))


def _length(way: Way | None) -> dt.timedelta:
    return way.minutes * MINUTE if way else dt.timedelta()
