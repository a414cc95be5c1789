"""What the page about one's own calendar shows."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q

from events.models import Agenda


@dataclass(frozen=True)
class Picked:
    """How many events are picked, and how many of them have no day yet and so are in no calendar."""

    count: int
    undated: int


def picked(agenda: Agenda | None) -> Picked:
    if agenda is None:
        return Picked(0, 0)
    counts = agenda.events.aggregate(count=Count("pk"), undated=Count("pk", filter=Q(day=None)))
    return Picked(counts["count"], counts["undated"])
