"""The small files of conference services, and helpers that read and change them."""

from __future__ import annotations

import copy
import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from events.programme.data.schedule import EventData, ScheduleData

DATA = Path(__file__).parents[3] / "data"
HINTS = Hints(slug="demo", timezone="Europe/Vienna", start=dt.date(2025, 4, 24), end=dt.date(2025, 4, 26))
NO_ZONE = Hints(slug="demo")
FORMATS = ("sessionize", "indico", "sigchi", "sched", "openreview")
"""Each is the name of a format and of the folder of its files."""
FILES = tuple(f"{path.parent.name}/{path.name}" for name in FORMATS for path in sorted((DATA / name).iterdir()))


def content_of(name: str) -> Any:
    return json.loads((DATA / name).read_bytes())


def parsed(content: Any, hints: Hints = HINTS, name: str = "") -> ScheduleData:
    """Parse a JSON value or bytes, by the format of that name or by content."""
    sent = content if isinstance(content, bytes) else json.dumps(content).encode()
    return registry.parse_document(Document.from_upload("some.file", sent), hints, name=name)[1]


def read(name: str, hints: Hints = HINTS) -> ScheduleData:
    return parsed((DATA / name).read_bytes(), hints)


def changed(content: Any, change: Callable[[Any], object]) -> Any:
    """Return a copy of the content after the change."""
    other = copy.deepcopy(content)
    change(other)
    return other


def event(schedule: ScheduleData, key: str) -> EventData:
    return next(each for each in schedule.events if each.key == key)


def hours(schedule: ScheduleData, zone: dt.tzinfo) -> dict[str, str]:
    """Return start and end of each event at the venue; "" for an hour to be announced."""
    return {
        each.key: f"{each.start.astimezone(zone):%d %H:%M}–{each.end.astimezone(zone):%H:%M}" if each.start and each.end else ""
        for each in schedule.events
    }


def kinds(schedule: ScheduleData) -> dict[str, tuple[str, str]]:
    types = {each.key: (each.kind, each.name) for each in schedule.types}
    return {each.key: types[each.type] for each in schedule.events}


def people(schedule: ScheduleData, key: str) -> list[tuple[str, str]]:
    names = {each.key: each.name for each in schedule.people}
    return [(names[each.person], each.role) for each in event(schedule, key).people]
