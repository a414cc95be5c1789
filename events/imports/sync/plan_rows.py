"""Stored rows as an import compares them, and the rows it plans to create or change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from events.imports.sync.tables import ChildTable, SyncTable
from events.programme.models.conference import Conference

PKS_PER_QUERY = 500
"""Fewer than the parameters that any database allows in one query."""
T = TypeVar("T")


@dataclass(slots=True)
class StoredRow:
    """``values`` are by the field names of the data. References, also those of children, are primary keys; children are lists."""

    pk: int
    source: str
    key: str
    imported: dict[str, Any]
    values: dict[str, Any]
    slug: str = ""
    guid: Any = None

    def current(self, table: SyncTable, names: Iterable[str], keys: Mapping[str, Mapping[int, str]]) -> dict[str, Any]:
        return {name: self._current(table, name, keys) for name in names}

    def _current(self, table: SyncTable, name: str, keys: Mapping[str, Mapping[int, str]]) -> Any:
        value = self.values[name]
        if name in table.refs:
            return _key_of_pk(value, keys[table.refs[name]]) if value else ""
        child = table.children.get(name)
        if child is None or not child.refs:
            return value
        return [
            [_child_value(child, column, cell, keys) for column, cell in zip(child.fields, cells, strict=True)] for cells in value
        ]


def renamed_refs(table: SyncTable, imported: Mapping[str, Any], renamed: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """Return the values of the last import with the keys that the rows they refer to have in this file."""
    last = dict(imported)
    for name, part in table.refs.items():
        if name in last:
            last[name] = renamed[part].get(last[name], last[name])
    for name, child in table.children.items():
        if child.refs and name in last:
            last[name] = [_renamed_cells(child, cells, renamed) for cells in last[name]]
    return last


def _renamed_cells(child: ChildTable, cells: Sequence[Any], renamed: Mapping[str, Mapping[str, str]]) -> list[Any]:
    pairs = zip(child.fields, cells, strict=False)
    return [renamed[child.refs[name]].get(cell, cell) if name in child.refs else cell for name, cell in pairs]


def _child_value(child: ChildTable, name: str, value: Any, keys: Mapping[str, Mapping[int, str]]) -> Any:
    if name not in child.refs:
        return value
    return _key_of_pk(value, keys[child.refs[name]]) if value else ""


def _key_of_pk(pk: int, keys: Mapping[int, str]) -> str:
    return keys.get(pk) or f"#{pk}"


def stored_rows(table: SyncTable, conference: Conference, pks: Sequence[int] | None = None) -> dict[int, StoredRow]:
    rows = table.model.objects.filter(conference=conference).order_by("pk")
    names = ["pk", "source", "source_key", "imported", *table.columns.values()]
    names += ["slug"] if table.key_is_slug else []
    names += ["guid"] if table.has_guid else []
    if pks is None:
        records = rows.values(*names)
    else:
        records = (record for some in chunks(pks) for record in rows.filter(pk__in=some).values(*names))
    stored = {record["pk"]: _stored_row(table, record) for record in records}
    for name in table.children:
        children = _stored_children(table, name, conference, pks)
        for pk, row in stored.items():
            row.values[name] = children.get(pk, [])
    return stored


def _stored_row(table: SyncTable, record: Mapping[str, Any]) -> StoredRow:
    return StoredRow(
        pk=record["pk"],
        source=record["source"],
        key=record["source_key"],
        imported=record["imported"],
        values={name: record[column] for name, column in table.columns.items()},
        slug=record.get("slug", ""),
        guid=record.get("guid"),
    )


def _stored_children(
    table: SyncTable, name: str, conference: Conference, pks: Sequence[int] | None
) -> dict[int, list[list[Any]]]:
    child = table.children[name]
    owner = f"{child.owner}_id"
    rows = child.model.objects.order_by(owner, "position", "pk").values_list(owner, *child.columns)
    if pks is None:
        records: Iterable[tuple[Any, ...]] = rows.filter(**{f"{child.owner}__conference": conference})
    else:
        records = (record for some in chunks(pks) for record in rows.filter(**{f"{owner}__in": some}))
    children: dict[int, list[list[Any]]] = defaultdict(list)
    for pk, *values in records:
        children[pk].append(values)
    return children


def chunks(items: Iterable[T], size: int = PKS_PER_QUERY) -> Iterator[list[T]]:
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some


@dataclass(slots=True)
class NewRow:
    """An unsaved row, and its values in the file."""

    row: Any
    values: dict[str, Any]


@dataclass(slots=True)
class ChangedRow:
    """A stored row as it was read, the values to write, and the values to store as last import, which no page shows."""

    read: StoredRow
    key: str
    apply: dict[str, Any]
    remembered: dict[str, Any]
    # Whose row it becomes; None for that of the import.
    source: str | None = None


@dataclass
class TablePlan:
    """``new`` is in generations, each of which refers only to earlier ones.

    ``parked`` rows must first release a unique value.
    """

    table: SyncTable
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
    if target is None or isinstance(target, int):
        setattr(row, f"{name}_id", target)
    else:
        setattr(row, name, target)
