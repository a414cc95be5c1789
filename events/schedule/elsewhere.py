"""Where else one can catch what one would have to miss."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable

from events.schedule.overlaps import Conflict, Verdict, conflicts_with
from events.schedule.slots import Slot
from events.schedule.walking import Walks


def elsewhere(pick: Slot, times: Iterable[Slot], picks: Collection[Slot], walks: Walks, now: dt.datetime) -> list[Slot]:
    """Of the other times of a picked work those that one can go to in its place, the least in the way first, then the earliest.

    ``picks`` are all picks: what stands against the picked time itself is no obstacle to giving it up.
    A poster hangs for hours, so other picks may take some of them.
    """
    others = [it for it in picks if it.key != pick.key]
    picked = {it.key for it in picks}
    open_times = [
        (span.start, it) for it in times if (span := it.span) and span.end > now and it.key not in picked and not it.cancelled
    ]
    found = [(start, it, conflicts_with(it, others, walks)) for start, it in open_times]
    good = [(len(conflicts), start, str(it.key), it) for start, it, conflicts in found if _can_be_had(it, conflicts)]
    return [it for *_, it in sorted(good, key=lambda row: row[:-1])]


def _can_be_had(slot: Slot, conflicts: Iterable[Conflict]) -> bool:
    return all(slot.is_visit and it.verdict is Verdict.PARTIAL for it in conflicts)
