"""The events of calendars: which ones an agenda has, when they changed, and all that an entry shows."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from django.db.models import Prefetch, QuerySet, Subquery

from events.core.db.prepared_query import prepared, set_prefetched
from events.programme.models.changes import Change
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet, talks_for_calendars
from events.programme.models.event_columns import CALENDAR_COLUMNS, CALENDAR_TEXTS
from events.programme.models.labels import Status
from events.programme.models.papers import Authorship
from events.programme.models.people import Appearance
from events.programme.models.venue import Room, Service
from events.programme.queries.changes import MOVE_FIELDS

EVENTS_PER_QUERY = 20
# A whole programme at once takes 170 MB.
EVENTS_PER_READ = 250
# Brief entries show less, and every statement has a cost of its own.
BRIEF_EVENTS_PER_READ = 1000


def calendar_events(keys: Sequence[int]) -> Iterator[Event]:
    """Yield those that are public and have a day.

    They are read in parts: a whole programme takes 170 MB, and the queries are composed for each number of keys.
    """
    for first in range(0, len(keys), EVENTS_PER_QUERY):
        yield from _with_people(keys[first : first + EVENTS_PER_QUERY])


def _with_people(keys: Sequence[int]) -> list[Event]:
    events = _events_with_day(*keys)
    people, talks, authors = defaultdict(list), defaultdict(list), defaultdict(list)
    for appearance in _speakers_of_events(*keys):
        people[appearance.event_id].append(appearance)
    for talk in _talks_of_sessions(*keys):
        talks[talk.session_id].append(talk)
    _set_changes(events)
    papers = {event.paper_id for event in events if event.paper_id}
    for paper, name in _names_of_authors(*papers) if papers else ():
        authors[paper].append(name)
    for event in events:
        set_prefetched(event, "appearances", people[event.pk])
        set_prefetched(event, "children", talks[event.pk])
        if event.paper:
            event.paper.author_names = authors[event.paper.pk]
    return events


def programme_events(events: EventQuerySet, keys: Sequence[int]) -> Iterator[Event]:
    """Yield those of ``events`` with all that brief entries show."""
    is_few = len(keys) <= EVENTS_PER_READ
    shown = events.for_calendars().prefetch_related(None).defer(*CALENDAR_TEXTS) if is_few else _with_shared_rows(events)
    for first in range(0, len(keys), BRIEF_EVENTS_PER_READ):
        part = keys[first : first + BRIEF_EVENTS_PER_READ]
        people = defaultdict(list)
        for appearance in _speakers(part):
            people[appearance.event_id].append(appearance)
        found = list(shown.filter(pk__in=part))
        _set_changes(found)
        for event in found:
            set_prefetched(event, "appearances", people[event.pk])
            yield event


def _with_shared_rows(events: EventQuerySet) -> EventQuerySet:
    """Read rooms, types and the like once, not joined to each event: of thousands that takes half as long."""
    shared = ("conference", "type", "track", "day")
    rooms = Prefetch("room", Room.objects.select_related("zone__venue"))
    services = Prefetch("service", Service.objects.select_related("zone__venue", "room__zone__venue"))
    return events.only(*CALENDAR_COLUMNS, *shared, "room", "service").prefetch_related(*shared, rooms, services)


@prepared
def _events_with_day(*keys: int) -> QuerySet[Event]:
    return Event.objects.public().with_day().filter(pk__in=keys).for_calendars().prefetch_related(None).order_by("pk")


@prepared
def _speakers_of_events(*events: int) -> QuerySet[Appearance]:
    return _speakers(events)


def _speakers(events: Sequence[int]) -> QuerySet[Appearance]:
    appearances = Appearance.objects.filter(event__pk__in=events).order_by("position", "pk")
    return appearances.select_related("person").only("event", "person__name")


@prepared
def _talks_of_sessions(*sessions: int) -> QuerySet[Event]:
    return talks_for_calendars().filter(session__pk__in=sessions)


def with_changes(events: Iterator[Event]) -> Iterator[Event]:
    """Yield the same events with what ``calendar_note`` reads of them, in parts."""
    while part := list(islice(events, EVENTS_PER_READ)):
        _set_changes(part)
        yield from part


def _set_changes(events: Sequence[Event]) -> None:
    """An event whose SEQUENCE is 0 was never moved or cancelled: a programme without changes needs no query."""
    changed = [event for event in events if event.sequence]
    changes = defaultdict(list)
    for change in Change.objects.filter(event__in=changed, field__in=("status", *MOVE_FIELDS)) if changed else ():
        changes[change.event_id].append(change)
    for event in changed:
        set_prefetched(event, "changes", changes[event.pk])


@prepared
def _names_of_authors(*papers: int) -> QuerySet[Authorship, Any]:
    authorships = Authorship.objects.filter(paper__pk__in=papers).order_by("position", "pk")
    return authorships.values_list("paper", "person__name")


EntryRow = tuple[int, str, dt.datetime]
ENTRY_COLUMNS = ("pk", "status", "revised_at")


@prepared
def attended_rows(agenda: int) -> QuerySet[Event, Any]:
    events = Event.objects.public().with_day().attended_in(agenda)
    return events.values_list(*ENTRY_COLUMNS, "bookmarks__level", "type__kind", "day__date")


NewestRow = tuple[dt.datetime | None, dt.datetime | None, dt.date | None]


def newest_moments(conference: int, watched: EventQuerySet, dropped: EventQuerySet) -> QuerySet[Conference, NewestRow]:
    """The last changes of the conference and of the watched events, and the last day of the dropped ones."""
    renamed = Conference.history.filter(id=conference, history_type="~")
    newest = [_latest(renamed, "history_date"), _latest(watched, "revised_at"), _latest(dropped, "day__date")]
    return Conference.objects.filter(pk=conference).values_list(*newest)


@prepared
def newest_moments_of_agenda(conference: int, agenda: int, today: dt.date) -> QuerySet[Conference, NewestRow]:
    """A cancelled event is dropped after its day. A removed bookmark is watched too."""
    watched = Event.objects.filter(bookmarks__agenda=agenda)
    return newest_moments(conference, watched, watched.filter(status=Status.CANCELLED, day__date__lt=today))


def _latest(rows: Any, field: str) -> Subquery:
    return Subquery(rows.order_by(f"-{field}").values(field)[:1])
