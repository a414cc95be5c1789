"""What an import or a bulk action did to its rows, as plain values that are stored for its undo."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from events.imports.sync.conferences import ConferencePlan
from events.imports.sync.merge import as_json
from events.imports.sync.plan_rows import StoredRow, TablePlan, stored_rows
from events.imports.sync.tables import SYNC_TABLES, SyncTable
from events.programme.models.conference import Conference

TABLES = {table.part: table for table in SYNC_TABLES}
CONFERENCE = "conference"
SETTLED_COLUMNS = frozenset({"id", "slug", "status", "revision"})
"""Columns of a conference that no import writes."""


def edits_of(table: SyncTable, before: Mapping[int, StoredRow], after: Mapping[int, StoredRow]) -> dict[str, Any]:
    """By primary key: the values from before, none for a new row, and a digest of how the row was left."""
    return {
        str(pk): {"before": _before(before[pk], row) if pk in before else None, "after": row_digest(row)}
        for pk, row in after.items()
    }


def _before(old: StoredRow, new: StoredRow) -> dict[str, Any]:
    values = {name: as_json(value) for name, value in old.values.items() if value != new.values[name]}
    return {"values": values, "source": old.source, "key": old.key, "imported": old.imported}


def row_digest(row: StoredRow) -> str:
    values = {name: as_json(value) for name, value in row.values.items()}
    text = json.dumps([values, row.source, row.key, row.imported], sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def edits_of_import(plan: ConferencePlan, plans: Mapping[str, TablePlan]) -> dict[str, Any]:
    """What the plans, which are written by now, did to their rows."""
    edits: dict[str, Any] = {}
    for part, table_plan in plans.items():
        before = {row.read.pk: row.read for row in table_plan.changed}
        pks = [*before, *(new.row.pk for new in table_plan.new_rows())]
        if pks:
            edits[part] = edits_of(table_plan.table, before, stored_rows(table_plan.table, plan.row, pks))
    if plan.writes and not plan.is_new:
        was = {name: value for name, value in plan.was.items() if name not in SETTLED_COLUMNS}
        edits[CONFERENCE] = {
            "before": {name: as_json(value) for name, value in was.items()},
            "after": conference_digest(plan.row),
        }
    return edits


def conference_digest(conference: Conference) -> str:
    stored = Conference.objects.filter(pk=conference.pk).values().get()
    values = {name: as_json(value) for name, value in stored.items() if name not in SETTLED_COLUMNS}
    return hashlib.blake2b(json.dumps(values, sort_keys=True, default=str).encode(), digest_size=8).hexdigest()
