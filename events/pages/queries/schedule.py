"""The programme of a day, as a list by start time and as a grid of rooms."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.db.models import Count, F, Q
from django.http import QueryDict

from events.core.clock import Clock, parse_at
from events.pages.queries.day_list import DayList, StartGroup, day_list, is_crowded_poster
from events.pages.queries.grid import DayGrid, day_grid
from events.pages.queries.overview import running_events
from events.pages.queries.poster_groups import MAX_UNGROUPED_POSTERS, exclude_poster_groups, poster_groups
from events.programme.models.conference import Day
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind
from events.programme.queries.filters import (
    START_PARAM,
    FilterOption,
    Filters,
    filter_events,
    filters_for,
    replaced_query,
)

LOOSE_POSTER = Q(type__kind=Kind.POSTER, session=None, start__isnull=False)


@dataclass
class DayPage:
    listing: DayList
    grid: DayGrid | None
    filters: Filters
    count: int
    changed_at: dt.datetime | None
    # A grid was requested, but there are too many events for one.
    too_many: bool = False
    # What the grid has no place for.
    undated: int = 0

    @property
    def lists_posters(self) -> bool:
        """Whether it shows posters inside sessions, or would show other ones after a change of one."""
        return self.filters.any or bool((self.grid or self.listing).posters_changed_at)

    @property
    def shown(self) -> str:
        """As "3 of 69 events"."""
        total = self.filters.total if self.filters.any else self.count
        some = f"{self.count:,} of " if self.filters.any else ""
        return f"{some}{total:,} event{'' if total == 1 else 's'}"

    @property
    def groups(self) -> list[StartGroup]:
        return self.listing.all_groups


def events_of_day(day: Day) -> EventQuerySet:
    return Event.objects.public().filter(day=day)


def schedule_of_day(day: Day, earlier: Sequence[Day] = (), *, clock: Clock, query: QueryDict, as_grid: bool) -> DayPage:
    """The events of a day under the filters of ``query``; the list of today shows also what is still on of ``earlier`` days.

    Does not read the posters inside sessions: there may be thousands.
    """
    everything = events_of_day(day)
    hour = parse_at(query.get(START_PARAM, ""), clock.venue_zone)
    filters = filters_for(everything, query, day.conference)
    chosen = filter_events(everything, query)
    if hour:
        chosen, filters = chosen.filter(start=hour), _with_hour(filters, hour, query, clock)
    # All events of the day have been counted for its filters.
    counts = _day_counts(chosen) if as_grid or filters.any else DayCounts(filters.total, chosen.filter(LOOSE_POSTER).count())
    top = top_level_events(chosen)
    bundles = [] if filters.any or counts.loose_posters <= MAX_UNGROUPED_POSTERS else poster_groups(top, day, clock)
    laid_out, listing = None, DayList()
    if as_grid:
        is_today = day.date == clock.today
        laid_out = day_grid(exclude_poster_groups(bundles, chosen), bundles, day.conference, clock, is_today=is_today)
    if laid_out is None:
        listed = exclude_poster_groups(bundles, chosen.filter(_is_top_level(chosen) | ~is_crowded_poster(chosen)))
        if earlier and not hour:
            # In one query with those of the day. They are not among the numbers of its events.
            listed |= filter_events(running_events(day.conference, clock).filter(day__in=earlier, session=None), query)
        listing = day_list(listed, bundles, day=day, clock=clock, query=query)
    changes = (filters.changed_at, (laid_out or listing).posters_changed_at)
    return DayPage(
        listing=listing,
        grid=laid_out,
        filters=filters,
        count=counts.all,
        changed_at=max(filter(None, changes), default=None),
        too_many=as_grid and laid_out is None,
        undated=counts.undated if laid_out else 0,
    )


class DayCounts(NamedTuple):
    all: int
    # Posters without a session.
    loose_posters: int
    # Only asked for beside a grid.
    undated: int = 0


def _day_counts(events: EventQuerySet) -> DayCounts:
    undated = Q(start=None) | Q(end=None)
    counts = {"loose_posters": Count("pk", filter=LOOSE_POSTER), "undated": Count("pk", filter=undated)}
    return DayCounts(**events.aggregate(all=Count("pk"), **counts))


def top_level_events(events: EventQuerySet) -> EventQuerySet:
    return events.filter(_is_top_level(events))


def _is_top_level(events: EventQuerySet) -> Q:
    within = Q(session__in=events.order_by().values("pk"))
    # Two that are part of each other would both disappear.
    return Q(session=None) | ~within | Q(session__session=F("pk"))


def _with_hour(filters: Filters, hour: dt.datetime, query: QueryDict, clock: Clock) -> Filters:
    chip = FilterOption(
        f"At {hour.astimezone(clock.zone):%H:%M}", query.get(START_PARAM, ""), replaced_query(query, START_PARAM, ""), active=True
    )
    return replace(filters, hours=[chip], any=True)
