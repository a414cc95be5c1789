"""The days of a conference, as doors."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

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
    date: dt.date
    title: str
    count: int
    is_today: bool
    url: str


def day_doors(conference: Conference, clock: Clock) -> list[DayDoor]:
    """Every day, also one without events yet, with the number of public events."""

    def count() -> list[tuple[dt.date, str, int, str]]:
        # Counting forgets the model's own order.
        days = Day.objects.filter(conference=conference).annotate(n=Count("events", filter=SHOWN)).order_by("date")
        return [(day.date, day.title, day.n, day.get_absolute_url()) for day in days.select_related("conference")]

    # Every page has them, and counting thousands of events takes longer than many a page.
    counted = CACHE.get_or_build(("days", conference.pk, conference.revision), count)
    return [DayDoor(date, title, n, date == clock.today, carried(url, clock)) for date, title, n, url in counted]


def day_to_open(doors: Sequence[DayDoor], clock: Clock) -> DayDoor | None:
    """Today's; before the conference its first day with events, after it the same."""
    filled = [door for door in doors if door.count] or list(doors)
    return next((door for door in doors if door.is_today), filled[0] if filled else None)


def neighbours(doors: Sequence[DayDoor], date: dt.date) -> tuple[DayDoor | None, DayDoor | None]:
    """The doors before and after."""
    index = next(index for index, door in enumerate(doors) if door.date == date)
    return (doors[index - 1] if index else None), (doors[index + 1] if index + 1 < len(doors) else None)
