"""Indico's exports of an event with its sessions and contributions, and of its timetable."""

from __future__ import annotations

import datetime as dt
from collections import Counter
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
from events.imports.formats.indico.entries import IndicoEntry, IndicoExport
from events.imports.formats.kinds import event_kind, is_meal, title_kind
from events.imports.formats.services import EntryValues, appearances, ids_of_one_name, kind_without_speakers, without_cancelled
from events.imports.formats.times import find_time_zone
from events.programme.data.schedule import EventData, LinkData, PaperData, ScheduleData, load_time_zone

INDICO_ROLES = {"conveners": "moderator", "sessionConveners": "moderator", "speakers": "speaker", "presenters": "speaker"}
AUTHOR_LISTS = ("primaryauthors", "coauthors")


def recognises(document: Document) -> bool:
    return document.is_one_file and values.has_json_keys(document.content, "results", "startDate", "tz", first="{")


def parse(document: Document, hints: Hints) -> ScheduleData:
    """Raise ScheduleParseError for a file of several events, of a part of one, or without its sessions."""
    top = values.as_object(load_json(document.content, file=document.name))
    return IndicoReader(IndicoExport.from_json(top, file=document.name), hints, file=document.name).read()


@dataclass(frozen=True)
class IndicoSession:
    """A session, for its contributions; without a key if it cannot be imported."""

    key: str
    start: dt.datetime | None
    end: dt.datetime | None
    is_poster: bool


class IndicoReader:
    """Reads no e-mail addresses, phone numbers, minutes and protected files."""

    def __init__(self, export: IndicoExport, hints: Hints, *, file: str) -> None:
        self.export = export
        zone, warning = find_time_zone(_zone_name(export, hints), hints, file=file)
        self.builder = ScheduleBuilder(hints, zone, file=file)
        if warning:
            self.builder.warn(warning)
        self.entries = EntryValues(self.builder)
        self.dates = IndicoDates(self.entries)
        self.people = IndicoPeople(export.entries, self.builder)
        self.parents = {entry.parent for entry in export.entries}
        self.sessions: dict[str, IndicoSession] = {}

    def read(self) -> ScheduleData:
        for entry in self.export.entries:
            self._add(entry)
        contents = [entry.content for entry in self.export.entries]
        if parts := sum(len(values.as_objects(content.get("subContributions"))) for content in contents):
            self.builder.skip("subcontributions", f"{parts} left out; Indico gives them no times")
        event = self.export.event
        return self.builder.build(
            name=values.as_text(event.get("title")),
            start=_date_of(event.get("startDate")),
            end=_date_of(event.get("endDate")),
            url=self.entries.address(event.get("url"), "the event"),
        )

    def _add(self, entry: IndicoEntry) -> None:
        """Add an entry as an event. A contribution with authors is a paper, which has the abstract."""
        if not entry.key:
            self.builder.skip(entry.location, "it has no id: export it again")
            return
        session = self.sessions.get(entry.parent)
        start, end = self.dates.times(entry)
        if session and session.is_poster and not start:
            # Posters hang during the whole session.
            start, end = session.start, session.end
        if session and not session.key and not start:
            self.builder.note_unread_time(entry.location)
        title, status = without_cancelled(entry.title)
        room = self.builder.room(entry.text("roomFullname", "room"))
        if self.builder.is_repeated(entry.key, start, room, entry.location):
            return
        authors = self.people.keys_in(entry, AUTHOR_LISTS)
        event = EventData(
            key=entry.key,
            title=title,
            type=self._type(entry, session, title),
            status=status,
            # A contribution without a time is to be announced on the day of its session.
            day=self.builder.day_of(session.start) if session and session.start and not start else "",
            start=start,
            end=end,
            room=room,
            place="" if room else self._place(entry),
            track=self.builder.track(entry.text("track")),
            session=session.key if session else "",
            paper=self._paper(entry, title, authors) if authors else "",
            abstract="" if authors else _description(entry),
        )
        if key := self.builder.event(event, location=entry.location):
            if entry.sort == "session":
                self.sessions[entry.key] = IndicoSession(key, start, end, is_poster=_is_poster(entry))
            people = [(key, role) for name, role in INDICO_ROLES.items() for key in self.people.keys_in(entry, (name,))]
            self.builder.add_details(key, people=appearances(people), links=self._links(entry))
        elif entry.sort == "session":
            self.sessions[entry.key] = IndicoSession("", None, None, is_poster=_is_poster(entry))

    def _type(self, entry: IndicoEntry, session: IndicoSession | None, title: str) -> str:
        if entry.sort == "break" or (entry.sort == "session" and entry.key not in self.parents and is_meal(title)):
            return self.builder.type(kind_without_speakers(title))
        if entry.sort == "session":
            return self.builder.type("session", "Poster session" if _is_poster(entry) else "")
        name = entry.text("type")
        if not name and session and session.is_poster:
            return self.builder.type("poster")
        kind = event_kind(name) if name else title_kind(title)
        return self.builder.type_of("talk" if session and kind == "session" else kind, name, title=title)

    def _place(self, entry: IndicoEntry) -> str:
        """Return the entry's own venue, where it is not that of the whole event."""
        place = entry.text("location")
        return (
            "" if entry.content.get("inheritLoc") is True or place == values.as_text(self.export.event.get("location")) else place
        )

    def _paper(self, entry: IndicoEntry, title: str, authors: tuple[str, ...]) -> str:
        title, abstract = self.builder.line(title, 500), self.builder.prose(_description(entry))
        return self.builder.paper(PaperData(key=entry.key, title=title, abstract=abstract, authors=authors)) if title else ""

    def _links(self, entry: IndicoEntry) -> tuple[LinkData, ...]:
        base = values.as_text(self.export.event.get("url")) or self.export.address
        files = [
            (
                "",
                values.absolute_url(values.as_text(file.get("download_url") or file.get("link_url")), base),
                values.as_text(file.get("title")),
            )
            for file in _public_files(entry.content)
        ]
        page = ("source", values.absolute_url(entry.text("url"), base), "")
        return self.entries.links([page, *files], entry.location)


class IndicoDates:
    """Dates as ``{"date", "time", "tz"}``, each in the zone that it names."""

    def __init__(self, entries: EntryValues) -> None:
        self.entries = entries
        self.zones: dict[str, ZoneInfo] = {}

    def times(self, entry: IndicoEntry) -> tuple[dt.datetime | None, dt.datetime | None]:
        start = self._time(entry, "startDate", "its start")
        if start is None:
            return None, None
        minutes = entry.content.get("duration")
        end = self._time(entry, "endDate", "its end")
        if end is None and isinstance(minutes, (int, float)) and 0 < minutes < 10**5:
            end = start.astimezone(dt.UTC) + dt.timedelta(minutes=minutes)
        return start, end

    def _time(self, entry: IndicoEntry, part: str, name: str) -> dt.datetime | None:
        value = entry.content.get(part)
        if not isinstance(value, dict):
            return self.entries.time(value, name, entry.location)
        clock = " ".join(values.as_text(value.get(each)).strip() for each in ("date", "time"))
        return self.entries.time(clock, name, entry.location, zone=self._zone(values.as_text(value.get("tz"))))

    def _zone(self, name: str) -> ZoneInfo:
        if name not in self.zones:
            try:
                self.zones[name] = load_time_zone(name) if name.strip() else self.entries.builder.zone
            except ScheduleParseError:
                self.zones[name] = self.entries.builder.zone
                self.entries.builder.warn(f"{cells.quoted(name[:60])} is not a time zone; {self.zones[name].key} is used")
        return self.zones[name]


class IndicoPeople:
    """People by the numbers that belong to one name, else by name; e-mail addresses are not read."""

    def __init__(self, entries: list[IndicoEntry], builder: ScheduleBuilder) -> None:
        self.builder = builder
        people = [person for entry in entries for name in (*INDICO_ROLES, *AUTHOR_LISTS) for person in _people(entry, name)]
        self.known_ids = ids_of_one_name((values.as_key(person.get("id")), _person_name(person)) for person in people)

    def keys_in(self, entry: IndicoEntry, lists: tuple[str, ...]) -> tuple[str, ...]:
        keys = (self._key(person) for name in lists for person in _people(entry, name))
        return tuple(dict.fromkeys(filter(None, keys)))

    def _key(self, person: JsonObject) -> str:
        person_id = values.as_key(person.get("id"))
        key = f"person-{person_id}" if person_id in self.known_ids else ""
        return self.builder.person(_person_name(person), key=key, affiliation=values.as_text(person.get("affiliation")))


def _people(entry: IndicoEntry, name: str) -> list[JsonObject]:
    return values.as_objects(entry.content.get(name))


def _person_name(person: JsonObject) -> str:
    """Return “Ada Lovelace”, also for “Lovelace, Ada”."""
    parts = [
        next(filter(None, (values.as_text(person.get(name)).strip() for name in names)), "")
        for names in (("first_name", "firstName"), ("last_name", "familyName"))
    ]
    if any(parts):
        return " ".join(filter(None, parts))
    whole = values.as_text(person.get("fullName")).strip() or values.as_text(person.get("name")).strip()
    last, comma, first = whole.partition(",")
    return f"{first.strip()} {last.strip()}".strip() if comma and "," not in first else whole


def _zone_name(export: IndicoExport, hints: Hints) -> str:
    """Return the event's zone; for a timetable the one that most entries name, unless it is UTC and you name another."""
    if name := values.as_text(export.event.get("timezone")):
        return name
    named = Counter(values.as_text(values.as_object(entry.content.get("startDate")).get("tz")) for entry in export.entries)
    name = next((name for name, _ in named.most_common() if name), "")
    return "" if name == "UTC" and hints.timezone else name


def _date_of(value: Any) -> dt.date | None:
    return times.parse_leading_date(values.as_text(values.as_object(value).get("date")))


def _description(entry: IndicoEntry) -> str:
    """Return the description; a part of a session has none of its own."""
    return entry.text("description") or values.as_text(values.as_object(entry.content.get("session")).get("description"))


def _is_poster(session: IndicoEntry) -> bool:
    whole = values.as_object(session.content.get("session"))
    return session.content.get("isPoster") is True or whole.get("isPoster") is True


def _public_files(content: JsonObject) -> Iterator[JsonObject]:
    """Yield attachments: those of the event's export are in folders, those of the timetable also beside them."""
    attachments = values.as_object(content.get("attachments"))
    folders = values.as_objects(content.get("folders")) + values.as_objects(attachments.get("folders"))
    listed = [
        attachments.get("files"),
        *(folder.get("attachments") for folder in folders if folder.get("is_protected") is not True),
    ]
    for file in (file for files in listed for file in values.as_objects(files)):
        if file.get("is_protected") is not True:
            yield file
