"""New rows of a large import on SQLite: written in slices into a hidden conference, and moved from there at once.

SQLite has one writer at a time, so that a single transaction for everything would refuse bookmarks meanwhile.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction
from django.utils import timezone
from simple_history.utils import get_history_manager_for_model

from events.core.db.bulk import delete_rows, insert_rows
from events.core.db.writing import in_slices, pause_for_writers, update_rows
from events.imports.sync.conferences import ConferencePlan
from events.imports.sync.plan_rows import TablePlan, chunks
from events.imports.sync.report import Outdated
from events.imports.sync.tables import SYNC_TABLES, SyncTable
from events.imports.sync.write import ImportWriter
from events.programme.models.conference import HIDDEN_SOURCE, Conference, ConferenceStatus
from events.programme.models.event import Event

MIN_SLICED_ROWS = 2000
"""Fewer new rows are written within half a second."""
ROWS_PER_REMOVAL = 500
EVENTS_PER_STEP = 250


@contextmanager
def slices_of_new_rows(
    conference: Conference, source: str, targets: Mapping[str, Mapping[str, Any]], plans: Sequence[TablePlan]
) -> Iterator[HiddenRows | None]:
    """Yield where to write the new rows of a large import first; None where they are written with everything else."""
    rows = sum(len(generation) for plan in plans for generation in plan.new)
    if connection.vendor != "sqlite" or connection.in_atomic_block or rows < MIN_SLICED_ROWS:
        yield None
        return
    try:
        yield HiddenRows(conference, source, targets, has_snapshots=_are_all_new(plans))
    except BaseException:
        remove_hidden_rows(conference.slug)
        raise


def _are_all_new(plans: Sequence[TablePlan]) -> bool:
    """Whether nothing that the new events show is changed with them, and no former event shows them."""
    return not any(row.apply for plan in plans for row in plan.changed) and not any(
        plan.stored for plan in plans if plan.table.model is Event
    )


class HiddenRows:
    """``has_snapshots``: the published snapshots of events are stored with the rows, not after the move."""

    def __init__(
        self, conference: Conference, source: str, targets: Mapping[str, Mapping[str, Any]], *, has_snapshots: bool
    ) -> None:
        self.conference, self.has_snapshots = conference, has_snapshots
        self._hidden = _hidden_conference(conference)
        self._writer = ImportWriter(self._hidden, source, targets, history=conference.pk)

    def create(self, plan: TablePlan) -> Iterator[int]:
        yield from in_slices(self._writer.create(plan))
        if plan.table.model is Event and self.has_snapshots:
            pks = [new.row.pk for new in plan.new_rows()]
            # Not counted as rows.
            yield from (0 for _ in in_slices(self._store_snapshots(pks)))
        if plan.size:
            pause_for_writers()

    def _store_snapshots(self, pks: Sequence[int]) -> Iterator[int]:
        for some in chunks(pks, EVENTS_PER_STEP):
            events = Event.objects.filter(pk__in=some).order_by("pk").read_for_snapshots()
            for event in events:
                # As attendees will see the event when it is moved.
                event.conference = self.conference
                event.announced, event.revised_at = event.public_snapshot(), timezone.now()
            update_rows(Event, events, ["announced", "revised_at"])
            yield len(some)

    def publish(self, conference: ConferencePlan) -> None:
        """Write the conference; a new one takes the place of the hidden one, and no row has to be moved."""
        if conference.is_new:
            conference.row.pk = self._hidden.pk
        conference.write()
        if conference.is_new:
            Conference.history.filter(id=self._hidden.pk).update(history_type="+")

    def move(self, plan: TablePlan) -> None:
        """Give the rows of a table to their conference; raise Outdated if somebody deleted one of them."""
        rows = plan.table.model.objects.filter(conference=self._hidden)
        is_moved = self.conference.pk == self._hidden.pk
        if (rows.count() if is_moved else rows.update(conference=self.conference)) != sum(map(len, plan.new)):
            raise Outdated
        if plan.table is SYNC_TABLES[-1] and not is_moved:
            _remove_conference(self._hidden)


def _hidden_conference(conference: Conference) -> Conference:
    row = Conference(
        slug=f"import-{uuid.uuid4().hex}",
        name=f"{conference.name[:60]} (import in progress)",
        timezone=conference.timezone,
        start=conference.start,
        end=conference.end,
        status=ConferenceStatus.DRAFT,
        source=HIDDEN_SOURCE,
        # The key is the address of the conference that gets the rows.
        source_key=conference.slug,
    )
    with transaction.atomic():
        insert_rows(Conference, [row])
    return row


def remove_hidden_rows(slug: str) -> None:
    """Remove what a failed or killed import of this conference left. The caller has the lock of its imports."""
    for hidden in Conference.objects.filter(source=HIDDEN_SOURCE, source_key=slug):
        for table in reversed(SYNC_TABLES):
            while _remove_some(table, hidden):
                pause_for_writers()
        with transaction.atomic():
            _remove_conference(hidden)


def _remove_some(table: SyncTable, hidden: Conference) -> bool:
    with transaction.atomic():
        # Parts of a session come after it.
        rows = table.model.objects.filter(conference=hidden).order_by("-pk")
        pks = list(rows.values_list("pk", flat=True)[:ROWS_PER_REMOVAL])
        for child in table.children.values():
            delete_rows(child.model, f"{child.owner}_id", pks)
        if table.has_history:
            delete_rows(get_history_manager_for_model(table.model).model, "id", pks)
        delete_rows(table.model, "id", pks)
    return bool(pks)


def _remove_conference(hidden: Conference) -> None:
    Conference.objects.filter(pk=hidden.pk).delete()
    Conference.history.filter(id=hidden.pk).delete()
