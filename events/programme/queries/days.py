"""Links to each day of the programme."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, Q

from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import Clock, with_pinned_time
from events.programme.drafts import drafts_are_shown
from events.programme.models.conference import Conference, Day
from events.programme.queries.revisions import last_change_of_everything
from events.programme.rules.subjects import day_subject, posters_of_day_subject


def public_events_filter() -> Q:
    """EventQuerySet.public() for rows that refer to events."""
    if drafts_are_shown():
        return Q(events__isnull=False)
    return (
        Q(events__status__in=["tentative", "confirmed", "cancelled"])
        & ~Q(events__session__status="draft")
        & ~Q(events__session__session__status="draft")
    )


@dataclass(frozen=True)
class DayLink:
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

    def as_grid(self) -> DayLink:
        page, hash_mark, place = self.url.partition("#")
        return replace(self, url=f"{page}{'&' if '?' in page else '?'}view=grid{hash_mark}{place}")


def day_links(conference: Conference, clock: Clock) -> list[DayLink]:
    def read() -> list[tuple[dict[str, Any], int]]:
        # Annotating drops the default order of the model.
        days = (
            Day.objects.filter(conference=conference).annotate(n=Count("events", filter=public_events_filter())).order_by("date")
        )
        return [({"pk": day.pk, "date": day.date, "title": day.title, "note": day.note}, day.n) for day in days]

    # Cached, because every page has them, and counting thousands of events takes longer than rendering many pages.
    counted = PROCESS_CACHE.get_or_build(("days", conference.pk), read, version=last_change_of_everything(conference))
    days = [(Day(conference=conference, **fields), n) for fields, n in counted]
    return [DayLink(day, n, day.date == clock.today, _day_url(day, clock)) for day, n in days]


def _day_url(day: Day, clock: Clock) -> str:
    """Today opens at now."""
    now = "#now" if day.date == clock.today else ""
    return with_pinned_time(day.get_absolute_url() + now, clock)


def day_to_open(days: Sequence[DayLink], clock: Clock) -> DayLink | None:
    filled = [day for day in days if day.count] or list(days)
    return next((day for day in days if day.is_today), filled[0] if filled else None)


def earlier_days(link: DayLink, days: Sequence[DayLink]) -> list[DayLink]:
    """The days before today, of which something may still be on; none for another day than today."""
    return [it for it in days if link.is_today and it.date < link.date]


def day_subjects(link: DayLink, days: Sequence[DayLink], *, lists_posters: bool = True) -> frozenset[str]:
    """What the page of a day shows: that day, with or without posters inside sessions, and what is still on of earlier ones."""
    shown = {day_subject(it.date) for it in (link, *earlier_days(link, days))}
    return frozenset(shown | ({posters_of_day_subject(link.date)} if lists_posters else set()))


def adjacent_days(days: Sequence[DayLink], date: dt.date) -> tuple[DayLink | None, DayLink | None]:
    """Return the days before and after ``date``; raise StopIteration if that is not among ``days``."""
    index = next(index for index, day in enumerate(days) if day.date == date)
    return (days[index - 1] if index else None), (days[index + 1] if index + 1 < len(days) else None)
