"""Planning of an import, without writing: new and changed rows of each table, and events missing from the file."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from django.db.models import Model

from events.imports.sync.checks import check_key, check_times, check_values, resolve_unique
from events.imports.sync.match import DefaultZone, RowMatcher, assign_guids, guid_of
from events.imports.sync.merge import MergeResult, as_json, three_way_merge
from events.imports.sync.plan_rows import ChangedRow, NewRow, StoredRow, TablePlan, renamed_refs, set_reference, stored_rows
from events.imports.sync.report import (
    ROW_CANCELLED,
    ROW_CHANGED,
    ROW_CREATED,
    ROW_KEPT,
    SLOT_FIELDS,
    TIME_KEPT_REASON,
    ReportLine,
    RowTitles,
    SyncError,
    SyncReport,
    TooManyCancelledError,
    difference_groups,
)
from events.imports.sync.tables import SYNC_TABLES, TIME_FIELDS, SyncTable
from events.programme.data.schedule import EventData, ScheduleData
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Status

MAX_CANCELLED_SHARE = 0.2
LATEST_DATETIME = dt.datetime.max.replace(tzinfo=dt.UTC)


class ImportPlanner:
    """``targets`` has, by part and key, the rows that later tables refer to: primary keys or unsaved rows.

    ``renamed`` has, by part, the keys of this file for rows that had another one in the last file.
    """

    def __init__(self, conference: Conference, source: str, report: SyncReport) -> None:
        self.conference, self.source, self.report = conference, source, report
        self.row_titles = RowTitles(conference.zone)
        self.targets: dict[str, dict[str, Any]] = {}
        self.keys: dict[str, dict[int, str]] = {}
        self.renamed: dict[str, dict[str, str]] = defaultdict(dict)
        self.plans: dict[str, TablePlan] = {}
        self.default_zone = DefaultZone(conference, self.plans)

    def plan(self, table: SyncTable, items: Sequence[Any]) -> TablePlan:
        stored = stored_rows(table, self.conference) if self.conference.pk else {}
        plan = self.plans[table.part] = TablePlan(table, stored)
        self.targets[table.part] = {row.key: pk for pk, row in stored.items() if row.key and row.source == self.source}
        self.keys[table.part] = {pk: row.key for pk, row in stored.items()}
        for pk, row in stored.items():
            self._learn_title(table, row, row.key or f"#{pk}")
        matcher = RowMatcher(table, self.source, stored, items)
        for generation in self._generations(table, items):
            new: list[NewRow] = []
            for item in generation:
                self._plan_item(plan, matcher, item, new)
            plan.new.append(new)
        assign_guids(table, self.conference.slug, [new.row for new in plan.new_rows()])
        resolve_unique(plan, self.target)
        self._report_new(plan)
        return plan

    def target(self, table: SyncTable, name: str, key: str) -> Any:
        """Return a primary key, an unsaved row, or None without a key; raise SyncError if unknown."""
        if not key:
            return None
        try:
            return self.targets[table.refs[name]][key]
        except KeyError as error:
            raise SyncError(f"{table.part}: {name} “{key}” is not among the {table.refs[name]}.") from error

    def _generations(self, table: SyncTable, items: Sequence[Any]) -> Iterator[list[Any]]:
        """Yield batches of items, each of which refers only to rows known by then."""
        self_refs = [name for name, part in table.refs.items() if part == table.part]
        waiting = list(items)
        while waiting:
            known = self.targets[table.part]
            ready = [item for item in waiting if all(not (key := getattr(item, name)) or key in known for name in self_refs)]
            if not ready:
                raise SyncError(
                    f"{table.part}: “{waiting[0].key}” belongs to something unknown, or to something that belongs to it."
                )
            yield ready
            done = {item.key for item in ready}
            waiting = [item for item in waiting if item.key not in done]

    def _plan_item(self, plan: TablePlan, matcher: RowMatcher, item: Any, new: list[NewRow]) -> None:
        table, values = plan.table, plan.table.values(item)
        self.row_titles.learn(table, item.key, values, stored=False)
        match = matcher.find(item, self._with_resolved_refs(table, values))
        if match is None:
            new.append(self._new_row(table, item, values))
            return
        row = match.row
        self.targets[table.part][item.key] = row.pk
        self.keys[table.part][row.pk] = item.key
        if row.key != item.key:
            if row.source == self.source:
                self.renamed[table.part][row.key] = item.key
            self._learn_title(table, row, item.key)
        if match.is_writable:
            self._plan_matched_row(plan, row, item.key, values)
        else:
            self._count(table, "unchanged")

    def _learn_title(self, table: SyncTable, row: StoredRow, key: str) -> None:
        self.row_titles.learn(table, key, row.current(table, table.label or table.refs, self.keys), stored=True)

    def _with_resolved_refs(self, table: SyncTable, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Replace references that help to match by primary keys, or by a unique object for an unsaved row."""
        names = [name for name in (*table.natural, *table.alike) if name in table.refs and name in values]
        targets = {name: self.target(table, name, values[name]) for name in names}
        return {**values, **{name: object() if isinstance(row, Model) else row for name, row in targets.items()}}

    def _new_row(self, table: SyncTable, item: Any, values: dict[str, Any]) -> NewRow:
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
            set_reference(row, name, self.default_zone.zone())
        self._check_children(table, item.key, values)
        if table.key_is_slug:
            row.slug = item.key
        if table.has_guid:
            row.guid = guid_of(table, item)
        if table.model is Event:
            check_times(item.key, values)
        self._count(table, "created")
        self.targets[table.part][item.key] = row
        return NewRow(row, values)

    def _plan_matched_row(self, plan: TablePlan, row: StoredRow, key: str, values: dict[str, Any]) -> None:
        table = plan.table
        current = row.current(table, values, self.keys)
        last = renamed_refs(table, row.imported, self.renamed)
        merged = three_way_merge(last, values, current, table.together)
        self._report(plan, row, ROW_KEPT, self._kept(table, merged, current, values))
        self._count(table, "changed" if merged.apply else "unchanged")
        if not merged.apply and merged.remembered == row.imported and row.key == key and row.source == self.source:
            return
        check_key(table, key)
        self._check_changes(table, row, key, merged)
        self._report(plan, row, ROW_CHANGED, {name: (current[name], value) for name, value in merged.apply.items()})
        plan.changed.append(ChangedRow(row, key, merged.apply, merged.remembered))

    def _kept(
        self, table: SyncTable, merged: MergeResult, current: Mapping[str, Any], values: Mapping[str, Any]
    ) -> dict[str, tuple[Any, Any]]:
        """Add the rest of an event's time to a part of it that stays: it is told as a whole."""
        times = TIME_FIELDS if table.model is Event and merged.protected.keys() & set(TIME_FIELDS) else ()
        return merged.protected | {name: (current[name], values[name]) for name in times}

    def _check_changes(self, table: SyncTable, row: StoredRow, key: str, merged: MergeResult) -> None:
        check_values(table, key, merged.apply)
        for name in merged.apply.keys() & table.refs.keys():
            self.target(table, name, merged.apply[name])
        self._check_children(table, key, merged.apply)
        if table.model is Event:
            check_times(key, {**row.values, **merged.apply})

    def _check_children(self, table: SyncTable, key: str, values: Mapping[str, Any]) -> None:
        for name, child in table.children.items():
            for cells, (field, part) in product(values.get(name, ()), child.refs.items()):
                ref = cells[child.fields.index(field)]
                if ref and ref not in self.targets[part]:
                    raise SyncError(f"{table.part}, “{key}”: {name} “{ref}” is not among the {part}.")

    def _report_new(self, plan: TablePlan) -> None:
        # Thousands of authors would hide the events they come with.
        if plan.table.model is Event:
            self.report.lines += [
                ReportLine(ROW_CREATED, new.row.title, guid=str(new.row.guid), slot=self.row_titles.slot(plan.table, new.values))
                for new in plan.new_rows()
            ]

    def _report(self, plan: TablePlan, row: StoredRow, verb: str, values: Mapping[str, tuple[Any, Any]]) -> None:
        if values:
            table, guid = plan.table, str(row.guid or "")
            title = self.row_titles.title(table, row.current(table, table.label or table.refs, self.keys))
            differences, about = self.row_titles.differences(table, values, verb), difference_groups(values)
            reason = TIME_KEPT_REASON if verb == ROW_KEPT and set(TIME_FIELDS) <= values.keys() else ""
            after = {name: new for name, (_, new) in values.items()} if verb == ROW_CHANGED else {}
            slot = self._slot(table, row, after)
            self.report.lines.append(ReportLine(verb, title, table.row_label, guid, differences, reason, slot, about))

    def _slot(self, table: SyncTable, row: StoredRow, after: Mapping[str, Any]) -> str:
        if table.model is not Event:
            return ""
        return self.row_titles.slot(table, row.current(table, SLOT_FIELDS, self.keys) | dict(after))

    def cancel_missing(self, keys: Collection[str], *, allowed: bool) -> None:
        """Plan to cancel events that are not among ``keys``, each with its hour and room in the report."""
        plan, before = self.plans[EVENT_TABLE.part], len(self.report.lines)
        cancel_missing(plan, self.source, keys, self.report, allowed=allowed)
        rows = {str(row.guid): row for row in plan.stored.values()}
        added = self.report.lines[before:]
        self.report.lines[before:] = [
            dataclasses.replace(line, slot=self._slot(plan.table, rows[line.guid], {})) for line in added
        ]

    def _count(self, table: SyncTable, what: str) -> None:
        if table.model is Event:
            setattr(self.report, what, getattr(self.report, what) + 1)
        elif what != "unchanged":
            self.report.other_rows += 1


def cancel_missing(plan: TablePlan, source: str, keys: Collection[str], report: SyncReport, *, allowed: bool) -> None:
    """Plan to cancel the source's events that are not among ``keys``.

    Raise TooManyCancelledError for more than a fifth of the source's events, unless ``allowed``.
    """
    in_file = set(keys)
    matched = {changed.read.pk for changed in plan.changed}
    of_source = [row for row in plan.stored.values() if row.source == source and row.key]
    missing = [row for row in of_source if row.key not in in_file and row.pk not in matched]
    # A missing draft stays a draft: cancelling it would show it.
    shown = [row for row in missing if row.values["status"] not in {Status.CANCELLED, Status.DRAFT}]
    shown.sort(key=_programme_order)
    cancelled = [row for row in shown if row.imported.get("status") != Status.CANCELLED]
    restored = [row for row in shown if row.imported.get("status") == Status.CANCELLED]
    report.lines += [
        _report_line(ROW_KEPT, row, f"stays “{row.values['status']}”, the file no longer has it") for row in restored
    ]
    if len(cancelled) > MAX_CANCELLED_SHARE * len(of_source) and not allowed:
        raise TooManyCancelledError(len(cancelled), len(of_source), cancelled[0].values["title"])
    for row in cancelled:
        # Stored as imported, so that the event's return in a later file does not look like an edit by hand.
        status = {"status": Status.CANCELLED.value}
        plan.changed.append(ChangedRow(row, row.key, dict(status), row.imported | status))
    report.cancelled += len(cancelled)
    report.lines += [_report_line(ROW_CANCELLED, row, "no longer in the file") for row in cancelled]


def _programme_order(row: StoredRow) -> tuple[Any, ...]:
    return row.values["start"] or LATEST_DATETIME, row.values["position"], row.values["title"], row.pk


def _report_line(verb: str, row: StoredRow, reason: str) -> ReportLine:
    return ReportLine(verb, row.values["title"], guid=str(row.guid), reason=reason)


EVENT_TABLE = next(table for table in SYNC_TABLES if table.model is Event)


def slot_changes(plan: TablePlan, targets: Mapping[str, Mapping[str, Any]]) -> dict[int, dict[str, Any]]:
    """Return changed days, hours, rooms, places and statuses by primary key; references as primary keys or unsaved rows."""
    refs = plan.table.refs
    changes = {}
    for row in plan.changed:
        shown = {name: row.apply[name] for name in (*SLOT_FIELDS, "status") if name in row.apply}
        if shown:
            changes[row.read.pk] = {
                name: targets[refs[name]][value] if name in refs and value else value for name, value in shown.items()
            }
    return changes


def without_foreign_refs(data: ScheduleData, conference: Conference, source: str) -> ScheduleData:
    """Return the data without people and papers that only events of other sources refer to.

    A file that also lists events of another source (known by guid) must not add their people a second time.
    """
    if not conference.pk:
        return data
    stored = Event.objects.filter(conference=conference).values_list("source", "source_key", "guid")
    source_keys = {key for origin, key, _ in stored if origin == source and key}
    foreign_guids = {guid for origin, key, guid in stored if origin != source or not key}
    foreign_keys = {
        event.key
        for event in data.events
        if event.guid and event.key not in source_keys and guid_of(EVENT_TABLE, event) in foreign_guids
    }
    if not foreign_keys:
        return data
    own = [event for event in data.events if event.key not in foreign_keys]
    foreign = [event for event in data.events if event.key in foreign_keys]
    awarded = {award.paper for award in data.awards}
    dropped_papers = {event.paper for event in foreign} - {event.paper for event in own} - awarded
    papers = [paper for paper in data.papers if paper.key not in dropped_papers]
    dropped_authors = {author for paper in data.papers if paper.key in dropped_papers for author in paper.authors}
    used_people = {author for paper in papers for author in paper.authors} | set(_person_keys(own))
    dropped_people = (dropped_authors | set(_person_keys(foreign))) - used_people
    return dataclasses.replace(
        data,
        people=tuple(person for person in data.people if person.key not in dropped_people),
        papers=tuple(papers),
        events=tuple(
            dataclasses.replace(event, people=(), paper="") if event.key in foreign_keys else event for event in data.events
        ),
    )


def _person_keys(events: Iterable[EventData]) -> Iterable[str]:
    return (appearance.person for event in events for appearance in event.people)
