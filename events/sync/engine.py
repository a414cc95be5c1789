"""Bring a conference's rows in step with a ScheduleData: idempotent, all or nothing, never deleting."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import IntegrityError, transaction

from events.importers.data import ScheduleData
from events.models import Conference
from events.sync.announcing import announce
from events.sync.clashes import new_clashes
from events.sync.conferences import ConferencePlan, plan_conference
from events.sync.lock import only_import_into
from events.sync.mentioned import without_mentioned
from events.sync.plan import Planner
from events.sync.report import SKIPPED, Line, Outdated, SyncError, SyncReport
from events.sync.tables import TABLES
from events.sync.vanished import cancel_vanished
from events.sync.watch import NOBODY, Watch
from events.sync.write import Writer


@dataclass(frozen=True)
class Wish:
    """What is to be taken in, from where, and how far it may go."""

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
    watch: Watch = NOBODY,
) -> SyncReport:
    """Write what the data says into its conference's rows, matched by key within ``source``.

    A row that vanished from the source is left alone, an event is cancelled instead. What an organiser edited by hand
    since the last import stays and is reported. ``dry_run`` tells what would happen and writes nothing.

    Reading and comparing hold nobody up; what differs is written in one transaction. Raises SyncError, with nothing
    written, when a value cannot be stored, when the conference is not there and may not be made, when another import into
    it is running, or when more than a fifth of its events would be cancelled without ``allow_cancel``.
    """
    wish = Wish(data, source, create, allow_cancel)
    if dry_run:
        return Import(wish, watch).report
    with only_import_into(data.conference.slug):
        try:
            return Import(wish, watch).write()
        except (Outdated, IntegrityError):
            # An organiser saved something meanwhile: once more, and this time they wait.
            return _at_one_go(wish, watch)


def _at_one_go(wish: Wish, watch: Watch) -> SyncReport:
    try:
        with transaction.atomic():
            # Read under the lock that every organiser's save takes.
            Conference.objects.select_for_update().filter(slug=wish.data.conference.slug).first()
            return Import(wish, watch).write()
    except IntegrityError as error:
        raise SyncError(f"The rows contradict each other or rows made by hand: {error}.") from error


class Import:
    """One look at file and rows: made, it has its report; written, so have the rows."""

    def __init__(self, wish: Wish, watch: Watch) -> None:
        self.source, self.watch = wish.source, watch
        skipped = [Line(SKIPPED, reason) for reason in wish.data.skipped]
        self.report = SyncReport(skipped=len(skipped), lines=skipped, warnings=list(wish.data.warnings))
        self.conference: ConferencePlan = plan_conference(wish.data.conference, wish.source, self.report, create=wish.create)
        self.planner = Planner(self.conference.row, wish.source, self.report)
        self._compare(without_mentioned(wish.data, self.conference.row, wish.source))
        cancel_vanished(
            self.planner.plans["events"],
            wish.source,
            [it.key for it in wish.data.events],
            self.report,
            allowed=wish.allow_cancel,
        )
        if not self.report.is_empty:
            self.report.clashes = new_clashes(self.planner.plans, self.planner.targets, self.conference.row.zone)

    def _compare(self, data: ScheduleData) -> None:
        done, total = 0, data.count()
        for table in TABLES:
            items = getattr(data, table.part)
            self.planner.plan(table, items)
            done += len(items)
            self.watch.progress("comparing", done, total)

    def write(self) -> SyncReport:
        plans = list(self.planner.plans.values())
        with transaction.atomic():
            self.conference.verify()
            writer = Writer(self.conference.row, self.source, self.planner.targets)
            for plan in plans:
                writer.verify(plan)
            self.conference.write()
            done, total = 0, sum(plan.size for plan in plans)
            for plan in plans:
                for count in writer.write(plan):
                    done += count
                    self.watch.progress("writing", done, total)
            if not self.report.is_empty:
                self.conference.row.bump()
                announce(self.conference, self.planner.plans)
            self.watch.written(self.report, self.conference.row)
        return self.report
