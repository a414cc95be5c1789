"""Rows as plain values, and the keys by which they refer to each other."""

from __future__ import annotations

import dataclasses
import logging
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, TypeVar

from django.db.models import QuerySet

from events.importers.cells import key_of

logger = logging.getLogger("events.exports")
Row = dict[str, Any]
T = TypeVar("T")

REFERENCES = frozenset({"type", "day", "room", "track", "topic", "session", "paper", "service", "venue", "zone", "event"})
"""Fields that name another row, by its key."""
CHILDREN = frozenset({"people", "links", "authors", "areas"})
_COLUMNS: dict[type[Any], tuple[str, ...]] = {}


def columns(kind: type[Any]) -> tuple[str, ...]:
    """The fields that rows of this kind have as columns of their own."""
    if kind not in _COLUMNS:
        names = (it.name for it in dataclasses.fields(kind))
        _COLUMNS[kind] = tuple(name for name in names if name not in {"key", *REFERENCES, *CHILDREN})
    return _COLUMNS[kind]


def made(kind: type[T], row: Row, **more: Any) -> T:
    return kind(**{name: row[name] for name in columns(kind)} | more)


def rows_of(found: QuerySet[Any], kind: type[Any], *more: str) -> dict[int, Row]:
    """The columns of ``kind`` and some more, by primary key, in the order they come; guids as text."""
    rows = {row["pk"]: row for row in found.values("pk", *columns(kind), *more)}
    for row in rows.values():
        if "guid" in row:
            row["guid"] = str(row["guid"])
    return rows


def children(found: QuerySet[Any], owner: str, *names: str) -> dict[int, list[tuple[Any, ...]]]:
    """What belongs to each row, in its order."""
    grouped: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for row in found.order_by("position", "pk").values_list(owner, *names):
        grouped[row[0]].append(row[1:])
    return grouped


def keys_by_name(rows: dict[int, Row], name: str = "name") -> dict[int, str]:
    """A readable key for each; those of one name are numbered in their order."""
    keys: dict[int, str] = {}
    taken: set[str] = set()
    for pk, row in rows.items():
        stem, number = key_of(row[name]) or "x", 1
        key = stem
        while key in taken:
            number += 1
            key = f"{stem}-{number}"
        taken.add(key)
        keys[pk] = key
    return keys


@lru_cache(maxsize=1000)
def report(row: str, problem: str) -> None:
    """Say it once in each process: programmes are asked for all the time."""
    logger.error("%s is left out of exports: %s", row, problem)


def distinct(values: Iterable[Any]) -> set[Any]:
    return {value for value in values if value is not None}
