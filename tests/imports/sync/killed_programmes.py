"""The programme before and after an import that is killed on its way: every event moves, some go, many come."""

from __future__ import annotations

from events.programme.data.schedule import ScheduleData
from tests.factories import at
from tests.imports.sync.programmes import event, programme

COUNT = 20


def _programme(numbers: range, start: str, title: str) -> ScheduleData:
    return programme(*(event(f"talk-{it}", title=f"{title} {it}", start=at(start), end=at("17:00")) for it in numbers))


OLD = _programme(range(COUNT), "09:00", "Old")
NEW = _programme(range(2, 3 * COUNT), "10:00", "New")
