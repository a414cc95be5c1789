"""The days of a conference, as doors."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from events.byte_cache import CACHE
from events.models import Conference, Day
from events.queries.pinned import carried
from events.schedule.clock import Clock

# What EventQuerySet.public() says, from where events are counted.
SHOWN = (
    Q(events__status__in=["tentative", "confirmed", "cancelled"])
    & ~Q(events__session__status="draft")
    & ~Q(events__session__session__status="draft")
)


@dataclass(frozen=True)
class DayDoor:
    day: Day
    count: int
    is_today: bool
    url: str

    @property
    def date(self) -> dt.date:
        return self.day.date

    @property
    def title(self) -> str:
        return self.day.title


def day_doors(conference: Conference, clock: Clock) -> list[DayDoor]:
    """Every day, also one without events yet, with the number of public events."""

    def read() -> list[tuple[dict[str, Any], int]]:
        # Counting forgets the model's own order.
        days = Day.objects.filter(conference=conference).annotate(n=Count("events", filter=SHOWN)).order_by("date")
        return [({"pk": day.pk, "date": day.date, "title": day.title, "note": day.note}, day.n) for day in days]

    # Every page has them, and counting thousands of events takes longer than many a page.
    counted = CACHE.get_or_build(("days", conference.pk, conference.revision), read)
    days = [(Day(conference=conference, **fields), n) for fields, n in counted]
    return [DayDoor(day, n, day.date == clock.today, carried(day.get_absolute_url(), clock)) for day, n in days]


def day_to_open(doors: Sequence[DayDoor], clock: Clock) -> DayDoor | None:
    """Today's; before the conference its first day with events, after it the same."""
    filled = [door for door in doors if door.count] or list(doors)
    return next((door for door in doors if door.is_today), filled[0] if filled else None)


def neighbours(doors: Sequence[DayDoor], date: dt.date) -> tuple[DayDoor | None, DayDoor | None]:
    """The doors before and after."""
    index = next(index for index, door in enumerate(doors) if door.date == date)
    return (doors[index - 1] if index else None), (doors[index + 1] if index + 1 < len(doors) else None)
