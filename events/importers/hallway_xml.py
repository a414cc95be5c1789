"""Our own schedule.xml: what the voc schema can say of a programme, and what our links with a service say besides."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
import uuid
from collections import Counter
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.etree.ElementTree import Element

from events.importers import cells, times
from events.importers.builder import ScheduleBuilder
from events.importers.data import (
    AppearanceData,
    EventData,
    EventTypeData,
    LinkData,
    PaperData,
    ScheduleData,
    TopicData,
    TrackData,
)
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints, zone_of
from events.importers.kinds import kind_of
from events.importers.labels import KINDS
from events.importers.limits import MOST_EVENTS
from events.importers.place import RoomData
from events.importers.safe_xml import Place, load_xml, root_tag

GENERATOR = re.compile(rb"<generator\s[^>]*name=[\"']Hallway[\"']")
SLUG = re.compile(rf"[a-z0-9_]+-(?P<kind>{'|'.join(KINDS)})-(?P<type>[a-z0-9_-]*)-[0-9a-f]{{32}}")
LINK_KINDS = frozenset({"paper", "code", "slides", "poster", "video", "website", "source"})
OWN, PAPERS = "hallway", "hallway-paper"


def recognises(document: Document) -> bool:
    if not document.is_one_file or root_tag(document.content) != "schedule":
        return False
    return GENERATOR.search(document.content[:4096]) is not None


def parse(document: Document, hints: Hints) -> ScheduleData:
    """The programme; raises ScheduleParseError for a file that holds none."""
    root = load_xml(document.content, file=document.name, most={"event": MOST_EVENTS})
    conference = root.find("conference")
    if conference is None:
        raise ScheduleParseError("has no “conference”: export it again", file=document.name)
    return _Reader(root, conference, hints, document.name).read()


class _Verbatim(ScheduleBuilder):
    """Our own texts need no tidying: only what no database can hold is left out."""

    def line(self, text: Any, longest: int = 300) -> str:
        return self._cut(self._clean(text), longest)

    def prose(self, text: Any) -> str:
        return self._cut(self._clean(text), 100_000)

    def known(self, part: dict[str, Any], row: Any) -> str:
        """The row by our own key for it; the first with its key counts."""
        part.setdefault(row.key, row)
        return str(row.key)


class _Reader:
    def __init__(self, root: Element, conference: Element, hints: Hints, file: str) -> None:
        self.root, self.conference = root, conference
        self.build = _Verbatim(hints, zone_of(text(conference, "time_zone_name"), file=file), file=file)
        self.tracks: dict[str, str] = {}
        self.rooms: dict[str, str] = {}
        self.names = Counter[str]()

    def read(self) -> ScheduleData:
        for track in self.conference.iterfind("track"):
            self._track(track)
        for day in self.root.iterfind("day"):
            date = cells.date(day.get("date") or "")
            if date is None:
                self.build.skip(f"{_line(day)}day {day.get('index', '')}", "it has no date")
                continue
            key = self.build.day(date)
            for room in day.iterfind("room"):
                for event in room.iterfind("event"):
                    self._event(event, key, room)
        start, end = (cells.date(text(self.conference, name)) for name in ("start", "end"))
        title, url = text(self.conference, "title"), text(self.conference, "url")
        data = self.build.build(name=title, title=title, start=start, end=end, url=url, colour=self._colour())
        known = {it.key for it in data.events}
        # What it is part of may have no hour, and so not be in the file.
        events = (it if it.session in known else dataclasses.replace(it, session="") for it in data.events)
        return dataclasses.replace(data, events=tuple(events))

    def _colour(self) -> str:
        found = self.conference.find("color")
        return cells.colour(found.get("primary") or "") if found is not None else ""

    def _track(self, track: Element) -> None:
        name, key = track.get("name") or "", track.get("slug") or ""
        colour = track.get("color") or ""
        if key and name:
            row = TrackData(key=key, name=self.build.line(name, 100), colour=cells.colour(colour))
            self.tracks[name] = self.build.known(self.build._tracks, row)
        else:
            self.tracks[name] = self.build.track(name, colour=colour)

    def _event(self, event: Element, day: str, room: Element) -> None:
        title, guid = text(event, "title"), event.get("guid") or ""
        place = f"{_line(event)}event {cells.quoted(title)}"
        start, length = times.moment(text(event, "date"), self.build.zone), times.duration(text(event, "duration"))
        if start is None or length is None or not _is_guid(guid):
            self.build.skip(place, "its date, its duration or its guid is none: export it again")
            return
        if self.build.has_event(guid):
            self.build.skip(place, f"the guid {guid} stands twice: delete one")
            return
        links = _Links(event, self.build, place)
        data = EventData(
            key=guid,
            guid=guid,
            title=title,
            type=self._type(event),
            day=day,
            start=start.astimezone(dt.UTC),
            end=start.astimezone(dt.UTC) + length,
            room=self._room(room),
            place=self._place(event, room),
            track=self._track_of(text(event, "track")),
            topic=self._topic(links),
            session=links.guid("session"),
            paper=self._paper(event, links),
            board=text(event, "subtitle").removeprefix("Board "),
            abstract=text(event, "abstract"),
            signup_url=links.href("signup"),
            stream_url=links.href("stream"),
            recording_url=text(event, "recording/url"),
        )
        if self.build.event(data, place=place):
            on_stage = tuple(AppearanceData(person=it) for it in self._people(event, on_stage=True))
            self.build.add(guid, people=on_stage, links=links.of(""))

    def _type(self, event: Element) -> str:
        """The type by the kind and the key that our slugs hold; by its name where there is no such slug."""
        name, found = text(event, "type"), SLUG.fullmatch(text(event, "slug"))
        if not found or not found["type"]:
            return self.build.type(kind_of(name), name)
        row = EventTypeData(key=found["type"], name=self.build.line(name, 100), kind=found["kind"])
        return self.build.known(self.build._types, row)

    def _room(self, room: Element) -> str:
        """A room has a guid; a place in words has none."""
        guid, name = room.get("guid") or "", room.get("name") or ""
        if not guid or not name:
            return ""
        if guid not in self.rooms:
            label = self.build.line(name, 100)
            stem = cells.key_of(label) or "x"
            self.names[stem] += 1
            self.rooms[guid] = f"{stem}-{self.names[stem]}" if self.names[stem] > 1 else stem
            self.build.known(self.build._rooms, RoomData(key=self.rooms[guid], zone="", name=label))
        return self.rooms[guid]

    def _place(self, event: Element, room: Element) -> str:
        place, name = text(event, "room"), room.get("name") or ""
        return ("" if place == name else place.removesuffix(f", {name}")) if room.get("guid") else place

    def _track_of(self, name: str) -> str:
        return self.tracks.get(name) or self.build.track(name)

    def _topic(self, links: _Links) -> str:
        found = links.own.get("topic")
        key = next(iter(parse_qs(urlsplit(found.url).query).get("topic", [])), "") if found else ""
        if not found or not key:
            return ""
        area, _, subarea = found.title.partition(" › ")
        row = TopicData(key=key, area=self.build.line(area, 200), subarea=self.build.line(subarea, 200))
        return self.build.known(self.build._topics, row)

    def _paper(self, event: Element, links: _Links) -> str:
        """The event's paper; its authors are known from an event at which nobody else is on stage."""
        guid = links.guid("paper")
        if not guid:
            return ""
        known = self.build._papers.get(guid)
        authors = tuple(self._people(event, on_stage=False))
        if known is None or (authors and not known.authors):
            title, abstract = self.build.line(links.own["paper"].title, 500), self.build.prose(text(event, "description"))
            row = PaperData(key=guid, guid=guid, title=title, abstract=abstract, authors=authors, links=links.of(PAPERS))
            self.build._papers[guid] = row
        return guid

    def _people(self, event: Element, *, on_stage: bool) -> list[str]:
        """Who is on stage has a number in our files; who wrote the paper has none."""
        found = []
        for person in event.iterfind("persons/person"):
            guid = person.get("guid") or ""
            if ("id" in person.attrib) == on_stage:
                found.append(self.build.person(person.text or "", key=guid, guid=guid if _is_guid(guid) else ""))
        return list(dict.fromkeys(filter(None, found)))


class _Links:
    """The links of an event: by what they say in our own words, and those that it simply has."""

    def __init__(self, event: Element, build: ScheduleBuilder, place: str) -> None:
        self.own: dict[str, LinkData] = {}
        self._others: dict[str, list[LinkData]] = {"": [], PAPERS: []}
        for element in event.iterfind("links/link"):
            kind, service, title = element.get("type") or "", element.get("service") or "", element.text or ""
            for link in build.link(element.get("href"), kind=kind if kind in LINK_KINDS else "website", title=title, place=place):
                if service == OWN:
                    self.own.setdefault(kind, link)
                else:
                    self._others[service if service == PAPERS else ""].append(link)

    def of(self, service: str) -> tuple[LinkData, ...]:
        return tuple(self._others[service])

    def href(self, name: str) -> str:
        return self.own[name].url if name in self.own else ""

    def guid(self, name: str) -> str:
        """The guid in the address of a page of ours."""
        last = urlsplit(self.href(name)).path.rstrip("/").rpartition("/")[2]
        return last if _is_guid(last) else ""


def text(element: Element, path: str) -> str:
    return element.findtext(path) or ""


def _is_guid(value: str) -> bool:
    try:
        return str(uuid.UUID(value)) == value
    except ValueError:
        return False


def _line(element: Element) -> str:
    return f"line {element.line}, " if isinstance(element, Place) else ""
