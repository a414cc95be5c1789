"""Clashes of conferences with titles, times and advice, as stored and as planned."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import Q

from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Status
from events.programme.models.people import Appearance
from events.programme.rules.clashes import (
    ROOM_SHARING_KINDS,
    Booking,
    Clash,
    added_clashes,
    clash_advice,
    clash_sentence,
    clash_time,
    clashes,
    starts_on_other_day,
    wrong_day_sentence,
)


class NamedResource(NamedTuple):
    """A room or person. Two with the same name differ by their primary key."""

    name: str
    pk: Hashable

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class ClashingEvent:
    pk: int
    kind: str
    title: str
    start: dt.datetime
    end: dt.datetime

    def times(self, zone: ZoneInfo) -> str:
        return f"{self.start.astimezone(zone):%H:%M}–{self.end.astimezone(zone):%H:%M}"


@dataclass(frozen=True)
class EventClash:
    kind: str
    what: str
    a: ClashingEvent
    b: ClashingEvent
    start: dt.datetime
    end: dt.datetime
    conference: Conference

    @property
    def minutes(self) -> int:
        return -(-(self.end - self.start) // dt.timedelta(minutes=1))

    @property
    def when(self) -> str:
        return clash_time(self.start, self.end, self.conference.zone)

    @property
    def advice(self) -> str:
        return clash_advice(self.kind)

    @property
    def sentence(self) -> str:
        return clash_sentence(self, self.conference.zone)


def bookings(conference: Conference) -> dict[Hashable, Booking]:
    return {pk: row.booking for pk, row in _booking_rows({conference.pk: conference}, {}).items()}


def clashes_of(conference: Conference) -> list[EventClash]:
    """Return clashes in order of time, in two queries."""
    by_pk = {conference.pk: conference}
    rows = _booking_rows(by_pk, {})
    return [_event_clash(clash, rows, by_pk) for clash in clashes(row.booking for row in rows.values())]


def new_clashes(conferences: Iterable[Conference], planned: Mapping[int, Event]) -> list[EventClash]:
    by_pk = {conference.pk: conference for conference in conferences}
    before, after = _booking_rows(by_pk, {}), _booking_rows(by_pk, planned)
    added = added_clashes((row.booking for row in before.values()), (row.booking for row in after.values()))
    return [_event_clash(clash, after, by_pk) for clash in added]


def clashes_since(before: Iterable[Booking], conference: Conference) -> list[EventClash]:
    """Return the clashes that ``bookings`` of this conference did not have before something was saved."""
    by_pk = {conference.pk: conference}
    rows = _booking_rows(by_pk, {})
    return [_event_clash(clash, rows, by_pk) for clash in added_clashes(before, (row.booking for row in rows.values()))]


@dataclass(frozen=True)
class _BookingRow:
    booking: Booking
    kind: str
    conference_id: int


def _booking_rows(conferences: Mapping[int, Conference], planned: Mapping[int, Event]) -> dict[int, _BookingRow]:
    cancelled = {pk for pk, event in planned.items() if event.is_cancelled}
    # Events that are stored as cancelled count if they are planned to take place again.
    stored = Event.objects.filter(~Q(status=Status.CANCELLED) | Q(pk__in=planned), conference__in=conferences)
    events = stored.exclude(pk__in=cancelled)
    people: dict[int, set[Hashable]] = defaultdict(set)
    for event_id, person_id, name in Appearance.objects.filter(event__in=events).values_list("event", "person", "person__name"):
        people[event_id].add(NamedResource(name, person_id))
    rows = {}
    names = ["pk", "conference_id", "type__kind", "title", "start", "end", "room_id", "room__name", "session_id"]
    for pk, conference_id, kind, title, start, end, room_id, room, session_id in events.order_by("pk").values_list(*names):
        claimed_room = NamedResource(room, room_id) if room_id and kind not in ROOM_SHARING_KINDS else None
        booking = Booking(pk, start, end, claimed_room, frozenset(people[pk]), session_id, title)
        rows[pk] = _BookingRow(_planned_booking(booking, kind, planned.get(pk)), kind, conference_id)
    return rows


def _planned_booking(booking: Booking, kind: str, event: Event | None) -> Booking:
    if event is None:
        return booking
    room = NamedResource(event.room.name, event.room.pk) if event.room and kind not in ROOM_SHARING_KINDS else None
    return replace(booking, start=event.start, end=event.end, room=room)


def _event_clash(clash: Clash, rows: Mapping[int, _BookingRow], conferences: Mapping[int, Conference]) -> EventClash:
    a, b = (_clashing_event(booking, rows) for booking in (clash.a, clash.b))
    return EventClash(clash.kind, str(clash.what), a, b, clash.start, clash.end, conferences[rows[a.pk].conference_id])


def _clashing_event(booking: Booking, rows: Mapping[int, _BookingRow]) -> ClashingEvent:
    # Both sides of a clash have times.
    assert isinstance(booking.key, int) and booking.start and booking.end  # noqa: S101, PT018
    return ClashingEvent(booking.key, rows[booking.key].kind, booking.title, booking.start, booking.end)


@dataclass(frozen=True)
class WrongDay:
    """An event that is listed under a day on which it does not start."""

    event: ClashingEvent
    day: dt.date
    conference: Conference

    @property
    def sentence(self) -> str:
        return wrong_day_sentence(self.event.title, self.event.start, self.day, self.conference.zone)


def wrong_days_among(conferences: Iterable[Conference]) -> list[WrongDay]:
    """Return events whose day and start disagree, in order of time, in one query. Cancelled ones do not count."""
    by_pk = {conference.pk: conference for conference in conferences}
    events = Event.objects.filter(conference__in=by_pk, start__isnull=False, end__isnull=False, day__isnull=False)
    names = ["pk", "conference_id", "type__kind", "title", "start", "end", "day__date"]
    rows = events.exclude(status=Status.CANCELLED).order_by("start", "pk").values_list(*names)
    return [
        WrongDay(ClashingEvent(pk, kind, title, start, end), day, by_pk[conference_id])
        for pk, conference_id, kind, title, start, end, day in rows
        if starts_on_other_day(start, day, by_pk[conference_id].zone)
    ]
