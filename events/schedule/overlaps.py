"""Whether somebody can attend two things, and if not quite, what it costs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from events.schedule.slots import Slot, minutes, overlap
from events.schedule.spans import Span, in_order, whole_minutes
from events.schedule.walking import Walks, Way, arrival, way_between


class Verdict(StrEnum):
    """How two picks get along, the worst first."""

    CLASH = "clash"
    PARTIAL = "partial"
    TIGHT = "tight"
    FINE = "fine"


_WORST_FIRST = list(Verdict)


@dataclass(frozen=True)
class Conflict:
    a: Slot
    b: Slot
    verdict: Verdict
    # Clash and partial: what both claim. Tight: how late one arrives.
    minutes: int
    # Partial: all the programme of the container, so that missing the whole of it reads "480 of 480".
    of_minutes: int = 0
    # Tight: when one is there after staying to the end of the earlier one. The way there, also where one presents.
    arrive: dt.datetime | None = None
    way: Way | None = None

    @property
    def quiet(self) -> bool:
        """It weighs as little as the lesser of the two."""
        return self.a.maybe or self.b.maybe

    @property
    def fixed(self) -> bool:
        return self.a.fixed or self.b.fixed


def conflict(a: Slot, b: Slot, walks: Walks) -> Conflict | None:
    if not _compete(a, b):
        return None
    found = _overlapping(a, b) or _tight(a, b, walks)
    if found and found.way is None and (a.fixed or b.fixed):
        (_, first), (_, second) = in_order((a, b))
        return replace(found, way=way_between(first, second, walks))
    return found


def conflicts_with(slot: Slot, others: Iterable[Slot], walks: Walks) -> list[Conflict]:
    """All that stands in the way of the slot, the worst first; `b` is always the other."""
    return worst_first(found for other in others if (found := conflict(slot, other, walks)))


def worst_first(conflicts: Iterable[Conflict]) -> list[Conflict]:
    """What one presents first, what is quiet last; by severity, then time."""
    return sorted(conflicts, key=_urgency)


def _urgency(it: Conflict) -> tuple[bool, bool, int, list[Span]]:
    return not it.fixed, it.quiet, _WORST_FIRST.index(it.verdict), [span for span, _ in in_order((it.a, it.b))]


def _compete(a: Slot, b: Slot) -> bool:
    if not (_is_attended(a) and _is_attended(b)):
        return False
    if a.is_visit and b.is_visit:
        # One walks from poster to poster.
        return False
    # A talk happens inside its session, and nothing is in its own way.
    return a.key not in (b.key, b.parent) and a.parent != b.key


def _is_attended(slot: Slot) -> bool:
    return slot.timed and not (slot.is_break or slot.cancelled or slot.later)


def _overlapping(a: Slot, b: Slot) -> Conflict | None:
    claimed = whole_minutes(overlap(a, b))
    if not claimed:
        return None
    for container, visit in ((a, b), (b, a)):
        if _can_be_left(container, visit):
            programme = whole_minutes(overlap(container, container))
            return Conflict(a, b, Verdict.PARTIAL, claimed, of_minutes=programme)
    return Conflict(a, b, Verdict.CLASH, claimed)


def _can_be_left(container: Slot, visit: Slot) -> bool:
    """Whether one leaves the longer one for the other and comes back: a workshop, or the hours at which a poster hangs."""
    if container.fixed or not (container.is_container or container.is_visit):
        return False
    if container.is_container and visit.is_container:
        return False
    spare = minutes(container) - minutes(visit)
    return spare > 0 or (spare == 0 and (container.is_visit or visit.is_visit))


def fitting(slots: Mapping[Slot, Collection[Hashable]], picks: Iterable[Slot], walks: Walks) -> int:
    """How many can be attended as well as all the picks; what is picked already fits.

    Hundreds of posters hang at the same hours and need one answer: each slot stands for all that have its keys.
    """
    picks = list(picks)
    picked = {pick.key for pick in picks}
    return sum(len(keys) if _fits(slot, picks, walks) else len(picked.intersection(keys)) for slot, keys in slots.items())


def _fits(slot: Slot, picks: Iterable[Slot], walks: Walks) -> bool:
    return all(found.quiet or found.verdict is not Verdict.CLASH for found in conflicts_with(slot, picks, walks))


def _tight(a: Slot, b: Slot, walks: Walks) -> Conflict | None:
    (_, first), (span, second) = in_order((a, b))
    way = way_between(first, second, walks)
    arrive = arrival(first, second, way)
    if arrive is None or arrive <= span.start:
        return None
    return Conflict(a, b, Verdict.TIGHT, whole_minutes(arrive - span.start), arrive=arrive, way=way)
