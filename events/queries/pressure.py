"""How many are expected in each room of a day; of people nothing but counts leaves this module."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from events.models import Conference, Day, Event, Kind, Room, Status
from events.queries.crowd import Crowds, is_on
from events.queries.outlook import Wanted, wanted
from events.queries.slots import walks_of
from events.schedule.clashes import SHARING
from events.schedule.clock import Clock
from events.schedule.crowd import Crowd
from events.schedule.impact import FEW
from events.schedule.pressure import Placed, freer, over, swaps
from events.schedule.spans import Span
from events.schedule.walking import Walks

ROOMS_AT_ONCE = 2


@dataclass(frozen=True)
class OtherRoom:
    name: str
    seats: int
    # None where nobody has said.
    walk_minutes: int | None


@dataclass(frozen=True)
class PressureRow:
    event: Event
    seats: int | None
    wanted: Wanted
    over: int
    crowd: Crowd
    # People are there, so that staff may say how full it is.
    is_on: bool
    freer: list[OtherRoom] = field(default_factory=list)


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
        """How many rooms are too small."""
        return sum(row.over > 0 for row in self.rows)


def pressure_of(day: Day, clock: Clock) -> PressureDay:
    """Everything of a day that has a room to itself, in order of time; as many queries for any number of it."""
    conference = day.conference
    events = {it.pk: it for it in _events(day)}
    rooms = {it.pk: it for it in Room.objects.filter(conference=conference)}
    seats = {pk: room.capacity for pk, room in rooms.items() if room.capacity}
    have = wanted(list(events))
    placed = {pk: at for pk, it in events.items() if (at := _placed(it, have.get(pk, Wanted()), clock))}
    crowds, walks = Crowds(clock), walks_of(conference)
    rows = []
    for pk, it in events.items():
        is_over = it.end is not None and it.end <= clock.now
        others = freer(placed[pk], placed.values(), seats)[:ROOMS_AT_ONCE] if pk in placed and not is_over else []
        short = over(placed[pk], seats) if pk in placed else 0
        row = PressureRow(
            it, it.room.capacity if it.room else None, have.get(pk, Wanted()), short, crowds.of(it), is_on(it, clock.now)
        )
        rows.append(replace(row, freer=_other_rooms(it, others, rooms, walks)))
    found = [SwapRow(events[it.a], events[it.b], it.gain) for it in swaps(placed.values(), seats)]
    return PressureDay(day, rows, found)


def days_of(conference: Conference) -> list[Day]:
    return list(Day.objects.filter(conference=conference).select_related("conference").order_by("date"))


def day_to_show(days: Collection[Day], asked: str, today: dt.date) -> Day | None:
    """The day that was asked for, else today, else the first that is not over."""
    by_date = {it.date.isoformat(): it for it in days}
    coming = next((it for it in days if it.date >= today), None)
    return by_date.get(asked) or by_date.get(today.isoformat()) or coming or next(iter(days), None)


def _events(day: Day) -> list[Event]:
    """What takes a room: what shares one with others, and what is inside something in the same room, takes none."""
    events = Event.objects.filter(conference=day.conference_id, day=day, room__isnull=False).exclude(status=Status.CANCELLED)
    found = events.exclude(start=None).exclude(type__kind__in=SHARING).select_related("conference", "type", "room", "session")
    rows = found.order_by("start", "room__position", "room__name", "pk")
    return [it for it in rows if it.session is None or it.session.room_id != it.room_id]


def _placed(event: Event, have: Wanted, clock: Clock) -> Placed | None:
    """Few are as good as nobody: how many they are shows nowhere."""
    span = Span.of(event.start, event.end)
    people = have.expected if have.picks >= FEW else 0
    # Who goes to what is for everybody does not pick it: the hall is not too large for it. What has begun stays.
    stays = event.type.kind == Kind.INVITED_TALK or (span is not None and span.start <= clock.now)
    return Placed(key=event.pk, room=event.room_id, span=span, expected=people, stays=stays) if span else None


def _other_rooms(event: Event, rooms: Collection[int], known: Mapping[int, Room], walks: Walks) -> list[OtherRoom]:
    found = []
    for it in (known[pk] for pk in rooms):
        way = walks.way(event.room.zone_id, it.zone_id) if event.room else None
        found.append(OtherRoom(it.name, it.capacity or 0, way.minutes if way else None))
    return found
