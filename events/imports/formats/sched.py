"""The sessions that Sched exports, as JSON or CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import Any

from events.core.parsing import cells, values
from events.core.parsing.errors import ScheduleParseError, refuse_large_text
from events.core.parsing.safe_json import decode_utf8, load_json
from events.core.parsing.values import JsonObject
from events.imports.formats import times
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.document import Document, Hints
from events.imports.formats.kinds import event_kind, title_kind
from events.imports.formats.services import EntryValues, appearances, without_cancelled
from events.imports.formats.spreadsheet.names import split_names
from events.imports.formats.times import find_time_zone
from events.programme.data.schedule import EventData, ScheduleData

KEY_COLUMNS = ("event_key", "event_start")
SCHED_ROLES = {"speakers": "speaker", "moderators": "moderator", "panelists": "panellist", "artists": "speaker"}
LINKS_BY_FIELD = {"url": "website", "media_url": "", "link": "website"}


def recognises(document: Document) -> bool:
    if not document.is_one_file:
        return False
    return values.has_json_keys(document.content, *KEY_COLUMNS) or _is_table(document.content)


def parse(document: Document, hints: Hints) -> ScheduleData:
    """Raise ScheduleParseError for a file without sessions, or if the zone of its local times is unknown."""
    content = document.content
    listed = _table_rows(content, file=document.name) if _is_table(content) else _json_rows(content, file=document.name)
    sessions = values.limit_events(listed, file=document.name)
    if not any(session.keys() & {*KEY_COLUMNS} for session in sessions):
        raise ScheduleParseError("has no sessions of Sched: export them again with event_key and event_start", file=document.name)
    return SchedReader(sessions, hints, file=document.name).read()


def _is_table(content: bytes) -> bool:
    header = content[:4000].removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n")[0]
    names = {name.strip(b' "\r') for name in re.split(rb"[,;\t]", header)}
    return {name.encode() for name in KEY_COLUMNS} <= names


def _json_rows(content: bytes, *, file: str) -> list[JsonObject]:
    loaded = load_json(content, file=file)
    return values.as_objects(loaded) or values.as_objects(values.as_object(loaded).get("sessions"))


def _table_rows(content: bytes, *, file: str) -> Iterator[JsonObject]:
    refuse_large_text(content, file=file)
    text = decode_utf8(content, file=file)
    first = next((line for line in io.StringIO(text) if line.strip()), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True)
    rows = ([cell.strip() for cell in row] for row in reader)
    try:
        header = next((row for row in rows if any(row)), [])
        for row in filter(any, rows):
            if any(row[len(header) :]):
                problem = "has more cells than columns: put a cell that contains a comma in quotation marks"
                raise ScheduleParseError(problem, file=file, line=reader.line_num)
            yield {name: cells.unescape_formula(cell) for name, cell in zip(header, row, strict=False)}
    except csv.Error as error:
        problem = f"cannot be read as CSV ({error}): close the quotation mark of a long cell, or export it again"
        raise ScheduleParseError(problem, file=file, line=reader.line_num) from error


class SchedReader:
    """Reads no e-mail addresses and no lists of attendees; counts hidden sessions without names."""

    def __init__(self, sessions: list[JsonObject], hints: Hints, *, file: str) -> None:
        self.sessions = sessions
        moments = times.datetimes(values.as_text(each.get("event_start")) for each in sessions)
        zone, warning = find_time_zone("", hints, moments=moments, file=file)
        self.builder = ScheduleBuilder(hints, zone, file=file)
        if warning:
            self.builder.warn(warning)
        self.entries = EntryValues(self.builder)

    def read(self) -> ScheduleData:
        hidden = 0
        for number, session in enumerate(self.sessions, start=1):
            if _is_active(session.get("active")):
                self._add_session(session, f"session {number}, {cells.quoted(_text(session, 'name'))}")
            else:
                hidden += 1
                self.builder.leave_out(_key(session), "it is not active", is_hidden=True)
        if hidden:
            self.builder.skip("sessions that are not active", f"{hidden} left out; attendees do not see them on Sched")
        return self.builder.build()

    def _add_session(self, session: JsonObject, location: str) -> None:
        key = _key(session)
        if not key:
            self.builder.skip(location, "it has neither event_key nor id: export it again")
            return
        title, status = without_cancelled(_text(session, "name"))
        start, end = self.entries.times(session.get("event_start"), session.get("event_end"), location)
        room = self.builder.room(_text(session, "venue"))
        if self.builder.is_repeated(key, start, room, location):
            return
        type_name = _text(session, "event_type")
        event = EventData(
            key=key,
            title=title,
            type=self.builder.type_of(event_kind(type_name) if type_name else title_kind(title), type_name, title=title),
            status=status,
            start=start,
            end=end,
            room=room,
            place="" if room else _text(session, "address"),
            track=self.builder.track(_text(session, "event_subtype").partition(",")[0]),
            abstract=values.as_text(session.get("description")),
            audience=_text(session, "audience"),
            capacity=values.as_int(session.get("seats")) or None,
            stream_url=self.entries.address(session.get("video_stream"), location),
        )
        if added := self.builder.event(event, location=location):
            people = [(key, role) for name, role in SCHED_ROLES.items() for key in self._people(session.get(name))]
            links = [(kind, session.get(name), "") for name, kind in LINKS_BY_FIELD.items()]
            files = [("", file.get("path"), _text(file, "name")) for file in values.as_objects(session.get("files"))]
            self.builder.add_details(added, people=appearances(people), links=self.entries.links(links + files, location))

    def _people(self, listed: Any) -> Iterator[str]:
        """Yield keys of people: Sched lists names in one text, or objects with a user’s name and company."""
        for person in values.as_objects(listed):
            name = _text(person, "name")
            if name and "@" not in name:
                # A user's name may be an e-mail address.
                user = next(
                    (key for each in ("username", "id") if (key := values.as_key(person.get(each))) and "@" not in key), ""
                )
                yield self.builder.person(name, key=f"user-{user}" if user else "", affiliation=_text(person, "company"))
        yield from (self.builder.person(name) for name in split_names(values.as_text(listed)) if "@" not in name)


def _key(session: JsonObject) -> str:
    return values.as_key(session.get("event_key")) or values.as_key(session.get("id"))


def _is_active(value: Any) -> bool:
    """Whether attendees see a session: it says so, or the export has no such column."""
    return (
        value is None
        or value is True
        or (isinstance(value, (str, int)) and str(value).strip().upper() in {"", "Y", "YES", "1", "TRUE"})
    )


def _text(entry: JsonObject, name: str) -> str:
    return " ".join(values.unescape_entities(values.as_text(entry.get(name))[:1000]).split())
