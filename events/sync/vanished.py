"""Events that the file no longer has: cancelled, never deleted, and not too many at once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from typing import Any

from events.models import Status
from events.sync.report import CANCELLED, KEPT, Line, SyncReport, TooManyCancelledError
from events.sync.steps import ChangedRow, TablePlan
from events.sync.stored import StoredRow

MOST_CANCELLED = 0.2
FAR = dt.datetime.max.replace(tzinfo=dt.UTC)


def cancel_vanished(plan: TablePlan, source: str, keys: Collection[str], report: SyncReport, *, allowed: bool) -> None:
    """Plan to cancel what the source had and has no more; raises TooManyCancelledError unless so many are allowed."""
    named = set(keys)
    taken = {it.read.pk for it in plan.changed}
    mine = [row for row in plan.stored.values() if row.source == source and row.key]
    vanished = [row for row in mine if row.key not in named and row.pk not in taken]
    # A draft that vanished stays what it is: cancelling it would show it.
    shown = sorted((row for row in vanished if row.values["status"] not in {Status.CANCELLED, Status.DRAFT}), key=_order)
    gone = [row for row in shown if row.imported.get("status") != Status.CANCELLED]
    restored = [row for row in shown if row.imported.get("status") == Status.CANCELLED]
    report.lines += [_line(KEPT, row, f"stays “{row.values['status']}”, the file no longer has it") for row in restored]
    if len(gone) > MOST_CANCELLED * len(mine) and not allowed:
        raise TooManyCancelledError(len(gone), len(mine), gone[0].values["title"])
    for row in gone:
        # Remembered as ours, so that its return in a later file is no quarrel with an organiser's hand.
        status = {"status": Status.CANCELLED.value}
        plan.changed.append(ChangedRow(row, row.key, dict(status), row.imported | status))
    report.cancelled += len(gone)
    report.lines += [_line(CANCELLED, row, "no longer in the file") for row in gone]


def _order(row: StoredRow) -> tuple[Any, ...]:
    return row.values["start"] or FAR, row.values["position"], row.values["title"], row.pk


def _line(verb: str, row: StoredRow, reason: str) -> Line:
    return Line(verb, row.values["title"], guid=str(row.guid), reason=reason)
