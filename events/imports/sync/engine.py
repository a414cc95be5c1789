"""Run an import: one at a time for each conference; plan, then write what readers see in one transaction."""

from __future__ import annotations

import fcntl
import os
import re
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.db import IntegrityError, connection, transaction

from events.core.db.writing import analyse_tables
from events.imports.sync.clashes import clashes_after_import
from events.imports.sync.conferences import ConferencePlan, plan_conference
from events.imports.sync.edits import ImportEdits
from events.imports.sync.foreign import NO_HANDOVER, ForeignEvents, without_foreign_refs
from events.imports.sync.hidden_rows import HiddenRows, remove_hidden_rows, slices_of_new_rows
from events.imports.sync.left_out import LeftOutEvents, with_stored_values
from events.imports.sync.plan import ImportPlanner, slot_changes
from events.imports.sync.plan_rows import TablePlan
from events.imports.sync.repeats import with_keys_of_rows
from events.imports.sync.report import NO_HOOKS, ROW_SKIPPED, ImportHooks, Outdated, ReportLine, SyncError, SyncReport
from events.imports.sync.tables import SYNC_TABLES
from events.imports.sync.write import IMPORT_BATCH_ROWS, ImportWriter, record_import_changes
from events.programme.data.schedule import ScheduleData
from events.programme.lifecycle import call_after_events_changed
from events.programme.models.changes import ChangeGroup, ChangeGroupKind
from events.programme.models.conference import Conference

IMPORT_TITLE = "Programme updated"
ADVISORY_LOCK_ID = 0x48616C6C
"""Distinguishes these locks from others in the same PostgreSQL database."""


@contextmanager
def import_lock(slug: str) -> Iterator[None]:
    """Lock imports into a conference; raise SyncError at once if another import has the lock.

    Both kinds of lock are released when the process ends, even if it is killed.
    """
    with _database_lock(slug) if connection.vendor == "postgresql" else _file_lock(slug):
        yield


@contextmanager
def _database_lock(slug: str) -> Iterator[None]:
    key = [ADVISORY_LOCK_ID, zlib.crc32(slug.encode()) - 2**31]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", key)
        if not cursor.fetchone()[0]:
            raise _busy_error(slug)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", key)


@contextmanager
def _file_lock(slug: str) -> Iterator[None]:
    path = _lock_path(slug)
    handle = _open_lock_file(path, slug)
    try:
        yield
    finally:
        # Delete before unlocking: a process with the old file open then sees that its path is gone.
        path.unlink(missing_ok=True)
        os.close(handle)


def _open_lock_file(path: Path, slug: str) -> int:
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            reason = f"“{path.name}” cannot be created beside the database ({error.strerror})"
            raise SyncError(f"No import can start: {reason}.") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(handle)
            raise _busy_error(slug) from error
        if _is_same_file(path, handle):
            return handle
        os.close(handle)


def _is_same_file(path: Path, handle: int) -> bool:
    """Return whether the path still names the open file: the previous import deletes it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _lock_path(slug: str) -> Path:
    database = Path(str(connection.settings_dict["NAME"]))
    name = f"{database.name}.import-{re.sub('[^a-z0-9-]', '_', slug.lower())[:60]}"
    folder = database.parent if database.is_file() else Path(tempfile.gettempdir())
    return folder / re.sub("[^A-Za-z0-9._-]", "_", name)


def _busy_error(slug: str) -> SyncError:
    return SyncError(f"Another import into “{slug}” is running: wait until it is done, then try again.")


@dataclass(frozen=True)
class ImportRequest:
    data: ScheduleData
    source: str
    create: bool
    allow_cancel: bool


def sync(
    data: ScheduleData,
    *,
    source: str,
    create: bool = True,
    dry_run: bool = False,
    allow_cancel: bool = False,
    hooks: ImportHooks = NO_HOOKS,
) -> SyncReport:
    """Write the data into the rows of its conference, matched by key within ``source``.

    Events missing from the data are cancelled; other missing rows stay, as do events that the file has and cannot be read.
    Fields edited by hand since the last import stay and are reported. A new conference is a draft, unless ``hooks.publish``.
    ``dry_run`` returns the report and writes nothing.

    Reading and comparing take no locks; the differences are written in one transaction. Raises SyncError, with nothing
    written, if a value cannot be stored, if the conference does not exist and ``create`` is false, if another import into
    it is running, or if more than a fifth of its events would be cancelled without ``allow_cancel``.
    """
    request = ImportRequest(data, source, create, allow_cancel)
    if dry_run:
        return ImportAttempt(request, hooks).report
    with import_lock(data.conference.slug):
        remove_hidden_rows(data.conference.slug)
        try:
            return ImportAttempt(request, hooks).write()
        except (Outdated, IntegrityError):
            # An organiser saved something meanwhile: try once more, with the lock that makes other saves wait.
            return _import_under_lock(request, hooks)


def _import_under_lock(request: ImportRequest, hooks: ImportHooks) -> SyncReport:
    try:
        with transaction.atomic():
            # Every save in the admin takes this lock too.
            Conference.objects.select_for_update().filter(slug=request.data.conference.slug).first()
            return ImportAttempt(request, hooks).write()
    except IntegrityError as error:
        raise SyncError(f"The rows contradict each other or rows made by hand: {error}.") from error


class ImportAttempt:
    """Plans on creation, which completes the report; ``write()`` writes the plan."""

    def __init__(self, request: ImportRequest, hooks: ImportHooks) -> None:
        data, source = request.data, request.source
        self.source, self.hooks = source, hooks
        skipped = [ReportLine(ROW_SKIPPED, reason) for reason in data.skipped]
        self.report = SyncReport(skipped=len(skipped), lines=skipped, warnings=list(data.warnings))
        stored = Conference.objects.filter(slug=data.conference.slug).first()
        foreign = ForeignEvents.find(data, stored, source)
        handover = foreign.handover() if hooks.hand_over else NO_HANDOVER
        conference_pk, sources = stored.pk if stored else None, {source, handover.former} - {""}
        data = with_stored_values(with_keys_of_rows(data, conference_pk, sources), conference_pk, sources)
        self.report.warnings += [handover.note(source)] if handover.former else []
        self.report.warnings += foreign.notes(handover)
        self.conference: ConferencePlan = plan_conference(
            data, source, self.report, former=handover.former, create=request.create, publish=hooks.publish
        )
        self.planner = ImportPlanner(self.conference.row, source, self.report, handover)
        self.writer = ImportWriter(self.conference.row, source, self.planner.targets)
        self._plan(without_foreign_refs(data, set().union(*foreign.left(handover).values())))
        event_keys = [event.key for event in data.events]
        self.planner.cancel_missing(event_keys, LeftOutEvents(data.left_out), allowed=request.allow_cancel)
        self.report.slot_changes = slot_changes(self.planner.plans["events"], self.planner.targets)
        if not self.report.is_empty:
            self.report.clashes = clashes_after_import(self.planner.plans, self.planner.targets, self.conference.row.zone)

    def _plan(self, data: ScheduleData) -> None:
        done, total = 0, data.count()
        for table in SYNC_TABLES:
            items = getattr(data, table.part)
            self.planner.plan(table, items)
            done += len(items)
            self.hooks.progress("comparing", done, total)

    def write(self) -> SyncReport:
        plans = list(self.planner.plans.values())
        progress = _Progress(self.hooks, sum(plan.size for plan in plans))
        row, targets = self.conference.row, self.planner.targets
        with slices_of_new_rows(row, self.source, targets, plans) as slices:
            if slices:
                for plan in plans:
                    progress.follow(slices.create(plan))
            for plan in plans:
                self.writer.compose(plan)
            # A conference that a large import made is deleted as a whole: a list of all its rows would take long to write.
            edits = None if slices and self.conference.is_new else ImportEdits(self.conference, self.planner.plans, self.writer)
            with transaction.atomic():
                self._write(plans, slices, progress, edits)
        if progress.done >= IMPORT_BATCH_ROWS:
            analyse_tables(model for table in SYNC_TABLES for model in table.models)
        return self.report

    def _write(
        self, plans: Sequence[TablePlan], slices: HiddenRows | None, progress: _Progress, edits: ImportEdits | None
    ) -> None:
        writer = self.writer
        self.conference.verify()
        for plan in plans:
            writer.verify(plan)
        if slices:
            slices.publish(self.conference)
        else:
            self.conference.write()
        for plan in plans:
            writer.park(plan)
            if slices:
                slices.move(plan)
            else:
                progress.follow(writer.create(plan))
            progress.follow(writer.change(plan))
        if not self.report.is_empty:
            self.conference.row.bump_revision()
            self.report.group = self._record_group(slices, edits)
        self.hooks.on_written(self.report, self.conference.row)

    def _record_group(self, slices: HiddenRows | None, edits: ImportEdits | None) -> ChangeGroup:
        """One entry for attendees, and what the undo of this import needs."""
        conference, plans, hooks = self.conference.row, self.planner.plans, self.hooks
        values = {"kind": ChangeGroupKind.IMPORT, "title": IMPORT_TITLE, "note": hooks.reason, "by": hooks.by}
        group = ChangeGroup.objects.create(conference=conference, edits=edits.complete() if edits else {}, **values)
        if slices and slices.has_snapshots:
            call_after_events_changed(conference.pk)
        else:
            record_import_changes(self.conference, plans, hooks.reason, group)
        return group


@dataclass
class _Progress:
    hooks: ImportHooks
    total: int
    done: int = 0

    def follow(self, counts: Iterable[int]) -> None:
        for count in counts:
            self.done += count
            self.hooks.progress("writing", self.done, self.total)
