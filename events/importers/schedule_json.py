"""schedule.json as frab, pretalx and the c3 hub write it: version 1, and what is fixed of version 2."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from events.importers import cells, times, values
from events.importers.builder import ScheduleBuilder
from events.importers.data import AppearanceData, EventData, LinkData, ScheduleData
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints
from events.importers.kinds import kind_of
from events.importers.safe_json import load_json
from events.importers.venue_zone import zone_for

ROLES = {"moderator": "moderator", "host": "host"}
UNKNOWN = ZoneInfo("UTC")
HIDDEN = {"draft", "submitted", "accepted", "rejected", "withdrawn", "deleted"}


def recognises(document: Document) -> bool:
    return document.is_one_file and values.has_keys(document.content, "schedule", "conference", first="{")


def parse(document: Document, hints: Hints) -> ScheduleData:
    """The programme; raises ScheduleParseError for a file that holds none."""
    schedule = values.row(values.row(load_json(document.content, file=document.name)).get("schedule"))
    conference = schedule.get("conference")
    if not isinstance(conference, dict):
        problem = "has no “conference” inside a “schedule”: export schedule.json again"
        raise ScheduleParseError(problem, file=document.name)
    return _Reader(document.name, hints, schedule, conference).read()


@dataclass(frozen=True)
class _Entry:
    """An event as the file has it, and what stands around it: the day's date, the room's name."""

    event: dict[str, Any]
    date: dt.date | None
    room: str
    place: str


class _Reader:
    def __init__(self, file: str, hints: Hints, schedule: dict[str, Any], conference: dict[str, Any]) -> None:
        self.schedule, self.conference = schedule, conference
        self.days = values.rows(conference.get("days"))
        self.events = values.rows(schedule.get("events"))
        named = values.text(conference.get("time_zone_name"))
        zone, warning = zone_for(named, hints, moments=self._moments(), file=file)
        self.build = ScheduleBuilder(hints, zone, file=file)
        if warning:
            self.build.warn(warning)
        self.base = next((it for it in map(self._address, ("base_url", "url")) if it), "")
        self.names: dict[str, str] = {}
        self.tracks: dict[str, str] = {}
        self.rooms: dict[str, str] = {}

    def read(self) -> ScheduleData:
        conference, text = self.conference, values.text
        self._announce_rooms()
        for track in values.rows(conference.get("tracks")):
            name = text(track.get("name"))
            self.build.track(name, colour=text(track.get("color")))
            self.tracks[text(track.get("slug"))] = name
        for entry in self._entries():
            self._take(entry)
        first, last = self._window()
        return self.build.build(
            name=text(conference.get("title")) or text(conference.get("acronym")),
            start=first,
            end=last,
            url=self.build.address(text(conference.get("url")), "the conference"),
            colour=cells.colour(text(values.row(conference.get("colors")).get("primary"))),
        )

    def _window(self) -> tuple[dt.date | None, dt.date | None]:
        """The conference's first and last date, unless its days say that they are another year's."""
        first, last = self._date(self.conference.get("start")), self._date(self.conference.get("end"))
        days = [date for day in self.days if (date := self._date(day.get("date")))]
        if days and ((first and first > max(days)) or (last and last < min(days))):
            self.build.warn(f"the conference says {first} to {last}, its days {min(days)} to {max(days)}; the days count")
            return None, None
        return first, last

    def _moments(self) -> list[dt.datetime]:
        """Times with an offset, to tell the zone by where it is not named."""
        told = [event.get("start") for event in self.events] + [day.get("day_start") or day.get("start") for day in self.days]
        found = (times.moment(values.text(it), UNKNOWN) for it in told)
        return [it for it in found if it and it.tzinfo is not UNKNOWN]

    def _address(self, name: str) -> str:
        found = values.text(self.schedule.get(name)) or values.text(self.conference.get(name))
        return found if cells.is_address(found) else ""

    def _announce_rooms(self) -> None:
        """Rooms come first and in the file's order, also those where nothing happens."""
        listed = values.rows(self.conference.get("rooms")) + values.rows(self.schedule.get("rooms"))
        for room in listed:
            name = values.text(room.get("name"))
            seats = values.whole(room.get("capacity")) or None
            self.build.room(name, capacity=seats, description=values.text(room.get("description")))
            self.rooms |= {values.text(room.get(by)): name for by in ("slug", "guid")}

    def _entries(self) -> Iterator[_Entry]:
        for number, day in enumerate(self.days, start=1):
            date = self._date(day.get("date"))
            if date:
                self.build.day(date)
            for room, events in values.row(day.get("rooms")).items():
                where = f"day {number}, room {cells.quoted(room)}"
                self.build.room(room)
                for event in values.only_rows(events, where, self.build):
                    yield _Entry(event, date, room, self._place(event, where))
        for event in self.events:
            yield _Entry(event, None, self._room_of(event), self._place(event, "events"))

    def _place(self, event: dict[str, Any], where: str) -> str:
        return f"{where}, {cells.quoted(values.text(event.get('title')))}"

    def _room_of(self, event: dict[str, Any]) -> str:
        said = event.get("room")
        if not isinstance(said, dict):
            return values.text(said)
        known = (self.rooms.get(values.text(said.get(by))) for by in ("slug", "guid"))
        return values.text(said.get("name")) or next(filter(None, known), "")

    def _date(self, value: Any) -> dt.date | None:
        """The date of a date or of a date and time, on the file's own clock."""
        return times.day_of(values.text(value))

    def _take(self, entry: _Entry) -> None:
        event, text = entry.event, values.text
        status = text(event.get("state") or event.get("status")).lower()
        if status in HIDDEN:
            self.build.skip(entry.place, f"it is “{status}”, which is not for attendees")
            return
        try:
            start, end = self._times(entry)
            people = self._people(entry)
        except _UnusableError as error:
            self.build.skip(entry.place, str(error))
            return
        said = text(event.get("type"))
        kind = "break" if said in {"BREAK", "META"} else kind_of(said or text(event.get("title")))
        told = [text(event.get(name)).strip() for name in ("subtitle", "abstract", "description")]
        self.build.event(
            EventData(
                key=self._key(event, start),
                guid=values.key(event.get("guid")),
                title=text(event.get("title")),
                type=self.build.type(kind, said.replace("_", " ").capitalize() if said.isupper() else said),
                status="cancelled" if status in {"canceled", "cancelled"} else "confirmed",
                day=self._day(entry, start),
                start=start,
                end=end,
                room=self.build.room(entry.room),
                track=self._track(event),
                abstract="\n\n".join(dict.fromkeys(filter(None, told))),
                people=people,
                links=self._links(entry),
            ),
            place=entry.place,
        )

    def _key(self, event: dict[str, Any], start: dt.datetime | None) -> str:
        """Who the event is: its guid, else what else names it for good; a title may change."""
        named = (values.key(event.get(name)) for name in ("guid", "code", "id", "url", "slug"))
        return next(filter(None, named), "") or f"{cells.key_of(values.text(event.get('title')))[:100]} {start or ''}".strip()

    def _day(self, entry: _Entry, start: dt.datetime | None) -> str:
        """The day the file puts it under, where that can be: after midnight it is still the evening before."""
        if start is None or entry.date is None:
            return self.build.day(entry.date) if entry.date else ""
        apart = abs((start.astimezone(self.build.zone).date() - entry.date).days)
        if apart <= 1:
            return self.build.day(entry.date)
        self.build.warn(f"{entry.place}: stands under {entry.date} and starts at {start:%Y-%m-%d %H:%M}; the latter counts")
        return self.build.day_of(start)

    def _track(self, event: dict[str, Any]) -> str:
        said = event.get("track")
        slug = values.text(said.get("slug")) if isinstance(said, dict) else ""
        return self.build.track(self.tracks.get(slug, slug) if slug else values.text(said))

    def _times(self, entry: _Entry) -> tuple[dt.datetime | None, dt.datetime | None]:
        """Start and end; neither where the file has no start. Raises _UnusableError for a length that is none."""
        event, zone = entry.event, self.build.zone
        said = [values.text(event.get(name)) for name in ("date", "start", "end")]
        start = times.moment(said[0], zone) or times.moment(said[1], zone) or self._on_the_clock(entry, said[1])
        if start is None:
            if said[0] or said[1]:
                self.build.warn(f"{entry.place}: when it starts cannot be read; it is to be announced")
            return None, None
        told = values.text(event.get("duration"))
        length = times.duration(told)
        if length is None and told:
            raise _UnusableError(f"its duration {cells.quoted(told)} is none: write hours and minutes, as 0:45")
        return start, start + length if length is not None else times.moment(said[2], zone)

    def _on_the_clock(self, entry: _Entry, said: str) -> dt.datetime | None:
        """The day's date and the time that stands alone; small hours are the next calendar day's."""
        clock = times.clock(said)
        if clock is None or entry.date is None:
            return None
        found = times.on_day(entry.date, clock, self.build.zone)
        if found.warning:
            self.build.warn(f"{entry.place}: {found.warning}")
        return found.at

    def _people(self, entry: _Entry) -> tuple[AppearanceData, ...]:
        told = entry.event.get("persons") or entry.event.get("participants")
        found = {}
        for person in values.only_rows(told, f"{entry.place}, persons", self.build):
            name = values.text(person.get("public_name")) or values.text(person.get("name"))
            key = self._person_key(person, name)
            bio, url = values.text(person.get("biography")), values.text(person.get("url"))
            if who := self.build.person(name, key=key, bio=bio, url=url):
                role = ROLES.get(values.text(person.get("role")).lower(), "speaker")
                found[who, role] = AppearanceData(person=who, role=role)
        return tuple(found.values())

    def _person_key(self, person: dict[str, Any], name: str) -> str:
        """A person's guid, code or number; with their name where merged programmes use a number twice."""
        guid, code, number = (values.key(person.get(field)) for field in ("guid", "code", "id"))
        found = guid or (code if code.isascii() else "")
        if not found and number.isdecimal():
            found = f"person-{number}"
        if not found and (code or number):
            raise _UnusableError(f"neither code “{code}” nor id “{number}” of {cells.quoted(name)} can be one: export it again")
        if self.names.setdefault(found, name) == name:
            return found
        return f"{found}:{cells.key_of(name)[:40]}" if found else ""

    def _links(self, entry: _Entry) -> tuple[LinkData, ...]:
        found: dict[str, LinkData] = {}
        told = [("source", {"url": entry.event.get("url")})]
        for part in ("links", "attachments"):
            told += [("", it) for it in values.only_rows(entry.event.get(part), f"{entry.place}, {part}", self.build)]
        for kind, link in told:
            title = values.text(link.get("title"))
            url = values.absolute(values.text(link.get("url")), self.base)
            meant = kind or values.link_kind(values.text(link.get("type")), title)
            found |= {it.url: it for it in self.build.link(url, kind=meant, title=title, place=entry.place)}
        return tuple(found.values())


class _UnusableError(ValueError):
    """Why one event is skipped."""
