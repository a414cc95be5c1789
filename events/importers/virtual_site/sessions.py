"""The sessions of the virtual site, which only its records speak of."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from events.importers import cells
from events.importers.virtual_site import records
from events.schedule.clock import programme_date


@dataclass
class Session:
    """What its members say of a session: they alone carry its times and room."""

    key: str
    name: str
    day: str = ""
    kinds: Counter[str] = field(default_factory=Counter)
    starts: list[dt.datetime] = field(default_factory=list)
    ends: list[dt.datetime] = field(default_factory=list)
    rooms: set[str] = field(default_factory=set)

    def add(self, kind: str, room: str, start: dt.datetime | None, end: dt.datetime | None) -> None:
        self.kinds[kind] += 1
        self.rooms |= {room} if room else set()
        if start and (end is None or end >= start):
            self.starts.append(start)
            self.ends.append(end or start)


class Sessions:
    """The sessions that the records belong to: by the number of their parent, else by name and day."""

    def __init__(self, told: Iterable[records.Json], zone: ZoneInfo) -> None:
        self.zone = zone
        self.found: dict[tuple[str, str], Session] = {}
        self.parents: dict[str, set[str]] = {}
        for record in told:
            if parent := records.parent(record):
                self.parents.setdefault(records.text(record.get("session")).strip(), set()).add(parent)

    def add(self, record: records.Json, room: str, start: dt.datetime | None, end: dt.datetime | None) -> None:
        if identity := self._identity(record, start):
            name, which = identity
            key = f"session-{which}" if which.isdecimal() else f"session-{cells.key_of(name)[:100]}-{which}".rstrip("-")
            self.found.setdefault(identity, Session(key, name)).add(records.kind(record), room, start, end)

    def of(self, record: records.Json, start: dt.datetime | None) -> Session | None:
        identity = self._identity(record, start)
        return self.found[identity] if identity else None

    def all(self) -> Iterable[Session]:
        return self.found.values()

    def _identity(self, record: records.Json, start: dt.datetime | None) -> tuple[str, str] | None:
        name = records.text(record.get("session")).strip()
        if not name:
            return None
        parents = self.parents.get(name, set())
        parent = records.parent(record) or (next(iter(parents)) if len(parents) == 1 else "")
        return name, parent or (programme_date(start, self.zone).isoformat() if start else "")
