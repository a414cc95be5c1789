"""Mini-Conf's sitedata (ICLR 2020's dialect, the standard one, ACL 2020's socials) into ScheduleData."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from events.importers import cells
from events.importers.builder import ScheduleBuilder
from events.importers.data import AppearanceData, EventData, LinkData, PaperData, ScheduleData
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints, zone_of
from events.importers.kinds import kind_of
from events.importers.miniconf_files import (
    ONE_DAY,
    READ,
    UTC,
    Entry,
    Hours,
    Sitedata,
    Slot,
    clock,
    hours,
    inner,
    names,
    nearest,
    recognises,
    recording,
    sessions_named,
    text,
    texts,
    weekdays,
)
from events.importers.times import moment
from events.schedule.clock import DAY_CHANGE

__all__ = ["parse", "recognises"]

_MAX_SHOWN, _MAX_DAYS = 10, 14
_SHORT = re.compile(r"P(\d{1,2})S(\d{1,2})")
_SESSION = re.compile(r"session\s*#?(\d{1,2})", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://[^\s;,]+")
_BIBTEX_URL = re.compile(r"\burl\s*=\s*\{([^{}]+)\}")
_ACL_SESSION = re.compile(r"S-Session \w+(?:\s*\((.+)\))?")


def parse(document: Document, hints: Hints) -> ScheduleData:
    """The programme of a sitedata folder or zip, or of one of its files that says enough by itself.

    All of Mini-Conf's times are UTC; ``hints.timezone`` says only in which zone the days of the programme change, and
    ``hints.start`` which weekday is which date where the site does not.
    Raises ScheduleParseError for files that are not what Mini-Conf writes, and when no day at all is known.
    """
    site = _Site(document, hints)
    slots = list(site.slots())
    site.poster_sessions(slots)
    if slots and "main_calendar.json" in site.files.paths:
        site.builder.warn("main_calendar.json: schedule.yml says the same; it is not read")
    elif not slots:
        site.calendar()
    site.dates = site.dates or _known_dates(hints)
    site.read_papers()
    site.posters()
    site.sessions_of_papers()
    site.orals()
    site.speakers(slots)
    site.expos([slot for slot in slots if slot.type not in {"poster", "qa"}])
    site.socials()
    site.workshops()
    return site.build()


def _known_dates(hints: Hints) -> list[dt.date]:
    """The conference's own dates, for a file that names only weekdays."""
    days = ((hints.end or hints.start) - hints.start).days + 1 if hints.start else 0
    return [hints.start + step * ONE_DAY for step in range(min(days, _MAX_DAYS))] if hints.start else []


def _key(kind: str, *said: str) -> str:
    """“social-OSS” from the first name that is one."""
    return f"{kind}-{next(filter(None, said), 'x')}"


class _Time(NamedTuple):
    """One time of a social."""

    when: dict[str, Any]
    label: str = ""
    link: str = ""
    said: str = ""


class _Site:
    """What all files of a site refer to: the conference's dates, its papers, its poster sessions."""

    def __init__(self, document: Document, hints: Hints) -> None:
        self.files = Sitedata(document)
        zone = zone_of(hints.timezone or "UTC", file=document.name)
        self.builder = ScheduleBuilder(hints, zone, file=document.name)
        self.dates: list[dt.date] = []
        # The key and title of each paper by its id.
        self.papers: dict[str, tuple[str, str]] = {}
        # (date, number of the poster session on it) and what a poster session is called -> its event.
        self.sessions: dict[tuple[dt.date, int] | str, EventData] = {}

    def add(self, place: str, key: str, title: str, kind: tuple[str, str], /, **more: Any) -> EventData:
        """The event with the key it got, which is empty if it was skipped; ``kind`` is a kind and its label."""
        event = EventData(key=self.builder.line(key, 150), title=title, type=self.builder.type(*kind), **more)
        return dataclasses.replace(event, key=self.builder.event(event, place=place))

    def at(self, date: dt.date | None, time: Hours | None) -> dict[str, Any]:
        """The start and end of an event, or its day."""
        if date and time:
            start, end = time.on(date)
            return {"start": start, "end": end}
        return {"day": self.builder.day(date) if date else ""}

    def date(self, weekday: int, place: str) -> dt.date | None:
        """The conference's date for a weekday; None, with a warning, if the site names no dates near it."""
        found = nearest(weekday, self.dates)
        if found is None:
            self.builder.warn(f"{place}: no day of the conference is that weekday; its day is to be announced")
        return found

    def days(self, said: str, time: Hours | None, place: str) -> list[tuple[str, dt.date | None]]:
        """The label and date of each day a text names: “Wednesday/Thursday” at 01:00 is one night, at 16:00 two days."""
        label, named = weekdays(said)
        dates = [self.date(weekday, place) for weekday in named]
        is_night = len(dates) == 2 and time and time.start < DAY_CHANGE and dates[0] and dates[1] == dates[0] + ONE_DAY
        return [(label, date) for date in (dates[1:] if is_night else dates)]

    def appearances(self, people: Iterable[str], role: str) -> tuple[AppearanceData, ...]:
        keys = dict.fromkeys(filter(None, (self.builder.person(name) for name in people)))
        return tuple(AppearanceData(person=key, role=role) for key in keys)

    def link(self, address: str, place: str, kind: str = "website") -> tuple[LinkData, ...]:
        return self.builder.link(address, kind=kind, place=place) if address else ()

    def slots(self) -> Iterator[Slot]:
        """Every line of schedule.yml; its dates become the conference's."""
        content = self.files.load("schedule.yml")
        if content is None:
            return
        named = content.get("time_slots") if isinstance(content, dict) else None
        if not isinstance(named, dict):
            raise ScheduleParseError("is not what Mini-Conf writes: “time_slots:” is missing", file="schedule.yml")
        for day in inner(content, "conference"):
            date = cells.date(text(day, "day"))
            if date is None:
                self.builder.skip(f"schedule.yml, day “{text(day, 'day')[:40]}”", "it is no date like 2020-04-27")
                continue
            self.dates.append(date)
            self.builder.day(date)
            for entry in inner(day, "events"):
                times = [clock(it) for it in texts(named, text(entry, "slot"))]
                slot = Slot(date, Hours(times[0], times[1]) if len(times) == 2 and times[0] and times[1] else None, entry)
                if slot.hours is None:
                    said = f"“{text(entry, 'slot')[:40]}” is no slot with two times; its hour is to be announced"
                    self.builder.warn(f"{slot.place}: {said}")
                yield slot

    def poster_sessions(self, slots: list[Slot]) -> None:
        """The poster sessions of schedule.yml, known by date and number for those who show in them."""
        numbers = Counter[dt.date]()
        for slot in sorted((it for it in slots if it.type == "poster"), key=lambda it: it.date):
            numbers[slot.date] += 1
            number, short = numbers[slot.date], text(slot.entry, "short")
            numbered = _SHORT.fullmatch(short)
            title = text(slot.entry, "name") or f"Poster session {short or number}"
            key = f"posters-{short or f'{slot.date}-{number}'}"
            session = self.add(slot.place, key, title, ("session", "Poster session"), **self.at(slot.date, slot.hours))
            self.sessions[slot.date, int(numbered[2]) if numbered else number] = session

    def calendar(self) -> None:
        """main_calendar.json of the standard Mini-Conf, which has no schedule.yml; its dates become the conference's."""
        for entry in self.files.entries("main_calendar.json"):
            title, sort, where = (text(entry, name) for name in ("title", "calendarId", "location"))
            place = f"main_calendar.json, “{title[:60]}”"
            start, end = (moment(text(entry, name), UTC) for name in ("start", "end"))
            if start is None or end is None:
                self.builder.skip(place, "its start or end is no time like 2020-04-27T05:00:00+00:00")
                continue
            self.dates.append(start.date())
            has_posters = "poster" in f"{title} {sort}".lower()
            kind = ("session", "Poster session") if has_posters else (kind_of(title, sort), "")
            # Its entries have no ids: an entry is the same while its day and its title are.
            key = f"calendar-{start.date()}-{cells.key_of(title)}"
            is_link = cells.is_address(where)
            links = self.link(text(entry, "link") or (where if is_link else ""), place)
            event = self.add(place, key, title, kind, start=start, end=end, place="" if is_link else where, links=links)
            for name in (title, *sessions_named(entry)):
                self.sessions.setdefault(name, event)
        self.dates = sorted(set(self.dates))

    def read_papers(self) -> None:
        """papers.json or papers.csv. Authors' e-mail addresses are not read."""
        slides = self.files.entries("poster_slides.yml", under="slides")
        recordings = {text(entry, "uid"): recording(text(entry, "slides_id")) for entry in slides}
        for entry in self.files.entries("papers.json"):
            content = entry.get("content")
            key = text(entry, "id") or text(entry, "forum") or text(entry, "UID")
            self._paper(key, content if isinstance(content, dict) else entry, recordings.get(key, ""))
        for row in self.files.rows("papers.csv"):
            key = text(row, "UID")
            self._paper(key, row | {"authors": text(row, "authors").split("|")}, recordings.get(key, ""))

    def _paper(self, key: str, content: Entry, recording: str) -> None:
        builder = self.builder
        title, place = builder.line(text(content, "title"), 500), f"papers, “{key[:60]}”"
        if not title or not key:
            builder.skip(place, "it has no title" if key else "it has no id")
            return
        if content.get("keywords"):
            builder.warn("papers: their keywords have no place in the programme and are left out")
        authors = [builder.person(name) for name in texts(content, "authors")]
        cited = _BIBTEX_URL.search(text(content, "_bibtex"))
        links = self.link(cited[1], place, "paper") if cited else ()
        for address in _ADDRESS.findall(text(content, "code")):
            links += self.link(address, place, "code")
        paper = PaperData(
            key=builder.line(key, 150),
            title=title,
            tldr=builder.line(text(content, "TL;DR"), 1_000),
            abstract=builder.prose(text(content, "abstract")),
            authors=tuple(dict.fromkeys(filter(None, authors))),
            links=links + self.link(recording, place, "video"),
        )
        self.papers[key] = builder.paper(paper), title

    def posters(self) -> None:
        """poster_schedule.yml: a paper shown twice has two events."""
        for listed in self.files.entries("poster_schedule.yml"):
            name = text(listed, "name")
            session = self._session(name, "poster_schedule.yml")
            for position, poster in enumerate(inner(listed, "posters"), start=1):
                place = f"poster_schedule.yml, “{name[:60]}”, “{text(poster, 'id')[:60]}”"
                self._poster(text(poster, "id"), session, position, text(poster, "join_link"), place)

    def sessions_of_papers(self) -> None:
        """papers.csv: “Mon Session 1|Mon Session 3”."""
        for position, row in enumerate(self.files.rows("papers.csv"), start=1):
            for name in filter(None, (it.strip() for it in text(row, "sessions").split("|"))):
                place = f"papers.csv, “{text(row, 'UID')[:60]}”, “{name[:60]}”"
                self._poster(text(row, "UID"), self._session(name, "papers.csv"), position, "", place)

    def _poster(self, paper: str, session: EventData, position: int, link: str, place: str) -> None:
        if paper not in self.papers:
            self.builder.skip(place, "no paper has this id" if self.papers else "the papers' file is not there")
            return
        (key, title), when = self.papers[paper], {"day": session.day, "start": session.start, "end": session.end}
        self.add(place, f"poster-{paper}", title, ("poster", ""), **when, session=session.key, position=position, paper=key,
                 stream_url=link)  # fmt: skip

    def _session(self, name: str, file: str) -> EventData:
        """“Mon Session 1” is the first poster session of the conference's Monday; made without an hour if it is not there."""
        if name in self.sessions:
            return self.sessions[name]
        place = f"{file}, “{name[:60]}”"
        weekday, number = weekdays(name)[1], _SESSION.search(name)
        date = self.date(weekday[0], place) if weekday else None
        found = self.sessions.get((date, int(number[1]))) if date and number else None
        if not found:
            self.builder.warn(f"{place}: no hour is given for it; it is to be announced")
            title = f"Poster session: {name}".rstrip(": ")
            found = self.add(place, _key("posters", name), title, ("session", "Poster session"), **self.at(date, None))
        self.sessions[name] = found
        return found

    def orals(self) -> None:
        """oral_schedule.yml has days and themes, no hours: each theme is a session on its day, to be announced."""
        days = self.files.entries("oral_schedule.yml")
        if days:
            self.builder.warn("oral_schedule.yml: it has days and no hours; its sessions and talks stand on their days")
        for listed in days:
            said = text(listed, "day")
            for section in inner(listed, "section"):
                theme, ids = text(section, "theme"), texts(section, "ids")
                place = f"oral_schedule.yml, {said or 'no day'}, “{theme[:60]}”"
                for unknown in (it for it in ids if it not in self.papers):
                    self.builder.skip(place, f"no paper has the id “{unknown[:60]}”" if unknown else "an entry names no paper")
                if shown := [it for it in ids if it in self.papers]:
                    dates = self.days(said, None, place)
                    self._orals(self.at(dates[0][1] if dates else None, None), theme, shown, place)

    def _orals(self, when: dict[str, Any], theme: str, ids: list[str], place: str) -> None:
        key = _key("orals", "-".join(filter(None, [when["day"], theme])))
        session = self.add(place, key, theme or "Orals", ("session", "Oral session"), **when)
        for position, paper in enumerate(ids, start=1):
            key, title = self.papers[paper]
            more = {"session": session.key, "position": position, "paper": key}
            self.add(place, f"oral-{paper}", title, ("talk", "Oral"), **when, **more)

    def _when(self, entry: Entry, place: str, slot: Slot | None) -> dict[str, Any]:
        """The entry's own day and time, else the slot's, else its day, to be announced."""
        time = hours(text(entry, "time"))
        dates = [date for _, date in self.days(text(entry, "day"), time, place) if date]
        if dates and time:
            return self.at(dates[-1], time)
        if slot:
            return self.at(slot.date, slot.hours)
        self.builder.warn(f"{place}: it has no hour on a day of the conference; it is to be announced")
        return self.at(dates[0] if dates else None, None)

    def speakers(self, slots: Iterable[Slot]) -> None:
        """Invited talks at their own hour; the “live QA” of schedule.yml with the same id is the same thing."""
        asked = {text(slot.entry, "id"): slot for slot in slots if slot.type == "qa" and text(slot.entry, "id")}
        for entry in [*self.files.entries("speakers.yml", under="speakers"), *self.files.rows("speakers.csv")]:
            number, speaker, title = text(entry, "id") or text(entry, "UID"), text(entry, "speaker"), text(entry, "title")
            place = f"speakers, “{speaker[:60]}”"
            when = self._when(entry, place, asked.pop(number, None))
            people, institution = names(speaker), text(entry, "institution")
            parts = institution.split(" / ")
            for name, part in zip(people, parts if len(parts) == len(people) else [institution] * len(people), strict=True):
                self.builder.person(name, affiliation=part, bio=text(entry, "bio"))
            more = {"abstract": text(entry, "abstract"), "recording_url": recording(text(entry, "slides_link"))}
            on_stage = self.appearances(people, "speaker")
            self.add(
                place, _key("speaker", number, title), title or speaker, ("invited-talk", ""), **when, **more, people=on_stage
            )
        for number, slot in asked.items():
            self.add(slot.place, f"qa-{number}", slot.name, ("invited-talk", ""), **self.at(slot.date, slot.hours))

    def expos(self, slots: list[Slot]) -> None:
        """Talks of companies. If schedule.yml has another hour for one, the hour of their own file is used, with a warning."""
        for entry in self.files.entries("expos.yml", under="expos"):
            name, title = text(entry, "name"), text(entry, "title")
            place = f"expos.yml, “{name[:60]}”"
            when = self._when(entry, place, None)
            start = when.get("start")
            day = start.date().isoformat() if start else when["day"]
            same = next((slot for slot in slots if slot.is_of(name, day)), None)
            if same:
                slots.remove(same)
                if start is None:
                    when = self.at(same.date, same.hours)
                elif same.hours and same.hours.on(same.date)[0] != start:
                    self.builder.warn(f"{place}: schedule.yml says {same.hours.start:%H:%M}, not {start:%H:%M} UTC")
            more = {"stream_url": text(entry, "zoom"), "recording_url": recording(text(entry, "slides_live"))}
            people = self.appearances(names(text(entry, "speaker")), "speaker")
            label = ": ".join(filter(None, [name, title]))
            self.add(place, _key("expo", name, title), label, ("session", "Expo"), **when, **more, people=people)
        for slot in slots:
            label = "Expo" if slot.type == "expo" else slot.type.capitalize()
            key = f"{slot.type or 'event'}-{slot.date}-{text(slot.entry, 'slot')}"
            self.add(slot.place, key, slot.name, ("session", label), **self.at(slot.date, slot.hours))

    def socials(self) -> None:
        for entry in self.files.entries("socials.yml", under="socials"):
            title = text(entry, "name")
            place = f"socials.yml, “{title[:60]}”"
            times = list(self._dated(entry, place) if "sessions" in entry else self._paired(entry, place))
            if not times:
                self.builder.warn(f"{place}: it says neither day nor hour; both are to be announced")
            organizers = entry.get("organizers")
            hosts = texts(organizers, "members") if isinstance(organizers, dict) else names(text(entry, "organizers"))
            key = _key("social", text(entry, "id"), text(entry, "UID"), title)
            for time in times or [_Time({})]:
                more = {"people": self.appearances(hosts, "host"), "links": self.link(text(entry, "website"), place)}
                called = f"{title} ({time.label})" if time.label and title else title
                abstract = "\n\n".join(filter(None, [time.said, text(entry, "description")]))
                self.add(place, key, called, ("social", ""), abstract=abstract, stream_url=time.link, **time.when, **more)

    def _paired(self, entry: Entry, place: str) -> Iterator[_Time]:
        """ICLR 2020: the first day with the first hours and the first link; a single one goes with all of the others."""
        days, spans, links = texts(entry, "day"), texts(entry, "times"), texts(entry, "links")
        if len(days) == 1 and len(spans) > 1:
            days *= len(spans)
        elif len(spans) == 1 and len(days) > 1:
            spans *= len(days)
        for day, span, link in zip_longest(days, spans, links[: max(len(days), len(spans))], fillvalue=""):
            time = hours(span)
            dates = self.days(day, time, place)
            if not dates:
                self.builder.skip(place, f"“{span[:40]}” has no weekday (“{day[:40]}”): write one for each time")
            if time is None:
                self.builder.warn(f"{place}: “{span[:40]}” is not from one hour to another; {day[:40]} stands without an hour")
            for label, date in dates:
                yield _Time(self.at(date, time), label, link, f"{span}." if span.lower() == "all day" else "")

    def _dated(self, entry: Entry, place: str) -> Iterator[_Time]:
        """ACL 2020: “S-Session B (Social)” says “Social”; “S-Session B” says nothing."""
        for session in inner(entry, "sessions"):
            start, end = (moment(text(session, name).replace("_", "T"), UTC) for name in ("start_time", "end_time"))
            name = text(session, "name")
            if start is None or end is None:
                said = "it has no start_time and end_time like 2020-07-09_14:00:00"
                self.builder.skip(f"{place}, “{name[:60]}”", said)
                continue
            found = _ACL_SESSION.fullmatch(name)
            yield _Time({"start": start, "end": end}, (found[1] or "") if found else name, text(session, "zoom_link"))

    def workshops(self) -> None:
        """Mini-Conf does not say when its workshops are."""
        found = [*self.files.entries("workshops.yml", under="workshops"), *self.files.rows("workshops.csv")]
        for entry in found:
            title = text(entry, "name") or text(entry, "title")
            place = f"workshops, “{title[:60]}”"
            hosts = names(text(entry, "organizers") or text(entry, "authors").replace("|", ","))
            about = [text(entry, name) for name in ("short", "description", "abstract", "content")]
            key = _key("workshop", text(entry, "cal"), text(entry, "UID"), text(entry, "chat"), title)
            more = {"stream_url": text(entry, "zoom_live"), "recording_url": recording(text(entry, "slides_live"))}
            self.add(place, key, title, ("session", "Workshop"), abstract="\n\n".join(filter(None, about)), **more,
                     people=self.appearances(hosts, "host"), links=self.link(text(entry, "website"), place))  # fmt: skip
        if found:
            self.builder.warn(f"workshops: their file names no day; {len(found)} stand without one, to be announced")

    def build(self) -> ScheduleData:
        if unread := sorted(set(self.files.paths) - set(READ)):
            more = f" and {len(unread) - _MAX_SHOWN} more" if len(unread) > _MAX_SHOWN else ""
            self.builder.warn(f"not read, because nothing of the programme is in them: {', '.join(unread[:_MAX_SHOWN])}{more}")
        try:
            config = self.files.load("config.yml")
            tagline = text(config, "tagline") or text(config, "site_title")
            return self.builder.build(name=text(config, "name"), title=tagline)
        except ScheduleParseError as error:
            if self.files.document.is_one_file and not self.dates:
                problem = f"{error.problem}. This is one file of a Mini-Conf site: hand in its whole sitedata folder as a zip"
                raise ScheduleParseError(problem, file=error.file) from error
            raise
