"""Transitions between the bookmarks of an agenda, in order of time, and other times to attend."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass
from itertools import accumulate

from events.core.spans import NO_TIME, ONE_MINUTE, Span, close_pairs, sort_by_span, subtract_spans
from events.programme.rules.overlaps import Conflict, ConflictVerdict, conflict, conflicts_with, worst_first
from events.programme.rules.slots import TimeSlot, overlap_time
from events.programme.rules.walking import Walks, Way, arrival_time, way_between

# Visitors leave a workshop on purpose, but may not have noticed that they are late for the next talk.
_VERDICTS_BY_PRESSURE = (ConflictVerdict.PARTIAL, ConflictVerdict.TIGHT, ConflictVerdict.CLASH)


@dataclass(frozen=True)
class SlotTransition:
    before: TimeSlot
    after: TimeSlot
    # Negative: the overlap. Zero without a conflict: one is inside the other, as a talk in its session.
    free: dt.timedelta
    verdict: ConflictVerdict
    way: Way | None
    # The arrival after staying to the end of `before`, if that is before `after` starts and the way is known.
    arrive: dt.datetime | None
    conflict: Conflict | None
    # A way is known, but not one that this visitor can take.
    is_barred: bool = False


def itinerary(slots: Iterable[TimeSlot], walks: Walks) -> list[SlotTransition]:
    """One transition to each slot but the first, in order of start, then end.

    It comes from the earlier slot with the worst conflict. Without a conflict it comes from the one that ends last:
    after a talk in the middle of a workshop the visitor is back in the workshop, so the time that follows is not free.
    All transitions are fine exactly when no two slots conflict.
    """
    in_order = sort_by_span(slot for slot in slots if not (slot.is_break or slot.cancelled or slot.later))
    pressing = _most_pressing(conflicts_among((slot for _, slot in in_order), walks))
    last_to_end = accumulate(in_order, _later_end)
    return [
        _slot_transition(before, after, pressing.get(after.key), walks)
        for (_, before), (_, after) in zip(last_to_end, in_order[1:], strict=False)
    ]


def conflicts_among(slots: Iterable[TimeSlot], walks: Walks) -> list[Conflict]:
    """All pairs in conflict, the worst first; ``a`` is the earlier one."""
    slots = list(slots)
    reach = max([walks.longest, *(slot.travel_minutes or 0 for slot in slots)]) * ONE_MINUTE
    return worst_first(found for a, b in close_pairs(slots, reach) if (found := conflict(a, b, walks)))


def _later_end(last: tuple[Span, TimeSlot], following: tuple[Span, TimeSlot]) -> tuple[Span, TimeSlot]:
    return following if following[0].end >= last[0].end else last


def _most_pressing(conflicts: Iterable[Conflict]) -> dict[Hashable, Conflict]:
    """For each bookmark, the conflict with an earlier one that decides where the visitor comes from."""
    rising = sorted(conflicts, key=lambda it: (not it.quiet, _VERDICTS_BY_PRESSURE.index(it.verdict), it.minutes))
    return {it.b.key: it for it in rising}


def _slot_transition(before: TimeSlot, after: TimeSlot, found: Conflict | None, walks: Walks) -> SlotTransition:
    if found:
        before = found.a
    way = way_between(before, after, walks)
    return SlotTransition(
        before,
        after,
        free=_free_time(before, after, found),
        verdict=found.verdict if found else ConflictVerdict.FINE,
        way=way,
        arrive=arrival_time(before, after, way),
        conflict=found,
        is_barred=walks.is_barred(before.zone, after.zone),
    )


def _free_time(before: TimeSlot, after: TimeSlot, found: Conflict | None) -> dt.timedelta:
    if found and (claimed := overlap_time(before, after)):
        return -claimed
    (first, _), (second, _) = sort_by_span((before, after))
    return max(second.start - first.end, NO_TIME)


def attendable_times(
    event: TimeSlot, times: Iterable[TimeSlot], bookmarked: Collection[TimeSlot], walks: Walks, now: dt.datetime
) -> list[TimeSlot]:
    """The other times of a bookmarked event that a visitor can attend instead: fewest conflicts first, then the earliest.

    ``bookmarked`` are all bookmarks. Conflicts with the bookmarked time itself do not count.
    A poster hangs for hours, so other bookmarks may take some of them.
    """
    others = [it for it in bookmarked if it.key != event.key]
    bookmarked_keys = {it.key for it in bookmarked}
    open_times = [
        (span.start, slot)
        for slot in times
        if (span := slot.span) and span.end > now and slot.key not in bookmarked_keys and not slot.cancelled
    ]
    candidates = [(start, it, conflicts_with(it, others, walks)) for start, it in open_times]
    good = [(len(conflicts), start, str(it.key), it) for start, it, conflicts in candidates if _is_attendable(it, conflicts)]
    return [it for *_, it in sorted(good, key=lambda row: row[:-1])]


def _is_attendable(slot: TimeSlot, conflicts: Iterable[Conflict]) -> bool:
    return all(slot.is_visit and it.verdict is ConflictVerdict.PARTIAL for it in conflicts)


TimeRange = tuple[dt.datetime, dt.datetime]

MIN_MEETING_TIME = dt.timedelta(minutes=30)


def common_free_spans(within: Span, busy: Iterable[Iterable[TimeRange]], least: dt.timedelta = MIN_MEETING_TIME) -> list[Span]:
    """The times that are free for everybody and long enough to meet, in order."""
    busy_times = [time_range for ranges in busy for time_range in ranges]
    return [free for free in subtract_spans(within, busy_times) if free.length >= least]
