"""schedule.json of frab, pretalx and the CCC hub, in versions 1 and 2."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from events.core.parsing import cells, values
from events.core.parsing.errors import ScheduleParseError
from events.core.parsing.safe_json import load_json
from events.core.parsing.values import JsonObject
from events.imports.formats import times
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.document import Document, Hints
from events.imports.formats.kinds import event_kind, title_kind
from events.imports.formats.services import without_cancelled
from events.imports.formats.times import StartTime, find_time_zone
from events.programme.data.export_numbers import parse_export_number
from events.programme.data.schedule import AppearanceData, EventData, LinkData, ScheduleData

HIDDEN_STATUSES = {"draft", "submitted", "accepted", "rejected", "withdrawn", "deleted"}
CANCELLED_STATUSES = {"canceled", "cancelled"}
ROLES_BY_NAME = {"moderator": "moderator", "host": "host"}


class UnusableEntryError(ValueError):
    """The reason why one event is skipped."""


def recognises(document: Document) -> bool:
    return document.is_one_file and values.has_json_keys(document.content, "schedule", "conference", first="{")


def parse(document: Document, hints: Hints) -> ScheduleData:
    """Raise ScheduleParseError for a file without a schedule."""
    schedule = values.as_object(values.as_object(load_json(document.content, file=document.name)).get("schedule"))
    conference = schedule.get("conference")
    if not isinstance(conference, dict):
        problem = "has no “conference” inside a “schedule”: export schedule.json again"
        raise ScheduleParseError(problem, file=document.name)
    return ScheduleJsonReader(document.name, hints, schedule, conference).read()


class ScheduleJsonReader:
    def __init__(self, file: str, hints: Hints, schedule: JsonObject, conference: JsonObject) -> None:
        self.schedule, self.conference = schedule, conference
        self.days, self.events = values.as_objects(conference.get("days")), values.as_objects(schedule.get("events"))
        zone_name = values.as_text(conference.get("time_zone_name"))
        zone, warning = find_time_zone(zone_name, hints, moments=self._aware_times(), file=file)
        self.builder = ScheduleBuilder(hints, zone, file=file)
        if warning:
            self.builder.warn(warning)
        self.people = ScheduleJsonPeople(self.builder)
        self.base_url = next(filter(None, map(self._address, ("base_url", "url"))), "")
        self.disagreeing: list[str] = []
        self.track_names: dict[str, str] = {}
        self.room_names: dict[str, str] = {}

    def read(self) -> ScheduleData:
        conference, text = self.conference, values.as_text
        self._add_rooms()
        for track in values.as_objects(conference.get("tracks")):
            name = text(track.get("name"))
            self.builder.track(name, colour=text(track.get("color")))
            self.track_names[text(track.get("slug"))] = name
        for entry in values.limit_events(self._entries(), file=self.builder.file):
            self._add_entry(entry)
        if self.disagreeing:
            more = f" and {len(self.disagreeing) - 1} more" if len(self.disagreeing) > 1 else ""
            self.builder.warn(f"{self.disagreeing[0]}{more}: date and start disagree; the date is used")
        first, last = self._dates()
        return self.builder.build(
            name=text(conference.get("title")) or text(conference.get("acronym")),
            start=first,
            end=last,
            url=text(conference.get("url")),
            colour=cells.parse_colour(text(values.as_object(conference.get("colors")).get("primary"))),
        )

    def _aware_times(self) -> list[dt.datetime]:
        listed = [event.get("start") for event in self.events] + [day.get("day_start") or day.get("start") for day in self.days]
        return times.datetimes(map(values.as_text, listed))

    def _dates(self) -> tuple[dt.date | None, dt.date | None]:
        """Return first and last date; those of the days if the two lists name different years."""
        first, last = (times.parse_leading_date(values.as_text(self.conference.get(name))) for name in ("start", "end"))
        days = self.builder.dates
        if days and ((first and first > max(days)) or (last and last < min(days))):
            self.builder.warn(f"the conference says {first} to {last}, its days {min(days)} to {max(days)}; the days count")
            return min(days), max(days)
        return first, last

    def _address(self, name: str) -> str:
        url = values.as_text(self.schedule.get(name)) or values.as_text(self.conference.get(name))
        return url if cells.is_http_url(url) else ""

    def _add_rooms(self) -> None:
        listed = values.as_objects(self.conference.get("rooms")) + values.as_objects(self.schedule.get("rooms"))
        for room in listed:
            name = values.as_text(room.get("name"))
            seats = values.as_int(room.get("capacity")) or None
            description = values.as_text(room.get("description"))
            self.builder.room(name, key=values.as_key(room.get("guid")), capacity=seats, description=description)
            self.room_names |= {key: name for field in ("slug", "guid") if (key := values.as_text(room.get(field)))}

    def _entries(self) -> Iterator[ScheduleJsonEntry]:
        """Read version 1, by day and room, and version 2, a list that names rooms by guid or slug."""
        for number, day in enumerate(self.days, start=1):
            date = times.parse_leading_date(values.as_text(day.get("date")))
            if date:
                self.builder.day(date)
            for room, events in values.as_object(day.get("rooms")).items():
                location = f"day {number}, room {cells.quoted(room)}"
                self.builder.room(room)
                for event in values.objects_or_warn(events, location, self.builder):
                    yield ScheduleJsonEntry(event, date, room, _entry_location(event, location))
        for event in self.events:
            yield ScheduleJsonEntry(event, None, self._room_name(event), _entry_location(event, "events"))

    def _room_name(self, event: JsonObject) -> str:
        room = event.get("room")
        if not isinstance(room, dict):
            return values.as_text(room)
        known = (self.room_names.get(values.as_text(room.get(field)), "") for field in ("slug", "guid"))
        return values.as_text(room.get("name")) or next(filter(None, known), "")

    def _add_entry(self, entry: ScheduleJsonEntry) -> None:
        status = (entry.text("state") or entry.text("status")).lower()
        if status in HIDDEN_STATUSES:
            reason = f"it is “{status}”, which is not for attendees"
            self.builder.skip(entry.location, reason, key=entry.key(None), is_hidden=True)
            return
        try:
            start, end = entry.times(self.builder)
            people = self.people.appearances_in(entry)
        except UnusableEntryError as error:
            self.builder.skip(entry.location, str(error), key=entry.key(entry.start(self.builder.zone)))
            return
        key, room = entry.key(start), self.builder.room(entry.room)
        if self.builder.is_repeated(key, start, room, entry.location):
            return
        self.disagreeing += [entry.location] if entry.disagrees(start, self.builder.zone) else []
        title, status_of_title = without_cancelled(entry.text("title"))
        type_name = entry.text("type")
        kind = "break" if type_name in {"BREAK", "META"} else event_kind(type_name) if type_name else title_kind(title)
        added = self.builder.event(
            EventData(
                key=key,
                guid=values.as_key(entry.event.get("guid")),
                title=title,
                subtitle=entry.text("subtitle"),
                language=entry.text("language"),
                type=self.builder.type_of(
                    kind,
                    type_name.replace("_", " ").capitalize() if type_name.isupper() else type_name,
                    title=title,
                ),
                status="cancelled" if status in CANCELLED_STATUSES else status_of_title,
                day=entry.date.isoformat() if entry.date else "",
                start=start,
                end=end,
                room=room,
                track=self._track(entry),
                abstract=entry.text("abstract"),
                description=entry.text("description"),
                recording_license=entry.text("recording_license") or values.as_text(entry.recording.get("license")).strip(),
                do_not_record=entry.do_not_record,
                export_number=parse_export_number(entry.text("id")),
                export_slug=entry.text("slug"),
                logo_url=values.absolute_url(entry.text("logo"), self.base_url),
            ),
            location=entry.location,
        )
        if added:
            self.builder.add_details(added, people=people, links=self._links(entry))

    def _track(self, entry: ScheduleJsonEntry) -> str:
        slug = values.as_text(values.as_object(entry.event.get("track")).get("slug"))
        return self.builder.track(self.track_names.get(slug, slug) if slug else entry.text("track"))

    def _links(self, entry: ScheduleJsonEntry) -> tuple[LinkData, ...]:
        listed: list[tuple[str, JsonObject]] = [("source", {"url": entry.text("url")})]
        for part in (name for name in entry.event if name in {"links", "attachments"}):
            objects = values.objects_or_warn(entry.event.get(part), f"{entry.location}, {part}", self.builder)
            listed += [("", link) for link in objects]
        links: dict[str, LinkData] = {}
        for page_kind, value in listed:
            title = values.as_text(value.get("title"))
            url = values.absolute_url(values.as_text(value.get("url")), self.base_url)
            kind = page_kind or values.link_kind(values.as_text(value.get("type")), title)
            for link in self.builder.link(url, kind=kind, title=title, location=entry.location):
                links.setdefault(link.url, link)
        for link in self.builder.link(entry.text("feedback_url"), title="Feedback", location=entry.location):
            links.setdefault(link.url, link)
        return tuple(links.values())


@dataclass(frozen=True)
class ScheduleJsonEntry:
    """An event of the file, with the date of its day and the name of its room."""

    event: JsonObject
    date: dt.date | None
    room: str
    location: str

    def text(self, name: str) -> str:
        return values.as_text(self.event.get(name)).strip()

    @property
    def recording(self) -> JsonObject:
        return values.as_object(self.event.get("recording"))

    @property
    def do_not_record(self) -> bool | None:
        flag = values.as_flag(self.event.get("do_not_record"))
        return values.as_flag(self.recording.get("optout")) if flag is None else flag

    @property
    def _key_of_title(self) -> str:
        # That of the same event before it was cancelled.
        return cells.key_of(without_cancelled(self.text("title"))[0])[:100]

    def key(self, start: dt.datetime | None) -> str:
        names = (values.as_key(self.event.get(name)) for name in ("guid", "code", "id", "url", "slug"))
        return next(filter(None, names), "") or f"{self._key_of_title} {start or ''}".strip()

    def times(self, builder: ScheduleBuilder) -> tuple[dt.datetime | None, dt.datetime | None]:
        """Return start and end, None without a start; raise UnusableEntryError for a malformed duration."""
        start, duration = self._checked_start(builder), self.text("duration")
        if start is None:
            if self.text("date") or self.text("start"):
                builder.warn_of_time(self.location, "when it starts cannot be read; it is to be announced")
            return None, None
        length = times.parse_duration(duration)
        if length is not None:
            # In UTC, so that an hour stays one where the clocks change.
            return start, start.astimezone(dt.UTC) + length
        if duration:
            raise UnusableEntryError(f"its duration {cells.quoted(duration)} cannot be read: write hours and minutes, as 0:45")
        return start, times.parse_datetime(self.text("end"), builder.zone)

    def disagrees(self, start: dt.datetime | None, zone: ZoneInfo) -> bool:
        """Return whether ``start`` differs from ``date``, in the conference's zone and in the date's."""
        clock = times.parse_clock(self.text("start"))
        shown = {at.replace(second=0, microsecond=0).time() for at in (start, start.astimezone(zone))} if start else set()
        return bool(shown and clock and clock not in shown)

    def start(self, zone: ZoneInfo) -> dt.datetime | None:
        found = self._start_time(zone)
        return found.at if found else None

    def _checked_start(self, builder: ScheduleBuilder) -> dt.datetime | None:
        found = self._start_time(builder.zone)
        if found and found.warning:
            builder.warn(f"{self.location}: {found.warning}")
        return found.at if found else None

    def _start_time(self, zone: ZoneInfo) -> StartTime | None:
        date, start = self.text("date"), self.text("start")
        if found := times.parse_start(date, zone) or times.parse_start(start, zone):
            return found
        clock = times.parse_clock(start)
        return times.start_on_day(self.date, clock, zone) if clock and self.date else None


def _entry_location(event: JsonObject, location: str) -> str:
    return f"{location}, {cells.quoted(' '.join(values.as_text(event.get('title'))[:200].split()))}"


class ScheduleJsonPeople:
    """Appearances with checked ids: in merged programmes, 0 and other ids belong to many people."""

    def __init__(self, builder: ScheduleBuilder) -> None:
        self.builder = builder
        self.names: dict[str, str] = {}

    def appearances_in(self, entry: ScheduleJsonEntry) -> tuple[AppearanceData, ...]:
        """Return each person once in each role, in order; raise UnusableEntryError for malformed ids."""
        listed = entry.event.get("persons") or entry.event.get("participants")
        appearances: dict[tuple[str, str], AppearanceData] = {}
        for person in values.objects_or_warn(listed, f"{entry.location}, persons", self.builder):
            name = values.as_text(person.get("public_name")) or values.as_text(person.get("name"))
            bio, url = values.as_text(person.get("biography")), values.as_text(person.get("url"))
            key = self.builder.person(name, key=self._key(person, name), bio=bio, url=url)
            role = ROLES_BY_NAME.get(values.as_text(person.get("role")).lower(), "speaker")
            if key:
                appearances[key, role] = AppearanceData(person=key, role=role)
        return tuple(appearances.values())

    def _key(self, person: dict[str, Any], name: str) -> str:
        guid, code, number = (values.as_key(person.get(field)) for field in ("guid", "code", "id"))
        key = guid or (code if code.isascii() else "")
        if not key and number.isdecimal():
            key = f"person-{number}"
        if not key and (code or number):
            raise UnusableEntryError(
                f"neither code “{code}” nor id “{number}” of {cells.quoted(name)} can be one: export it again"
            )
        if not key or self.names.setdefault(key, name) == name:
            return key
        return f"{key}:{cells.key_of(name)[:40]}"
