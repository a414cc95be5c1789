"""Verdicts equal those of a comparison minute by minute."""

from __future__ import annotations

import datetime as dt

from hypothesis import given

from events.core.spans import ONE_MINUTE
from events.programme.rules.overlaps import ConflictVerdict, conflict
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import Walks, way_between
from tests.programme.rules.builders import programmes, walks


@given(programmes(5), walks())
def test_verdict_equals_a_comparison_minute_by_minute(programme: list[TimeSlot], some: Walks) -> None:
    for a in programme:
        for b in programme:
            found = conflict(a, b, some)
            assert ((found.verdict, found.minutes) if found else None) == _verdict_by_minutes(a, b, some)


def _verdict_by_minutes(a: TimeSlot, b: TimeSlot, walks: Walks) -> tuple[ConflictVerdict, int] | None:
    if not _competes(a, b):
        return None
    both = _programme(a) & _programme(b)
    if both:
        leavable = _may_be_left(a, b) or _may_be_left(b, a)
        return (ConflictVerdict.PARTIAL if leavable else ConflictVerdict.CLASH), len(both)
    return _late(*sorted((a, b), key=_times), walks)


def _competes(a: TimeSlot, b: TimeSlot) -> bool:
    nothing_to_miss = any(it.start is None or it.is_break or it.cancelled or it.later for it in (a, b))
    return not nothing_to_miss and b.key not in {a.key, a.parent} and a.key != b.parent and not (a.is_visit and b.is_visit)


def _programme(slot: TimeSlot) -> set[dt.datetime]:
    """Every minute at which it has something on."""
    return _minutes(_times(slot)) - {minute for start, end in slot.gaps for minute in _minutes((_utc(start), _utc(end)))}


def _times(slot: TimeSlot) -> tuple[dt.datetime, dt.datetime]:
    return _utc(slot.start), _utc(slot.end)


def _utc(time: dt.datetime | None) -> dt.datetime:
    assert time
    return time.astimezone(dt.UTC)


def _minutes(times: tuple[dt.datetime, dt.datetime]) -> set[dt.datetime]:
    start, end = times
    return {start + step * ONE_MINUTE for step in range(int((end - start) / ONE_MINUTE))}


def _may_be_left(container: TimeSlot, visit: TimeSlot) -> bool:
    longer = len(_minutes(_times(container))) - len(_minutes(_times(visit)))
    is_choice = visit.is_container and visit.parent is None
    return container.is_container and not is_choice and longer > 0


def _late(first: TimeSlot, second: TimeSlot, walks: Walks) -> tuple[ConflictVerdict, int] | None:
    """Leave when the first is over, and walk until one is there."""
    way = way_between(first, second, walks)
    there, starts = _utc(first.end), _utc(second.start)
    if way is None or there > starts:
        return None
    for _ in range(way.minutes):
        there += ONE_MINUTE
    late = int((there - starts) / ONE_MINUTE)
    return (ConflictVerdict.TIGHT, late) if late > 0 else None
