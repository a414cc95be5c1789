"""Full rooms, for organisers: rooms that are too small, larger free rooms, and swaps."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from django.db.models import Q

from events.agenda.queries.change_preview import ChangePreview
from events.agenda.queries.conflicts import walks_of
from events.agenda.rules.impact import MIN_SHOWN_COUNT
from events.core.clock import Clock
from events.core.spans import Span
from events.crowd.queries.outlook import NO_DEMAND, Demand, demand_by_event
from events.crowd.queries.reports import Crowds, is_on
from events.crowd.rules import Crowd, PlacedEvent, people_without_seat, room_swaps, roomier_rooms
from events.programme.models.conference import Conference, Day
from events.programme.models.event import Event
from events.programme.models.labels import Kind, Status
from events.programme.models.venue import Room
from events.programme.rules.clashes import ROOM_SHARING_KINDS
from events.programme.rules.walking import Walks

MAX_OTHER_ROOMS = 2


@dataclass(frozen=True)
class FreerRoom:
    """What is None is unknown."""

    name: str
    seats: int | None
    walk_minutes: int | None


@dataclass(frozen=True)
class PressureRow:
    event: Event
    seats: int | None
    wanted: Demand
    over: int
    crowd: Crowd
    # People are there, so that staff may report how full it is.
    is_on: bool
    freer: list[FreerRoom] = field(default_factory=list)


@dataclass(frozen=True)
class SwapRow:
    a: Event
    b: Event
    gain: int


@dataclass(frozen=True)
class PressureDay:
    day: Day
    rows: list[PressureRow]
    swaps: list[SwapRow]

    @property
    def over(self) -> int:
        return sum(row.over > 0 for row in self.rows)


def pressure_of(day: Day, clock: Clock) -> PressureDay:
    """Return all events of a day that have a room to themselves, by time, with a constant number of queries."""
    conference = day.conference
    events = {event.pk: event for event in _room_events(day)}
    rooms = {room.pk: room for room in Room.objects.filter(conference=conference)}
    seats = {pk: room.capacity for pk, room in rooms.items() if room.capacity}
    demands = demand_by_event(list(events))
    placed = {pk: place for pk, event in events.items() if (place := _placed_event(event, demands.get(pk, NO_DEMAND), clock))}
    crowds, walks = Crowds(clock), walks_of(conference)
    rows = []
    for pk, event in events.items():
        is_over = event.end is not None and event.end <= clock.now
        others = roomier_rooms(placed[pk], placed.values(), seats)[:MAX_OTHER_ROOMS] if pk in placed and not is_over else []
        row = PressureRow(
            event=event,
            seats=event.room.capacity if event.room else None,
            wanted=demands.get(pk, NO_DEMAND),
            over=people_without_seat(placed[pk], seats) if pk in placed else 0,
            crowd=crowds.for_event(event),
            is_on=is_on(event, clock.now),
        )
        rows.append(replace(row, freer=[_freer_room(event.room, rooms[other], walks) for other in others]))
    swaps = [SwapRow(events[swap.a], events[swap.b], swap.gain) for swap in room_swaps(placed.values(), seats)]
    return PressureDay(day, rows, swaps)


def pressure_days(conference: Conference) -> list[Day]:
    return list(Day.objects.filter(conference=conference).select_related("conference").order_by("date"))


def day_to_show(days: Collection[Day], asked: str, today: dt.date) -> Day | None:
    """Return the requested day (ISO date), else today, else the next day, else the first."""
    by_date = {day.date.isoformat(): day for day in days}
    coming = next((day for day in days if day.date >= today), None)
    return by_date.get(asked) or by_date.get(today.isoformat()) or coming or next(iter(days), None)


def _room_events(day: Day) -> list[Event]:
    """Return events that occupy a room: none of a kind that shares rooms, and none inside a session in the same room."""
    events = Event.objects.filter(conference=day.conference_id, day=day, room__isnull=False).exclude(status=Status.CANCELLED)
    occupying = (
        events.exclude(start=None)
        .exclude(type__kind__in=ROOM_SHARING_KINDS)
        .select_related("conference", "type", "room", "session")
    )
    rows = occupying.order_by("start", "room__position", "room__name", "pk")
    return [event for event in rows if event.session is None or event.session.room_id != event.room_id]


def _placed_event(event: Event, demand: Demand, clock: Clock) -> PlacedEvent | None:
    span = Span.from_times(event.start, event.end)
    # Fewer count as nobody, so that their number shows nowhere.
    people = demand.expected if demand.bookmark_count >= MIN_SHOWN_COUNT else 0
    # People come to a keynote without bookmarking it: its hall is not too large. An event that has begun does not move.
    is_fixed = event.type.kind == Kind.INVITED_TALK or (span is not None and span.start <= clock.now)
    return PlacedEvent(key=event.pk, room=event.room_id, span=span, expected=people, is_fixed=is_fixed) if span else None


def _freer_room(room: Room | None, other: Room, walks: Walks) -> FreerRoom:
    way = walks.way(room.zone_id, other.zone_id) if room else None
    return FreerRoom(other.name, other.capacity, way.minutes if way else None)


@dataclass(frozen=True)
class RoomShortage:
    """More agendas have the event than its room has seats."""

    title: str
    room: str
    seats: int
    have: int


@dataclass(frozen=True)
class RoomCapacityCheck:
    """Rooms that are too small, and free ones that are not known to be; none are offered if the change uses several rooms."""

    short: list[RoomShortage] = field(default_factory=list)
    is_taken: bool = False
    freer: list[FreerRoom] = field(default_factory=list)
    is_one_room: bool = False

    @property
    def offers(self) -> bool:
        return self.is_one_room and bool(self.short or self.is_taken)


def check_room_capacity(preview: ChangePreview, have: Mapping[int, int], walks: Walks) -> RoomCapacityCheck:
    """Check the rooms of a planned change; ``have`` is the number of agendas by event id."""
    placed = [
        event
        for event in preview.after.values()
        if event.room and event.type.kind not in ROOM_SHARING_KINDS and not event.is_cancelled
    ]
    # A room of three for four people would show their number.
    short = [
        RoomShortage(event.title, event.room.name, event.room.capacity, have[event.pk])
        for event in placed
        if event.room and event.room.capacity is not None and have[event.pk] > max(event.room.capacity, MIN_SHOWN_COUNT - 1)
    ]
    rooms = {event.room for event in placed if event.room}
    if len(rooms) != 1:
        return RoomCapacityCheck(short)
    room = rooms.pop()
    occupied = _occupied_rooms(room, placed)
    is_taken = any(pk == room.pk and kind not in ROOM_SHARING_KINDS for pk, kind in occupied)
    if not (short or is_taken):
        return RoomCapacityCheck(is_one_room=True)
    seats = max(MIN_SHOWN_COUNT, *(have[event.pk] for event in placed), 0)
    return RoomCapacityCheck(short, is_taken, _freer_rooms(room, seats, {pk for pk, _ in occupied}, walks), is_one_room=True)


def _occupied_rooms(room: Room, placed: Collection[Event]) -> list[tuple[int | None, str]]:
    """Return (room id, kind of the event) for each event of the conference at that time."""
    spans = [span for event in placed if (span := Span.from_times(event.start, event.end))]
    if not spans:
        return []
    keys = [event.pk for event in placed]
    parents = {pk for event in placed if event.session for pk in (event.session_id, event.session.session_id)}
    others = (
        Event.objects.filter(conference=room.conference_id, room__isnull=False)
        .exclude(status=Status.CANCELLED)
        .exclude(Q(pk__in=[*keys, *filter(None, parents)]))
        # A talk is where its session is.
        .exclude(Q(session__in=keys, session__isnull=False) | Q(session__session__in=keys, session__session__isnull=False))
        .filter(start__lt=max(span.end for span in spans), end__gt=min(span.start for span in spans))
    )
    rows = others.values_list("room", "type__kind", "start", "end")
    return [(pk, kind) for pk, kind, start, end in rows if _overlaps(Span.from_times(start, end), spans)]


def _overlaps(span: Span | None, spans: Collection[Span]) -> bool:
    return span is not None and any(span.shared_with(other) for other in spans)


def _freer_rooms(room: Room, seats: int, occupied: Collection[int | None], walks: Walks) -> list[FreerRoom]:
    """Rooms of unknown capacity come last."""
    seated = Q(capacity__gte=seats) | Q(capacity=None)
    others = Room.objects.filter(seated, conference=room.conference_id).exclude(pk=room.pk)
    freer = [_freer_room(room, other, walks) for other in others if other.pk not in occupied]
    return sorted(freer, key=lambda it: (it.seats is None, it.walk_minutes is None, it.walk_minutes or 0, it.seats or 0, it.name))
