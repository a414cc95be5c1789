"""Several events of one key, such as a talk given twice: which stored row each of them is."""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from events.imports.sync.merge import as_json
from events.imports.sync.plan_rows import chunks
from events.imports.sync.tables import SYNC_TABLES
from events.programme.data.schedule import EventData, ScheduleData
from events.programme.models.event import Event
from events.programme.models.labels import Status

REPEATED_KEY = re.compile(r"(?P<base>.+)#(?P<number>[1-9][0-9]*)", re.DOTALL)
"""What a parser makes of the second, third … event of one key."""


@dataclass(frozen=True)
class StoredSlot:
    """A stored row as the last file had it; it is live unless that file cancelled it or did not have it."""

    key: str
    start: str
    room: str
    is_live: bool


def with_keys_of_rows(data: ScheduleData, conference_pk: int | None, sources: Collection[str]) -> ScheduleData:
    """Give the events of one key the numbers of the rows with their start, else their room, else in their order.

    So a slot that is dropped or added leaves the rows of the others alone.
    """
    stored = Event.objects.filter(conference=conference_pk, source__in=sources)
    stored_keys = set(stored.exclude(source_key="").values_list("source_key", flat=True)) if conference_pk else set()
    bases = {base for key in [*stored_keys, *(it.key for it in data.events)] if (base := base_key(key)) != key}
    keys = sorted(key for key in stored_keys if base_key(key) in bases)
    slots: dict[str, list[StoredSlot]] = defaultdict(list)
    for some in chunks(keys):
        for key, imported in stored.filter(source_key__in=some).values_list("source_key", "imported"):
            slots[base_key(key)].append(_stored_slot(key, imported))
    items: dict[str, list[EventData]] = defaultdict(list)
    for event in data.events:
        if slots.get(base := base_key(event.key)):
            items[base].append(event)
    renamed = {old: new for base, events in items.items() for old, new in _keys(base, events, slots[base])}
    return _with_renamed_events(data, {old: new for old, new in renamed.items() if old != new})


def base_key(key: str) -> str:
    """Return “code” for “code#2”."""
    match = REPEATED_KEY.fullmatch(key)
    return match["base"] if match else key


def _number(key: str) -> int:
    match = REPEATED_KEY.fullmatch(key)
    return int(match["number"]) if match else 1


def _stored_slot(key: str, imported: Mapping[str, Any]) -> StoredSlot:
    start, room = imported.get("start") or "", imported.get("room") or ""
    return StoredSlot(key, start, room, imported.get("status") != Status.CANCELLED)


def _keys(base: str, events: Sequence[EventData], slots: Iterable[StoredSlot]) -> Iterator[tuple[str, str]]:
    """Yield the key in the file and the key of the row; a new event gets the next free number."""
    events, rows = list(events), sorted(slots, key=lambda row: (not row.is_live, _number(row.key)))
    number = max(_number(row.key) for row in rows)
    for is_same in (_same_start_and_room, _same_start, _same_room, _any):
        for event in list(events):
            if row := next((row for row in rows if is_same(event, row)), None):
                events.remove(event)
                rows.remove(row)
                yield event.key, row.key
    for event in events:
        number += 1
        yield event.key, f"{base}#{number}"


def _same_start_and_room(event: EventData, row: StoredSlot) -> bool:
    return _same_start(event, row) and event.room == row.room


def _same_start(event: EventData, row: StoredSlot) -> bool:
    return event.start is not None and as_json(event.start) == row.start


def _same_room(event: EventData, row: StoredSlot) -> bool:
    return bool(event.room) and event.room == row.room and row.is_live


def _any(event: EventData, row: StoredSlot) -> bool:
    return True


def _with_renamed_events(data: ScheduleData, renamed: Mapping[str, str]) -> ScheduleData:
    if not renamed:
        return data
    parts: dict[str, Any] = {
        "events": tuple(dataclasses.replace(event, key=renamed.get(event.key, event.key)) for event in data.events),
        "unread_times": frozenset(renamed.get(key, key) for key in data.unread_times),
    }
    for table in SYNC_TABLES:
        for name in (name for name, part in table.refs.items() if part == "events"):
            rows = parts.get(table.part, getattr(data, table.part))
            parts[table.part] = tuple(_with_renamed_ref(row, name, renamed) for row in rows)
    return dataclasses.replace(data, **parts)


def _with_renamed_ref(row: Any, name: str, renamed: Mapping[str, str]) -> Any:
    key = getattr(row, name)
    return dataclasses.replace(row, **{name: renamed[key]}) if key in renamed else row
