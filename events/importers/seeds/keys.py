"""Keys: each belongs to one row."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from events.importers.cells import quoted
from events.importers.seeds.rows import Row


def unique(rows: Iterable[Row], key: Callable[[Row], str] = lambda row: row.key(), column: str = "key") -> dict[str, Row]:
    """The rows by key, in their order."""
    found: dict[str, Row] = {}
    for row in rows:
        value = key(row)
        if value in found:
            first = found[value]
            place = first.place if first.file == row.file else f"{first.file}, {first.place}"
            raise row.error(column, f"{quoted(value)} is taken already ({place}): choose another")
        found[value] = row
    return found
