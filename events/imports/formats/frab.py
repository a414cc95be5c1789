"""schedule.xml of frab, pretalx, FOSDEM, the CCC hub, EMF and wafer, and of pentabarf before them."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from events.core.parsing import cells
from events.core.parsing.errors import MAX_IMPORT_EVENTS
from events.core.parsing.safe_xml import line_prefix, load_xml, root_tag
from events.core.parsing.values import absolute_url, as_flag, link_kind
from events.imports.formats import times
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.document import Document, Hints
from events.imports.formats.kinds import event_kind
from events.imports.formats.orders import merged_order
from events.imports.formats.services import without_cancelled
from events.imports.formats.texts import join_paragraphs
from events.imports.formats.times import find_time_zone
from events.programme.data.export_numbers import parse_export_number
from events.programme.data.schedule import AppearanceData, EventData, LinkData, ScheduleData

PRETTY_PRINT_INDENT = 8
"""Blanks before every further line that come from printing the XML and not from the author."""
ATTACHMENT_KINDS = {"slides": "slides", "paper": "paper", "video": "video", "audio": "video", "poster": "poster", "code": "code"}
EVENT_PAGE_LINKS = (("url", "source", ""), ("feedback_url", "website", "Feedback"))
RECORDING_PATHS = ("recording/url", "recording/link", "video_download_url")
OPT_OUT_PATHS = ("recording/optout", "do_not_record")


def recognises(document: Document) -> bool:
    return document.is_one_file and root_tag(document.content) == "schedule"


def parse(document: Document, hints: Hints) -> ScheduleData:
    """Raise ScheduleParseError for a file without a schedule."""
    root = load_xml(document.content, file=document.name, limits={"event": MAX_IMPORT_EVENTS})
    return FrabReader(root, hints, document.name).read()


@dataclass(frozen=True)
class FrabDay:
    """A day of the file, with the time at which it begins."""

    date: dt.date | None
    change: dt.time


@dataclass(frozen=True)
class FrabTime:
    """``day`` is the one that the file lists the event under, "" if none."""

    start: dt.datetime
    length: dt.timedelta
    day: str


class FrabReader:
    def __init__(self, root: Element, hints: Hints, file: str) -> None:
        conference = root.find("conference")
        self.root, self.days = root, root.findall("day")
        self.conference = Element("conference") if conference is None else conference
        zone_name, city = self._header("time_zone_name"), self._header("city") or self._header("country")
        self.zone, warning = find_time_zone(zone_name, hints, moments=_aware_times(root), city=city, file=file)
        self.builder = ScheduleBuilder(hints, self.zone, file=file)
        if warning:
            self.builder.warn(warning)
        self.people = FrabPeople(root, self.builder)
        self.links = FrabLinks(self.builder, base_url=self._header("base_url") or self._header("url"))
        self.event_count = 0
        self.disagreeing: list[str] = []

    def _header(self, name: str) -> str:
        return child_text(self.conference, name)

    def read(self) -> ScheduleData:
        for track in [*self.conference.iterfind("track"), *self.root.iterfind("tracks/track")]:
            self.builder.track(track.get("name") or track.text or "", colour=track.get("color") or "")
        self._add_rooms()
        for element in self.days:
            day = self._day(element)
            for room, event in self._day_events(element):
                self._add_event(event, day, room)
        self._warn_of_disagreeing()
        start, end = self._dates()
        colour = self.conference.find("color")
        return self.builder.build(
            name=self._header("title") or self._header("acronym"),
            title=self._header("subtitle"),
            start=start,
            end=end,
            url=self._header("url") or self._header("base_url"),
            city=self._header("city"),
            colour="" if colour is None else cells.parse_colour(colour.get("primary") or ""),
        )

    def _dates(self) -> tuple[dt.date | None, dt.date | None]:
        """Return the first and last day in the header; those of the days if the header is another conference's."""
        bounds = []
        for name in ("start", "end"):
            text = self._header(name)
            bounds.append(times.parse_leading_date(text))
            if text and bounds[-1] is None:
                self.builder.warn(f"the conference’s {name}, {cells.quoted(text)}, is not a date; its days count")
        start, end = bounds
        days = self.builder.dates
        if days and ((start and start > max(days)) or (end and end < min(days)) or (start and end and end < start)):
            self.builder.warn(f"the conference says {start} to {end}, its days {min(days)} to {max(days)}; the days count")
            return min(days), max(days)
        return start, end

    def _add_rooms(self) -> None:
        """A day lists only its own rooms: all days together give their order."""
        days = [[(room.get("name") or "", room.get("guid") or "") for room in day.iterfind("room")] for day in self.days]
        keys: dict[str, str] = {}
        for name, key in (room for rooms in days for room in rooms):
            keys.setdefault(name, key)
        for name in merged_order([name for name, _ in rooms] for rooms in days):
            self.builder.room(name, key=keys[name])

    def _day(self, element: Element) -> FrabDay:
        text, begins = element.get("date") or "", element.get("start") or ""
        date = times.parse_leading_date(text) or times.parse_leading_date(begins)
        if date:
            self.builder.day(date)
        elif text:
            self.builder.warn(f"{line_prefix(element)}day {element.get('index', '')}: {cells.quoted(text)} is not a date")
        return FrabDay(date, times.parse_day_change(self._header("day_change")))

    def _day_events(self, day: Element) -> Iterator[tuple[str, Element]]:
        for element in day:
            if element.tag == "event":
                yield child_text(element, "room"), element
            elif element.tag == "room":
                name = element.get("name") or ""
                self.builder.room(name, key=element.get("guid") or "")
                yield from ((name or child_text(event, "room"), event) for event in element.iterfind("event"))

    def _add_event(self, event: Element, day: FrabDay, room: str) -> None:
        self.event_count += 1
        title = child_text(event, "title")
        location = f"{line_prefix(event)}event {cells.quoted(title or event.get('id') or '')}"
        key = event_key(event, without_cancelled(title)[0], room)
        length = times.parse_duration(child_text(event, "duration"))
        if length is None:
            problem = f"{cells.quoted(child_text(event, 'duration'))} is not a duration: write it as 1:30"
            self.builder.skip(location, problem, key=key)
            return
        start = self._start(event, day)
        if isinstance(start, str):
            self.builder.skip(location, start, key=key)
            return
        if start.warning:
            self.builder.warn(f"{location}: {start.warning}")
        if self.builder.is_repeated(key, start.at, room, location):
            return
        self._check_clock(event, start.at, location)
        self._add_data(event, location, FrabTime(start.at, length, day.date.isoformat() if day.date else ""), room, key)

    def _add_data(self, event: Element, location: str, time: FrabTime, room: str, key: str) -> None:
        title, status = without_cancelled(child_text(event, "title"))
        type_name = child_text(event, "type")
        data = EventData(
            key=key,
            guid=event.get("guid", "").strip().lower(),
            title=title,
            subtitle=child_text(event, "subtitle"),
            language=child_text(event, "language"),
            type=self.builder.type_of(event_kind(type_name), type_name[:1].upper() + type_name[1:], title=title),
            status=status,
            day=time.day,
            start=time.start,
            end=time.start.astimezone(dt.UTC) + time.length,
            room=self.builder.room(room),
            track=self.builder.track(child_text(event, "track")),
            abstract=_dedented(child_text(event, "abstract")),
            description=_dedented(child_text(event, "description")),
            recording_url=next(filter(None, (child_text(event, path) for path in RECORDING_PATHS)), ""),
            recording_license=child_text(event, "recording/license"),
            do_not_record=opted_out(event),
            export_number=parse_export_number(event.get("id") or ""),
            export_slug=child_text(event, "slug"),
            logo_url=self.links.absolute_url(child_text(event, "logo")),
            stream_url=child_text(event, "stream_url"),
        )
        # No warnings about the people and links of an event that is skipped.
        if added := self.builder.event(data, location=location):
            people = tuple(AppearanceData(person=person) for person in self.people.person_keys(event))
            self.builder.add_details(added, people=people, links=self.links.for_event(event, location))

    def _start(self, event: Element, day: FrabDay) -> times.StartTime | str:
        text, start = child_text(event, "date"), child_text(event, "start")
        if at := times.parse_start(text, self.zone):
            return at
        date, clock = times.parse_leading_date(text) or day.date, times.parse_clock(start)
        if text and not times.parse_leading_date(text):
            return f"{cells.quoted(text)} is not a date between 1900 and 2199: write it as 2025-04-24T09:00:00+08:00"
        if date is None:
            return "neither it nor its day has a date"
        if clock is None:
            return f"{cells.quoted(start)} is not a time: write it as 09:30"
        return times.start_on_day(date, clock, self.zone, change=day.change)

    def _check_clock(self, event: Element, start: dt.datetime, location: str) -> None:
        clock = times.parse_clock(child_text(event, "start"))
        has_date = times.parse_datetime(child_text(event, "date"), self.zone)
        if has_date and clock and start.astimezone(self.zone).time().replace(second=0) != clock:
            self.disagreeing.append(location)

    def _warn_of_disagreeing(self) -> None:
        if self.disagreeing:
            first, more = self.disagreeing[0], len(self.disagreeing) - 1
            others = f" and {more} more" if more else ""
            doubt = f": is {self.zone.key} the right time zone?" if more > self.event_count / 2 else ""
            self.builder.warn(f"{first}{others}: date and start disagree; the date is used{doubt}")


def child_text(element: Element, path: str) -> str:
    return (element.findtext(path) or "").strip()


def event_key(event: Element, title: str, room: str) -> str:
    """Return the guid, else the id, code, URL, or title and room, which change seldom when the event moves."""
    if guid := event.get("guid", "").strip():
        return guid.lower()
    for name in ("id", "code"):
        if value := (event.get(name) or child_text(event, name)).strip():
            return f"{name}:{value}"
    return f"url:{url}" if (url := child_text(event, "url")) else f"title:{cells.key_of(f'{title} {room}')}"


def _aware_times(root: Element) -> list[dt.datetime]:
    return times.datetimes(sorted({date.text or "" for date in root.iterfind("day//event/date")}))


def opted_out(event: Element) -> bool | None:
    """Whether the event is not to be recorded; None if the file does not say."""
    flags = [as_flag(child_text(event, path)) for path in OPT_OUT_PATHS]
    return True if True in flags else next((flag for flag in flags if flag is not None), None)


def _dedented(text: str) -> str:
    """Remove indentation: pretty-printed files indent all lines but the first, which Markdown reads as code."""
    first, *rest = text.split("\n")
    margins = [len(line) - len(line.lstrip(" ")) for line in rest if line.strip()]
    margin = min(margins, default=0)
    return "\n".join([first, *(line[margin:] for line in rest)]) if margin >= PRETTY_PRINT_INDENT else text


class FrabLinks:
    def __init__(self, builder: ScheduleBuilder, *, base_url: str) -> None:
        self.builder, self.base_url = builder, base_url

    def for_event(self, event: Element, location: str) -> tuple[LinkData, ...]:
        links: dict[str, LinkData] = {}
        for element in (link for listed in event if listed.tag in {"links", "attachments"} for link in listed):
            title = child_text(element, "title") or (element.text or "").strip()
            address = element.get("href") or element.get("url") or title
            kind = ATTACHMENT_KINDS.get((element.get("type") or child_text(element, "type")).lower()) or link_kind(title)
            shown = "" if title == address else title
            for link in self.builder.link(self.absolute_url(address), kind=kind, title=shown, location=location):
                links.setdefault(link.url, link)
        for name, kind, title in EVENT_PAGE_LINKS:
            for link in self.builder.link(child_text(event, name), kind=kind, title=title, location=location):
                links.setdefault(link.url, link)
        return tuple(links.values())

    def absolute_url(self, address: str) -> str:
        return absolute_url(address, self.base_url)


class FrabPeople:
    """The people of events, by guid or id if those can be trusted, else by name."""

    def __init__(self, root: Element, builder: ScheduleBuilder) -> None:
        self.builder = builder
        self.bios = {person.get("id", ""): person for person in root.iterfind("persons/person") if person.get("id")}
        self.trusted = {name: _trusted_ids(root, name) for name in ("guid", "id")}

    def person_keys(self, event: Element) -> list[str]:
        keys = dict.fromkeys(self._key(person) for person in event.iterfind("persons/person"))
        return [key for key in keys if key]

    def _key(self, person: Element) -> str:
        name = _person_name(person)
        profile = self.bios.get(person.get("id", ""), person)
        bio = join_paragraphs([child_text(profile, "biography"), child_text(profile, "extended_biography")])
        for attribute in ("guid", "id"):
            value = person.get(attribute, "").strip()
            if value in self.trusted[attribute]:
                key = value.lower() if attribute == "guid" else f"id:{value}"
                return self.builder.person(name, key=key, bio=bio)
        return self.builder.person(name, bio=bio)


def _trusted_ids(root: Element, attribute: str) -> set[str]:
    """Return ids that belong to one person; none if every appearance has a different id."""
    names: dict[str, set[str]] = defaultdict(set)
    uses: Counter[str] = Counter()
    ids: dict[str, set[str]] = defaultdict(set)
    for value, name in _ids_and_names(root, attribute):
        names[value].add(name)
        ids[name].add(value)
        uses[value] += 1
    # FOSDEM gave every speaker of every talk a new number until 2012.
    if all(number == 1 for number in uses.values()) and any(len(values) > 1 for values in ids.values()):
        return set()
    # 0 is a placeholder.
    return {value for value, owners in names.items() if len(owners) == 1 and value != "0"}


def _ids_and_names(root: Element, attribute: str) -> Iterator[tuple[str, str]]:
    for person in root.iterfind("day//persons/person"):
        if value := person.get(attribute, "").strip():
            yield value, _person_name(person)


def _person_name(person: Element) -> str:
    return " ".join(((person.text or "").strip() or child_text(person, "name") or child_text(person, "public_name")).split())
