"""A time slot: the part of an event or a private entry that matters for conflicts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable
from dataclasses import dataclass, field

from events.core.spans import NO_TIME, Span, merge_spans, whole_minutes


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSlot:
    key: Hashable
    start: dt.datetime | None
    end: dt.datetime | None
    zone: Hashable | None = None
    is_break: bool = False
    # Opening hours, which conflict with nothing.
    is_service: bool = False
    # Long, and a visitor may leave and come back: a workshop, an expo.
    is_container: bool = False
    # Seen for some minutes while it is on: a poster.
    is_visit: bool = False
    # Times inside it without programme.
    gaps: tuple[tuple[dt.datetime, dt.datetime], ...] = ()
    # The session it is part of.
    parent: Hashable | None = None
    # Off-site: minutes from any hall of the venue.
    travel_minutes: int | None = None
    cancelled: bool = False
    # The visitor presents it, so they cannot leave early or arrive late.
    fixed: bool = False
    # Bookmarked as maybe: its conflicts are shown quietly.
    maybe: bool = False
    # Bookmarked to be watched later: it takes no time.
    later: bool = False
    # Stored, because every comparison of slots reads it.
    span: Span | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "span", Span.from_times(self.start, self.end))

    @property
    def timed(self) -> bool:
        return self.span is not None


def slot_minutes(slot: TimeSlot) -> int:
    """Count from start to end, gaps included; 0 if the time is to be announced."""
    return whole_minutes(slot.span.length) if slot.span else 0


def overlap_time(a: TimeSlot, b: TimeSlot) -> dt.timedelta:
    """Return the time in which both have programme, without their gaps."""
    shared = a.span and b.span and a.span.shared_with(b.span)
    if not shared:
        return NO_TIME
    idle = (shared.shared_with(gap) for gap in merge_spans(a.gaps + b.gaps))
    return shared.length - sum((gap.length for gap in idle if gap), NO_TIME)
