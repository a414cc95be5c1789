"""The bookmarks of an agenda in order of time: the free time before each and its conflicts; other times to attend."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass, field

from events.core.spans import ONE_MINUTE, Span, close_pairs, subtract_spans, utc
from events.programme.rules.overlaps import Conflict, ConflictVerdict, conflict, conflicts_with, worst_first
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import Walks, Way, way_between


@dataclass(frozen=True)
class FreeTime:
    """The time between a slot and whatever ended last before it."""

    before: TimeSlot
    after: TimeSlot
    length: dt.timedelta
    # Where the visitor walks from: the break before it only if its place is known.
    origin: TimeSlot
    way: Way | None
    # A way is known, but not one that this visitor can take.
    is_barred: bool = False


@dataclass(frozen=True)
class AgendaStop:
    slot: TimeSlot
    # None for the first, and for what starts during something else.
    free: FreeTime | None = None
    # Those with earlier slots, the worst first: each conflict is at the later of its two.
    conflicts: list[Conflict] = field(default_factory=list)


def in_time_order(slots: Iterable[TimeSlot]) -> list[TimeSlot]:
    """By start, then end, then as given; without a time last. Agendas are drawn and judged in this one order."""
    return sorted(slots, key=_time_order)


def _time_order(slot: TimeSlot) -> tuple[bool, dt.datetime, dt.datetime]:
    never = dt.datetime.max.replace(tzinfo=dt.UTC)
    start = utc(slot.start) if slot.start else never
    return slot.start is None, start, utc(slot.end) if slot.end else start


def itinerary(slots: Iterable[TimeSlot], walks: Walks) -> list[AgendaStop]:
    """Every slot in order of time. After a talk in the middle of a workshop the visitor is back in the workshop."""
    in_order = in_time_order(slots)
    conflicts: dict[Hashable, list[Conflict]] = defaultdict(list)
    for found in conflicts_among(in_order, walks):
        conflicts[found.b.key].append(found)
    stops: list[AgendaStop] = []
    last = origin = None
    for slot in in_order:
        stops.append(AgendaStop(slot, _free_time(last, origin, slot, walks), conflicts[slot.key]))
        if _takes_time(slot):
            last = _later_end(last, slot)
            if not slot.is_break or slot.zone is not None:
                origin = _later_end(origin, slot)
    return stops


def _takes_time(slot: TimeSlot) -> bool:
    return slot.timed and not (slot.cancelled or slot.later or slot.is_service)


def _later_end(last: TimeSlot | None, following: TimeSlot) -> TimeSlot:
    if last is None or last.span is None or following.span is None:
        return following
    return following if following.span.end >= last.span.end else last


def _free_time(last: TimeSlot | None, origin: TimeSlot | None, slot: TimeSlot, walks: Walks) -> FreeTime | None:
    if last is None or last.span is None or slot.span is None or not _takes_time(slot) or slot.span.start < last.span.end:
        return None
    origin = origin or last
    return FreeTime(
        last,
        slot,
        slot.span.start - last.span.end,
        origin,
        way_between(origin, slot, walks),
        is_barred=walks.is_barred(origin.zone, slot.zone),
    )


def conflicts_among(slots: Iterable[TimeSlot], walks: Walks) -> list[Conflict]:
    """All pairs in conflict, the worst first; ``a`` is the earlier one."""
    slots = list(slots)
    reach = max([walks.longest, *(slot.travel_minutes or 0 for slot in slots)]) * ONE_MINUTE
    return worst_first(found for a, b in close_pairs(slots, reach) if (found := conflict(a, b, walks)))


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
