"""Taking back what an import or a bulk action did, as long as its rows are as it left them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from events.imports.sync.edits import CONFERENCE, TABLES, conference_digest, row_digest
from events.imports.sync.engine import import_lock
from events.imports.sync.foreign import EVENT_TABLE
from events.imports.sync.plan_rows import ChangedRow, StoredRow, TablePlan, chunks, stored_rows
from events.imports.sync.report import SLOT_FIELDS, differences_of
from events.imports.sync.tables import SYNC_TABLES, SyncTable
from events.imports.sync.write import ImportWriter
from events.programme.models.changes import Change, ChangeGroup, ChangeGroupKind
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Status

MAX_NAMED_ROWS = 5
MAX_NAMED_FIELDS = 2


class UndoRefusedError(Exception):
    """It cannot be taken back; the message says why."""


def changed_since(group: ChangeGroup) -> list[str]:
    """Name the rows that are not as the group left them."""
    conference = group.conference
    names = []
    for table, edits in _tables(group.edits):
        stored = stored_rows(table, conference, [int(pk) for pk in edits])
        names += [_row_name(table, stored.get(int(pk)), pk) for pk, edit in edits.items() if _differs(stored.get(int(pk)), edit)]
    if CONFERENCE in group.edits and conference_digest(conference) != group.edits[CONFERENCE]["after"]:
        names.append(f"conference “{conference}”")
    return names


def _tables(edits: Mapping[str, Any]) -> Iterator[tuple[SyncTable, dict[str, Any]]]:
    return ((table, edits[table.part]) for table in SYNC_TABLES if table.part in edits)


def _differs(row: StoredRow | None, edit: Mapping[str, Any]) -> bool:
    return row is None or row_digest(row) != edit["after"]


def _row_name(table: SyncTable, row: StoredRow | None, pk: str) -> str:
    label = " ".join(str(row.values[name]) for name in table.label if row and row.values.get(name)) or f"number {pk}"
    return f"{table.row_label} “{label}”"


def undo(group: ChangeGroup, *, by: str = "") -> ChangeGroup:
    """Restore the values from before, as one more group of changes. Raise UndoRefusedError if that would lose a later edit."""
    with import_lock(group.conference.slug), transaction.atomic():
        # Every save in the admin takes this lock too.
        conference = Conference.objects.select_for_update().get(pk=group.conference_id)
        group = ChangeGroup.objects.select_for_update().select_related("conference").get(pk=group.pk)
        check_undo(group)
        undone = ChangeGroup.objects.create(
            conference=conference, kind=ChangeGroupKind.UNDO, title=f"Taken back: {group.title}"[:200], by=by
        )
        _restore(conference, group.edits)
        removed = _remove_new_rows(conference, group.edits)
        conference.bump_revision()
        conference.events.record_changes(group=undone)
        if removed:
            ChangeGroup.objects.filter(pk=undone.pk).update(is_public=True, note=_removed_text(removed))
        ChangeGroup.objects.filter(pk=group.pk).update(undone_at=timezone.now())
    return undone


def check_undo(group: ChangeGroup) -> None:
    if group.undone_at:
        raise UndoRefusedError("It was taken back already.")
    if not group.edits:
        raise UndoRefusedError("This cannot be taken back here: change or delete what it made.")
    if names := changed_since(group):
        more = f" and {len(names) - MAX_NAMED_ROWS} more" if len(names) > MAX_NAMED_ROWS else ""
        changed = f"{', '.join(names[:MAX_NAMED_ROWS])}{more}"
        later, remedy = _last_change(group) if len(names) == 1 else ("", "")
        remedy = remedy or "Take the later change back first."
        raise UndoRefusedError(f"Changed again later, which would be lost: {changed}{later}. {remedy}")


def _last_change(group: ChangeGroup) -> tuple[str, str]:
    """Return the last change of the row that was changed since, as its history has it, and how to take it back."""
    for table, edits in _tables(group.edits):
        stored = stored_rows(table, group.conference, [int(pk) for pk in edits]) if table.has_history else {}
        for pk, row in stored.items():
            if _differs(row, edits[str(pk)]):
                return _last_change_text(table, pk, group)
    return "", ""


def _last_change_text(table: SyncTable, pk: int, group: ChangeGroup) -> tuple[str, str]:
    last = table.model.history.filter(id=pk).order_by("history_date", "history_id").last()
    before = last.prev_record if last else None
    if before is None or last.history_date <= group.at:
        return "", ""
    changes = last.diff_against(before, foreign_keys_are_objs=True).changes
    pairs = {change.field: (change.old, change.new) for change in changes if change.field in table.columns}
    shown = differences_of(table.model, pairs, group.conference.zone)
    if not shown:
        return "", ""
    who = f", by {last.history_user}" if last.history_user else ""
    later = "; ".join(f"{each.field}: “{each.old}” → “{each.new}”" for each in shown[:MAX_NAMED_FIELDS])
    remedy = f"Write “{shown[0].old}” again" if len(shown) == 1 and shown[0].old else "Write the former values again"
    return f" ({later}{who})", f"{remedy}, or take back the later change first."


def slots_before(group: ChangeGroup) -> dict[int, dict[str, Any]]:
    """By event: the day, hours, room, place and status that an undo would restore. New events count as cancelled."""
    edits = {int(pk): edit["before"] for pk, edit in group.edits.get(EVENT_TABLE.part, {}).items()}
    new = [pk for pk, before in edits.items() if before is None]
    shown = (Event.objects.filter(pk__in=some).exclude(status=Status.DRAFT).values_list("pk", flat=True) for some in chunks(new))
    cancelled = {pk: {"status": Status.CANCELLED.value} for pks in shown for pk in pks}
    return cancelled | {pk: _slot_before(before["values"]) for pk, before in edits.items() if before is not None}


def _slot_before(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _read(EVENT_TABLE, name, values[name]) for name in (*SLOT_FIELDS, "status") if name in values}


def _removed_text(removed: int) -> str:
    return "1 event is no longer in the programme." if removed == 1 else f"{removed} events are no longer in the programme."


class _PrimaryKeys(dict[str, Any]):
    """Rows of an import are found by their keys; here a reference is a primary key already."""

    def __missing__(self, key: Any) -> Any:
        return key


def _restore(conference: Conference, edits: Mapping[str, Any]) -> None:
    try:
        with transaction.atomic():
            _restore_conference(conference, edits)
            _restore_rows(conference, edits)
    except IntegrityError as error:
        raise UndoRefusedError("A later row has a name or a place that would come back: rename that one first.") from error


def _restore_conference(conference: Conference, edits: Mapping[str, Any]) -> None:
    if CONFERENCE not in edits:
        return
    for name, value in edits[CONFERENCE]["before"].items():
        field: Any = Conference._meta.get_field(name)
        setattr(conference, name, field.to_python(value))
    conference.save()


def _restore_rows(conference: Conference, edits: Mapping[str, Any]) -> None:
    writer = ImportWriter(conference, "", {part: _PrimaryKeys() for part in TABLES})
    for table, of_table in _tables(edits):
        pks = [int(pk) for pk, edit in of_table.items() if edit["before"] is not None]
        stored = stored_rows(table, conference, pks)
        changed = [_restored(table, stored[pk], of_table[str(pk)]["before"]) for pk in pks]
        natural = table.natural[-1] if table.natural and table.natural[-1] not in table.refs else ""
        parked = [row.read.pk for row in changed if natural in row.apply]
        plan = TablePlan(table, stored, changed=changed, parked=parked)
        writer.compose(plan)
        writer.park(plan)
        for _ in writer.change(plan):
            pass


def _restored(table: SyncTable, row: StoredRow, before: Mapping[str, Any]) -> ChangedRow:
    values = {name: _read(table, name, value) for name, value in before["values"].items()}
    return ChangedRow(row, before["key"], values, before["imported"], source=before["source"])


def _read(table: SyncTable, name: str, value: Any) -> Any:
    if name in table.refs or name in table.children:
        return value
    field: Any = table.model._meta.get_field(name)
    return field.to_python(value)


def _remove_new_rows(conference: Conference, edits: Mapping[str, Any]) -> int:
    """Delete new rows that nothing refers to; cancel events that somebody has. Return how many public events are gone."""
    gone = 0
    for table, of_table in reversed(list(_tables(edits))):
        new = [int(pk) for pk, edit in of_table.items() if edit["before"] is None]
        for pks in _unreferenced(table, new):
            rows = table.model.objects.filter(conference=conference, pk__in=pks)
            gone += rows.exclude(announced={}).count() if table is EVENT_TABLE else 0
            rows.delete()
        if table is EVENT_TABLE:
            _cancel(conference, new)
    return gone


def _unreferenced(table: SyncTable, pks: Sequence[int]) -> Iterator[list[int]]:
    """In rounds: sessions are referred to by talks until those are gone."""
    left = list(pks)
    while left:
        free = [pk for some in chunks(left) for pk in _without_references(table, some).values_list("pk", flat=True)]
        if not free:
            return
        yield free
        left = [pk for pk in left if pk not in set(free)]


def _without_references(table: SyncTable, pks: Sequence[int]) -> QuerySet[Any]:
    own = {Change, *(child.model for child in table.children.values())}
    rows: QuerySet[Any] = table.model.objects.filter(pk__in=pks)
    for relation in table.model._meta.related_objects:
        if relation.related_model not in own:
            rows = rows.exclude(Exists(relation.related_model._base_manager.filter(**{relation.field.name: OuterRef("pk")})))
    return rows


def _cancel(conference: Conference, pks: Sequence[int]) -> None:
    for some in chunks(pks):
        for event in Event.objects.filter(conference=conference, pk__in=some).exclude(
            status__in=[Status.CANCELLED, Status.DRAFT]
        ):
            event.status = Status.CANCELLED
            event.save_changed()
