"""What the page about one's own calendar shows."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Count, Q

from events.models import Agenda, Event, FeedFetch, Level


@dataclass(frozen=True)
class Picked:
    """How many events one goes to, and how many of them have no day yet and so are in no calendar."""

    count: int
    undated: int


def picked(agenda: Agenda) -> Picked:
    counts = Event.objects.public().attended_in(agenda.pk).aggregate(count=Count("pk"), undated=Count("pk", filter=Q(day=None)))
    return Picked(counts["count"], counts["undated"])


def fetches(agenda: Agenda) -> list[FeedFetch]:
    """The last visit of each kind of calendar."""
    return list(agenda.fetches.all())


def revised(agenda: Agenda) -> list[tuple[dt.datetime, dt.datetime]]:
    """When each of what one goes to was picked, and changed last; of what was hidden since too: its disappearing is a change."""
    picks = agenda.bookmarks.filter(removed_at=None).exclude(level=Level.LATER)
    return list(picks.values_list("created_at", "event__revised_at"))
