"""Write one table of a programme: match, merge, create, and tell."""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from simple_history.utils import bulk_create_with_history

from events.models import Conference, Event
from events.sync.checks import check, clean
from events.sync.merge import Merge, as_json, merge
from events.sync.report import Difference, Line, SyncError, SyncReport
from events.sync.tables import Table

NAMESPACE = uuid.UUID("6b1f4c1e-7f43-5c0b-9f55-2d7c8b1a9e10")
BATCH = 400


class RowWriter:
    """Remembers which row each key became, so that later tables can refer to it."""

    def __init__(self, conference: Conference, source: str, report: SyncReport) -> None:
        self.conference, self.source, self.report = conference, source, report
        self.ids: dict[str, dict[str, int]] = {}
        self.keys: dict[str, dict[int, str]] = {}

    def write(self, table: Table, items: Sequence[Any]) -> None:
        """Bring one table in step; rows that other rows of the same table refer to come first."""
        stored = list(table.model.objects.filter(conference=self.conference).prefetch_related(*_prefetches(table)))
        known = {row.source_key: row for row in stored if row.source == self.source and row.source_key}
        unclaimed = {self._natural(table, row): row for row in stored if not row.source_key}
        elsewhere = {self._natural(table, row): row for row in stored if row.source_key and row.source != self.source}
        self.ids[table.part] = {key: row.pk for key, row in known.items()}
        self.keys[table.part] = {row.pk: row.source_key for row in stored}
        for batch in self._generations(table, items):
            made = []
            for item in batch:
                natural = self._natural(table, self._draft(table, item))
                if row := known.get(item.key) or unclaimed.get(natural):
                    self._update(table, row, item)
                elif row := elsewhere.get(natural):
                    # The same day, track or room from another source: that source's to write, ours to refer to.
                    self._refer(table, row, item.key)
                else:
                    made.append(self._new(table, item))
            self._create(table, made)

    def _generations(self, table: Table, items: Sequence[Any]) -> Iterable[list[Any]]:
        """The items in batches: each refers only to what is stored by then."""
        own = [name for name, part in table.refs.items() if part == table.part]
        waiting = list(items)
        while waiting:
            ready = [item for item in waiting if all(self._known(table, getattr(item, name)) for name in own)]
            if not ready:
                raise SyncError(f"{table.part}: “{waiting[0].key}” is part of something that is part of it, or of nothing known.")
            yield ready
            taken = {item.key for item in ready}
            waiting = [item for item in waiting if item.key not in taken]

    def _known(self, table: Table, key: str) -> bool:
        return not key or key in self.ids[table.part]

    def _values(self, table: Table, item: Any) -> dict[str, Any]:
        """The item's plain fields, its references as keys, its children as lists: what is remembered and compared."""
        values = {part.name: getattr(item, part.name) for part in dataclasses.fields(item)}
        for name in ("key", "guid"):
            values.pop(name, None)
        return values | {name: child.values(values[name]) for name, child in table.children.items()}

    def _current(self, table: Table, row: Any, names: Iterable[str]) -> dict[str, Any]:
        return {name: self._current_value(table, row, name) for name in names}

    def _current_value(self, table: Table, row: Any, name: str) -> Any:
        if name in table.refs:
            target = getattr(row, f"{name}_id")
            return self.keys[table.refs[name]].get(target) or f"#{target}" if target else ""
        if name in table.children:
            return table.children[name].stored(row, self.keys.get("people", {}))
        return getattr(row, name)

    def _set(self, table: Table, row: Any, values: dict[str, Any]) -> None:
        for name, value in values.items():
            if name in table.refs:
                setattr(row, f"{name}_id", self._target(table, name, value))
            elif name not in table.children:
                setattr(row, name, value)

    def _target(self, table: Table, name: str, key: str) -> int | None:
        if not key:
            return None
        try:
            return self.ids[table.refs[name]][key]
        except KeyError as error:
            raise SyncError(f"{table.part}: {name} “{key}” is not among the {table.refs[name]}.") from error

    def _draft(self, table: Table, item: Any) -> Any:
        """The row an item would become, unsaved."""
        row = table.model(conference=self.conference, source=self.source, source_key=item.key)
        self._set(table, row, self._values(table, item))
        if table.key_is_slug:
            row.slug = item.key
        if hasattr(row, "guid"):
            given = getattr(item, "guid", "")
            name = f"{self.source}:{self.conference.slug}:{table.part}:{item.key}"
            row.guid = uuid.UUID(given) if given else uuid.uuid5(NAMESPACE, name)
        return row

    def _natural(self, table: Table, row: Any) -> tuple[Any, ...]:
        """What tells a hand-made row from others of its table; the key of nothing where nothing does."""
        return tuple(getattr(row, name) for name in table.natural) or (id(row),)

    def _new(self, table: Table, item: Any) -> tuple[Any, dict[str, Any]]:
        row, values = self._draft(table, item), self._values(table, item)
        row.imported = {name: as_json(value) for name, value in values.items()}
        check(row, table.part)
        return row, values

    def _create(self, table: Table, made: list[tuple[Any, dict[str, Any]]]) -> None:
        rows = [row for row, _ in made]
        if not rows:
            return
        if hasattr(table.model._meta, "simple_history_manager_attribute"):
            rows = bulk_create_with_history(rows, table.model, batch_size=BATCH)
        else:
            table.model.objects.bulk_create(rows, batch_size=BATCH)
        for row in rows:
            self._refer(table, row, row.source_key)
            self._count(table, "created")
            if table.model is Event:
                self.report.lines.append(Line("created", str(row), guid=str(row.guid)))
        for name, child in table.children.items():
            built = [
                kid for row, (_, values) in zip(rows, made, strict=True) for kid in self._kids(table, name, row, values[name])
            ]
            child.model.objects.bulk_create(built, batch_size=BATCH)

    def _refer(self, table: Table, row: Any, key: str) -> None:
        """From here on the key means this row."""
        self.ids[table.part][key] = row.pk
        self.keys[table.part][row.pk] = key

    def _kids(self, table: Table, name: str, row: Any, values: Iterable[list[Any]]) -> list[Any]:
        """A row's unsaved children, refused as the row itself would be when one cannot be stored."""
        where = f"{table.part}, “{row.source_key}”"
        try:
            kids = table.children[name].build(row, values, self.ids.get("people", {}))
        except KeyError as error:
            raise SyncError(f"{where}: {name} “{error.args[0]}” is not among the people.") from error
        for kid in kids:
            clean(kid, f"{where}, {name}")
        return kids

    def _update(self, table: Table, row: Any, item: Any) -> None:
        values = self._values(table, item)
        outcome = merge(row.imported, values, self._current(table, row, values))
        self._tell(table, row, "kept", outcome.kept)
        self._refer(table, row, item.key)
        if not outcome.apply and outcome.remembered == row.imported and row.source_key == item.key:
            self._count(table, "unchanged")
            return
        self._store(table, row, item, outcome)

    def _store(self, table: Table, row: Any, item: Any, outcome: Merge) -> None:
        before = self._current(table, row, outcome.apply)
        self._set(table, row, outcome.apply)
        row.imported, row.source, row.source_key = outcome.remembered, self.source, item.key
        check(row, table.part)
        if outcome.apply:
            row.save()
        else:
            # Nobody sees what an import remembers: no line in the row's history.
            marks = {"imported": row.imported, "source": row.source, "source_key": row.source_key}
            table.model.objects.filter(pk=row.pk).update(**marks)
        for name in outcome.apply.keys() & table.children.keys():
            child = table.children[name]
            kids = self._kids(table, name, row, outcome.apply[name])
            getattr(row, child.related).all().delete()
            child.model.objects.bulk_create(kids)
        self._count(table, "changed" if outcome.apply else "unchanged")
        self._tell(table, row, "changed", {name: (as_json(before[name]), as_json(it)) for name, it in outcome.apply.items()})

    def _tell(self, table: Table, row: Any, verb: str, values: dict[str, tuple[Any, Any]]) -> None:
        if values:
            differences = tuple(Difference(name, str(old), str(new)) for name, (old, new) in values.items())
            what, guid = str(table.model._meta.verbose_name), str(getattr(row, "guid", ""))
            self.report.lines.append(Line(verb, str(row), what, guid, differences))

    def _count(self, table: Table, what: str) -> None:
        if table.model is Event:
            setattr(self.report, what, getattr(self.report, what) + 1)
        elif what != "unchanged":
            self.report.other_rows += 1


def _prefetches(table: Table) -> list[str]:
    return [child.related for child in table.children.values()]
