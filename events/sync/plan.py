"""What an import would do, row by row: made by reading alone, so that writing it is short."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from django.db.models import Model

from events.models import Conference, Event
from events.sync import guids, unique
from events.sync.checks import check_key, check_times, check_values
from events.sync.match import Matcher, guid_of
from events.sync.merge import Merge, as_json, merge
from events.sync.places import Places
from events.sync.report import CHANGED, CREATED, KEPT, Line, SyncError, SyncReport
from events.sync.steps import ChangedRow, NewRow, TablePlan, set_reference
from events.sync.stored import StoredRow, read
from events.sync.tables import Table
from events.sync.words import Words


class Planner:
    """Remembers which row each key means, so that later tables can refer to it: its primary key, or a row not yet saved."""

    def __init__(self, conference: Conference, source: str, report: SyncReport) -> None:
        self.conference, self.source, self.report = conference, source, report
        self.words = Words(conference.zone)
        self.targets: dict[str, dict[str, Any]] = {}
        self.keys: dict[str, dict[int, str]] = {}
        self.plans: dict[str, TablePlan] = {}
        self.places = Places(conference, self.plans)

    def plan(self, table: Table, items: Sequence[Any]) -> TablePlan:
        stored = read(table, self.conference) if self.conference.pk else {}
        plan = self.plans[table.part] = TablePlan(table, stored)
        self.targets[table.part] = {row.key: pk for pk, row in stored.items() if row.key and row.source == self.source}
        self.keys[table.part] = {pk: row.key for pk, row in stored.items()}
        for pk, row in stored.items():
            self._learn(table, row, row.key or f"#{pk}")
        matcher = Matcher(table, self.source, stored, items)
        for generation in self._generations(table, items):
            made: list[NewRow] = []
            for item in generation:
                self._one(plan, matcher, item, made)
            plan.new.append(made)
        guids.assign(table, self.conference.slug, [it.row for it in plan.new_rows()])
        unique.settle(plan, self.target)
        self._tell_new(plan)
        return plan

    def target(self, table: Table, name: str, key: str) -> Any:
        """What a reference means: a primary key, a row not yet saved, or None."""
        if not key:
            return None
        try:
            return self.targets[table.refs[name]][key]
        except KeyError as error:
            raise SyncError(f"{table.part}: {name} “{key}” is not among the {table.refs[name]}.") from error

    def _generations(self, table: Table, items: Sequence[Any]) -> Iterator[list[Any]]:
        """The items in batches: each refers only to what is known by then."""
        own = [name for name, part in table.refs.items() if part == table.part]
        waiting = list(items)
        while waiting:
            known = self.targets[table.part]
            ready = [item for item in waiting if all(not (key := getattr(item, name)) or key in known for name in own)]
            if not ready:
                raise SyncError(f"{table.part}: “{waiting[0].key}” is part of something that is part of it, or of nothing known.")
            yield ready
            taken = {item.key for item in ready}
            waiting = [item for item in waiting if item.key not in taken]

    def _one(self, plan: TablePlan, matcher: Matcher, item: Any, made: list[NewRow]) -> None:
        table, values = plan.table, plan.table.values(item)
        self.words.learn(table, item.key, values, stored=False)
        match = matcher.find(item, self._resolved(table, values))
        if match is None:
            made.append(self._new(table, item, values))
            return
        row = match.row
        self.targets[table.part][item.key] = row.pk
        self.keys[table.part][row.pk] = item.key
        if row.key != item.key:
            self._learn(table, row, item.key)
        if match.is_ours:
            self._ours(plan, row, item.key, values)
        else:
            self._count(table, "unchanged")

    def _learn(self, table: Table, row: StoredRow, key: str) -> None:
        self.words.learn(table, key, row.current(table, table.label or table.refs, self.keys), stored=True)

    def _resolved(self, table: Table, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The values with the references that help to find the row as primary keys; what is not saved yet is like nothing."""
        names = [name for name in (*table.natural, *table.alike) if name in table.refs and name in values]
        found = {name: self.target(table, name, values[name]) for name in names}
        return {**values, **{name: object() if isinstance(it, Model) else it for name, it in found.items()}} if names else values

    def _new(self, table: Table, item: Any, values: dict[str, Any]) -> NewRow:
        check_key(table, item.key)
        check_values(table, item.key, values)
        remembered = {name: as_json(value) for name, value in values.items()}
        row = table.model(conference=self.conference, source=self.source, source_key=item.key, imported=remembered)
        for name, value in values.items():
            if name in table.refs:
                set_reference(row, name, self.target(table, name, value))
            elif name not in table.children:
                setattr(row, name, value)
        for name in table.required_refs - values.keys():
            if table.part != "rooms":
                raise SyncError(f"{table.part}, “{item.key}”: {name} is missing.")
            set_reference(row, name, self.places.zone())
        self._people(table, item.key, values)
        if table.key_is_slug:
            row.slug = item.key
        if table.has_guid:
            row.guid = guid_of(table, item)
        if table.model is Event:
            check_times(item.key, values)
        self._count(table, "created")
        self.targets[table.part][item.key] = row
        return NewRow(row, values)

    def _ours(self, plan: TablePlan, row: StoredRow, key: str, values: dict[str, Any]) -> None:
        table = plan.table
        outcome = merge(row.imported, values, row.current(table, values, self.keys))
        self._tell(plan, row, KEPT, outcome.kept)
        self._count(table, "changed" if outcome.apply else "unchanged")
        if not outcome.apply and outcome.remembered == row.imported and row.key == key and row.source == self.source:
            return
        check_key(table, key)
        self._check_changes(table, row, key, outcome)
        now = row.current(table, outcome.apply, self.keys)
        self._tell(plan, row, CHANGED, {name: (now[name], value) for name, value in outcome.apply.items()})
        plan.changed.append(ChangedRow(row, key, outcome.apply, outcome.remembered))

    def _check_changes(self, table: Table, row: StoredRow, key: str, outcome: Merge) -> None:
        check_values(table, key, outcome.apply)
        for name in outcome.apply.keys() & table.refs.keys():
            self.target(table, name, outcome.apply[name])
        self._people(table, key, outcome.apply)
        if table.model is Event:
            check_times(key, {**row.values, **outcome.apply})

    def _people(self, table: Table, key: str, values: Mapping[str, Any]) -> None:
        """Refuse children whose person or room the file does not have."""
        for name, child in table.children.items():
            for kid, (field, part) in product(values.get(name, ()), child.refs.items()):
                meant = kid[child.fields.index(field)]
                if meant and meant not in self.targets[part]:
                    raise SyncError(f"{table.part}, “{key}”: {name} “{meant}” is not among the {part}.")

    def _tell_new(self, plan: TablePlan) -> None:
        # Thousands of authors would hide the events they come with.
        if plan.table.model is Event:
            self.report.lines += [Line(CREATED, it.row.title, guid=str(it.row.guid)) for it in plan.new_rows()]

    def _tell(self, plan: TablePlan, row: StoredRow, verb: str, values: Mapping[str, tuple[Any, Any]]) -> None:
        if values:
            table, guid = plan.table, str(row.guid or "")
            title = self.words.title(table, row.current(table, table.label or table.refs, self.keys))
            self.report.lines.append(Line(verb, title, table.one, guid, self.words.differences(table, values)))

    def _count(self, table: Table, what: str) -> None:
        if table.model is Event:
            setattr(self.report, what, getattr(self.report, what) + 1)
        elif what != "unchanged":
            self.report.other_rows += 1
