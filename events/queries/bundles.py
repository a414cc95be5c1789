"""Posters without a session, too many at one time to stand on a page one by one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, Max, Q
from django.http import QueryDict
from django.urls import reverse

from events.models import Day, EventType, Kind
from events.models.event import EventQuerySet
from events.queries.filters import HOUR
from events.queries.pinned import carried
from events.schedule.clock import Clock

FEW = 12
TYPE = ("name", "plural", "slug", "kind", "colour")


@dataclass(frozen=True)
class Bundle:
    """Posters of one type that hang from the same time on; its address lists them."""

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
    def words(self) -> str:
        return f"{self.count} {self.type.many.lower()}"


def bundles_of(events: EventQuerySet, day: Day, clock: Clock) -> list[Bundle]:
    """Where more than a few posters that no session holds begin together."""
    posters = events.of_kind(Kind.POSTER).filter(session=None, start__isnull=False)
    rows = posters.order_by("start", "type").values_list("start", "type", *(f"type__{it}" for it in TYPE))
    found = []
    for start, pk, *values, count, end in rows.annotate(n=Count("pk"), last=Max("end")).filter(n__gt=FEW):
        kind = EventType(pk=pk, **dict(zip(TYPE, values, strict=True)))
        found.append(Bundle(kind, count, start, end, _address(day, kind, start, clock), _state(start, end, clock)))
    return found


def outside(bundles: Sequence[Bundle], events: EventQuerySet) -> EventQuerySet:
    """The events that are in none of the bundles."""
    starts: dict[int, list[dt.datetime]] = {}
    for bundle in bundles:
        starts.setdefault(bundle.type.pk, []).append(bundle.start)
    return events.exclude(_any(Q(session=None, type=pk, start__in=found) for pk, found in starts.items())) if starts else events


def _any(conditions: Iterable[Q]) -> Q:
    return Q(*conditions, _connector=Q.OR)


def _address(day: Day, kind: EventType, start: dt.datetime, clock: Clock) -> str:
    chosen = QueryDict(mutable=True)
    chosen["type"] = kind.slug
    chosen[HOUR] = f"{start.astimezone(clock.venue_zone):%Y-%m-%dT%H:%M:%S}".removesuffix(":00")
    url = reverse("events:schedule-day", args=[day.conference.slug, day.date])
    return carried(f"{url}?{chosen.urlencode(safe=':')}", clock)


def _state(start: dt.datetime, end: dt.datetime, clock: Clock) -> str:
    return "past" if end <= clock.now else "now" if start <= clock.now else "later"
