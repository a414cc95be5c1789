"""What an import or a bulk action did to its rows, as plain values that are stored for its undo."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from events.imports.sync.conferences import ConferencePlan
from events.imports.sync.merge import as_json
from events.imports.sync.plan_rows import ChangedRow, StoredRow, TablePlan, stored_rows
from events.imports.sync.tables import SYNC_TABLES, SyncTable
from events.imports.sync.write import ImportWriter
from events.programme.models.conference import Conference

TABLES = {table.part: table for table in SYNC_TABLES}
CONFERENCE = "conference"
SETTLED_COLUMNS = frozenset({"id", "slug", "status", "revision", "proposals_until"})
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


class ImportEdits:
    """What an import does to its rows, as ``edits_of`` says it.

    Changed rows are noted before the transaction, from their plan, unless they refer to a row that is not written by then.
    """

    def __init__(self, conference: ConferencePlan, plans: Mapping[str, TablePlan], writer: ImportWriter) -> None:
        self._conference, self._plans, self._writer = conference, plans, writer
        self._noted: dict[str, dict[str, Any]] = {part: {} for part in plans}
        for plan in plans.values():
            self._note_changed(plan, [row for row in plan.changed if writer.knows_references(plan.table, row)])

    def complete(self) -> dict[str, Any]:
        """By part, after all rows are written."""
        edits: dict[str, Any] = {}
        for part, plan in self._plans.items():
            noted = self._noted[part]
            self._note_changed(plan, [row for row in plan.changed if str(row.read.pk) not in noted])
            new = [new.row.pk for new in plan.new_rows()]
            noted |= edits_of(plan.table, {}, stored_rows(plan.table, self._conference.row, new)) if new else {}
            if noted:
                edits[part] = noted
        if self._conference.writes and not self._conference.is_new:
            edits[CONFERENCE] = self._edit_of_conference()
        return edits

    def _note_changed(self, plan: TablePlan, changed: Sequence[ChangedRow]) -> None:
        before = {row.read.pk: row.read for row in changed}
        after = {row.read.pk: self._writer.row_after(plan.table, row) for row in changed}
        self._noted[plan.table.part] |= edits_of(plan.table, before, after)

    def _edit_of_conference(self) -> dict[str, Any]:
        was = {name: value for name, value in self._conference.was.items() if name not in SETTLED_COLUMNS}
        before = {name: as_json(value) for name, value in was.items()}
        return {"before": before, "after": conference_digest(self._conference.row)}


def conference_digest(conference: Conference) -> str:
    stored = Conference.objects.filter(pk=conference.pk).values().get()
    values = {name: as_json(value) for name, value in stored.items() if name not in SETTLED_COLUMNS}
    return hashlib.blake2b(json.dumps(values, sort_keys=True, default=str).encode(), digest_size=8).hexdigest()
