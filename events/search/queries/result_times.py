"""Times and rooms of search results, read as plain rows."""

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
from django.utils.safestring import SafeString, mark_safe

from events.core.clock import Clock, with_pinned_time
from events.core.db.prepared_query import prepared
from events.programme.addresses import event_url, guid_url
from events.programme.display import RoomSign
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import EventType, Status
from events.programme.rules.subjects import event_subject


class ResultTimeRow(NamedTuple):
    """Columns of an event. Model instances of ten results took longer than the search for them."""

    pk: int
    conference: int
    guid: UUID
    title: str
    language: str
    subtitle: str
    abstract: str
    description: str
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
    session__guid: UUID | None


class ClockTime(NamedTuple):
    """An instant as ISO 8601, and as "13:00" in the zone of the page."""

    iso: str
    text: str


@dataclass(frozen=True, slots=True)
class ResultTime:
    """One event of a result, with its bookmark."""

    key: int
    element_id: str
    title: str
    language: str
    texts: tuple[str, ...]
    url: str
    bookmark_url: str
    type_name: str
    type_slug: str
    line: str
    date: str
    start: ClockTime | None
    when: SafeString
    plate: RoomSign | None
    place: str
    board: str
    session: str
    is_past: bool
    is_cancelled: bool
    is_tentative: bool
    # What a page with it is about (events.programme.rules.subjects).
    subjects: frozenset[str]

    @property
    def has_details(self) -> bool:
        return bool(self.plate or self.place or self.board or self.session or self.is_cancelled or self.is_tentative)


@prepared
def _times_of_events(*keys: int) -> QuerySet[Event, Any]:
    return _public_rows(Event.objects.filter(pk__in=keys))


@prepared
def _times_of_papers(*keys: int) -> QuerySet[Event, Any]:
    return _public_rows(Event.objects.filter(paper__pk__in=keys))


def _times_of_services(*keys: int) -> QuerySet[Event, Any]:
    return _public_rows(Event.objects.filter(service__in=keys))


def _public_rows(events: EventQuerySet) -> QuerySet[Event, Any]:
    return events.public().in_order().values_list(*ResultTimeRow._fields)


# One query for each column, without the conference, which is compared afterwards: with several columns joined by OR, or
# with the conference in the condition, SQLite reads every event.
TIMES_BY_THING = (
    ("event", "pk", _times_of_events),
    ("paper", "paper", _times_of_papers),
    ("service", "service", _times_of_services),
)


def result_times(
    targets: Mapping[str, Collection[int]], conference: Conference, clock: Clock, urls: ResultUrls
) -> dict[tuple[str, int], list[ResultTime]]:
    """Return public events by (thing, primary key) of their paper, their service or themselves."""
    times: dict[tuple[str, int], list[ResultTime]] = defaultdict(list)
    zone = timezone.get_current_timezone()
    for thing, column, times_of in TIMES_BY_THING:
        keys = targets.get(thing)
        for row in map(ResultTimeRow._make, times_of(*keys) if keys else ()):
            if row.conference == conference.pk:
                times[thing, getattr(row, column)].append(_result_time(row, urls, clock, zone))
    return times


class ResultUrls:
    """Addresses of a conference's events, papers and rooms."""

    def __init__(self, conference: Conference, clock: Clock) -> None:
        self.clock = clock
        self._slug = conference.slug
        self.venue = reverse("events:venue", args=[conference.slug])

    def event(self, pk: int, title: str) -> str:
        return with_pinned_time(event_url(self._slug, pk, title), self.clock)

    def bookmark(self, guid: UUID) -> str:
        return guid_url("events:bookmark-set", self._slug, guid)

    def paper(self, guid: UUID) -> str:
        return with_pinned_time(guid_url("events:paper-detail", self._slug, guid), self.clock)

    def room(self, pk: int) -> str:
        return f"{self.venue}#room-{pk}"


def _result_time(row: ResultTimeRow, urls: ResultUrls, clock: Clock, zone: dt.tzinfo) -> ResultTime:
    start, end = _clock_time(row.start, zone), _clock_time(row.end, zone)
    plate = RoomSign(row.room__name, row.room__zone__letter, row.room__floor, urls.room(row.room), row.room) if row.room else None
    day = row.start.astimezone(zone).date() if row.start else row.day__date
    date = _date_text(day) if day else ""
    return ResultTime(
        key=row.pk,
        element_id=f"e-{row.guid}",
        title=row.title,
        language=row.language,
        texts=(row.subtitle, row.abstract, row.description, row.notes),
        url=urls.event(row.pk, row.title),
        bookmark_url=urls.bookmark(row.guid),
        type_name=row.type__name,
        type_slug=row.type__slug,
        line=_type_line(row.type__kind, row.type__colour),
        date=date,
        start=start,
        when=_when(date, start, end),
        plate=plate,
        place=row.place,
        board=row.board,
        session=row.session__title or "",
        is_past=clock.has_come(row.end) if row.end else row.day__date is not None and row.day__date < clock.today,
        is_cancelled=row.status == Status.CANCELLED,
        is_tentative=row.status == Status.TENTATIVE and row.start is not None,
        subjects=frozenset(map(event_subject, filter(None, (row.guid, row.session__guid)))),
    )


def _when(date: str, start: ClockTime | None, end: ClockTime | None) -> SafeString:
    """Write a time without a template, since each letter of a search as you type shows ten."""
    if start and end:
        hours = "–".join(f'<time datetime="{iso}">{text}</time>' for iso, text in (start, end))
        return mark_safe(f"<span>{date}, {hours}</span>")
    return mark_safe(f"<span>{f'{date}, time to be announced' if date else 'Day to be announced'}</span>")


@lru_cache
def _date_text(day: dt.date) -> str:
    return f"{day:%a} {day.day} {day:%b}"


@lru_cache
def _type_line(kind: str, colour: str) -> str:
    return EventType(kind=kind, colour=colour).line


def _clock_time(moment: dt.datetime | None, zone: dt.tzinfo) -> ClockTime | None:
    if moment is None:
        return None
    iso = moment.astimezone(zone).isoformat(timespec="minutes")
    return ClockTime(iso, iso[11:16])
