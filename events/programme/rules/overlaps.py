"""Conflicts between two bookmarks of a visitor: clash, partial overlap, or too little time to walk."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from events.core.spans import NO_TIME, Span, sort_by_span, subtract_spans, whole_minutes
from events.programme.rules.slots import TimeSlot, overlap_time, slot_minutes
from events.programme.rules.walking import Walks, Way, arrival_time, way_between, way_time


class ConflictVerdict(StrEnum):
    """How two bookmarks conflict, the worst first."""

    CLASH = "clash"
    PARTIAL = "partial"
    TIGHT = "tight"
    FINE = "fine"


_VERDICTS_WORST_FIRST = list(ConflictVerdict)


@dataclass(frozen=True)
class Conflict:
    a: TimeSlot
    b: TimeSlot
    verdict: ConflictVerdict
    # Clash and partial: minutes at which both are on. Tight: minutes of arriving late.
    minutes: int
    # Partial: minutes of the whole container, for "you miss 15 of 480 minutes".
    of_minutes: int = 0
    # Partial: which of the two is left for the other, and from when until when; known ways there and back are included.
    left: Hashable = field(default=None, compare=False)
    away: Span | None = field(default=None, compare=False)
    # Tight: arrival after staying to the end of the earlier one.
    arrive: dt.datetime | None = None
    # Clash and tight: from the earlier to the later one; None if the way is unknown, and between equal hours.
    way: Way | None = None

    @property
    def quiet(self) -> bool:
        return self.a.maybe or self.b.maybe

    @property
    def fixed(self) -> bool:
        return self.a.fixed or self.b.fixed

    @property
    def container(self) -> TimeSlot:
        """Partial: the one that is left for the other."""
        return self.a if self.left == self.a.key else self.b

    @property
    def missed(self) -> list[Span]:
        """Partial: the times that a visitor misses of the one that is left."""
        missed = self.away and self.container.span and self.container.span.shared_with(self.away)
        return subtract_spans(missed, self.a.gaps + self.b.gaps) if missed else []

    @property
    def missed_minutes(self) -> int:
        return whole_minutes(sum((span.length for span in self.missed), NO_TIME))


def conflict(a: TimeSlot, b: TimeSlot, walks: Walks) -> Conflict | None:
    if not _compete(a, b):
        return None
    return _overlap_conflict(a, b, walks) or _tight_conflict(a, b, walks)


def conflicts_with(slot: TimeSlot, others: Iterable[TimeSlot], walks: Walks) -> list[Conflict]:
    """Return conflicts, the worst first; ``b`` of each is always the other one."""
    return worst_first(result for other in others if (result := conflict(slot, other, walks)))


def worst_first(conflicts: Iterable[Conflict]) -> list[Conflict]:
    """Sort conflicts of what the visitor presents first and those of a maybe last; then by verdict and time."""
    return sorted(conflicts, key=_urgency)


def _urgency(result: Conflict) -> tuple[bool, bool, int, list[Span]]:
    spans = [span for span, _ in sort_by_span((result.a, result.b))]
    return not result.fixed, result.quiet, _VERDICTS_WORST_FIRST.index(result.verdict), spans


def _compete(a: TimeSlot, b: TimeSlot) -> bool:
    if not (_is_attended(a) and _is_attended(b)):
        return False
    if a.is_visit and b.is_visit:
        # A visitor walks from poster to poster.
        return False
    # A talk does not conflict with its session, nor an event with itself.
    return a.key not in (b.key, b.parent) and a.parent != b.key


def _is_attended(slot: TimeSlot) -> bool:
    return slot.timed and not (slot.is_break or slot.cancelled or slot.later)


def _overlap_conflict(a: TimeSlot, b: TimeSlot, walks: Walks) -> Conflict | None:
    shared = whole_minutes(overlap_time(a, b))
    if not shared:
        return None
    for container, visit in ((a, b), (b, a)):
        if _can_be_left(container, visit):
            programme = whole_minutes(overlap_time(container, container))
            away = _time_away(container, visit, walks)
            return Conflict(a, b, ConflictVerdict.PARTIAL, shared, of_minutes=programme, left=container.key, away=away)
    (span, first), (later_span, second) = sort_by_span((a, b))
    return Conflict(a, b, ConflictVerdict.CLASH, shared, way=way_between(first, second, walks) if span != later_span else None)


def _time_away(container: TimeSlot, visit: TimeSlot, walks: Walks) -> Span | None:
    there, back = way_between(container, visit, walks), way_between(visit, container, walks)
    return visit.span and Span(visit.span.start - way_time(there), visit.span.end + way_time(back))


def _can_be_left(container: TimeSlot, visit: TimeSlot) -> bool:
    """Return whether a visitor can leave ``container`` (a workshop, the hours of a poster) for ``visit`` and return."""
    if container.fixed or not (container.is_container or container.is_visit):
        return False
    # Two workshops are a choice; a session inside another workshop is visited as a talk is.
    if container.is_container and visit.is_container and visit.parent is None:
        return False
    spare = slot_minutes(container) - slot_minutes(visit)
    return spare > 0 or (spare == 0 and (container.is_visit or visit.is_visit))


def count_fitting(slots: Mapping[TimeSlot, Collection[Hashable]], bookmarked: Iterable[TimeSlot], walks: Walks) -> int:
    """Count the events that can be attended in addition to all bookmarked ones, and the bookmarked ones.

    Hundreds of posters share the same hours and need one comparison: a slot stands for all events with its keys.
    """
    bookmarked = list(bookmarked)
    bookmarked_keys = {slot.key for slot in bookmarked}
    return sum(
        len(keys) if _fits(slot, bookmarked, walks) else len(bookmarked_keys.intersection(keys)) for slot, keys in slots.items()
    )


def _fits(slot: TimeSlot, bookmarked: Iterable[TimeSlot], walks: Walks) -> bool:
    conflicts = conflicts_with(slot, bookmarked, walks)
    return all(result.quiet or result.verdict is not ConflictVerdict.CLASH for result in conflicts)


def _tight_conflict(a: TimeSlot, b: TimeSlot, walks: Walks) -> Conflict | None:
    (_, first), (span, second) = sort_by_span((a, b))
    way = way_between(first, second, walks)
    arrive = arrival_time(first, second, way)
    if arrive is None or arrive <= span.start:
        return None
    return Conflict(a, b, ConflictVerdict.TIGHT, whole_minutes(arrive - span.start), arrive=arrive, way=way)
