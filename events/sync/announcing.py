"""Which events attendees may see differently after an import."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Q, QuerySet

from events.models import Event
from events.sync.conferences import ConferencePlan
from events.sync.steps import TablePlan
from events.sync.stored import chunks

MANY = 2000
"""From so many on, looking at all of them is quicker than asking which."""

SHOWN_INSIDE = frozenset({"title", "status", "session"})
"""What the parts of an event show of it."""


def announce(conference: ConferencePlan, plans: Mapping[str, TablePlan]) -> None:
    """Tell what changed in the events that were written, and in those that show something that was."""
    events = conference.row.events.all()
    if not plans["events"].stored:
        events.announce(quiet=True)
        return
    if conference.writes:
        events.announce()
        return
    touched = _touched(conference.row.events.all(), plans)
    if touched:
        (events if len(touched) > MANY else events.filter(pk__in=touched)).announce()


def _touched(events: QuerySet[Event], plans: Mapping[str, TablePlan]) -> set[int]:
    touched: set[int] = set()
    for plan in plans.values():
        changed = [it for it in plan.changed if it.apply]
        if plan.table.model is Event:
            touched.update((it.read.pk for it in changed), (it.row.pk for it in plan.new_rows()))
            inside = [it.read.pk for it in changed if SHOWN_INSIDE & it.apply.keys()]
            touched |= _showing(events, ("session", "session__session"), inside)
        else:
            touched |= _showing(events, plan.table.model.event_paths, [it.read.pk for it in changed])
    return touched


def _showing(events: QuerySet[Event], paths: Sequence[str], pks: Iterable[int]) -> set[int]:
    if not paths:
        return set()
    found: set[int] = set()
    for some in chunks(pks):
        shows = Q(*((f"{path}__in", some) for path in paths), _connector=Q.OR)
        found.update(events.filter(shows).values_list("pk", flat=True))
    return found
