"""Verdicts against somebody who looks at a watch every minute."""

from __future__ import annotations

import datetime as dt

from hypothesis import given

from events.schedule.overlaps import Verdict, conflict
from events.schedule.slots import Slot
from events.schedule.spans import MINUTE
from events.schedule.walking import Walks, way_between
from tests.schedule.builders import programmes, walks


@given(programmes(5), walks())
def test_verdict_is_what_a_watch_says(programme: list[Slot], some: Walks) -> None:
    for a in programme:
        for b in programme:
            found = conflict(a, b, some)
            assert ((found.verdict, found.minutes) if found else None) == _looked_at(a, b, some)


def _looked_at(a: Slot, b: Slot, walks: Walks) -> tuple[Verdict, int] | None:
    if not _competes(a, b):
        return None
    both = _programme(a) & _programme(b)
    if both:
        leavable = _may_be_left(a, b) or _may_be_left(b, a)
        return (Verdict.PARTIAL if leavable else Verdict.CLASH), len(both)
    return _late(*sorted((a, b), key=_times), walks)


def _competes(a: Slot, b: Slot) -> bool:
    nothing_to_miss = any(it.start is None or it.is_break or it.cancelled or it.later for it in (a, b))
    return not nothing_to_miss and b.key not in {a.key, a.parent} and a.key != b.parent and not (a.is_visit and b.is_visit)


def _programme(slot: Slot) -> set[dt.datetime]:
    """Every minute at which it has something on."""
    return _minutes(_times(slot)) - {minute for start, end in slot.gaps for minute in _minutes((_utc(start), _utc(end)))}


def _times(slot: Slot) -> tuple[dt.datetime, dt.datetime]:
    return _utc(slot.start), _utc(slot.end)


def _utc(time: dt.datetime | None) -> dt.datetime:
    assert time
    return time.astimezone(dt.UTC)


def _minutes(times: tuple[dt.datetime, dt.datetime]) -> set[dt.datetime]:
    start, end = times
    return {start + step * MINUTE for step in range(int((end - start) / MINUTE))}


def _may_be_left(container: Slot, visit: Slot) -> bool:
    longer = len(_minutes(_times(container))) - len(_minutes(_times(visit)))
    return container.is_container and not visit.is_container and longer > 0


def _late(first: Slot, second: Slot, walks: Walks) -> tuple[Verdict, int] | None:
    """Leave when the first is over, and walk until one is there."""
    way = way_between(first, second, walks)
    there, starts = _utc(first.end), _utc(second.start)
    if way is None or there > starts:
        return None
    for _ in range(way.minutes):
        there += MINUTE
    late = int((there - starts) / MINUTE)
    return (Verdict.TIGHT, late) if late > 0 else None
