"""The name by which the world knows an event, a paper or a person, for ever."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from events.sync.stored import chunks
from events.sync.tables import Table

NAMESPACE = uuid.UUID("6b1f4c1e-7f43-5c0b-9f55-2d7c8b1a9e10")


def assign(table: Table, slug: str, rows: Sequence[Any]) -> None:
    """Give unsaved rows their guids: what the file says unless another row has it, else one that follows from the key."""
    if not table.has_guid:
        return
    waiting = [(row, _candidates(table, slug, row)) for row in rows]
    used: set[uuid.UUID] = set()
    while waiting:
        wanted = [next(candidates) for _, candidates in waiting]
        taken = _taken(table, wanted)
        again = []
        for (row, candidates), guid in zip(waiting, wanted, strict=True):
            if guid in taken or guid in used:
                again.append((row, candidates))
            else:
                row.guid = guid
                used.add(guid)
        waiting = again


def _candidates(table: Table, slug: str, row: Any) -> Iterator[uuid.UUID]:
    """First what the file says, then what every database makes of the same source, conference and key."""
    if row.guid:
        yield row.guid
    name = f"{row.source}:{slug}:{table.part}:{row.source_key}"
    yield uuid.uuid5(NAMESPACE, name)
    number = 2
    while True:
        yield uuid.uuid5(NAMESPACE, f"{name}#{number}")
        number += 1


def _taken(table: Table, wanted: Sequence[uuid.UUID]) -> set[uuid.UUID]:
    rows = table.model.objects
    return {guid for some in chunks(wanted) for guid in rows.filter(guid__in=some).values_list("guid", flat=True)}
