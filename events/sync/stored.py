"""What a conference's rows say now: plain values, because most of them are only compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from events.models import Conference
from events.sync.tables import Children, Table

CHUNK = 500
"""Primary keys in one question: fewer than any database's limit."""
T = TypeVar("T")


@dataclass(slots=True)
class StoredRow:
    """``values`` by the data's field names: references as primary keys, children as lists, what they refer to as primary keys."""

    pk: int
    source: str
    key: str
    imported: dict[str, Any]
    values: dict[str, Any]
    slug: str = ""
    guid: Any = None

    def current(self, table: Table, names: Iterable[str], keys: Mapping[str, Mapping[int, str]]) -> dict[str, Any]:
        """The values with references by key, as a file would say them."""
        return {name: self._current(table, name, keys) for name in names}

    def _current(self, table: Table, name: str, keys: Mapping[str, Mapping[int, str]]) -> Any:
        value = self.values[name]
        if name in table.refs:
            return _key(value, keys[table.refs[name]]) if value else ""
        child = table.children.get(name)
        if child is None or not child.refs:
            return value
        return [[_of_child(child, name, it, keys) for name, it in zip(child.fields, kid, strict=True)] for kid in value]


def _of_child(child: Children, name: str, value: Any, keys: Mapping[str, Mapping[int, str]]) -> Any:
    if name not in child.refs:
        return value
    return _key(value, keys[child.refs[name]]) if value else ""


def _key(pk: int, keys: Mapping[int, str]) -> str:
    return keys.get(pk) or f"#{pk}"


def read(table: Table, conference: Conference, pks: Sequence[int] | None = None) -> dict[int, StoredRow]:
    """The rows of a conference, or those with these primary keys, by primary key, in their order of coming."""
    rows = table.model.objects.filter(conference=conference).order_by("pk")
    names = ["pk", "source", "source_key", "imported", *table.columns.values()]
    names += ["slug"] if table.key_is_slug else []
    names += ["guid"] if table.has_guid else []
    found = rows.values(*names) if pks is None else (it for some in chunks(pks) for it in rows.filter(pk__in=some).values(*names))
    stored = {it["pk"]: _row(table, it) for it in found}
    for name in table.children:
        kids = _children(table, name, conference, pks)
        for pk, row in stored.items():
            row.values[name] = kids.get(pk, [])
    return stored


def _row(table: Table, it: Mapping[str, Any]) -> StoredRow:
    values = {name: it[column] for name, column in table.columns.items()}
    return StoredRow(it["pk"], it["source"], it["source_key"], it["imported"], values, it.get("slug", ""), it.get("guid"))


def _children(table: Table, name: str, conference: Conference, pks: Sequence[int] | None) -> dict[int, list[list[Any]]]:
    child = table.children[name]
    owner = f"{child.owner}_id"
    rows = child.model.objects.order_by(owner, "position", "pk").values_list(owner, *child.columns)
    if pks is None:
        found: Iterable[tuple[Any, ...]] = rows.filter(**{f"{child.owner}__conference": conference})
    else:
        found = (it for some in chunks(pks) for it in rows.filter(**{f"{owner}__in": some}))
    kids: dict[int, list[list[Any]]] = defaultdict(list)
    for pk, *values in found:
        kids[pk].append(values)
    return kids


def chunks(items: Iterable[T], size: int = CHUNK) -> Iterator[list[T]]:
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some
