"""How often events were bookmarked, by event, type, day and hour; how many agendas were begun on each day."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import Count
from django.db.models.functions import TruncDate

from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import Bookmark
from events.agenda.models.counting import uncounted_agenda_ids
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import public_within

KeyT = TypeVar("KeyT", bound=Hashable)


@dataclass(frozen=True)
class EventBookmarks:
    event: Event
    bookmarks: int


def bookmarked_events(conference: Conference) -> list[EventBookmarks]:
    """Return all public events, the most bookmarked first."""
    kept = Bookmark.objects.filter(public_within("event"), event__conference=conference, removed_at=None)
    counted = kept.exclude(agenda__in=uncounted_agenda_ids()).order_by().values_list("event").annotate(n=Count("pk"))
    counts = dict(counted)
    events = Event.objects.public().filter(conference=conference).select_related("type", "day").order_by("start", "title", "pk")
    rows = [EventBookmarks(event, counts.get(event.pk, 0)) for event in events]
    return sorted(rows, key=lambda row: -row.bookmarks)


def summed(rows: Iterable[EventBookmarks], key_of: Callable[[Event], KeyT | None]) -> Counter[KeyT]:
    """Add up the bookmarks by a key of their events; those without one are left out."""
    sums = Counter[KeyT]()
    for row in rows:
        key = key_of(row.event)
        if key is not None:
            sums[key] += row.bookmarks
    return sums


def agendas_begun(conference: Conference) -> dict[dt.date, int]:
    """Return the number of agendas by the date at the venue, without dates on which none was begun."""
    agendas = Agenda.objects.filter(conference=conference).exclude(pk__in=uncounted_agenda_ids())
    dated = agendas.annotate(date=TruncDate("created_at", tzinfo=conference.zone)).order_by("date")
    return dict(dated.values_list("date").annotate(n=Count("pk")))
