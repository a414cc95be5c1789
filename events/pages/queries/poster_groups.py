"""Posters without a session: many that start together are one line of a list."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, Max, Q
from django.http import QueryDict
from django.urls import reverse

from events.core.clock import Clock, with_pinned_time
from events.programme.models.conference import Day
from events.programme.models.event import EventQuerySet
from events.programme.models.labels import EventType, Kind
from events.programme.queries.filters import START_PARAM

MAX_UNGROUPED_POSTERS = 12
EVENT_TYPE_COLUMNS = ("name", "plural", "slug", "kind", "colour")


@dataclass(frozen=True)
class PosterGroup:
    """Posters of one type with the same start; its address lists them."""

    type: EventType
    count: int
    start: dt.datetime
    end: dt.datetime
    url: str
    state: str

    @property
    def type_slug(self) -> str:
        return self.type.slug

    @property
    def line(self) -> str:
        return self.type.line

    @property
    def is_past(self) -> bool:
        return self.state == "past"

    @property
    def words(self) -> str:
        return f"{self.count:,} {self.type.many.lower()}"


def poster_groups(events: EventQuerySet, day: Day, clock: Clock) -> list[PosterGroup]:
    """Groups of more than ``MAX_UNGROUPED_POSTERS`` posters without a session that start together."""
    posters = events.of_kind(Kind.POSTER).filter(session=None, start__isnull=False)
    rows = posters.order_by("start", "type").values_list("start", "type", *(f"type__{it}" for it in EVENT_TYPE_COLUMNS))
    found = []
    for start, pk, *values, count, end in rows.annotate(n=Count("pk"), last=Max("end")).filter(n__gt=MAX_UNGROUPED_POSTERS):
        kind = EventType(pk=pk, **dict(zip(EVENT_TYPE_COLUMNS, values, strict=True)))
        found.append(
            PosterGroup(
                kind, count, start, end, _poster_group_url(day, kind, start, clock), _poster_group_state(start, end, clock)
            )
        )
    return found


def exclude_poster_groups(bundles: Sequence[PosterGroup], events: EventQuerySet) -> EventQuerySet:
    starts: dict[int, list[dt.datetime]] = {}
    for bundle in bundles:
        starts.setdefault(bundle.type.pk, []).append(bundle.start)
    return events.exclude(_any(Q(session=None, type=pk, start__in=found) for pk, found in starts.items())) if starts else events


def _any(conditions: Iterable[Q]) -> Q:
    return Q(*conditions, _connector=Q.OR)


def _poster_group_url(day: Day, kind: EventType, start: dt.datetime, clock: Clock) -> str:
    chosen = QueryDict(mutable=True)
    chosen["type"] = kind.slug
    chosen[START_PARAM] = f"{start.astimezone(clock.venue_zone):%Y-%m-%dT%H:%M:%S}".removesuffix(":00")
    url = reverse("events:schedule-day", args=[day.conference.slug, day.date])
    return with_pinned_time(f"{url}?{chosen.urlencode(safe=':')}", clock)


def _poster_group_state(start: dt.datetime, end: dt.datetime, clock: Clock) -> str:
    return "past" if clock.has_come(end) else "now" if clock.has_come(start) else "later"
