"""What schedule.xml and schedule.json have in common: names, numbers and times as their schemas want them."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar
from zoneinfo import ZoneInfo

from events.importers.data import DayData, EventData, PaperData, PersonData, ScheduleData
from events.importers.hints import zone_of
from events.schedule.boards import board_key
from events.schedule.clock import DAY_CHANGE
from events.schedule.spans import whole_minutes

NAMESPACE = uuid.UUID("0d9c3b0a-5d0c-5f0e-9b0e-6a1d5f1f7c11")
GENERATOR = "Hallway"
NO_ROOM = "No room named"
TIMESLOT = "00:05"
LARGEST_ID = 2**31 - 1
MINUTES_IN_DAY = 24 * 60

T = TypeVar("T", EventData, PersonData)


@dataclass(frozen=True)
class Addresses:
    """Where the pages of things are; {} stands for their guid or slug."""

    site: str
    conference: str
    event: str
    paper: str
    person: str
    topic: str


@dataclass(frozen=True)
class Hour:
    """A public event whose hour is known, as both formats show it."""

    event: EventData
    number: int
    start: dt.datetime
    end: dt.datetime
    room: str
    paper: PaperData | None

    @property
    def people(self) -> list[str]:
        """Who is on stage; for a poster of which nobody said who stands there, its authors."""
        on_stage = [it.person for it in self.event.people]
        return list(dict.fromkeys(on_stage or (self.paper.authors if self.paper else ())))


class Timetable:
    """The events that have an hour, by day and by room; the others, and what is cancelled, cannot be in it."""

    def __init__(self, data: ScheduleData) -> None:
        self.data, self.zone = data, zone_of(data.conference.timezone)
        self.days = data.days or (DayData(key="", date=data.conference.start),)
        self.events = {it.key: it for it in data.events}
        self.topics = {it.key: it for it in data.topics}
        self.people = {it.key: (it, number) for number, it in _numbered(data.people)}
        self._tracks = {it.key: it.name for it in data.tracks}
        self._types = {it.key: it for it in data.types}
        self._rooms = {it.key: it for it in data.rooms}
        self._papers = {it.key: it for it in data.papers}
        self._services = {it.key: it for it in data.services}
        self._days: dict[str, list[Hour]] = defaultdict(list)
        for number, event in _numbered(data.events):
            if event.start and event.end and event.status != "cancelled":
                local = event.start.astimezone(self.zone), event.end.astimezone(self.zone)
                paper = self._papers.get(event.paper)
                self._days[event.day].append(Hour(event, number, *local, self._place(event), paper))

    def _place(self, event: EventData) -> str:
        """Under which heading it stands: its room, else the place in words, else where its desk is."""
        service = self._services.get(event.service)
        room = self._rooms.get(event.room) or self._rooms.get(service.room if service else "")
        return (
            (self._rooms[event.room].name if event.room else event.place)
            or (room.name if room else "")
            or ((service.place or service.name) if service else NO_ROOM)
        )

    def rooms(self, day: DayData) -> list[tuple[str, str, list[Hour]]]:
        """Name, key and events of each room in use, in the venue's order; places in words follow by name."""
        found: dict[tuple[str, str], list[Hour]] = defaultdict(list)
        for hour in self._days[day.key]:
            found[hour.event.room, hour.room].append(hour)
        order = {key: place for place, key in enumerate(self._rooms)}
        names = sorted(found, key=lambda it: (order.get(it[0], len(order)), it[1]))
        return [(name, key, sorted(found[key, name], key=_order)) for key, name in names]

    def kind(self, event: EventData) -> str:
        return self._types[event.type].kind

    def track_name(self, event: EventData) -> str:
        return self._tracks.get(event.track, "")

    def type_name(self, event: EventData) -> str:
        return self._types[event.type].name


def _order(hour: Hour) -> tuple[object, ...]:
    """By start; posters of one start by board."""
    return hour.start.astimezone(dt.UTC), hour.event.position, board_key(hour.event.board), hour.event.guid


def _numbered(rows: Iterable[T]) -> Iterator[tuple[int, T]]:
    """A number for apps that still want one: from the guid, so that it stays, in 31 bits, as they store it."""
    taken: set[int] = set()
    for row in rows:
        number = uuid.UUID(row.guid).int % LARGEST_ID + 1
        while number in taken:
            number = number % LARGEST_ID + 1
        taken.add(number)
        yield number, row


def acronym(slug: str) -> str:
    """At least four of a–z, 0–9 and _, which is what both schemas allow."""
    name = re.sub(r"[^a-z0-9_]", "_", slug.lower())
    return name if len(name) >= 4 else f"{name}_conf"


def slug(hour: Hour, table: Timetable) -> str:
    """Conference, kind, type and guid: small letters only, of which our own import reads kind and type again."""
    kind = re.sub(r"[^a-z0-9_-]", "", hour.event.type.lower())
    return f"{acronym(table.data.conference.slug)}-{table.kind(hour.event)}-{kind}-{uuid.UUID(hour.event.guid).hex}"


def instant(moment: dt.datetime) -> str:
    """With an offset of hours and minutes; a zone that has seconds in its own is told in UTC."""
    offset = moment.utcoffset() or dt.timedelta()
    return (moment.astimezone(dt.UTC) if offset % dt.timedelta(minutes=1) else moment).isoformat(timespec="seconds")


def bounds(day: DayData, zone: ZoneInfo) -> tuple[str, str]:
    """A day of the programme is from one DAY_CHANGE to the next."""
    start, end = (dt.datetime.combine(day.date + dt.timedelta(days=more), DAY_CHANGE, zone) for more in (0, 1))
    return instant(start), instant(end)


def minutes(hour: Hour) -> int:
    return whole_minutes(hour.end.astimezone(dt.UTC) - hour.start.astimezone(dt.UTC))


def room_guid(table: Timetable, key: str) -> str:
    """Rooms have no guid of their own: one from the conference and the room's key, the same every time."""
    return str(uuid.uuid5(NAMESPACE, f"{table.data.conference.slug}/{key}"))


def subtitle(event: EventData) -> str:
    return f"Board {event.board}" if event.board else ""
