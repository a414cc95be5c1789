"""Bring a conference's rows in step with a ScheduleData: idempotent, all or nothing, never deleting."""

from __future__ import annotations

import dataclasses

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from events.importers.data import ConferenceData, ScheduleData
from events.models import Conference, Event, Status
from events.sync.merge import merge
from events.sync.report import Difference, Line, SyncError, SyncReport
from events.sync.rows import RowWriter
from events.sync.tables import TABLES
from events.sync.watch import NOBODY, Watch

MOST_CANCELLED = 0.2


def sync(
    data: ScheduleData,
    *,
    source: str,
    create: bool = True,
    dry_run: bool = False,
    allow_cancel: bool = False,
    watch: Watch = NOBODY,
) -> SyncReport:
    """Write what the data says into its conference's rows, matched by key within ``source``.

    A row that vanished from the source is left alone, an event is cancelled instead. What an organiser edited by hand
    since the last import stays and is reported. ``dry_run`` tells what would happen and writes nothing.

    Raises SyncError, with nothing written, when a value cannot be stored, when the conference is not there and may not
    be made, or when more than a fifth of its events would be cancelled without ``allow_cancel``.
    """
    report = SyncReport(skipped=len(data.skipped), warnings=list(data.warnings))
    report.lines += [Line("skipped", reason) for reason in data.skipped]
    try:
        with transaction.atomic():
            known = watch.clashes_now(data.conference.slug)
            conference = _conference(data.conference, source, create, report)
            first_time = not conference.events.exists()
            writer = RowWriter(conference, source, report)
            for table in TABLES:
                writer.write(table, getattr(data, table.part))
            _cancel_vanished(conference, source, data, report, allow_cancel)
            if not report.is_empty:
                conference.bump()
                conference.events.all().announce(quiet=first_time)
            report.clashes = watch.new_clashes(data.conference.slug, known)
            watch.written(report, conference)
            transaction.set_rollback(dry_run)
    except IntegrityError as error:
        raise SyncError(f"The rows contradict each other or rows made by hand: {error}.") from error
    return report


def _conference(data: ConferenceData, source: str, create: bool, report: SyncReport) -> Conference:
    values = dataclasses.asdict(data)
    conference = Conference.objects.select_for_update().filter(slug=data.slug).first()
    if conference is None and not create:
        raise SyncError(f"There is no conference “{data.slug}”: make it first, or allow the import to.")
    if conference and conference.source not in {"", source}:
        # What is said about it is for the source that brought it.
        return conference
    row = conference or Conference()
    # A new row has nothing that a hand could have edited.
    current = {name: getattr(row, name) for name in values} if conference else dict.fromkeys(values)
    outcome = merge(row.imported, values, current)
    if outcome.kept:
        kept = tuple(Difference(name, str(mine), str(theirs)) for name, (mine, theirs) in outcome.kept.items())
        report.lines.append(Line("kept", str(row), "conference", differences=kept))
    if outcome.apply or outcome.remembered != row.imported:
        for name, value in outcome.apply.items():
            setattr(row, name, value)
        row.imported, row.source, row.source_key = outcome.remembered, source, data.slug
        _save_valid(row)
        report.other_rows += bool(outcome.apply)
    return row


def _save_valid(conference: Conference) -> None:
    try:
        conference.clean_fields()
    except ValidationError as error:
        raise SyncError(
            "; ".join(f"conference, {name}: {' '.join(texts)}" for name, texts in error.message_dict.items())
        ) from error
    conference.save()


def _cancel_vanished(conference: Conference, source: str, data: ScheduleData, report: SyncReport, allow: bool) -> None:
    mine = conference.events.filter(source=source).exclude(source_key="")
    vanished = mine.exclude(source_key__in=[event.key for event in data.events])
    # A draft that vanished stays what it is: cancelling it would show it.
    shown = list(vanished.exclude(status__in=[Status.CANCELLED, Status.DRAFT]).in_order())
    restored = [event for event in shown if event.imported.get("status") == Status.CANCELLED]
    for event in restored:
        report.lines.append(Line("kept", str(event), guid=str(event.guid), reason="stays, the file no longer has it"))
    gone: list[Event] = [event for event in shown if event not in restored]
    if not gone:
        return
    if len(gone) > MOST_CANCELLED * mine.count() and not allow:
        raise SyncError(
            f"{len(gone)} of {mine.count()} events are missing from the file; cancelling so many needs --allow-cancel. "
            f"The first is “{gone[0]}”."
        )
    for event in gone:
        event.status = Status.CANCELLED
        # Remembered as ours, so that its return in a later file is no quarrel with an organiser's hand.
        event.imported["status"] = Status.CANCELLED.value
        event.save()
        report.cancelled += 1
        report.lines.append(Line("cancelled", str(event), guid=str(event.guid), reason="no longer in the file"))
