"""The way through somebody's picks: what follows what, with how much time in between."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import accumulate

from events.schedule.overlaps import Conflict, Verdict, conflict, worst_first
from events.schedule.slots import Slot, overlap
from events.schedule.spans import MINUTE, NO_TIME, Span, close_pairs, in_order
from events.schedule.walking import Walks, Way, arrival, way_between

# Somebody in a workshop leaves it on purpose; being late for the next talk is what they may not have seen.
_MOST_PRESSING_LAST = (Verdict.PARTIAL, Verdict.TIGHT, Verdict.CLASH)


@dataclass(frozen=True)
class Stretch:
    before: Slot
    after: Slot
    # Below zero: what both claim. Zero without a conflict: one happens inside the other, as a talk in its session.
    free: dt.timedelta
    verdict: Verdict
    way: Way | None
    # When one is there after staying to the end of `before`, if that is before `after` begins and the way is known.
    arrive: dt.datetime | None
    conflict: Conflict | None
    # A way is known, and it is none for this visitor.
    barred: bool = False


def itinerary(slots: Iterable[Slot], walks: Walks) -> list[Stretch]:
    """Say for every pick but the first where one comes from: one stretch each, in order of start, then end.

    One comes from the earlier pick that stands most in the way. Where none does, from the one that ends last:
    after a talk in the middle of a workshop one is back in the workshop, so the time that follows is not free.
    All stretches are fine exactly when no two picks conflict.
    """
    picks = in_order(slot for slot in slots if not (slot.is_break or slot.cancelled or slot.later))
    pressing = _most_pressing(conflicts_among((slot for _, slot in picks), walks))
    last_to_end = accumulate(picks, _later_end)
    return [
        _stretch(before, after, pressing.get(after.key), walks)
        for (_, before), (_, after) in zip(last_to_end, picks[1:], strict=False)
    ]


def conflicts_among(slots: Iterable[Slot], walks: Walks) -> list[Conflict]:
    """Find every pair in conflict, the worst first; `a` is the earlier one."""
    slots = list(slots)
    reach = max([walks.longest, *(slot.travel_minutes or 0 for slot in slots)]) * MINUTE
    return worst_first(found for a, b in close_pairs(slots, reach) if (found := conflict(a, b, walks)))


def _later_end(last: tuple[Span, Slot], pick: tuple[Span, Slot]) -> tuple[Span, Slot]:
    return pick if pick[0].end >= last[0].end else last


def _most_pressing(conflicts: Iterable[Conflict]) -> dict[Hashable, Conflict]:
    """For each pick, the conflict with an earlier one that decides where one comes from."""
    rising = sorted(conflicts, key=lambda it: (not it.quiet, _MOST_PRESSING_LAST.index(it.verdict), it.minutes))
    return {it.b.key: it for it in rising}


def _stretch(before: Slot, after: Slot, found: Conflict | None, walks: Walks) -> Stretch:
    if found:
        before = found.a
    way = way_between(before, after, walks)
    return Stretch(
        before,
        after,
        free=_free(before, after, found),
        verdict=found.verdict if found else Verdict.FINE,
        way=way,
        arrive=arrival(before, after, way),
        conflict=found,
        barred=walks.barred(before.zone, after.zone),
    )


def _free(before: Slot, after: Slot, found: Conflict | None) -> dt.timedelta:
    if found and (claimed := overlap(before, after)):
        return -claimed
    (first, _), (second, _) = in_order((before, after))
    return max(second.start - first.end, NO_TIME)
