"""Which row an item of a file means: by key, by guid, by what names it, or none yet."""

from __future__ import annotations

import uuid
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from events.sync.report import SyncError
from events.sync.stored import StoredRow
from events.sync.tables import Table


class Match(NamedTuple):
    """``is_ours`` is false for a row of another source: that source's to write, ours to refer to."""

    row: StoredRow
    is_ours: bool


class Matcher:
    """Finds each row once; a row whose key the file names is found by nothing else."""

    def __init__(self, table: Table, source: str, stored: Mapping[int, StoredRow], items: Sequence[Any]) -> None:
        self.table, self.source = table, source
        named = _keys(table, items)
        self._by_key = {row.key: row for row in stored.values() if row.source == source and row.key}
        free = [row for row in stored.values() if not (row.source == source and row.key in named)]
        self._by_guid = {row.guid: row for row in free if row.guid}
        # Backwards, so that of several the first counts, and one made by hand before one of another source.
        ranked = sorted(free, key=lambda row: (bool(row.key), row.pk), reverse=True)
        self._by_nature = {nature: row for row in ranked if (nature := self._nature(row.values, row.slug))}
        self._by_likeness = {alike: row for row in ranked if (alike := self._likeness(row.values))}
        self._by_name = {row.values["name"]: row for row in ranked} if table.part == "rooms" else {}
        self._taken: set[int] = set()

    def find(self, item: Any, values: Mapping[str, Any]) -> Match | None:
        """The row an item means; ``values`` with its references as primary keys."""
        row = self._by_key.get(item.key)
        if row is not None:
            return self._take(row, is_ours=True)
        if (given := guid_of(self.table, item)) and (row := self._by_guid.get(given)):
            # Other than a day or a room, an event made by hand is nobody else's: a file that knows it only mentions it.
            return self._take(row, is_ours=row.source == self.source and bool(row.key))
        nature = self._nature(values, item.key)
        row = self._by_nature.get(nature) if nature else None
        if row is None and self.table.part == "rooms" and "zone" not in values:
            row = self._by_name.get(values["name"])
        if row is None and (alike := self._likeness(values)):
            row = self._by_likeness.get(alike)
        return self._take(row, is_ours=not row.key or row.source == self.source) if row else None

    def _take(self, row: StoredRow, *, is_ours: bool) -> Match | None:
        if not is_ours:
            return Match(row, False)
        if row.pk in self._taken:
            return None
        self._taken.add(row.pk)
        return Match(row, True)

    def _nature(self, values: Mapping[str, Any], slug: str) -> tuple[Hashable, ...]:
        """What tells a row from others of its table; nothing where nothing does."""
        if self.table.key_is_slug:
            return (slug,)
        found = tuple(values.get(name) for name in self.table.natural)
        return found if found and all(it is not None for it in found) else ()

    def _likeness(self, values: Mapping[str, Any]) -> tuple[Hashable, ...]:
        """Venues, services and awards have no identifier that other sources know: what they say must do."""
        return tuple(values[name] or None for name in self.table.alike)


def guid_of(table: Table, item: Any) -> uuid.UUID | None:
    """The guid the file gives, if it gives one."""
    text = getattr(item, "guid", "")
    try:
        return uuid.UUID(text) if text else None
    except ValueError as error:
        raise SyncError(f"{table.part}, “{item.key}”: “{text[:60]}” is no guid; it has 32 hexadecimal digits.") from error


def _keys(table: Table, items: Sequence[Any]) -> set[str]:
    named: set[str] = set()
    for item in items:
        if item.key in named:
            raise SyncError(f"{table.part}, “{item.key}”: the file has this key twice; each row needs its own.")
        named.add(item.key)
    return named
