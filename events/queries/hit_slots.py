"""When and where something found takes place: a row of each time as it is shown, and nothing else of the event."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from events.models import Conference, Event, EventType, Status
from events.models.event import EventQuerySet
from events.queries.cards import Plate
from events.queries.pinned import carried
from events.schedule.clock import Clock


class Row(NamedTuple):
    """What is read of an event, by the names of the columns.

    A search shows ten rows of thousands, and making models of them took longer than finding them.
    """

    pk: int
    conference: int
    guid: UUID
    title: str
    abstract: str
    notes: str
    status: str
    start: dt.datetime | None
    end: dt.datetime | None
    place: str
    board: str
    paper: int | None
    service: int | None
    type__name: str
    type__slug: str
    type__kind: str
    type__colour: str
    day__date: dt.date | None
    room: int | None
    room__name: str
    room__floor: str
    room__zone__letter: str
    session__title: str | None


class Hour(NamedTuple):
    """An instant for machines, and as the clock on the wall shows it."""

    iso: str
    words: str


@dataclass(frozen=True, slots=True)
class HitSlot:
    """One time something found takes place, with its bookmark."""

    key: int
    element_id: str
    title: str
    texts: tuple[str, str]
    url: str
    bookmark_url: str
    type_name: str
    type_slug: str
    line: str
    date: str
    start: Hour | None
    end: Hour | None
    plate: Plate | None
    place: str
    board: str
    session: str
    is_past: bool
    is_cancelled: bool


def _shown(events: EventQuerySet) -> QuerySet[Event, Any]:
    return events.public().in_order().values_list(*Row._fields)


# One query for each, and the conference told apart afterwards: for a choice of three columns, or of this column and the
# conference, SQLite would read every event.
FOUND = (("event", "pk"), ("paper", "paper"), ("service", "service"))


def slots_of_hits(
    asked: Mapping[str, Collection[int]], conference: Conference, clock: Clock
) -> dict[tuple[str, int], list[HitSlot]]:
    """The public events of what was found, under their paper, their service or themselves."""
    found: dict[tuple[str, int], list[HitSlot]] = defaultdict(list)
    addresses = Addresses(conference, clock)
    for thing, column in FOUND:
        keys = list(asked.get(thing, ()))
        for row in map(Row._make, _shown(Event.objects.filter(**{f"{column}__in": keys})) if keys else ()):
            if row.conference == conference.pk:
                found[thing, getattr(row, column)].append(_slot(row, addresses, clock))
    return found


class Addresses:
    """The addresses of a conference's events; what they have in common is made once."""

    def __init__(self, conference: Conference, clock: Clock) -> None:
        self.clock = clock
        self.slug = conference.slug
        self.venue = reverse("events:venue", args=[conference.slug])

    def event(self, guid: object) -> str:
        return carried(reverse("events:event-detail", args=[self.slug, guid]), self.clock)

    def bookmark(self, guid: object) -> str:
        return reverse("events:bookmark-set", args=[self.slug, guid])

    def room(self, pk: int) -> str:
        return f"{self.venue}#room-{pk}"


def _slot(row: Row, addresses: Addresses, clock: Clock) -> HitSlot:
    plate = (
        Plate(row.room__name, row.room__zone__letter, row.room__floor, addresses.room(row.room), row.room) if row.room else None
    )
    day = timezone.localtime(row.start).date() if row.start else row.day__date
    return HitSlot(
        key=row.pk,
        element_id=f"e-{row.guid}",
        title=row.title,
        texts=(row.abstract, row.notes),
        url=addresses.event(row.guid),
        bookmark_url=addresses.bookmark(row.guid),
        type_name=row.type__name,
        type_slug=row.type__slug,
        line=_line(row.type__kind, row.type__colour),
        date=f"{day:%a} {day.day} {day:%b}" if day else "",
        start=_hour(row.start),
        end=_hour(row.end),
        plate=plate,
        place=row.place,
        board=row.board,
        session=row.session__title or "",
        is_past=row.end <= clock.now if row.end else row.day__date is not None and row.day__date < clock.today,
        is_cancelled=row.status == Status.CANCELLED,
    )


@lru_cache
def _line(kind: str, colour: str) -> str:
    return EventType(kind=kind, colour=colour).line


def _hour(moment: dt.datetime | None) -> Hour | None:
    if moment is None:
        return None
    local = timezone.localtime(moment)
    return Hour(local.isoformat(timespec="minutes"), f"{local:%H:%M}")
