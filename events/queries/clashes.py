"""What organisers have planned that cannot happen, with the names and times to mend it."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import Q

from events.models import Appearance, Conference, Event, Status
from events.schedule import clash_words
from events.schedule.clashes import SHARING, Booking, Clash, clashes


class Named(NamedTuple):
    """Sorts and prints by its name, and is told from its namesakes by its number."""

    name: str
    pk: Hashable

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Claim:
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
    a: Claim
    b: Claim
    start: dt.datetime
    end: dt.datetime
    conference: Conference

    @property
    def minutes(self) -> int:
        return -(-(self.end - self.start) // dt.timedelta(minutes=1))

    @property
    def when(self) -> str:
        """Thu 24 April, 10:00–10:30, by the clock at the venue."""
        return clash_words.when(self.start, self.end, self.conference.zone)

    @property
    def advice(self) -> str:
        return clash_words.advice(self.kind)

    @property
    def sentence(self) -> str:
        return clash_words.sentence(self, self.conference.zone)


def bookings(conference: Conference) -> dict[Hashable, Booking]:
    """What each event claims, by its number."""
    return {pk: row.booking for pk, row in _rows({conference.pk: conference}, {}).items()}


def clashes_of(conference: Conference) -> list[EventClash]:
    """Every room and person in two places at once, in order of time; two queries."""
    return clashes_among([conference])


def clashes_among(conferences: Iterable[Conference], planned: Mapping[int, Event] | None = None) -> list[EventClash]:
    """The clashes of several conferences; `planned` events count as they would be, not as they are stored."""
    homes = {conference.pk: conference for conference in conferences}
    rows = _rows(homes, planned or {})
    found = clashes(row.booking for row in rows.values())
    return [_told(clash, rows, homes) for clash in found]


def new_clashes(conferences: Iterable[Conference], planned: Mapping[int, Event]) -> list[EventClash]:
    """What a plan would bring that is not there yet."""
    conferences = list(conferences)
    known = {_pair(clash) for clash in clashes_among(conferences)}
    return [clash for clash in clashes_among(conferences, planned) if _pair(clash) not in known]


def _pair(clash: EventClash) -> tuple[str, str, frozenset[int]]:
    return clash.kind, clash.what, frozenset({clash.a.pk, clash.b.pk})


@dataclass(frozen=True)
class _Row:
    booking: Booking
    kind: str
    conference_id: int


def _rows(homes: Mapping[int, Conference], planned: Mapping[int, Event]) -> dict[int, _Row]:
    gone = {pk for pk, event in planned.items() if event.is_cancelled}
    # What a plan takes up again is told too, though it is stored as cancelled.
    events = Event.objects.filter(~Q(status=Status.CANCELLED) | Q(pk__in=planned), conference__in=homes).exclude(pk__in=gone)
    people: dict[int, set[Hashable]] = defaultdict(set)
    for event_id, person_id, name in Appearance.objects.filter(event__in=events).values_list("event", "person", "person__name"):
        people[event_id].add(Named(name, person_id))
    rows = {}
    names = ["pk", "conference_id", "type__kind", "title", "start", "end", "room_id", "room__name", "session_id"]
    for pk, conference_id, kind, title, start, end, room_id, room, session_id in events.order_by("pk").values_list(*names):
        place = Named(room, room_id) if room_id and kind not in SHARING else None
        booking = Booking(pk, start, end, place, frozenset(people[pk]), session_id, title)
        rows[pk] = _Row(_planned(booking, kind, planned.get(pk)), kind, conference_id)
    return rows


def _planned(booking: Booking, kind: str, event: Event | None) -> Booking:
    if event is None:
        return booking
    place = Named(event.room.name, event.room.pk) if event.room and kind not in SHARING else None
    return replace(booking, start=event.start, end=event.end, room=place)


def _told(clash: Clash, rows: Mapping[int, _Row], homes: Mapping[int, Conference]) -> EventClash:
    a, b = (_claim(booking, rows) for booking in (clash.a, clash.b))
    return EventClash(clash.kind, str(clash.what), a, b, clash.start, clash.end, homes[rows[a.pk].conference_id])


def _claim(booking: Booking, rows: Mapping[int, _Row]) -> Claim:
    # A clash has two spans, so both bookings have their times.
    assert isinstance(booking.key, int) and booking.start and booking.end  # noqa: S101, PT018
    return Claim(booking.key, rows[booking.key].kind, booking.title, booking.start, booking.end)
