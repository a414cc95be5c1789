"""Take the planned steps: rows in bulk, each with its line in the history."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import DateField, QuerySet
from simple_history.utils import bulk_create_with_history, get_history_manager_for_model

from events.models import Conference
from events.models.bulk import update_rows
from events.models.conference import EARLIEST
from events.models.fields import SortKeyField
from events.sync.report import Outdated
from events.sync.steps import ChangedRow, NewRow, TablePlan, set_reference
from events.sync.stored import chunks, read
from events.sync.tables import Table

BATCH = 1000
MARKS = ("imported", "source", "source_key")


class Writer:
    """Writes the rows of a conference; ``targets`` says which row each key means."""

    def __init__(self, conference: Conference, source: str, targets: Mapping[str, Mapping[str, Any]]) -> None:
        self.conference, self.source, self.targets = conference, source, targets

    def write(self, plan: TablePlan) -> Iterator[int]:
        """Take one table's steps, a batch at a time; tells how many rows each wrote."""
        self._park(plan)
        for generation in plan.new:
            for some in chunks(generation, BATCH):
                self._create(plan.table, some)
                yield len(some)
        for changed in chunks(plan.changed):
            self._change(plan.table, [it for it in changed if it.apply])
            self._remember(plan.table, [it for it in changed if not it.apply])
            yield len(changed)

    def verify(self, plan: TablePlan) -> None:
        """Raise Outdated if somebody changed since what is about to be changed."""
        for some in chunks(plan.changed):
            now = read(plan.table, self.conference, [it.read.pk for it in some])
            if any(now.get(it.read.pk) != it.read for it in some):
                raise Outdated

    def _park(self, plan: TablePlan) -> None:
        """Out of the way: of what is unique, the last field takes a value that nothing else has."""
        name = plan.table.natural[-1] if plan.table.natural else ""
        rows: QuerySet[Any] = plan.table.model.objects.all()
        for number, pk in enumerate(plan.parked, start=1):
            rows.filter(pk=pk).update(**{name: _nowhere(plan.table, name, number)})

    def _create(self, table: Table, new: Sequence[NewRow]) -> None:
        rows = [it.row for it in new]
        if table.has_history:
            bulk_create_with_history(rows, table.model, batch_size=BATCH)
        else:
            table.model.objects.bulk_create(rows, batch_size=BATCH)
        for name in table.children:
            kids = [kid for it in new for kid in self._kids(table, name, it.row.pk, it.values[name])]
            table.children[name].model.objects.bulk_create(kids, batch_size=BATCH)

    def _change(self, table: Table, changed: Sequence[ChangedRow]) -> None:
        rows = table.model.objects.in_bulk([it.read.pk for it in changed])
        fields = {name for it in changed for name in it.apply if name in table.columns}
        for it in changed:
            self._set(table, rows[it.read.pk], it)
        self._store(table, list(rows.values()), [*MARKS, *_with_derived(table, fields)])
        for name, child in table.children.items():
            anew = [it for it in changed if name in it.apply]
            child.model.objects.filter(**{f"{child.owner}__in": [it.read.pk for it in anew]}).delete()
            kids = [kid for it in anew for kid in self._kids(table, name, it.read.pk, it.apply[name])]
            child.model.objects.bulk_create(kids, batch_size=BATCH)

    def _set(self, table: Table, row: Any, step: ChangedRow) -> None:
        row.imported, row.source, row.source_key = step.remembered, self.source, step.key
        for name, value in step.apply.items():
            if name in table.refs:
                set_reference(row, name, self._pk(table.refs[name], value))
            elif name not in table.children:
                setattr(row, name, value)
        for field in _derived(table):
            field.pre_save(row, add=False)

    def _store(self, table: Table, rows: Sequence[Any], fields: Sequence[str]) -> None:
        update_rows(table.model, rows, fields)
        if table.has_history:
            get_history_manager_for_model(table.model).bulk_history_create(rows, batch_size=BATCH, update=True)

    def _remember(self, table: Table, changed: Sequence[ChangedRow]) -> None:
        """Nobody sees what an import remembers: no line in the row's history."""
        marks = [table.model(pk=it.read.pk, imported=it.remembered, source=self.source, source_key=it.key) for it in changed]
        update_rows(table.model, marks, MARKS)

    def _kids(self, table: Table, name: str, owner: int, values: Sequence[Sequence[Any]]) -> list[Any]:
        child = table.children[name]
        kids = []
        for position, value in enumerate(values):
            said = dict(zip(child.fields, value, strict=True))
            for field, part in child.refs.items():
                said[f"{field}_id"] = self._pk(part, said.pop(field))
            kids.append(child.model(**{f"{child.owner}_id": owner, "position": position}, **said))
        return kids

    def _pk(self, part: str, key: str) -> int | None:
        target = self.targets[part][key] if key else None
        return target if target is None or isinstance(target, int) else target.pk


def _derived(table: Table) -> list[Any]:
    """Fields that follow from others whenever a row is saved, or say when that was."""
    fields = table.model._meta.concrete_fields
    return [it for it in fields if isinstance(it, SortKeyField) or getattr(it, "auto_now", False)]


def _with_derived(table: Table, fields: set[str]) -> list[str]:
    return sorted(fields | ({it.name for it in _derived(table)} if fields else set()))


def _nowhere(table: Table, name: str, number: int) -> Any:
    field = table.model._meta.get_field(name)
    if isinstance(field, DateField):
        return EARLIEST + dt.timedelta(days=number)
    return f"\N{HORIZONTAL ELLIPSIS}{number}" if field.get_internal_type() == "CharField" else number
