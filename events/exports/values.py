"""Values that schedule.xml and schedule.json share: names, numbers and times in the form of their schemas."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar
from zoneinfo import ZoneInfo

from events.core.clock import DAY_CHANGE
from events.core.spans import whole_minutes
from events.programme.data.export_numbers import MAX_EXPORT_NUMBER, computed_number
from events.programme.data.schedule import (
    BOARD_PREFIX,
    DayData,
    EventData,
    PaperData,
    PersonData,
    ScheduleData,
    load_time_zone,
)
from events.programme.rules.days import board_key

ROOM_GUID_NAMESPACE = uuid.UUID("0d9c3b0a-5d0c-5f0e-9b0e-6a1d5f1f7c11")
GENERATOR_NAME = "Hallway"
NO_ROOM_NAME = "No room named"
TIMESLOT_DURATION = "00:05"
MINUTES_IN_DAY = 24 * 60
FOREIGN_SLUG_PATTERN = re.compile("[a-z0-9_]{4,}-[a-z0-9_-]{3,}[a-z0-9]")
"""Slugs of other systems that both schemas allow."""
OWN_SLUG_PATTERN = re.compile(".*-[0-9a-f]{32}")

NumberedT = TypeVar("NumberedT", EventData, PersonData)


@dataclass(frozen=True)
class ExportUrls:
    """Addresses of pages, with {} for a guid or slug; that of a type has another {} for its kind.

    ``page_names`` reads what is written in the address of an event, by guid; a guid that it does not know leads there too.
    """

    site: str
    conference: str
    event: str
    paper: str
    person: str
    topic: str
    type: str
    # Of the conference; empty without one.
    logo: str = ""
    page_names: Callable[[], Mapping[str, str]] = dict

    def event_page(self, guid: str) -> str:
        return self.event.format(self.page_names().get(guid, guid))


@dataclass(frozen=True)
class ScheduledEvent:
    """A public event with a known time."""

    event: EventData
    number: int
    start: dt.datetime
    end: dt.datetime
    room: str
    paper: PaperData | None

    @property
    def people(self) -> list[str]:
        """Keys of the people on stage; if nobody is, of the authors."""
        on_stage = [appearance.person for appearance in self.event.people]
        return list(dict.fromkeys(on_stage or (self.paper.authors if self.paper else ())))


class Timetable:
    """The events with a time by day and room, without cancelled ones."""

    def __init__(self, data: ScheduleData) -> None:
        self.data, self.zone = data, load_time_zone(data.conference.timezone)
        self.days = data.days or (DayData(key="", date=data.conference.start),)
        self.events = {it.key: it for it in data.events}
        self.topics = {it.key: it for it in data.topics}
        self.people = {it.key: it for it in data.people}
        self._tracks = {it.key: it.name for it in data.tracks}
        self._types = {it.key: it for it in data.types}
        self._rooms = {it.key: it for it in data.rooms}
        self._papers = {it.key: it for it in data.papers}
        self._services = {it.key: it for it in data.services}
        self.foreign_slugs = _first_by_guid((it.guid, it.export_slug) for it in data.events if is_foreign_slug(it.export_slug))
        self._days: dict[str, list[ScheduledEvent]] = defaultdict(list)
        numbers = _first_by_guid((it.guid, it.export_number) for it in data.events if it.export_number)
        for number, event in _numbered(data.events, numbers):
            if event.start and event.end and event.status != "cancelled":
                local = event.start.astimezone(self.zone), event.end.astimezone(self.zone)
                paper = self._papers.get(event.paper)
                self._days[event.day].append(ScheduledEvent(event, number, *local, self._room_name(event), paper))

    @cached_property
    def person_numbers(self) -> dict[str, int]:
        return {it.key: number for number, it in _numbered(self.data.people)}

    def _room_name(self, event: EventData) -> str:
        service = self._services.get(event.service)
        room = self._rooms.get(event.room) or self._rooms.get(service.room if service else "")
        return (
            (self._rooms[event.room].name if event.room else event.place)
            or (room.name if room else "")
            or ((service.place or service.name) if service else NO_ROOM_NAME)
        )

    def rooms(self, day: DayData) -> list[tuple[str, str, list[ScheduledEvent]]]:
        """Return (name, key, events) of each room in use, in the venue's order; places in words follow by name."""
        events: dict[tuple[str, str], list[ScheduledEvent]] = defaultdict(list)
        for hour in self._days[day.key]:
            events[hour.event.room, hour.room].append(hour)
        order = {key: position for position, key in enumerate(self._rooms)}
        rooms = sorted(events, key=lambda room: (order.get(room[0], len(order)), room[1]))
        return [(name, key, sorted(events[key, name], key=_schedule_order)) for key, name in rooms]

    def hours(self) -> Iterator[ScheduledEvent]:
        """Yield the events of the days, in no order."""
        for day in self.days:
            yield from self._days[day.key]

    def kind(self, event: EventData) -> str:
        return self._types[event.type].kind

    def track_name(self, event: EventData) -> str:
        return self._tracks.get(event.track, "")

    def type_name(self, event: EventData) -> str:
        return self._types[event.type].name


def _schedule_order(hour: ScheduledEvent) -> tuple[object, ...]:
    return hour.start.astimezone(dt.UTC), hour.event.position, board_key(hour.event.board), hour.event.guid


T = TypeVar("T")


def _first_by_guid(values: Iterable[tuple[str, T]]) -> dict[str, T]:
    """Return the values by guid, each once: schemas do not allow two events of one number or slug."""
    firsts: dict[T, str] = {}
    for guid, value in values:
        firsts.setdefault(value, guid)
    return {guid: value for value, guid in firsts.items()}


def is_foreign_slug(slug: str) -> bool:
    """Whether exports may give this slug of another system; one of our own form may be that of another event."""
    return bool(FOREIGN_SLUG_PATTERN.fullmatch(slug)) and not OWN_SLUG_PATTERN.fullmatch(slug)


NO_NUMBERS: Mapping[str, int] = {}


def _numbered(rows: Iterable[NumberedT], known: Mapping[str, int] = NO_NUMBERS) -> Iterator[tuple[int, NumberedT]]:
    """Yield the known number, else a stable one of 31 bits from the guid, for apps that require one."""
    taken = set(known.values())
    for row in rows:
        number = known.get(row.guid)
        if number is None:
            number = computed_number(row.guid)
            while number in taken:
                number = number % MAX_EXPORT_NUMBER + 1
            taken.add(number)
        yield number, row


def acronym(slug: str) -> str:
    """Return at least four characters of a–z, 0–9 and _, as both schemas require."""
    name = re.sub(r"[^a-z0-9_]", "_", slug.lower())
    return name if len(name) >= 4 else f"{name}_conf"


def event_slug(hour: ScheduledEvent, table: Timetable) -> str:
    """Return that of another system, else conference, kind, type and guid in lower case, where our import finds kind and type."""
    if foreign := table.foreign_slugs.get(hour.event.guid):
        return foreign
    kind = re.sub(r"[^a-z0-9_-]", "", hour.event.type.lower())
    digits = hour.event.guid.replace("-", "")
    return f"{acronym(table.data.conference.slug)}-{table.kind(hour.event)}-{kind}-{digits}"


def iso_datetime(moment: dt.datetime) -> str:
    """Write an offset of hours and minutes; UTC if the zone's offset has seconds."""
    offset = moment.utcoffset() or dt.timedelta()
    return (moment.astimezone(dt.UTC) if offset % dt.timedelta(minutes=1) else moment).isoformat(timespec="seconds")


def day_bounds(day: DayData, zone: ZoneInfo) -> tuple[str, str]:
    start, end = (dt.datetime.combine(day.date + dt.timedelta(days=more), DAY_CHANGE, zone) for more in (0, 1))
    return iso_datetime(start), iso_datetime(end)


def duration_minutes(hour: ScheduledEvent) -> int:
    return whole_minutes(hour.end.astimezone(dt.UTC) - hour.start.astimezone(dt.UTC))


def room_guid(table: Timetable, key: str) -> str:
    """Compute a guid from the conference's slug and the room's key, as rooms have none."""
    return str(uuid.uuid5(ROOM_GUID_NAMESPACE, f"{table.data.conference.slug}/{key}"))


def subtitle(event: EventData) -> str:
    return event.subtitle or (f"{BOARD_PREFIX}{event.board}" if event.board else "")
