"""Everything that a public change writes, to test that nothing of it was written."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from events.models import Change, Conference, Event


class Snapshot(NamedTuple):
    sequence: int
    revised_at: dt.datetime
    announced: dict[str, str]
    revision: int
    history: int
    changes: int


def snapshot(event: Event) -> Snapshot:
    stored = Event.objects.get(pk=event.pk)
    return Snapshot(
        stored.sequence,
        stored.revised_at,
        stored.announced,
        revision(stored.conference),
        stored.history.count(),
        Change.objects.filter(event=event).count(),
    )


def revision(conference: Conference) -> int:
    return Conference.objects.values_list("revision", flat=True).get(pk=conference.pk)


def changes_of(event: Event) -> list[tuple[str, str, str]]:
    """Field, old and new of every change, in the order they were written."""
    return list(Change.objects.filter(event=event).order_by("pk").values_list("field", "old", "new"))
