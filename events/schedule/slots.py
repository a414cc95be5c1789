"""Something that takes time at a place, reduced to what conflicts are about."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable
from dataclasses import dataclass, field

from events.schedule.spans import NO_TIME, Span, merged, whole_minutes


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    key: Hashable
    start: dt.datetime | None
    end: dt.datetime | None
    zone: Hashable | None = None
    is_break: bool = False
    # A long thing that one may leave and come back to: a workshop, an expo.
    is_container: bool = False
    # Something one sees for minutes while it is on: a poster.
    is_visit: bool = False
    # Times inside it at which it has no programme of its own.
    gaps: tuple[tuple[dt.datetime, dt.datetime], ...] = ()
    # The session it is part of.
    parent: Hashable | None = None
    # Off-site: minutes from the venue, whichever hall one comes from.
    travel_minutes: int | None = None
    cancelled: bool = False
    # One stands there oneself: nobody leaves it early, or comes late to it.
    fixed: bool = False
    # A pick that one may give up: what is in its way is told quietly.
    maybe: bool = False
    # A pick that one does not go to but watches some day: it takes no time.
    later: bool = False
    # Asked for again and again by everything that compares slots.
    span: Span | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "span", Span.of(self.start, self.end))

    @property
    def timed(self) -> bool:
        return self.span is not None


def minutes(slot: Slot) -> int:
    """From its start to its end, programme or not; 0 as long as its time is to be announced."""
    return whole_minutes(slot.span.length) if slot.span else 0


def overlap(a: Slot, b: Slot) -> dt.timedelta:
    """The time in which both have programme."""
    shared = a.span and b.span and a.span.shared_with(b.span)
    if not shared:
        return NO_TIME
    idle = (shared.shared_with(gap) for gap in merged(a.gaps + b.gaps))
    return shared.length - sum((gap.length for gap in idle if gap), NO_TIME)
