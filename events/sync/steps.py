"""The steps of an import before any is taken: rows to make, rows to change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from events.sync.stored import StoredRow
from events.sync.tables import Table


@dataclass(slots=True)
class NewRow:
    """An unsaved row, and what the file says of it."""

    row: Any
    values: dict[str, Any]


@dataclass(slots=True)
class ChangedRow:
    """A stored row as it was read, what to write, and what to remember; nobody sees what is only remembered."""

    read: StoredRow
    key: str
    apply: dict[str, Any]
    remembered: dict[str, Any]


@dataclass
class TablePlan:
    """``new`` in generations, each of which refers only to those before; ``parked`` must make room for others first."""

    table: Table
    stored: dict[int, StoredRow]
    new: list[list[NewRow]] = field(default_factory=list)
    changed: list[ChangedRow] = field(default_factory=list)
    parked: list[int] = field(default_factory=list)

    @property
    def size(self) -> int:
        return sum(map(len, self.new)) + len(self.changed)

    def new_rows(self) -> Iterator[NewRow]:
        for generation in self.new:
            yield from generation


def set_reference(row: Any, name: str, target: Any) -> None:
    """Point at a primary key, at a row not yet saved, or at nothing."""
    if target is None or isinstance(target, int):
        setattr(row, f"{name}_id", target)
    else:
        setattr(row, name, target)
