"""Sessionize's “All” and “GridSmart” views, as JSON."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from events.core.parsing import cells, values
from events.core.parsing.errors import ScheduleParseError
from events.core.parsing.safe_json import load_json
from events.core.parsing.values import JsonObject
from events.imports.formats import times
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.document import Document, Hints
from events.imports.formats.kinds import event_kind, title_kind
from events.imports.formats.services import (
    EntryValues,
    appearances,
    kind_without_speakers,
    room_key,
    shown_value,
    without_cancelled,
)
from events.imports.formats.texts import join_paragraphs
from events.imports.formats.times import find_time_zone
from events.programme.data.schedule import EventData, ScheduleData

STATUSES = {"": "confirmed", "accepted": "confirmed", "canceled": "cancelled", "cancelled": "cancelled"}
"""What becomes of each status; sessions of another status are for organisers only."""
# Organisers choose the titles of categories.
TRACK_TITLES = re.compile(r"\b(track|theme)s?\b", re.IGNORECASE)
TYPE_TITLES = re.compile(r"\b(format|type)s?\b", re.IGNORECASE)
LANGUAGE_TITLES = re.compile(r"^\s*(session|talk|spoken|presentation)?\s*languages?\s*$", re.IGNORECASE)


def recognises(document: Document) -> bool:
    return document.is_one_file and values.has_json_keys(document.content, "isServiceSession", "startsAt")


def parse(document: Document, hints: Hints) -> ScheduleData:
    """Raise ScheduleParseError for a file without sessions, or if the zone of its local times is unknown."""
    content = load_json(document.content, file=document.name)
    sessions = values.limit_events(_listed_sessions(content), file=document.name)
    if not sessions:
        problem = "has no “sessions” of Sessionize: fetch the view All or GridSmart again, as JSON"
        raise ScheduleParseError(problem, file=document.name)
    return SessionizeReader(values.as_object(content), sessions, hints, file=document.name).read()


def _listed_sessions(content: Any) -> Iterator[JsonObject]:
    """Yield the sessions of All, or those of the days and rooms of GridSmart."""
    yield from values.as_objects(values.as_object(content).get("sessions"))
    for part in values.as_objects(content):
        # A view of groups, without rooms.
        yield from values.as_objects(part.get("sessions"))
        for room in values.as_objects(part.get("rooms")):
            for session in values.as_objects(room.get("sessions")):
                yield {"room": room.get("name")} | {name: value for name, value in session.items() if value is not None}


class SessionizeReader:
    """Reads no answers to questions; counts sessions that are not accepted without names."""

    def __init__(self, top: JsonObject, sessions: list[JsonObject], hints: Hints, *, file: str) -> None:
        self.sessions = sessions
        moments = times.datetimes(values.as_text(each.get("startsAt")) for each in sessions)
        zone, warning = find_time_zone("", hints, moments=moments, file=file)
        self.builder = ScheduleBuilder(hints, zone, file=file)
        if warning:
            self.builder.warn(warning)
        self.entries = EntryValues(self.builder)
        self.speakers = {values.as_key(each.get("id")): each for each in values.as_objects(top.get("speakers"))}
        self.categories = SessionizeCategories(values.as_objects(top.get("categories")))
        self.plenums: set[tuple[str, dt.datetime | None]] = set()
        self.known_speakers: set[str] = set()
        self.unknown_speakers: set[str] = set()
        self.room_names: dict[str, str] = {}
        for room in sorted(values.as_objects(top.get("rooms")), key=lambda each: values.as_int(each.get("sort")) or 0):
            name = values.as_text(room.get("name"))
            number = values.as_key(room.get("id"))
            self.builder.room(name, key=room_key(number))
            self.room_names[number] = name

    def read(self) -> ScheduleData:
        hidden: Counter[str] = Counter()
        for number, session in enumerate(self.sessions, start=1):
            status = session.get("status")
            state = status.strip() if isinstance(status, str) else "" if status is None else shown_value(status)
            if state.lower() in STATUSES:
                self._add_session(session, f"session {number}, {cells.quoted(_title(session))}", STATUSES[state.lower()])
            else:
                hidden[state[:40]] += 1
                reason = f"its status is {cells.quoted(state[:40])}"
                self.builder.leave_out(values.as_key(session.get("id")), reason, is_hidden=True)
        for state, count in hidden.most_common(20):
            self.builder.skip(f"sessions of status {cells.quoted(state)}", f"{count} left out; only accepted ones are imported")
        if unknown := self.unknown_speakers:
            self.builder.warn(f"speakers without a name in the file: {len(unknown)}; they are left out: fetch the view All")
        # Before the schedule is made, no session has a time.
        hints = self.builder.hints
        return self.builder.build() if self.builder.dates else self.builder.build(start=hints.start, end=hints.end)

    def _add_session(self, session: JsonObject, location: str, status: str) -> None:
        key = values.as_key(session.get("id"))
        if not key:
            self.builder.skip(location, "it has no id: export it again")
            return
        title, told = without_cancelled(_title(session))
        start, end = self.entries.times(session.get("startsAt"), session.get("endsAt"), location)
        room = self._room(session)
        if session.get("isPlenumSession") is True:
            # Some views list what is for all rooms under each of them.
            if (key, start) in self.plenums:
                return
            self.plenums.add((key, start))
        elif self.builder.is_repeated(key, start, room, location):
            return
        added = self.builder.event(
            EventData(
                key=key,
                guid=key,
                title=title,
                language=self.categories.name_in(session, LANGUAGE_TITLES),
                type=self._type(session, title),
                status="cancelled" if "cancelled" in {status, told} else status,
                start=start,
                end=end,
                room=room,
                track=self.builder.track(self.categories.name_in(session, TRACK_TITLES)),
                abstract=values.as_text(session.get("description")),
                stream_url=self.entries.address(session.get("liveUrl"), location),
                recording_url=self.entries.address(session.get("recordingUrl"), location),
            ),
            location=location,
        )
        if added:
            people = appearances((self._speaker(each, location), "speaker") for each in _as_list(session.get("speakers")))
            self.builder.add_details(added, people=people)

    def _room(self, session: JsonObject) -> str:
        number = values.as_key(session.get("roomId"))
        name = self.room_names.get(number, "") or values.as_text(session.get("room"))
        return self.builder.room(name, key=room_key(number))

    def _type(self, session: JsonObject, title: str) -> str:
        if session.get("isServiceSession") is True:
            return self.builder.type(kind_without_speakers(title))
        name = self.categories.name_in(session, TYPE_TITLES)
        return self.builder.type_of(event_kind(name) if name else title_kind(title), name, title=title)

    def _speaker(self, speaker: Any, location: str) -> str:
        """Return the key of a speaker: All lists ids, GridSmart ids with names."""
        named = values.as_object(speaker)
        key = values.as_key(named.get("id") if named else speaker)
        person = self.speakers.get(key, {}) | named
        name = values.as_text(person.get("fullName")) or values.as_text(person.get("name"))
        if not name.strip():
            self.unknown_speakers.add(key)
            return ""
        if key in self.known_speakers:
            return key
        bio = join_paragraphs([values.as_text(person.get(part)).strip() for part in ("tagLine", "bio")])
        pages = (("website", link.get("url"), "") for link in values.as_objects(person.get("links")))
        url = next((link.url for link in self.entries.links(pages, location)), "")
        added = self.builder.person(name, key=key, bio=bio, url=url)
        self.known_speakers.add(added)
        return added


class SessionizeCategories:
    """The items of categories by the category's title; All lists numbers of items, GridSmart whole categories."""

    def __init__(self, categories: list[JsonObject]) -> None:
        self.items = {
            values.as_key(item.get("id")): (values.as_text(category.get("title")), values.as_text(item.get("name")))
            for category in categories
            for item in values.as_objects(category.get("items"))
        }

    def name_in(self, session: JsonObject, titles: re.Pattern[str]) -> str:
        """Return the name of the session's first item in a category of such a title."""
        numbers = (self.items.get(values.as_key(each), ("", "")) for each in _as_list(session.get("categoryItems")))
        named = (
            (values.as_text(category.get("name")), values.as_text(item.get("name")))
            for category in values.as_objects(session.get("categories"))
            for item in values.as_objects(category.get("categoryItems"))
        )
        chosen = (name for title, name in (*numbers, *named) if titles.search(title[:100]))
        return next(chosen, "")


def _title(session: JsonObject) -> str:
    return " ".join(values.as_text(session.get("title"))[:400].split())


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
