"""Bulk writes of the planned rows, with their history and with the changes of events."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import DateField, Q, QuerySet

from events.core.db.bulk import insert_history, insert_rows
from events.core.db.fields import SortKeyField
from events.core.db.writing import update_rows
from events.imports.sync.conferences import ConferencePlan
from events.imports.sync.plan_rows import ChangedRow, NewRow, StoredRow, TablePlan, chunks, stored_rows
from events.imports.sync.report import Outdated
from events.imports.sync.tables import ChildTable, SyncTable
from events.programme.models.changes import ChangeGroup
from events.programme.models.conference import EARLIEST_DATE, Conference
from events.programme.models.event import Event

IMPORT_BATCH_ROWS = 1000
CREATED_PER_STEP = 100
"""A slice ends after a step, so a step is short also on a busy machine."""
SOURCE_FIELDS = ("imported", "source", "source_key")


class ImportWriter:
    """``targets`` has the row of each key, by part: a primary key, or a row that is saved by then.

    ``history`` is the conference that the history of new rows names.
    """

    def __init__(
        self, conference: Conference, source: str, targets: Mapping[str, Mapping[str, Any]], history: int | None = None
    ) -> None:
        self.conference, self.source, self.targets = conference, source, targets
        self.history = {"conference_id": history} if history else {}
        self._composed: dict[tuple[str, int], Any] = {}

    def compose(self, plan: TablePlan) -> None:
        """Make the changed rows before they are written: SQLite's lock is taken by then only for what must be in it."""
        for planned in plan.changed:
            if planned.apply:
                self._composed[plan.table.part, planned.read.pk] = self._composed_row(plan.table, planned)

    def knows_references(self, table: SyncTable, changed: ChangedRow) -> bool:
        """Whether all rows that this one will refer to have a primary key by now."""
        return all(not key or self._pk(part, key) is not None for part, key in _references(table, changed.apply))

    def row_after(self, table: SyncTable, changed: ChangedRow) -> StoredRow:
        """Return the row as it will be read when it is written."""
        values = dict(changed.read.values)
        for name, value in changed.apply.items():
            if name in table.refs:
                values[name] = self._pk(table.refs[name], value)
            elif name in table.children:
                values[name] = [self._cells_after(table.children[name], cells) for cells in value]
            else:
                values[name] = table.model._meta.get_field(name).to_python(value)
        return replace(changed.read, source=self._source_of(changed), key=changed.key, imported=changed.remembered, values=values)

    def create(self, plan: TablePlan) -> Iterator[int]:
        """Write the new rows of a table in batches; yield the number of rows in each."""
        for generation in plan.new:
            for some in chunks(generation, CREATED_PER_STEP):
                self._create(plan.table, some)
                yield len(some)

    def change(self, plan: TablePlan) -> Iterator[int]:
        for changed in chunks(plan.changed):
            self._change(plan.table, [row for row in changed if row.apply])
            self._remember(plan.table, [row for row in changed if not row.apply])
            yield len(changed)

    def verify(self, plan: TablePlan) -> None:
        """Raise Outdated if a row that will be changed differs from what was read."""
        for some in chunks(plan.changed):
            current = stored_rows(plan.table, self.conference, [row.read.pk for row in some])
            if any(current.get(row.read.pk) != row.read for row in some):
                raise Outdated

    def park(self, plan: TablePlan) -> None:
        """Store a temporary value in the last field of the natural key, so that another row can have the old one."""
        name = plan.table.natural[-1] if plan.table.natural else ""
        rows: QuerySet[Any] = plan.table.model.objects.all()
        for number, pk in enumerate(plan.parked, start=1):
            rows.filter(pk=pk).update(**{name: _parking_value(plan.table, name, number)})

    def _cells_after(self, child: ChildTable, cells: Sequence[Any]) -> list[Any]:
        pairs = zip(child.fields, cells, strict=True)
        return [self._pk(child.refs[name], cell) if name in child.refs else cell for name, cell in pairs]

    def _create(self, table: SyncTable, new: Sequence[NewRow]) -> None:
        rows = [planned.row for planned in new]
        for row in rows:
            row.conference_id = self.conference.pk
            for name in table.refs:
                self._save_reference(row, name)
        insert_rows(table.model, rows)
        if table.has_history:
            insert_history(table.model, rows, "+", self.history)
        for name in table.children:
            children = [child for planned in new for child in self._children(table, name, planned.row.pk, planned.values[name])]
            insert_rows(table.children[name].model, children)

    def _save_reference(self, row: Any, name: str) -> None:
        """Take the primary key of a row that was saved after the plan referred to it."""
        if getattr(row, f"{name}_id") is None and (target := getattr(row, name)) is not None:
            setattr(row, f"{name}_id", target.pk)

    def _change(self, table: SyncTable, changed: Sequence[ChangedRow]) -> None:
        rows = [self._composed.pop((table.part, planned.read.pk)) for planned in changed]
        fields = {name for planned in changed for name in planned.apply if name in table.columns}
        for row, planned in zip(rows, changed, strict=True):
            for name in table.refs.keys() & planned.apply.keys():
                setattr(row, f"{name}_id", self._pk(table.refs[name], planned.apply[name]))
        self._store(table, rows, [*SOURCE_FIELDS, *_with_derived(table, fields)])
        for name, child in table.children.items():
            replaced = {planned.read.pk: planned.apply[name] for planned in changed if name in planned.apply}
            child.model.objects.filter(**{f"{child.owner}__in": list(replaced)}).delete()
            children = [row for pk, values in replaced.items() for row in self._children(table, name, pk, values)]
            insert_rows(child.model, children)

    def _composed_row(self, table: SyncTable, planned: ChangedRow) -> Any:
        """With all columns that files have, except the references that change: their rows may have no key yet."""
        read = planned.read
        columns = {column: read.values[name] for name, column in table.columns.items()}
        columns |= {name: value for name, value in planned.apply.items() if name in columns}
        imported = {"imported": planned.remembered, "source": self._source_of(planned), "source_key": planned.key}
        row = table.model(pk=read.pk, **columns, **imported)
        for field in _derived_fields(table):
            field.pre_save(row, add=False)
        return row

    def _source_of(self, planned: ChangedRow) -> str:
        return self.source if planned.source is None else planned.source

    def _store(self, table: SyncTable, rows: Sequence[Any], fields: Sequence[str]) -> None:
        update_rows(table.model, rows, fields)
        if table.has_history:
            insert_history(table.model, rows, "~")

    def _remember(self, table: SyncTable, changed: Sequence[ChangedRow]) -> None:
        """Store only the values of the last import: no page shows them, so the history gets no line."""
        rows = [
            table.model(pk=planned.read.pk, imported=planned.remembered, source=self._source_of(planned), source_key=planned.key)
            for planned in changed
        ]
        update_rows(table.model, rows, SOURCE_FIELDS)

    def _children(self, table: SyncTable, name: str, owner: int, values: Sequence[Sequence[Any]]) -> list[Any]:
        child = table.children[name]
        rows = []
        for position, cells in enumerate(values):
            columns = dict(zip(child.fields, cells, strict=True))
            for field, part in child.refs.items():
                columns[f"{field}_id"] = self._pk(part, columns.pop(field))
            rows.append(child.model(**{f"{child.owner}_id": owner, "position": position}, **columns))
        return rows

    def _pk(self, part: str, key: str) -> int | None:
        target = self.targets[part][key] if key else None
        return target if target is None or isinstance(target, int) else target.pk


def _references(table: SyncTable, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield part and key of each row that the values refer to, also in children."""
    for name, value in values.items():
        if name in table.refs:
            yield table.refs[name], value
        elif name in table.children:
            child = table.children[name]
            for field, cell in (pair for cells in value for pair in zip(child.fields, cells, strict=True)):
                if field in child.refs:
                    yield child.refs[field], cell


def _derived_fields(table: SyncTable) -> list[Any]:
    fields = table.model._meta.concrete_fields
    return [field for field in fields if isinstance(field, SortKeyField) or getattr(field, "auto_now", False)]


def _with_derived(table: SyncTable, fields: set[str]) -> list[str]:
    return sorted(fields | ({field.name for field in _derived_fields(table)} if fields else set()))


def _parking_value(table: SyncTable, name: str, number: int) -> Any:
    field = table.model._meta.get_field(name)
    if isinstance(field, DateField):
        return EARLIEST_DATE + dt.timedelta(days=number)
    return f"\N{HORIZONTAL ELLIPSIS}{number}" if field.get_internal_type() == "CharField" else number


MAX_FILTERED_EVENTS = 2000
"""From so many events on, comparing all of them is faster than a filter by primary key."""

SESSION_FIELDS_OF_CHILDREN = frozenset({"title", "status", "session"})
"""Fields of a session that its parts show."""


def record_import_changes(
    conference: ConferencePlan, plans: Mapping[str, TablePlan], reason: str = "", group: ChangeGroup | None = None
) -> None:
    events = conference.row.events.all()
    if not plans["events"].stored:
        events.record_changes(quiet=True, group=group)
        return
    if conference.writes:
        events.record_changes(reason=reason, group=group)
        return
    touched = _touched_event_pks(conference.row.events.all(), plans)
    if touched:
        shown = events if len(touched) > MAX_FILTERED_EVENTS else events.filter(pk__in=touched)
        shown.record_changes(reason=reason, group=group)


def _touched_event_pks(events: QuerySet[Event], plans: Mapping[str, TablePlan]) -> set[int]:
    touched: set[int] = set()
    for plan in plans.values():
        changed = [row for row in plan.changed if row.apply]
        if plan.table.model is Event:
            touched.update((row.read.pk for row in changed), (new.row.pk for new in plan.new_rows()))
            sessions = [row.read.pk for row in changed if SESSION_FIELDS_OF_CHILDREN & row.apply.keys()]
            touched |= _event_pks_showing(events, ("session", "session__session"), sessions)
        else:
            touched |= _event_pks_showing(events, plan.table.model.event_paths, [row.read.pk for row in changed])
    return touched


def _event_pks_showing(events: QuerySet[Event], paths: Sequence[str], pks: Iterable[int]) -> set[int]:
    if not paths:
        return set()
    event_pks: set[int] = set()
    for some in chunks(pks):
        shows = Q(*((f"{path}__in", some) for path in paths), _connector=Q.OR)
        event_pks.update(events.filter(shows).values_list("pk", flat=True))
    return event_pks
