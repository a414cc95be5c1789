"""schedule.xml of another Hallway: the voc schema, and links with a service for fields that the schema does not have."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
import uuid
from collections import Counter
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from xml.etree.ElementTree import Element

from events.core.parsing import cells
from events.core.parsing.errors import MAX_IMPORT_EVENTS, ScheduleParseError
from events.core.parsing.safe_xml import line_prefix, load_xml, root_tag
from events.core.parsing.values import MAX_LINE_CHARS, MAX_PROSE_CHARS, as_flag
from events.imports.formats import times
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.document import Document, Hints
from events.imports.formats.kinds import KIND_NAMES, event_kind
from events.imports.formats.orders import merged_order
from events.programme.data.export_numbers import computed_number, parse_export_number
from events.programme.data.place import RoomData
from events.programme.data.schedule import (
    BOARD_PREFIX,
    LINK_KINDS,
    AppearanceData,
    EventData,
    EventTypeData,
    LinkData,
    PaperData,
    ScheduleData,
    TopicData,
    TrackData,
    load_time_zone,
)

GENERATOR_PATTERN = re.compile(rb"<generator\s[^>]*name=[\"']Hallway[\"']")
EVENT_SLUG_PATTERN = re.compile(rf"[a-z0-9_]+-(?P<kind>{'|'.join(KIND_NAMES)})-(?P<type>[a-z0-9_-]*)-[0-9a-f]{{32}}")
HALLWAY_SERVICE, HALLWAY_PAPER_SERVICE = "hallway", "hallway-paper"


def recognises(document: Document) -> bool:
    if not document.is_one_file or root_tag(document.content) != "schedule":
        return False
    return GENERATOR_PATTERN.search(document.content[:4096]) is not None


def parse(document: Document, hints: Hints) -> ScheduleData:
    """Raise ScheduleParseError for a file without a conference."""
    root = load_xml(document.content, file=document.name, limits={"event": MAX_IMPORT_EVENTS})
    conference = root.find("conference")
    if conference is None:
        raise ScheduleParseError("has no “conference”: export it again", file=document.name)
    return HallwayXmlReader(root, conference, hints, document.name).read()


class VerbatimBuilder(ScheduleBuilder):
    """Copies our texts unchanged, except for what a database cannot store."""

    def line(self, text: Any, max_chars: int = MAX_LINE_CHARS) -> str:
        return self._cut(self._clean(text), max_chars)

    def prose(self, text: Any) -> str:
        return self._cut(self._clean(text), MAX_PROSE_CHARS)

    def _event_day(self, event: EventData, location: str) -> str:
        # As organisers chose it there: it is exported and imported unchanged.
        return event.day

    def add_row(self, row: TrackData | EventTypeData | RoomData | TopicData) -> str:
        rows: dict[type[Any], dict[str, Any]] = {
            TrackData: self._tracks,
            EventTypeData: self._types,
            RoomData: self._rooms,
            TopicData: self._topics,
        }
        rows[type(row)].setdefault(row.key, row)
        return row.key

    def paper_row(self, key: str) -> PaperData | None:
        return self._papers.get(key)

    def replace_paper(self, row: PaperData) -> None:
        self._papers[row.key] = row


class HallwayXmlReader:
    def __init__(self, root: Element, conference: Element, hints: Hints, file: str) -> None:
        self.root, self.conference = root, conference
        self.builder = VerbatimBuilder(hints, load_time_zone(raw_child_text(conference, "time_zone_name"), file=file), file=file)
        self.tracks: dict[str, str] = {}
        self.rooms: dict[str, str] = {}
        days = ([room.get("guid") or "" for room in day.iterfind("room")] for day in root.iterfind("day"))
        self.room_positions = {guid: position for position, guid in enumerate(merged_order(days))}
        self.names = Counter[str]()

    def read(self) -> ScheduleData:
        for position, track in enumerate(self.conference.iterfind("track")):
            self._add_track(track, position)
        for day in self.root.iterfind("day"):
            date = cells.parse_date(day.get("date") or "")
            if date is None:
                self.builder.skip(f"{line_prefix(day)}day {day.get('index', '')}", "it has no date")
                continue
            key = self.builder.day(date)
            for room in day.iterfind("room"):
                for event in room.iterfind("event"):
                    self._add_event(event, key, room)
        start, end = (cells.parse_date(raw_child_text(self.conference, name)) for name in ("start", "end"))
        title, url = raw_child_text(self.conference, "title"), raw_child_text(self.conference, "url")
        data = self.builder.build(name=title, title=title, start=start, end=end, url=url, colour=self._colour())
        keys = {event.key for event in data.events}
        # A session without an hour is not in the file.
        events = (event if event.session in keys else dataclasses.replace(event, session="") for event in data.events)
        return dataclasses.replace(data, events=tuple(events))

    def _colour(self) -> str:
        colour = self.conference.find("color")
        return "" if colour is None else cells.parse_colour(colour.get("primary") or "")

    def _add_track(self, track: Element, position: int) -> None:
        name, key = track.get("name") or "", track.get("slug") or ""
        colour = track.get("color") or ""
        if key and name:
            row = TrackData(key=key, name=self.builder.line(name, 100), colour=cells.parse_colour(colour), position=position)
            self.tracks[name] = self.builder.add_row(row)
        else:
            self.tracks[name] = self.builder.track(name, colour=colour)

    def _add_event(self, event: Element, day: str, room: Element) -> None:
        title, guid = raw_child_text(event, "title"), event.get("guid") or ""
        location = f"{line_prefix(event)}event {cells.quoted(title)}"
        start = times.parse_datetime(raw_child_text(event, "date"), self.builder.zone)
        length = times.parse_duration(raw_child_text(event, "duration"))
        if start is None or length is None or not _is_guid(guid):
            problem = "its date, its duration or its guid is missing or malformed: export it again"
            self.builder.skip(location, problem, key=guid)
            return
        if self.builder.has_event(guid):
            self.builder.skip(location, f"the guid {guid} is there twice: delete one")
            return
        links = HallwayLinks(event, self.builder, location)
        texts = _subtitle_and_board(event, links)
        data = EventData(
            key=guid,
            guid=guid,
            title=title,
            subtitle=texts["subtitle"],
            language=raw_child_text(event, "language"),
            type=self._type(event, links),
            day=day,
            start=start.astimezone(dt.UTC),
            end=start.astimezone(dt.UTC) + length,
            room=self._room(room),
            place=self._place(event, room),
            track=self._track_key(raw_child_text(event, "track")),
            topic=self._topic(links),
            session=links.guid("session"),
            paper=self._paper(event, links),
            board=texts["board"],
            abstract=raw_child_text(event, "abstract"),
            description="" if links.guid("paper") else raw_child_text(event, "description"),
            signup_url=links.href("signup"),
            stream_url=links.href("stream"),
            recording_url=raw_child_text(event, "recording/url"),
            recording_license=raw_child_text(event, "recording/license"),
            do_not_record=as_flag(raw_child_text(event, "recording/optout")),
            export_number=_foreign_number(event, guid),
            export_slug=raw_child_text(event, "slug") if "type" in links.hallway else "",
            logo_url=raw_child_text(event, "logo"),
        )
        if self.builder.event(data, location=location):
            people = tuple(AppearanceData(person=person) for person in self._people(event, on_stage=True))
            self.builder.add_details(guid, people=people, links=links.for_service(""))

    def _type(self, event: Element, links: HallwayLinks) -> str:
        name, match = raw_child_text(event, "type"), EVENT_SLUG_PATTERN.fullmatch(raw_child_text(event, "slug"))
        linked = links.query("type")
        if linked.get("type") and linked.get("kind") in KIND_NAMES:
            return self.builder.add_row(EventTypeData(key=linked["type"], name=self.builder.line(name, 100), kind=linked["kind"]))
        if not match or not match["type"]:
            return self.builder.type(event_kind(name), name)
        row = EventTypeData(key=match["type"], name=self.builder.line(name, 100), kind=match["kind"])
        return self.builder.add_row(row)

    def _room(self, room: Element) -> str:
        guid, name = room.get("guid") or "", room.get("name") or ""
        # A place in words has no guid.
        if not guid or not name:
            return ""
        if guid not in self.rooms:
            label = self.builder.line(name, 100)
            stem = cells.key_of(label) or "x"
            self.names[stem] += 1
            self.rooms[guid] = f"{stem}-{self.names[stem]}" if self.names[stem] > 1 else stem
            self.builder.add_row(RoomData(key=self.rooms[guid], zone="", name=label, position=self.room_positions[guid]))
        return self.rooms[guid]

    def _place(self, event: Element, room: Element) -> str:
        place, name = raw_child_text(event, "room"), room.get("name") or ""
        return ("" if place == name else place.removesuffix(f", {name}")) if room.get("guid") else place

    def _track_key(self, name: str) -> str:
        return self.tracks.get(name) or self.builder.track(name)

    def _topic(self, links: HallwayLinks) -> str:
        link, key = links.hallway.get("topic"), links.query("topic").get("topic", "")
        if not link or not key:
            return ""
        area, _, subarea = link.title.partition(" › ")
        row = TopicData(key=key, area=self.builder.line(area, 200), subarea=self.builder.line(subarea, 200))
        return self.builder.add_row(row)

    def _paper(self, event: Element, links: HallwayLinks) -> str:
        """Return the key of the event's paper. Only an event with nobody on stage lists the paper's authors."""
        guid = links.guid("paper")
        if not guid:
            return ""
        known = self.builder.paper_row(guid)
        authors = tuple(self._people(event, on_stage=False))
        if known is None or (authors and not known.authors):
            title = self.builder.line(links.hallway["paper"].title, 500)
            abstract = self.builder.prose(raw_child_text(event, "description"))
            row = PaperData(
                key=guid,
                guid=guid,
                title=title,
                abstract=abstract,
                authors=authors,
                links=links.for_service(HALLWAY_PAPER_SERVICE),
            )
            self.builder.replace_paper(row)
        return guid

    def _people(self, event: Element, *, on_stage: bool) -> list[str]:
        """Return keys of people; in our files those on stage have an id and authors have none."""
        keys = []
        for person in event.iterfind("persons/person"):
            guid = person.get("guid") or ""
            if ("id" in person.attrib) == on_stage:
                keys.append(self.builder.person(person.text or "", key=guid, guid=guid if _is_guid(guid) else ""))
        return list(dict.fromkeys(filter(None, keys)))


class HallwayLinks:
    """The links of an event: ``hallway`` by type, for our fields, and the others by service."""

    def __init__(self, event: Element, builder: ScheduleBuilder, location: str) -> None:
        self.hallway: dict[str, LinkData] = {}
        self._others: dict[str, list[LinkData]] = {"": [], HALLWAY_PAPER_SERVICE: []}
        for element in event.iterfind("links/link"):
            kind, service, title = element.get("type") or "", element.get("service") or "", element.text or ""
            for link in builder.link(
                element.get("href"), kind=kind if kind in LINK_KINDS else "website", title=title, location=location
            ):
                if service == HALLWAY_SERVICE:
                    self.hallway.setdefault(kind, link)
                else:
                    self._others[service if service == HALLWAY_PAPER_SERVICE else ""].append(link)

    def for_service(self, service: str) -> tuple[LinkData, ...]:
        return tuple(self._others[service])

    def href(self, name: str) -> str:
        return self.hallway[name].url if name in self.hallway else ""

    def query(self, name: str) -> dict[str, str]:
        """The parameters of its address, the last of each name."""
        return dict(parse_qsl(urlsplit(self.href(name)).query))

    def guid(self, name: str) -> str:
        last = urlsplit(self.href(name)).path.rstrip("/").rpartition("/")[2]
        return last if _is_guid(last) else ""


def raw_child_text(element: Element, path: str) -> str:
    return element.findtext(path) or ""


def _subtitle_and_board(event: Element, links: HallwayLinks) -> dict[str, str]:
    """The subtitle of an event with a board and without one of its own is “Board 12”; beside another, the board is in a link."""
    text = raw_child_text(event, "subtitle")
    if "board" in links.hallway:
        return {"subtitle": text, "board": links.hallway["board"].title}
    is_board = text.startswith(BOARD_PREFIX)
    return {"subtitle": "" if is_board else text, "board": text.removeprefix(BOARD_PREFIX) if is_board else ""}


def _foreign_number(event: Element, guid: str) -> int | None:
    number = parse_export_number(event.get("id") or "")
    return None if number == computed_number(guid) else number


def _is_guid(value: str) -> bool:
    try:
        return str(uuid.UUID(value)) == value
    except ValueError:
        return False
