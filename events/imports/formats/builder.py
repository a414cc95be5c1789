"""The builder of a ScheduleData, for formats other than our own."""

from __future__ import annotations

import dataclasses
import datetime as dt
import hashlib
import re
import unicodedata
import uuid
from collections.abc import Callable
from typing import TypeVar
from zoneinfo import ZoneInfo

from events.core.clock import programme_date
from events.core.parsing import cells
from events.core.parsing.errors import MAX_IMPORT_EVENTS, ScheduleParseError, raised, too_many_error
from events.core.parsing.values import TextCleaner
from events.core.spans import utc
from events.imports.formats.document import Hints
from events.imports.formats.kinds import KIND_NAMES, is_meal
from events.imports.formats.languages import EventLanguages
from events.imports.formats.listed_days import ListedDays
from events.imports.formats.texts import is_placeholder
from events.programme.data.place import RoomData
from events.programme.data.schedule import (
    AppearanceData,
    AwardData,
    ConferenceData,
    DayData,
    EventData,
    EventTypeData,
    LeftOutEvent,
    LinkData,
    PaperData,
    PersonData,
    ScheduleData,
    TopicData,
    TrackData,
)

T = TypeVar("T")
MAX_NAME_CHARS = 100


class ReferenceBuilder(TextCleaner):
    """Adds rows that events refer to. Each method returns a key; the first call with a key decides the row's values."""

    def __init__(self, zone: ZoneInfo) -> None:
        super().__init__()
        self.zone = zone
        self._keys: dict[tuple[str, str], str] = {}
        self._used_keys: set[tuple[str, str]] = set()
        self._days: dict[str, DayData] = {}
        self._types: dict[str, EventTypeData] = {}
        self._tracks: dict[str, TrackData] = {}
        self._topics: dict[str, TopicData] = {}
        self._rooms: dict[str, RoomData] = {}
        self._people: dict[str, PersonData] = {}
        self._papers: dict[str, PaperData] = {}
        self._awards: dict[str, AwardData] = {}

    def day(self, date: dt.date, *, title: str = "") -> str:
        key = date.isoformat()
        return _add_once(self._days, key, lambda: DayData(key=key, date=date, title=self.line(title, MAX_NAME_CHARS)))

    def day_of(self, start: dt.datetime) -> str:
        return self.day(programme_date(start, self.zone))

    def type(self, kind: str, name: str = "") -> str:
        kind_name, kind_plural = KIND_NAMES[kind]
        label, plural = self.line(name, MAX_NAME_CHARS), ""
        if not label or label.lower() in {kind_name.lower(), kind_plural.lower()}:
            label, plural = kind_name, kind_plural
        key, position = self._key_for("type", label, _ascii_key(label)), len(self._types)
        # A session of posters has the colour of its posters.
        colour = "poster" if kind == "session" and label.lower().startswith("poster") else ""
        return _add_once(
            self._types,
            key,
            lambda: EventTypeData(key=key, name=label, plural=plural, kind=kind, colour=colour, position=position),
        )

    def track(self, name: str, *, colour: str = "") -> str:
        label = self.line(name, MAX_NAME_CHARS)
        if not label:
            return ""
        key, position = self._key_for("track", label, _ascii_key(label)), len(self._tracks)
        return _add_once(
            self._tracks, key, lambda: TrackData(key=key, name=label, colour=cells.parse_colour(colour), position=position)
        )

    def topic(self, area: str, subarea: str = "") -> str:
        area, subarea = self.line(area, 200), self.line(subarea, 200)
        if not area:
            return ""
        key = self._key_for("topic", f"{area}\n{subarea}", _ascii_key(f"{area} {subarea}"))
        return _add_once(self._topics, key, lambda: TopicData(key=key, area=area, subarea=subarea))

    def room(self, name: str, *, key: str = "", capacity: int | None = None, description: str = "") -> str:
        """Add a room by name; ``key`` is the source's. The zone stays empty: the import uses the conference's.

        “TBA” and the like are no rooms.
        """
        label = self.line(name, MAX_NAME_CHARS)
        if is_placeholder(label):
            return ""
        room_key = self._key_for("room", label, self.key(key) or cells.key_of(label) or "room")
        position = len(self._rooms)
        return _add_once(
            self._rooms,
            room_key,
            lambda: RoomData(
                key=room_key, zone="", name=label, capacity=capacity, description=self.prose(description), position=position
            ),
        )

    def person(self, name: str, *, key: str = "", guid: str = "", affiliation: str = "", bio: str = "", url: str = "") -> str:
        label = self.line(name, 200)
        if not label:
            return ""
        person_key = self.key(key) or cells.key_of(label) or label
        return _add_once(
            self._people,
            person_key,
            lambda: PersonData(
                key=person_key,
                guid=guid,
                name=label,
                affiliation=self.line(affiliation),
                bio=self.prose(bio),
                url=self.address(url, label),
            ),
        )

    def paper(self, paper: PaperData) -> str:
        key = self.key(paper.key)
        return _add_once(self._papers, key, lambda: dataclasses.replace(paper, key=key))

    def award(self, award: AwardData) -> str:
        return _add_once(self._awards, award.key, lambda: award)

    def _key_for(self, part: str, label: str, wanted: str) -> str:
        """Return a unique key for the label: “C” and “C++” have the same one, so the second gets another."""
        identity = (part, label.casefold())
        if identity not in self._keys:
            digest = hashlib.sha256(identity[1].encode()).hexdigest()[:6]
            key = f"{wanted[:53]}-{digest}" if (part, wanted) in self._used_keys else wanted
            self._keys[identity] = key
            self._used_keys.add((part, key))
        return self._keys[identity]


def _add_once(rows: dict[str, T], key: str, make: Callable[[], T]) -> str:
    if key not in rows:
        rows[key] = make()
    return key


def _ascii_key(label: str) -> str:
    """Return a key for URLs; names without Latin letters get one from their code points."""
    ascii_label = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
    key = re.sub(r"[^a-z0-9]+", "-", ascii_label).strip("-")[:60].strip("-")
    return key or "x-" + "-".join(f"{ord(character):x}" for character in label.strip()[:9])


MAX_EVENT_LENGTH = dt.timedelta(days=14)
MIN_EVENT_LENGTH = dt.timedelta(minutes=5)
DEFAULT_EVENT_LENGTH = dt.timedelta(minutes=60)


class ScheduleBuilder(ReferenceBuilder):
    """Builds a ScheduleData row by row.

    Texts are copied without characters that a screen or database cannot handle. A changed value gives a warning,
    ``skipped`` has what is left out with its reason, and ``left_out`` the events among it by their keys.
    """

    def __init__(self, hints: Hints, zone: ZoneInfo, *, file: str) -> None:
        super().__init__(zone)
        self.hints, self.file = hints, file
        self.skipped: list[str] = []
        self.left_out: dict[str, LeftOutEvent] = {}
        self._unread_times: set[str] = set()
        self._keys_of_unread_times: set[str] = set()
        self._guids: set[str] = set()
        self._numbers: dict[str, int] = {}
        self._events: dict[str, EventData] = {}
        self._slots: set[tuple[str, dt.datetime | None, str]] = set()
        self._listed_days = ListedDays()
        self._languages = EventLanguages()

    def type_of(self, kind: str, name: str, *, title: str) -> str:
        """Like ``type``, but a meal among talks is a break. The kind of a type that the conference has is its kind there."""
        kind = self.hints.kinds.get(" ".join(name.split()).casefold(), kind)
        return self.type("break") if kind == "talk" and is_meal(title) else self.type(kind, name)

    def has_event(self, key: str) -> bool:
        return self.key(key) in self._events

    def event(self, event: EventData, *, location: str) -> str:
        """Add an event and return its key, "" if it is skipped. ``location`` names it in messages.

        Its day is that of its start at the venue, whatever day the file lists it under. A repeated key gets "#2", "#3" …:
        one submission may take place several times.
        """
        if len(self._events) >= raised(MAX_IMPORT_EVENTS):
            raise too_many_error("events", MAX_IMPORT_EVENTS, file=self.file)
        title = self.line(event.title, 300)
        if not title:
            return self.skip(location, "it has no title", key=event.key)
        if problem := _time_problem(event.start, event.end):
            return self.skip(location, problem, key=event.key)
        key = self._free_key(self.key(event.key))
        # Another cell may say the same.
        if location in self._unread_times and not (event.start and event.end):
            self._keys_of_unread_times.add(key)
        self._events[key] = dataclasses.replace(
            event,
            key=key,
            guid=self._unique_guid(event.guid),
            title=title,
            subtitle=self.line(event.subtitle),
            language=self._languages.read(event.language, location),
            # In UTC: an instant in the hour that comes twice equals no other, not even itself in another zone.
            start=utc(event.start) if event.start else None,
            end=self._end(event.start, event.end, location),
            day=self._event_day(event, location),
            abstract=self.prose(event.abstract),
            description=self.prose(event.description),
            place=self.line(event.place, 200),
            board=self.line(event.board, 20),
            audience=self.line(event.audience),
            cost=self.line(event.cost, 100),
            access_notes=self.prose(event.access_notes)[:2000],
            signup_until=utc(event.signup_until) if event.signup_until else None,
            notes=self.prose(event.notes),
            signup_url=self.address(event.signup_url, location),
            stream_url=self.address(event.stream_url, location),
            recording_url=self.address(event.recording_url, location),
            recording_license=self.line(event.recording_license, 200),
            export_slug=self.line(event.export_slug),
            logo_url=self.address(event.logo_url, location),
        )
        return key

    def _event_day(self, event: EventData, location: str) -> str:
        if event.start is None:
            return event.day
        day = self.day_of(event.start)
        if event.day:
            self._listed_days.add(event.day, day, location)
        return day

    def is_repeated(self, key: str, start: dt.datetime | None, room: str, location: str) -> bool:
        """Whether an event with this key, start and room came before; it is then recorded as skipped."""
        slot = (key, utc(start) if start else None, room)
        if slot in self._slots:
            self.skip(location, "it is there twice, at the same time in the same room")
            return True
        self._slots.add(slot)
        return False

    @property
    def dates(self) -> list[dt.date]:
        """The dates of the programme, without days on which none of the events listed under them starts."""
        without_hour = {event.day for event in self._events.values()}
        emptied = self._listed_days.emptied - without_hour
        return sorted(day.date for key, day in self._days.items() if key not in emptied)

    def add_details(self, key: str, *, people: tuple[AppearanceData, ...] = (), links: tuple[LinkData, ...] = ()) -> None:
        self._events[key] = dataclasses.replace(self._events[key], people=people, links=links)

    def link(self, url: object, *, kind: str = "website", title: str = "", location: str) -> tuple[LinkData, ...]:
        """Return a tuple of one link; an empty one, with a warning, if a browser must not follow it."""
        address = self.address(url, location)
        return (LinkData(kind=kind, url=address, title=self.line(title, 200)),) if address else ()

    def skip(self, location: str, reason: str, *, key: str = "", is_hidden: bool = False) -> str:
        """Record what is left out; return "". ``key`` is that of an event, if it has one."""
        self.skipped.append(f"{location}: {reason}")
        self.leave_out(key, reason, is_hidden=is_hidden)
        return ""

    def warn_of_time(self, location: str, problem: str) -> None:
        self.warn(f"{location}: {problem}")
        self.note_unread_time(location)

    def note_unread_time(self, location: str) -> None:
        """Record, before the event is added, that its start or end cannot be read: a stored event keeps its own."""
        self._unread_times.add(location)

    def leave_out(self, key: str, reason: str, *, is_hidden: bool = False) -> None:
        """Record an event that is in the file, without a line in the report."""
        if key := self.key(key):
            self.left_out.setdefault(key, LeftOutEvent(key=key, reason=reason, is_hidden=is_hidden))

    def build(self, *, name: str = "", title: str = "", start: dt.date | None = None, end: dt.date | None = None,
              url: str = "", **more: str) -> ScheduleData:  # fmt: skip
        if not self._events and not self._papers:
            reason = f" ({self.skipped[0]})" if self.skipped else ""
            raise ScheduleParseError(f"has no event that can be imported{reason}", file=self.file)
        dates = self.dates
        if dates and self._listed_days.are_mostly_wrong:
            # The first and last day in the header are written in the same time zone.
            start = end = None
        for warning in self._listed_days.warnings(self.zone.key):
            self.warn(warning)
        for warning in self._languages.warnings():
            self.warn(warning)
        first = start or (dates[0] if dates else None) or end
        if first is None:
            raise ScheduleParseError("names no day at all: give its events dates", file=self.file)
        last = max(end or first, first)
        conference = ConferenceData(
            slug=self.hints.slug,
            name=self.hints.name or self.line(name, MAX_NAME_CHARS) or self.hints.slug,
            title=self.line(title, 300),
            timezone=self.zone.key,
            start=first,
            end=last if end else max(last, dates[-1]) if dates else last,
            url=self.address(url, "the conference"),
            **{field: self.line(value, MAX_NAME_CHARS) for field, value in more.items()},
        )
        return ScheduleData(
            conference=conference,
            days=tuple(self._days[date.isoformat()] for date in dates),
            types=tuple(self._types.values()),
            tracks=tuple(self._tracks.values()),
            topics=tuple(self._topics.values()),
            rooms=tuple(self._rooms.values()),
            people=tuple(self._people.values()),
            papers=tuple(self._papers.values()),
            events=tuple(self._events.values()),
            awards=tuple(self._awards.values()),
            warnings=self.shown_warnings(),
            skipped=tuple(self.skipped),
            left_out=tuple(self.left_out.values()),
            unread_times=frozenset(self._keys_of_unread_times),
        )

    def _end(self, start: dt.datetime | None, end: dt.datetime | None, location: str) -> dt.datetime | None:
        if start is None:
            return None
        if end is None:
            self.warn(f"{location}: has neither an end nor a length; {DEFAULT_EVENT_LENGTH.seconds // 60} minutes are assumed")
            return utc(start) + DEFAULT_EVENT_LENGTH
        if utc(end) == utc(start):
            self.warn(f"{location}: has no length; {MIN_EVENT_LENGTH.seconds // 60} minutes are assumed")
            return utc(start) + MIN_EVENT_LENGTH
        return utc(end)

    def _free_key(self, key: str) -> str:
        free = key
        while free in self._events:
            self._numbers[key] = self._numbers.get(key, 1) + 1
            free = f"{key}#{self._numbers[key]}"
        return free

    def _unique_guid(self, guid: str) -> str:
        """Return "" if the guid is malformed or another event has it."""
        try:
            unique = str(uuid.UUID(guid))
        except ValueError:
            return ""
        if unique in self._guids:
            return ""
        self._guids.add(unique)
        return unique


def _time_problem(start: dt.datetime | None, end: dt.datetime | None) -> str:
    years = [at.year for at in (start, end) if at]
    if any(year not in cells.VALID_YEARS for year in years):
        return f"its year is {years[0]}; years from {cells.VALID_YEARS[0]} to {cells.VALID_YEARS[-1]} are accepted"
    if not start or not end:
        return ""
    length = utc(end) - utc(start)
    if length < dt.timedelta(0):
        return f"it ends before it starts ({start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M})"
    if length > MAX_EVENT_LENGTH:
        return f"it lasts {length.days} days; no event may last more than {MAX_EVENT_LENGTH.days}"
    return ""
