"""Programs of the SIGCHI conference app (scheme version 7 and before): sessions with their contents, and events."""

from __future__ import annotations

import dataclasses
import datetime as dt
from itertools import pairwise

from events.core.parsing import cells, values
from events.core.parsing.safe_json import load_json
from events.core.parsing.values import JsonObject
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.document import Document, Hints
from events.imports.formats.kinds import event_kind, title_kind
from events.imports.formats.services import (
    EntryValues,
    appearances,
    kind_without_speakers,
    room_key,
    shown_value,
    without_brackets,
    without_cancelled,
)
from events.imports.formats.sigchi.papers import SigchiPapers, content_location
from events.imports.formats.sigchi.program import SigchiBlock, SigchiProgram, SigchiTimes, listed, offset_moments, one_line
from events.imports.formats.times import find_time_zone
from events.programme.data.schedule import EventData, ScheduleData

EventSpan = tuple[dt.datetime | None, dt.datetime | None]
BREAK_SLOTS = {"BREAK": "Break", "LUNCH": "Lunch"}
"""Time slots that are breaks where no event of the program says so."""


def recognises(document: Document) -> bool:
    keys = ("timeSlots", "contentTypes", "contents", "people")
    return document.is_one_file and values.has_json_keys(document.content, *keys, first="{")


def parse(document: Document, hints: Hints) -> ScheduleData:
    """Raise ScheduleParseError for a program without sessions, events and contents, or if its zone is unknown."""
    program = SigchiProgram(values.as_object(load_json(document.content, file=document.name)))
    for entries in (program.blocks, program.objects("contents")):
        values.limit_events(entries, file=document.name)
    return SigchiReader(program, hints, file=document.name).read()


class SigchiReader:
    def __init__(self, program: SigchiProgram, hints: Hints, *, file: str) -> None:
        self.program, conference = program, program.conference
        city = values.as_text(conference.get("location")).partition(",")[0]
        zone_name = values.as_text(conference.get("timeZoneName"))
        zone, warning = find_time_zone(zone_name, hints, moments=offset_moments(conference), city=city, file=file)
        self.builder = ScheduleBuilder(hints, zone, file=file)
        if warning:
            self.builder.warn(warning)
        self.entries = EntryValues(self.builder)
        self.times = SigchiTimes(conference, self.builder)
        self.start = self.times.date(conference.get("startDate"))
        year = values.as_int(conference.get("year"))
        year = year if year in cells.VALID_YEARS else self.start.year if self.start else None
        self.papers = SigchiPapers(program, self.builder, year)
        self.starts: set[dt.datetime] = set()

    def read(self) -> ScheduleData:
        conference = self.program.conference
        for room in self.program.objects("rooms"):
            number, seats = values.as_key(room.get("id")), values.as_int(room.get("capacity")) or None
            self.builder.room(values.as_text(room.get("name")), key=room_key(number), capacity=seats)
        for block in self.program.blocks:
            self._add_block(block)
        self._add_free_breaks()
        # Contents of no session are papers without an event.
        for content in self.program.objects("contents"):
            if self.papers.is_paper(content):
                self.papers.add(content)
        return self.builder.build(
            name=values.as_text(conference.get("name")) or values.as_text(conference.get("shortName")),
            title=values.as_text(conference.get("fullName")),
            start=self.start,
            end=self.times.date(conference.get("endDate")),
            url=self.entries.address(conference.get("url"), "the conference"),
        )

    def _add_block(self, block: SigchiBlock) -> None:
        if not block.number:
            self.builder.skip(block.location, "it has no id: export it again")
            return
        start, end = self._block_times(block)
        room = self._room(block)
        title, status = without_cancelled(block.title)
        if self.builder.is_repeated(block.key, start, room, block.location):
            return
        contents = self._contents(block)
        # A workshop is a session and its only content.
        whole = contents.pop() if len(contents) == 1 and one_line(contents[0].get("title")).lower() == title.lower() else {}
        event = EventData(
            key=block.key,
            title=title,
            type=self._block_type(block, has_contents=bool(contents)),
            status=status,
            start=start,
            end=end,
            room=room,
            track=self._track(whole),
            abstract=values.as_text(block.content.get("description")) or values.as_text(whole.get("abstract")),
        )
        if key := self.builder.event(event, location=block.location):
            self.starts |= {start} if start and block.sort == "event" else set()
            people = [
                *((person, "moderator") for person in self.papers.people(block.content.get("chairIds"))),
                *((person, "speaker") for person in self.papers.people(block.content.get("presenterIds"))),
                *((person, self._role(whole)) for person in self.papers.authors(whole)),
            ]
            links = [link for each in (block.content, whole) for link in self.papers.links(each, block.location)]
            self.builder.add_details(key, people=appearances(people), links=tuple(dict.fromkeys(links)))
            self._add_contents(contents, block, dataclasses.replace(event, key=key))
        else:
            for content in contents:
                self.builder.leave_out(_content_key(content), f"its {block.location} cannot be read")

    def _block_times(self, block: SigchiBlock) -> EventSpan:
        own, number = block.content, block.content.get("timeSlotId")
        slot = self.program.find("timeSlots", number)
        if number is not None and not slot:
            problem = f"the file has no time slot {shown_value(number)}; its hour is to be announced"
            self.builder.warn_of_time(block.location, problem)
        start, end = (
            self.times.read(slot.get(part) if own.get(part) is None else own.get(part), name, block.location)
            for part, name in (("startDate", "its start"), ("endDate", "its end"))
        )
        return (start, end) if start else (None, None)

    def _room(self, block: SigchiBlock) -> str:
        number = block.content.get("roomId")
        name = values.as_text(self.program.find("rooms", number).get("name"))
        if number is not None and not name:
            self.builder.warn(f"{block.location}: the file has no room {shown_value(number)}; it is imported without a room")
        return self.builder.room(name)

    def _contents(self, block: SigchiBlock) -> list[JsonObject]:
        found = [self.program.find("contents", number) for number in listed(block.content.get("contentIds"))]
        if missing := found.count({}):
            self.builder.warn(f"{block.location}: {missing} of its {len(found)} contents are not in the file; they are left out")
        return [content for content in found if content]

    def _block_type(self, block: SigchiBlock, *, has_contents: bool) -> str:
        name, title = self.program.type_name(block.content), without_brackets(block.title)
        if name.lower().startswith("meal"):
            return self.builder.type(kind_without_speakers(title))
        if name.lower() in {"", "event", "operations"}:
            kind = "talk" if has_contents else title_kind(title)
            by_name = "service" if name.lower() == "operations" else "session"
            return self.builder.type(by_name, name) if kind == "talk" else self.builder.type(kind)
        kind = event_kind(name)
        if kind in {"break", "service", "social", "session"} or (kind == "invited-talk" and not has_contents):
            return self.builder.type(kind, name)
        return self.builder.type("session", f"{name} session")

    def _add_contents(self, contents: list[JsonObject], block: SigchiBlock, session: EventData) -> None:
        """Add what a session presents, one after the other if the lengths are known, and posters during the whole session."""
        is_parallel = block.content.get("isParallelPresentation") is True
        for content, (start, end) in zip(contents, self._spans(contents, session, is_parallel=is_parallel), strict=True):
            kind, is_paper = event_kind(self.program.type_name(content)), self.papers.is_paper(content)
            title, status = without_cancelled(one_line(content.get("title")))
            event = EventData(
                key=_content_key(content),
                title=title,
                type=self.builder.type("talk") if kind == "session" else self.builder.type(kind, self.program.type_name(content)),
                status="cancelled" if session.status == "cancelled" else status,
                day=self.builder.day_of(session.start) if session.start and not start else "",
                start=start,
                end=end,
                room=session.room,
                track=self._track(content),
                session=session.key,
                paper=self.papers.add(content) if is_paper else "",
                abstract="" if is_paper else values.as_text(content.get("abstract")),
            )
            location = content_location(content)
            if (key := self.builder.event(event, location=location)) and not is_paper:
                people = appearances((person, self._role(content)) for person in self.papers.authors(content))
                self.builder.add_details(key, people=people, links=self.papers.links(content, location))

    def _spans(self, contents: list[JsonObject], session: EventData, *, is_parallel: bool) -> list[EventSpan]:
        start, end = session.start, session.end
        if not start or not end:
            return [(None, None)] * len(contents)
        lengths = [self._length(content) for content in contents]
        begins = [start.astimezone(dt.UTC)]
        for length in lengths:
            begins.append(begins[-1] + length)
        in_turn = all(lengths) and not is_parallel and begins[-1] <= end
        turns: list[EventSpan] = list(pairwise(begins)) if in_turn else [(None, None)] * len(contents)
        are_posters = [event_kind(self.program.type_name(content)) == "poster" for content in contents]
        return [(start, end) if is_poster else turn for is_poster, turn in zip(are_posters, turns, strict=True)]

    def _length(self, content: JsonObject) -> dt.timedelta:
        by_type = self.program.find("contentTypes", content.get("typeId")).get("duration")
        listed_minutes = map(values.as_int, (content.get("durationOverride"), content.get("duration"), by_type))
        return dt.timedelta(minutes=next((minutes for minutes in listed_minutes if minutes and minutes < 1440), 0))

    def _add_free_breaks(self) -> None:
        """Add the slots for breaks of which no event of the program says more."""
        used = {values.as_key(block.content.get("timeSlotId")) for block in self.program.blocks}
        for slot in self.program.objects("timeSlots"):
            number, title = values.as_key(slot.get("id")), BREAK_SLOTS.get(values.as_text(slot.get("type")))
            if not title or not number or number in used:
                continue
            location = f"time slot {number}"
            start, end = (self.times.read(slot.get(part), part, location) for part in ("startDate", "endDate"))
            if start and start not in self.starts:
                event = EventData(key=f"time-slot-{number}", title=title, type=self.builder.type("break"), start=start, end=end)
                self.builder.event(event, location=location)

    def _track(self, content: JsonObject) -> str:
        return self.builder.track(values.as_text(self.program.find("tracks", content.get("trackId")).get("name")))

    def _role(self, content: JsonObject) -> str:
        return "panellist" if "panel" in self.program.type_name(content).lower() else "speaker"


def _content_key(content: JsonObject) -> str:
    return f"content-{values.as_key(content.get('id'))}"
