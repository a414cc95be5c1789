"""Planning of an import, without writing: new and changed rows of each table, and events missing from the file."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from django.db.models import Model

from events.imports.sync.checks import check_key, check_times, check_values, resolve_unique
from events.imports.sync.foreign import EVENT_TABLE, NO_HANDOVER, SourceHandover
from events.imports.sync.left_out import LeftOutEvents
from events.imports.sync.match import DefaultZone, RowMatcher, assign_guids, guid_of
from events.imports.sync.merge import EMPTY_VALUES, MergeResult, as_json, three_way_merge
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
from events.imports.sync.tables import TIME_FIELDS, SyncTable
from events.programme.data.schedule import is_title_key
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Status

MAX_CANCELLED_SHARE = 0.2
HIDDEN_OR_CANCELLED = frozenset({Status.CANCELLED, Status.DRAFT})
NAMED_PARTS = frozenset({"days", "types", "tracks", "rooms", "people", "papers"})
"""Parts of which the report names what is new."""
MAX_NAMED_NEW_ROWS = 50
LATEST_DATETIME = dt.datetime.max.replace(tzinfo=dt.UTC)


class ImportPlanner:
    """``targets`` has, by part and key, the rows that later tables refer to: primary keys or unsaved rows.

    ``renamed`` has, by source and part, the keys of this file for rows that had another one in the last file. Rows of the
    ``handover``'s former source become rows of ``source``.
    """

    def __init__(self, conference: Conference, source: str, report: SyncReport, handover: SourceHandover = NO_HANDOVER) -> None:
        self.conference, self.source, self.report, self.handover = conference, source, report, handover
        is_of_one_year = conference.start.year == conference.end.year
        self.row_titles = RowTitles(conference.zone, conference.start.year if is_of_one_year else None)
        self.targets: dict[str, dict[str, Any]] = {}
        self.keys: dict[str, dict[int, str]] = {}
        self.renamed: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
        self._silent: set[str] = set()
        self.plans: dict[str, TablePlan] = {}
        self.default_zone = DefaultZone(conference, self.plans, report)

    def plan(self, table: SyncTable, items: Sequence[Any]) -> TablePlan:
        stored = stored_rows(table, self.conference) if self.conference.pk else {}
        plan = self.plans[table.part] = TablePlan(table, stored)
        self.targets[table.part] = {row.key: pk for pk, row in stored.items() if row.key and row.source == self.source}
        self.keys[table.part] = {pk: row.key for pk, row in stored.items()}
        for pk, row in stored.items():
            self._learn_title(table, row, row.key or f"#{pk}")
        matcher = RowMatcher(table, self.source, stored, items, former=self.handover.former)
        self._silent = silent_fields(table, items) if self.handover.former else set()
        for generation in self._generations(table, items):
            new: list[NewRow] = []
            for item in generation:
                self._plan_item(plan, matcher, item, new)
            plan.new.append(new)
        if table.model is not Event:
            self._hand_over_rest(plan)
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
            self.renamed[row.source][table.part][row.key] = item.key
            self._learn_title(table, row, item.key)
        if match.is_writable:
            self._plan_matched_row(plan, row, item.key, values)
        elif table.model is Event:
            self.report.elsewhere += 1

    def _hand_over_rest(self, plan: TablePlan) -> None:
        """Hand over the rows of the former source that are not in the file, unchanged."""
        matched = {changed.read.pk for changed in plan.changed}
        for row in plan.stored.values():
            if self.handover.includes(row) and row.pk not in matched:
                key = self.handover.key(row)
                self.renamed[row.source][plan.table.part][row.key] = self.keys[plan.table.part][row.pk] = key
                plan.changed.append(ChangedRow(row, key, {}, self._last(plan.table, row)))

    def _last(self, table: SyncTable, row: StoredRow) -> dict[str, Any]:
        """Return the values of the last import; without fields that a former source had and this file has nowhere."""
        last = renamed_refs(table, row.imported, self.renamed[row.source])
        return {name: value for name, value in last.items() if name not in self._silent} if row.source != self.source else last

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
        columns = {name: value for name, value in values.items() if name in table.columns and name not in table.refs}
        imported = {"imported": remembered, "source": self.source, "source_key": item.key}
        row = table.model(conference=self.conference, **imported, **columns)
        for name in table.refs.keys() & values.keys():
            set_reference(row, name, self.target(table, name, values[name]))
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
        last = self._last(table, row)
        if table.model is not Event and "position" in values and self.handover.includes(row):
            # Another format lists its rows in another order: ours stays.
            last["position"] = None
        merged = three_way_merge(last, values, current, table.together)
        self._report(plan, row, ROW_KEPT, self._kept(table, row, merged, current, values))
        is_written = merged.apply or (table.model is not Event and row.source not in {"", self.source})
        self._count(table, "changed" if is_written else "unchanged")
        if not merged.apply and merged.remembered == row.imported and row.key == key and row.source == self.source:
            return
        check_key(table, key)
        self._check_changes(table, row, key, merged)
        self._report(plan, row, ROW_CHANGED, {name: (current[name], value) for name, value in merged.apply.items()})
        plan.changed.append(ChangedRow(row, key, merged.apply, merged.remembered))

    def _kept(
        self, table: SyncTable, row: StoredRow, merged: MergeResult, current: Mapping[str, Any], values: Mapping[str, Any]
    ) -> dict[str, tuple[Any, Any]]:
        """Add the rest of an event's time to a part of it that stays: the report names it as a whole."""
        protected = {name: pair for name, pair in merged.protected.items() if not _is_unsaid(table, row, name, pair[1])}
        times = TIME_FIELDS if table.model is Event and protected.keys() & set(TIME_FIELDS) else ()
        return protected | {name: (current[name], values[name]) for name in times}

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
        if plan.table.part in NAMED_PARTS and (rows := list(plan.new_rows())):
            names = [self.row_titles.title(plan.table, new.values) for new in rows[:MAX_NAMED_NEW_ROWS]]
            self.report.made.append({"part": plan.table.part, "count": len(rows), "names": names})
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

    def cancel_missing(self, keys: Collection[str], left_out: LeftOutEvents, *, allowed: bool) -> None:
        """Plan to cancel the source's events that are not among ``keys``; those that the file has and cannot be read stay.

        Raise TooManyCancelledError for more than a fifth of the source's events, unless ``allowed``.
        """
        plan = self.plans[EVENT_TABLE.part]
        of_source = [
            row for row in plan.stored.values() if (row.source == self.source and row.key) or self.handover.includes(row)
        ]
        # A missing draft stays a draft: cancelling it would show it.
        missing = [row for row in self._missing(plan, of_source, set(keys)) if row.values["status"] not in HIDDEN_OR_CANCELLED]
        missing.sort(key=_programme_order)
        in_file = {row.pk: event for row in missing if (event := left_out.find(row))}
        for row in missing:
            if row.pk in in_file and not in_file[row.pk].is_hidden:
                self._report_missing(ROW_KEPT, row, f"in the file, {in_file[row.pk].reason}")
        missing = [row for row in missing if row.pk not in in_file or in_file[row.pk].is_hidden]
        cancelled = [row for row in missing if row.imported.get("status") != Status.CANCELLED]
        for row in missing:
            if row.imported.get("status") == Status.CANCELLED:
                self._report_missing(ROW_KEPT, row, f"stays “{row.values['status']}”, the file no longer has it")
        if len(cancelled) > MAX_CANCELLED_SHARE * len(of_source) and not allowed:
            raise TooManyCancelledError(len(cancelled), len(of_source), cancelled[0].values["title"])
        new_events = _new_events_by_slot(plan, self.targets["rooms"])
        for row in cancelled:
            # Stored as imported, so that the event's return in a later file does not look like an edit by hand.
            status = {"status": Status.CANCELLED.value}
            key = row.key if row.source == self.source else self.handover.key(row)
            plan.changed.append(ChangedRow(row, key, dict(status), self._last(EVENT_TABLE, row) | status))
            hidden = in_file.get(row.pk)
            reason = f"in the file, {hidden.reason}" if hidden else f"no longer in the file{_successor_text(row, new_events)}"
            self._report_missing(ROW_CANCELLED, row, reason)
        self.report.cancelled += len(cancelled)
        self._hand_over_rest(plan)

    def _missing(self, plan: TablePlan, of_source: Sequence[StoredRow], in_file: Collection[str]) -> list[StoredRow]:
        """Return the rows that are not in the file; a former source's key may be that of another row here."""
        matched = {changed.read.pk for changed in plan.changed}
        return [row for row in of_source if row.pk not in matched and (row.source != self.source or row.key not in in_file)]

    def _report_missing(self, verb: str, row: StoredRow, reason: str) -> None:
        slot = self._slot(EVENT_TABLE, row, {})
        self.report.lines.append(ReportLine(verb, row.values["title"], guid=str(row.guid), reason=reason, slot=slot))

    def _count(self, table: SyncTable, what: str) -> None:
        if table.model is Event:
            setattr(self.report, what, getattr(self.report, what) + 1)
        elif what != "unchanged":
            self.report.other_rows += 1


def silent_fields(table: SyncTable, items: Sequence[Any]) -> set[str]:
    """Return the fields that are empty in each item, as those are that the format does not have."""
    spoken = {name for item in items for name, value in table.values(item).items() if value not in EMPTY_VALUES}
    return set(table.fields) - spoken


def _is_unsaid(table: SyncTable, row: StoredRow, name: str, value: Any) -> bool:
    """Whether a file need not say this to have it: the order of its rows, or the default of a field, as last time."""
    default = table.defaults.get(name)
    return name == "position" or (table.model is not Event and value == default == row.imported.get(name, default))


Slot = tuple[dt.datetime | None, int | None, str]
SAME_EVENT_REMEDY = (
    ": if it is the same event, give it this title here before you import the file; "
    "with a column “ID” in the file it is recognised under any title"
)


def _new_events_by_slot(plan: TablePlan, rooms: Mapping[str, Any]) -> dict[Slot, list[Any]]:
    """Return the new events with start and place, without those in rooms that are new too."""
    found: dict[Slot, list[Any]] = defaultdict(list)
    for new in plan.new_rows():
        start, room, place = new.values["start"], rooms.get(new.values["room"]), new.values["place"]
        if start and (room or place) and not isinstance(room, Model):
            found[start, room, place].append(new.row)
    return found


def _successor_text(row: StoredRow, new_events: Mapping[Slot, Sequence[Any]]) -> str:
    """Name the new event that alone takes the row's place: it may be the same one under another title."""
    same_slot = new_events.get((row.values["start"], row.values["room"], row.values["place"]), ())
    if len(same_slot) != 1:
        return ""
    text = f"; “{same_slot[0].title}” is new at the same time in the same room"
    return text + SAME_EVENT_REMEDY if is_title_key(row.key, same_slot[0].source_key) else text


def _programme_order(row: StoredRow) -> tuple[Any, ...]:
    return row.values["start"] or LATEST_DATETIME, row.values["position"], row.values["title"], row.pk


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
