"""What fits into a gap between two bookmarks, with the walks there and onward."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from events.core.spans import ONE_MINUTE, Span, subtract_spans, whole_minutes
from events.programme.rules.overlaps import conflicts_with
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import Walks, Way, way_between, way_time

MIN_FIT_TIME = 10 * ONE_MINUTE
# A visitor is no longer on the way from a slot that ended longer ago.
MAX_GAP_NEIGHBOUR_TIME = 60 * ONE_MINUTE


@dataclass(frozen=True)
class Gap:
    """Free time, with the slots before and after it, if any."""

    span: Span
    before: TimeSlot | None = None
    after: TimeSlot | None = None
    # When ``before`` ends and ``after`` starts, if that differs from the span.
    left: dt.datetime | None = None
    due: dt.datetime | None = None


@dataclass(frozen=True)
class GapFit:
    """How one slot can be attended in a gap; a way is None if it is unknown."""

    key: Hashable
    arrive: dt.datetime
    leave: dt.datetime
    there: Way | None
    onward: Way | None
    # Minutes missed at the start and at the end.
    missed: int

    @property
    def minutes(self) -> int:
        return whole_minutes(self.leave - self.arrive)


def free_gaps(span: Span, bookmarked: Collection[TimeSlot]) -> list[Gap]:
    """The parts of a time that no bookmark takes, in order; breaks of a workshop are free."""
    claims = [(piece, it) for it in bookmarked if _takes_time(it) for piece in _programme_spans(it)]
    return [_gap(free, claims) for free in subtract_spans(span, (piece for piece, _ in claims))]


def _gap(free: Span, claims: Sequence[tuple[Span, TimeSlot]]) -> Gap:
    earlier = [(piece.end, it) for piece, it in claims if free.start - MAX_GAP_NEIGHBOUR_TIME <= piece.end <= free.start]
    later = [(piece.start, it) for piece, it in claims if free.end <= piece.start <= free.end + MAX_GAP_NEIGHBOUR_TIME]
    left, before = max(earlier, key=itemgetter(0), default=(None, None))
    due, after = min(later, key=itemgetter(0), default=(None, None))
    return Gap(free, before, after, left, due)


def _takes_time(slot: TimeSlot) -> bool:
    return not (slot.is_break or slot.cancelled or slot.later)


def _programme_spans(slot: TimeSlot) -> list[Span]:
    return subtract_spans(slot.span, slot.gaps) if slot.span else []


def gap_fits(
    gap: Gap, slots: Iterable[TimeSlot], bookmarked: Collection[TimeSlot], walks: Walks, least: dt.timedelta = MIN_FIT_TIME
) -> list[GapFit]:
    """The slots that leave at least ``least`` and conflict with no bookmark, in order of arrival.

    An unknown way counts as no time. Breaks are left out.
    """
    fits = [fit for slot in slots if (fit := _gap_fit(gap, slot, walks, least)) and not _collides(fit, slot, bookmarked, walks)]
    return sorted(fits, key=lambda fit: (fit.arrive, -fit.minutes))


def _gap_fit(gap: Gap, slot: TimeSlot, walks: Walks, least: dt.timedelta) -> GapFit | None:
    span = slot.span
    if span is None or slot.is_break or slot.cancelled:
        return None
    there = way_between(gap.before, slot, walks) if gap.before else None
    onward = way_between(slot, gap.after, walks) if gap.after else None
    arrive = max(span.start, gap.span.start, (gap.left or gap.span.start) + way_time(there))
    leave = min(span.end, gap.span.end, (gap.due or gap.span.end) - way_time(onward))
    if leave - arrive < least:
        return None
    return GapFit(slot.key, arrive, leave, there, onward, missed=whole_minutes(span.length - (leave - arrive)))


def _collides(fit: GapFit, slot: TimeSlot, bookmarked: Collection[TimeSlot], walks: Walks) -> bool:
    attended = replace(slot, start=fit.arrive, end=fit.leave, gaps=(), is_container=False)
    return any(it.key == slot.key for it in bookmarked) or bool(conflicts_with(attended, bookmarked, walks))
