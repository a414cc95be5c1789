"""schedule.xml as frab, pretalx, FOSDEM, the CCC hub, EMF and wafer write it, and pentabarf before them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from events.importers import cells, times
from events.importers.builder import ScheduleBuilder
from events.importers.data import AppearanceData, EventData, ScheduleData
from events.importers.document import Document
from events.importers.frab_elements import events_of, first, key_of, line_of, moments_of
from events.importers.frab_links import Links
from events.importers.frab_people import Directory
from events.importers.frab_texts import Languages, abstract_of, said
from events.importers.hints import Hints
from events.importers.kinds import kind_of
from events.importers.limits import MOST_EVENTS
from events.importers.safe_xml import load_xml, root_tag
from events.importers.venue_zone import zone_for

FARTHEST = dt.timedelta(days=2)
"""How far from its day of the file an event may start."""


def recognises(document: Document) -> bool:
    return document.is_one_file and root_tag(document.content) == "schedule"


def parse(document: Document, hints: Hints) -> ScheduleData:
    """The programme; raises ScheduleParseError for a file that holds none."""
    root = load_xml(document.content, file=document.name, most={"event": MOST_EVENTS})
    return _Reader(root, hints, document.name).read()


@dataclass(frozen=True)
class _Day:
    """A day of the file, with the time at which it begins."""

    date: dt.date | None
    change: dt.time


class _Reader:
    def __init__(self, root: Element, hints: Hints, file: str) -> None:
        conference = root.find("conference")
        self.root, self.conference = root, Element("conference") if conference is None else conference
        named, city = said(self.conference, "time_zone_name"), said(self.conference, "city")
        self.zone, warning = zone_for(named, hints, moments=moments_of(root), city=city, file=file)
        self.build = ScheduleBuilder(hints, self.zone, file=file)
        if warning:
            self.build.warn(warning)
        self.people = Directory(root, self.build)
        self.links = Links(self.build, base=said(self.conference, "base_url") or said(self.conference, "url"))
        self.languages = Languages(root)
        self.events = 0
        self.starts: dict[str, set[tuple[dt.datetime, str]]] = {}
        self.disagreeing: list[str] = []

    def read(self) -> ScheduleData:
        for track in [*self.conference.iterfind("track"), *self.root.iterfind("tracks/track")]:
            self.build.track(track.get("name") or track.text or "", colour=track.get("color") or "")
        for element in self.root.iterfind("day"):
            day = self._day(element)
            for room, event in events_of(element, self.build):
                self._event(event, day, room)
        self._warn_of_disagreeing()
        start, end = self._dates()
        acronym, url = said(self.conference, "acronym"), said(self.conference, "url") or said(self.conference, "base_url")
        return self.build.build(
            name=said(self.conference, "title") or acronym,
            title=said(self.conference, "subtitle"),
            start=start,
            end=end,
            url=url,
            city=said(self.conference, "city"),
            colour=cells.colour((first(self.conference, "color")).get("primary") or ""),
        )

    def _dates(self) -> tuple[dt.date | None, dt.date | None]:
        """The conference's first and last day; the days' own where the header speaks of another conference."""
        bounds = []
        for name in ("start", "end"):
            text = said(self.conference, name)
            bounds.append(times.day_of(text))
            if text and bounds[-1] is None:
                self.build.warn(f"the conference’s {name}, {cells.quoted(text)}, is not a date; its days count")
        start, end = bounds
        days = [date for it in self.root.iterfind("day") if (date := times.day_of(it.get("date") or ""))]
        if days and ((start and start > max(days)) or (end and end < min(days)) or (start and end and end < start)):
            self.build.warn(f"the conference says {start} to {end}, its days {min(days)} to {max(days)}; the days count")
            return min(days), max(days)
        return start, end

    def _day(self, element: Element) -> _Day:
        text, begins = element.get("date") or "", element.get("start") or ""
        date = times.day_of(text) or times.day_of(begins)
        if date:
            self.build.day(date)
        elif text:
            self.build.warn(f"{line_of(element)}day {element.get('index', '')}: {cells.quoted(text)} is not a date")
        return _Day(date, times.day_change(said(self.conference, "day_change")))

    def _event(self, event: Element, day: _Day, room: str) -> None:
        self.events += 1
        title = said(event, "title")
        place = f"{line_of(event)}event {cells.quoted(title or event.get('id') or '')}"
        length = times.duration(said(event, "duration"))
        if length is None:
            self.build.skip(place, f"{cells.quoted(said(event, 'duration'))} is not a duration: write it as 1:30")
            return
        found = self._start(event, day)
        if isinstance(found, str):
            self.build.skip(place, found)
            return
        if found.warning:
            self.build.warn(f"{place}: {found.warning}")
        guid, key = event.get("guid", "").strip().lower(), key_of(event, title, room)
        if self._is_repeated(key, found.at, room):
            self.build.skip(place, "it stands twice in the file, at the same time in the same room")
            return
        self._disagreement(event, found.at, place)
        self._add(event, place, _When(found.at, length, self._day_of(found.at, day, place)), room, (guid, key))

    def _add(self, event: Element, place: str, when: _When, room: str, names: tuple[str, str]) -> None:
        kind = said(event, "type")
        guid, key = names
        data = EventData(
            key=key,
            guid=guid,
            title=said(event, "title"),
            type=self.build.type(kind_of(kind), kind[:1].upper() + kind[1:]),
            day=when.day,
            start=when.start,
            end=when.start.astimezone(dt.UTC) + when.length,
            room=self.build.room(room),
            track=self.build.track(said(event, "track")),
            abstract=abstract_of(event, self.languages.note(event)),
            recording_url=said(event, "recording/url") or said(event, "recording/link") or said(event, "video_download_url"),
            stream_url=said(event, "stream_url"),
        )
        # Nothing is said of the people and links of an event that is skipped.
        if made := self.build.event(data, place=place):
            who = tuple(AppearanceData(person=it) for it in self.people.of(event))
            self.build.add(made, people=who, links=self.links.of(event, place))

    def _start(self, event: Element, day: _Day) -> times.Instant | str:
        """When it starts, or why that cannot be told."""
        text, start = said(event, "date"), said(event, "start")
        if at := times.moment(text, self.zone):
            return times.Instant(at)
        date, clock = times.day_of(text) or day.date, times.clock(start)
        if text and not times.day_of(text):
            return f"{cells.quoted(text)} is not a date between 1900 and 2199: write it as 2025-04-24T09:00:00+08:00"
        if date is None:
            return "neither it nor its day has a date"
        if clock is None:
            return f"{cells.quoted(start)} is not a time: write it as 09:30"
        return times.on_day(date, clock, self.zone, change=day.change)

    def _day_of(self, start: dt.datetime, day: _Day, place: str) -> str:
        """The file's day, unless the event is nowhere near it."""
        if day.date is None:
            return self.build.day_of(start)
        morning = dt.datetime.combine(day.date, dt.time(), self.zone)
        if -dt.timedelta(days=1) <= start - morning <= FARTHEST:
            return self.build.day(day.date)
        self.build.warn(f"{place}: stands under {day.date} and starts at {start:%Y-%m-%d %H:%M}; the latter counts")
        return self.build.day_of(start)

    def _is_repeated(self, key: str, start: dt.datetime, room: str) -> bool:
        known = self.starts.setdefault(key, set())
        before = (start, room) in known
        known.add((start, room))
        return before

    def _disagreement(self, event: Element, start: dt.datetime, place: str) -> None:
        clock = times.clock(said(event, "start"))
        dated = times.moment(said(event, "date"), self.zone)
        if dated and clock and start.astimezone(self.zone).time().replace(second=0) != clock:
            self.disagreeing.append(place)

    def _warn_of_disagreeing(self) -> None:
        if self.disagreeing:
            first, more = self.disagreeing[0], len(self.disagreeing) - 1
            others = f" and {more} more" if more else ""
            doubt = f": is {self.zone.key} the right time zone?" if more > self.events / 2 else ""
            self.build.warn(f"{first}{others}: date and start disagree; the date is taken{doubt}")


@dataclass(frozen=True)
class _When:
    start: dt.datetime
    length: dt.timedelta
    day: str
