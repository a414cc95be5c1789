"""The parts of a Mini-Conf site that all of its files refer to: dates, sessions, papers and posters."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from events.core.clock import DAY_CHANGE
from events.core.parsing import cells
from events.core.parsing.errors import ScheduleParseError
from events.core.spans import ONE_DAY
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.document import Document, Hints
from events.imports.formats.kinds import event_kind, title_kind
from events.imports.formats.miniconf.files import (
    UTC,
    MiniconfEntry,
    Sitedata,
    SiteHours,
    SiteSlot,
    entry_text,
    entry_texts,
    inner_entries,
    label_and_weekdays,
    nearest_date,
    parse_site_time,
    session_names,
    slideslive_url,
)
from events.imports.formats.times import parse_datetime
from events.programme.data.schedule import AppearanceData, EventData, LinkData, PaperData, load_time_zone

_POSTER_SESSION_CODE = re.compile(r"P(\d{1,2})S(\d{1,2})")
_SESSION_NUMBER = re.compile(r"session\s*#?(\d{1,2})", re.IGNORECASE)
_URL_PATTERN = re.compile(r"https?://[^\s;,]+")
_BIBTEX_URL = re.compile(r"\burl\s*=\s*\{([^{}]+)\}")


def entry_key(kind: str, *names: str) -> str:
    return f"{kind}-{next(filter(None, names), 'x')}"


class MiniconfSite:
    """The conference's dates, papers and poster sessions, which other files of the site name."""

    def __init__(self, document: Document, hints: Hints) -> None:
        self.files = Sitedata(document)
        zone = load_time_zone(hints.timezone or "UTC", file=document.name)
        self.builder = ScheduleBuilder(hints, zone, file=document.name)
        self.dates: list[dt.date] = []
        # Key and title of each paper, by its id.
        self.papers: dict[str, tuple[str, str]] = {}
        # The event of each poster session, by its name and by its date and number on that date.
        self.sessions: dict[tuple[dt.date, int] | str, EventData] = {}

    def add(self, location: str, key: str, title: str, kind: tuple[str, str], /, **more: Any) -> EventData:
        """Return the event with its key, "" if it is skipped; ``kind`` is a kind and the name of the type."""
        event = EventData(key=self.builder.line(key, 150), title=title, type=self.builder.type(*kind), **more)
        return dataclasses.replace(event, key=self.builder.event(event, location=location))

    def event_times(self, date: dt.date | None, hours: SiteHours | None) -> dict[str, Any]:
        if date and hours:
            start, end = hours.on_date(date)
            return {"start": start, "end": end}
        return {"day": self.builder.day(date) if date else ""}

    def date(self, weekday: int, location: str) -> dt.date | None:
        date = nearest_date(weekday, self.dates)
        if date is None:
            self.builder.warn(f"{location}: no day of the conference is that weekday; its day is to be announced")
        return date

    def days(self, text: str, hours: SiteHours | None, location: str) -> list[tuple[str, dt.date | None]]:
        """Return label and date of each day: “Wednesday/Thursday” at 01:00 is one night, at 16:00 two days."""
        label, weekdays = label_and_weekdays(text)
        dates = [self.date(weekday, location) for weekday in weekdays]
        is_night = len(dates) == 2 and hours and hours.start < DAY_CHANGE and dates[0] and dates[1] == dates[0] + ONE_DAY
        return [(label, date) for date in (dates[1:] if is_night else dates)]

    def appearances(self, people: Iterable[str], role: str) -> tuple[AppearanceData, ...]:
        keys = dict.fromkeys(filter(None, (self.builder.person(name) for name in people)))
        return tuple(AppearanceData(person=key, role=role) for key in keys)

    def link(self, address: str, location: str, kind: str = "website") -> tuple[LinkData, ...]:
        return self.builder.link(address, kind=kind, location=location) if address else ()

    def slots(self) -> Iterator[SiteSlot]:
        content = self.files.load("schedule.yml")
        if content is None:
            return
        time_slots = content.get("time_slots") if isinstance(content, dict) else None
        if not isinstance(time_slots, dict):
            raise ScheduleParseError("is not what Mini-Conf writes: “time_slots:” is missing", file="schedule.yml")
        for day in inner_entries(content, "conference"):
            date = cells.parse_date(entry_text(day, "day"))
            if date is None:
                self.builder.skip(f"schedule.yml, day “{entry_text(day, 'day')[:40]}”", "it is not a date like 2020-04-27")
                continue
            self.dates.append(date)
            self.builder.day(date)
            for entry in inner_entries(day, "events"):
                name = entry_text(entry, "slot")
                times = [parse_site_time(text) for text in entry_texts(time_slots, name)]
                hours = SiteHours(times[0], times[1]) if len(times) == 2 and times[0] and times[1] else None
                slot = SiteSlot(date, hours, entry)
                if hours is None:
                    problem = f"“{name[:40]}” is not a slot with two times; its hour is to be announced"
                    self.builder.warn(f"{slot.location}: {problem}")
                yield slot

    def add_poster_sessions(self, slots: list[SiteSlot]) -> None:
        numbers = Counter[dt.date]()
        for slot in sorted((slot for slot in slots if slot.type == "poster"), key=lambda slot: slot.date):
            numbers[slot.date] += 1
            number, short = numbers[slot.date], entry_text(slot.entry, "short")
            code = _POSTER_SESSION_CODE.fullmatch(short)
            title = entry_text(slot.entry, "name") or f"Poster session {short or number}"
            key = f"posters-{short or f'{slot.date}-{number}'}"
            session = self.add(
                slot.location, key, title, ("session", "Poster session"), **self.event_times(slot.date, slot.hours)
            )
            self.sessions[slot.date, int(code[2]) if code else number] = session

    def add_calendar(self) -> None:
        for entry in self.files.entries("main_calendar.json"):
            title, category, place = (entry_text(entry, name) for name in ("title", "calendarId", "location"))
            location = f"main_calendar.json, “{title[:60]}”"
            start, end = (parse_datetime(entry_text(entry, name), UTC) for name in ("start", "end"))
            if start is None or end is None:
                self.builder.skip(location, "its start or end is not a time like 2020-04-27T05:00:00+00:00")
                continue
            self.dates.append(start.date())
            has_posters = "poster" in f"{title} {category}".lower()
            kind = ("session", "Poster session") if has_posters else (_calendar_kind(title, category), "")
            # Entries have no ids: day and title are the key.
            key = f"calendar-{start.date()}-{cells.key_of(title)}"
            is_link = cells.is_http_url(place)
            links = self.link(entry_text(entry, "link") or (place if is_link else ""), location)
            event = self.add(location, key, title, kind, start=start, end=end, place="" if is_link else place, links=links)
            for name in (title, *session_names(entry)):
                self.sessions.setdefault(name, event)
        self.dates = sorted(set(self.dates))

    def add_papers(self) -> None:
        """Read papers.json or papers.csv, without the authors' e-mail addresses."""
        slides = self.files.entries("poster_slides.yml", under="slides")
        recordings = {entry_text(entry, "uid"): slideslive_url(entry_text(entry, "slides_id")) for entry in slides}
        for entry in self.files.entries("papers.json"):
            content = entry.get("content")
            key = entry_text(entry, "id") or entry_text(entry, "forum") or entry_text(entry, "UID")
            self._add_paper(key, content if isinstance(content, dict) else entry, recordings.get(key, ""))
        for row in self.files.rows("papers.csv"):
            key = entry_text(row, "UID")
            self._add_paper(key, row | {"authors": entry_text(row, "authors").split("|")}, recordings.get(key, ""))

    def _add_paper(self, key: str, content: MiniconfEntry, recording: str) -> None:
        builder = self.builder
        title, location = builder.line(entry_text(content, "title"), 500), f"papers, “{key[:60]}”"
        if not title or not key:
            builder.skip(location, "it has no title" if key else "it has no id")
            return
        if content.get("keywords"):
            builder.warn("papers: the programme has no keywords; they are left out")
        authors = [builder.person(name) for name in entry_texts(content, "authors")]
        cited = _BIBTEX_URL.search(entry_text(content, "_bibtex"))
        links = self.link(cited[1], location, "paper") if cited else ()
        for address in _URL_PATTERN.findall(entry_text(content, "code")):
            links += self.link(address, location, "code")
        paper = PaperData(
            key=builder.line(key, 150),
            title=title,
            tldr=builder.line(entry_text(content, "TL;DR"), 1_000),
            abstract=builder.prose(entry_text(content, "abstract")),
            authors=tuple(dict.fromkeys(filter(None, authors))),
            links=links + self.link(recording, location, "video"),
        )
        self.papers[key] = builder.paper(paper), title

    def add_posters(self) -> None:
        """Read poster_schedule.yml: a paper has an event for each session."""
        for listed in self.files.entries("poster_schedule.yml"):
            name = entry_text(listed, "name")
            session = self._session(name, "poster_schedule.yml")
            for position, poster in enumerate(inner_entries(listed, "posters"), start=1):
                location = f"poster_schedule.yml, “{name[:60]}”, “{entry_text(poster, 'id')[:60]}”"
                self._add_poster(entry_text(poster, "id"), session, position, entry_text(poster, "join_link"), location)

    def add_posters_of_papers(self) -> None:
        """Read the sessions in papers.csv, as “Mon Session 1|Mon Session 3”."""
        for position, row in enumerate(self.files.rows("papers.csv"), start=1):
            for name in filter(None, (part.strip() for part in entry_text(row, "sessions").split("|"))):
                location = f"papers.csv, “{entry_text(row, 'UID')[:60]}”, “{name[:60]}”"
                self._add_poster(entry_text(row, "UID"), self._session(name, "papers.csv"), position, "", location)

    def _add_poster(self, paper_id: str, session: EventData, position: int, link: str, location: str) -> None:
        if paper_id not in self.papers:
            self.builder.skip(location, "no paper has this id" if self.papers else "the file of papers is missing")
            return
        (key, title), times = self.papers[paper_id], {"day": session.day, "start": session.start, "end": session.end}
        more = {"session": session.key, "position": position, "paper": key, "stream_url": link}
        self.add(location, f"poster-{paper_id}", title, ("poster", ""), **times, **more)

    def _session(self, name: str, file: str) -> EventData:
        """Return the first poster session on the conference's Monday for “Mon Session 1”; a missing one gets no hour."""
        if name in self.sessions:
            return self.sessions[name]
        location = f"{file}, “{name[:60]}”"
        weekdays, number = label_and_weekdays(name)[1], _SESSION_NUMBER.search(name)
        date = self.date(weekdays[0], location) if weekdays else None
        session = self.sessions.get((date, int(number[1]))) if date and number else None
        if not session:
            self.builder.warn(f"{location}: no hour is given for it; it is to be announced")
            title = f"Poster session: {name}".rstrip(": ")
            session = self.add(
                location, entry_key("posters", name), title, ("session", "Poster session"), **self.event_times(date, None)
            )
        self.sessions[name] = session
        return session


def _calendar_kind(title: str, category: str) -> str:
    kind = title_kind(title)
    return event_kind(category) if kind == "talk" else kind
