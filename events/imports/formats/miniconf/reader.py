"""A Mini-Conf site's sitedata folder, in three dialects: ICLR 2020, the standard one, and socials of ACL and EMNLP 2020."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from events.core.parsing import cells
from events.core.parsing.errors import ScheduleParseError
from events.core.spans import ONE_DAY
from events.imports.formats.document import Document, Hints
from events.imports.formats.miniconf.files import (
    SITE_FILES,
    TYPICAL_SITE_FILES,
    UTC,
    MiniconfEntry,
    SiteSlot,
    entry_text,
    entry_texts,
    inner_entries,
    parse_site_hours,
    person_names,
    single_file_name,
    site_folder,
    slideslive_url,
)
from events.imports.formats.miniconf.site import MiniconfSite, entry_key
from events.imports.formats.times import parse_datetime
from events.programme.data.schedule import ScheduleData

_MAX_SHOWN_FILES, _MAX_CONFERENCE_DAYS = 10, 14
_SOCIAL_TIME_NAME = re.compile(r"S-(?:Session \w+\s*(?:\((?P<in_brackets>.+)\))?)?(?P<rest>.*)")


def recognises(document: Document) -> bool:
    names = set(site_folder(document))
    # A seed folder may have a papers.csv, too.
    if "conference.toml" in names:
        return False
    return bool(names & TYPICAL_SITE_FILES and len(names & set(SITE_FILES)) > 1) or single_file_name(document) != ""


def parse(document: Document, hints: Hints) -> ScheduleData:
    """Read a sitedata folder or zip, or one of its files if it is enough.

    All times of Mini-Conf are UTC. ``hints.timezone`` only sets the zone in which the days of the programme change, and
    ``hints.start`` the dates of weekdays where the site has no dates.
    Raise ScheduleParseError for files that are not Mini-Conf's, and if no date is known.
    """
    return MiniconfReader(document, hints).read()


def _conference_dates(hints: Hints) -> list[dt.date]:
    days = ((hints.end or hints.start) - hints.start).days + 1 if hints.start else 0
    return [hints.start + step * ONE_DAY for step in range(min(days, _MAX_CONFERENCE_DAYS))] if hints.start else []


class _SocialTime(NamedTuple):
    """One time of a social."""

    when: dict[str, Any]
    label: str = ""
    link: str = ""
    note: str = ""


class MiniconfReader(MiniconfSite):
    def read(self) -> ScheduleData:
        slots = list(self.slots())
        self.add_poster_sessions(slots)
        if slots and "main_calendar.json" in self.files.paths:
            self.builder.warn("main_calendar.json: schedule.yml has the same; it is not read")
        elif not slots:
            self.add_calendar()
        self.dates = self.dates or _conference_dates(self.builder.hints)
        self.add_papers()
        self.add_posters()
        self.add_posters_of_papers()
        self.add_orals()
        self.add_speakers(slots)
        self.add_expos([slot for slot in slots if slot.type not in {"poster", "qa"}])
        self.add_socials()
        self.add_workshops()
        return self.build()

    def add_orals(self) -> None:
        """Make each theme of oral_schedule.yml a session on its day; the file has no hours."""
        days = self.files.entries("oral_schedule.yml")
        if days:
            self.builder.warn("oral_schedule.yml: it has days but no times; its sessions and talks are shown by day")
        for listed in days:
            day = entry_text(listed, "day")
            for section in inner_entries(listed, "section"):
                theme, ids = entry_text(section, "theme"), entry_texts(section, "ids")
                location = f"oral_schedule.yml, {day or 'no day'}, “{theme[:60]}”"
                for unknown in (paper_id for paper_id in ids if paper_id not in self.papers):
                    self.builder.skip(location, f"no paper has the id “{unknown[:60]}”" if unknown else "an entry names no paper")
                if known := [paper_id for paper_id in ids if paper_id in self.papers]:
                    dates = self.days(day, None, location)
                    self._add_session_of_orals(self.event_times(dates[0][1] if dates else None, None), theme, known, location)

    def _add_session_of_orals(self, when: dict[str, Any], theme: str, ids: list[str], location: str) -> None:
        key = entry_key("orals", "-".join(filter(None, [when["day"], theme])))
        session = self.add(location, key, theme or "Orals", ("session", "Oral session"), **when)
        for position, paper_id in enumerate(ids, start=1):
            key, title = self.papers[paper_id]
            more = {"session": session.key, "position": position, "paper": key}
            self.add(location, f"oral-{paper_id}", title, ("talk", "Oral"), **when, **more)

    def _times_or_day(self, entry: MiniconfEntry, location: str, slot: SiteSlot | None) -> dict[str, Any]:
        """Return the entry's day and time, else those of the slot, else its day with the time to be announced."""
        time = parse_site_hours(entry_text(entry, "time"))
        dates = [date for _, date in self.days(entry_text(entry, "day"), time, location) if date]
        if dates and time:
            return self.event_times(dates[-1], time)
        if slot:
            return self.event_times(slot.date, slot.hours)
        self.builder.warn(f"{location}: it has no time on a day of the conference; it is to be announced")
        return self.event_times(dates[0] if dates else None, None)

    def add_speakers(self, slots: Iterable[SiteSlot]) -> None:
        """Add invited talks; the “live QA” of schedule.yml with the same id is the same event."""
        qa_slots = {entry_text(slot.entry, "id"): slot for slot in slots if slot.type == "qa" and entry_text(slot.entry, "id")}
        for entry in [*self.files.entries("speakers.yml", under="speakers"), *self.files.rows("speakers.csv")]:
            number = entry_text(entry, "id") or entry_text(entry, "UID")
            speaker, title = entry_text(entry, "speaker"), entry_text(entry, "title")
            location = f"speakers, “{speaker[:60]}”"
            when = self._times_or_day(entry, location, qa_slots.pop(number, None))
            people, institution = person_names(speaker), entry_text(entry, "institution")
            parts = institution.split(" / ")
            for name, part in zip(people, parts if len(parts) == len(people) else [institution] * len(people), strict=True):
                self.builder.person(name, affiliation=part, bio=entry_text(entry, "bio"))
            more = {"abstract": entry_text(entry, "abstract"), "recording_url": slideslive_url(entry_text(entry, "slides_link"))}
            appearances = self.appearances(people, "speaker")
            self.add(
                location,
                entry_key("speaker", number, title),
                title or speaker,
                ("invited-talk", ""),
                **when,
                **more,
                people=appearances,
            )
        for number, slot in qa_slots.items():
            self.add(slot.location, f"qa-{number}", slot.name, ("invited-talk", ""), **self.event_times(slot.date, slot.hours))

    def add_expos(self, slots: list[SiteSlot]) -> None:
        """Add talks of companies. If schedule.yml and expos.yml have different hours, those of expos.yml count."""
        for entry in self.files.entries("expos.yml", under="expos"):
            name, title = entry_text(entry, "name"), entry_text(entry, "title")
            location = f"expos.yml, “{name[:60]}”"
            when = self._times_or_day(entry, location, None)
            start = when.get("start")
            day = start.date().isoformat() if start else when["day"]
            same = next((slot for slot in slots if slot.is_expo_of(name, day)), None)
            if same:
                slots.remove(same)
                if start is None:
                    when = self.event_times(same.date, same.hours)
                elif same.hours and same.hours.on_date(same.date)[0] != start:
                    self.builder.warn(f"{location}: schedule.yml says {same.hours.start:%H:%M}, not {start:%H:%M} UTC")
            more = {"stream_url": entry_text(entry, "zoom"), "recording_url": slideslive_url(entry_text(entry, "slides_live"))}
            people = self.appearances(person_names(entry_text(entry, "speaker")), "speaker")
            label = ": ".join(filter(None, [name, title]))
            self.add(location, entry_key("expo", name, title), label, ("session", "Expo"), **when, **more, people=people)
        for slot in slots:
            label = "Expo" if slot.type == "expo" else slot.type.capitalize()
            key = f"{slot.type or 'event'}-{slot.date}-{entry_text(slot.entry, 'slot')}"
            self.add(slot.location, key, slot.name, ("session", label), **self.event_times(slot.date, slot.hours))

    def add_socials(self) -> None:
        for entry in self.files.entries("socials.yml", under="socials"):
            title = entry_text(entry, "name")
            location = f"socials.yml, “{title[:60]}”"
            times = list(self._dated_times(entry, location) if "sessions" in entry else self._paired_times(entry, location))
            if not times:
                self.builder.warn(f"{location}: it has neither a day nor a time; both are to be announced")
            organizers = entry.get("organizers")
            hosts = (
                entry_texts(organizers, "members")
                if isinstance(organizers, dict)
                else person_names(entry_text(entry, "organizers"))
            )
            key = entry_key("social", entry_text(entry, "id"), entry_text(entry, "UID"), title)
            place, meeting = entry_text(entry, "location"), entry_text(entry, "zoom_link")
            links = self.link(entry_text(entry, "website"), location)
            if cells.is_http_url(place):
                place, links = "", links + self.link(place, location)
            for time in times or [_SocialTime({})]:
                more = {"people": self.appearances(hosts, "host"), "links": links, "stream_url": time.link or meeting}
                full_title = f"{title} ({time.label})" if time.label and title else title
                abstract = "\n\n".join(filter(None, [time.note, entry_text(entry, "description")]))
                self.add(location, key, full_title, ("social", ""), abstract=abstract, place=place, **time.when, **more)

    def _paired_times(self, entry: MiniconfEntry, location: str) -> Iterator[_SocialTime]:
        """Pair days, hours and links of ICLR 2020 by their order; a single value is paired with all of the others."""
        days, spans, links = entry_texts(entry, "day"), entry_texts(entry, "times"), entry_texts(entry, "links")
        if len(days) == 1 and len(spans) > 1:
            days *= len(spans)
        elif len(spans) == 1 and len(days) > 1:
            spans *= len(days)
        for day, span, link in zip_longest(days, spans, links[: max(len(days), len(spans))], fillvalue=""):
            time = parse_site_hours(span)
            dates = self.days(day, time, location)
            if not dates:
                self.builder.skip(location, f"“{span[:40]}” has no weekday (“{day[:40]}”): write one for each time")
            if time is None:
                self.builder.warn(f"{location}: “{span[:40]}” is not from one hour to another; {day[:40]} has no time")
            for label, date in dates:
                yield _SocialTime(self.event_times(date, time), label, link, f"{span}." if span.lower() == "all day" else "")

    def _dated_times(self, entry: MiniconfEntry, location: str) -> Iterator[_SocialTime]:
        """Read ACL’s and EMNLP’s: the labels of “S-Session B (Social)” and “S-Session 1 with Ada” are “Social” and “with Ada”."""
        for session in inner_entries(entry, "sessions"):
            start, end = (parse_datetime(entry_text(session, name).replace("_", "T"), UTC) for name in ("start_time", "end_time"))
            name = entry_text(session, "name")
            if start is None or end is None:
                reason = "it has no start_time and end_time like 2020-07-09_14:00:00"
                self.builder.skip(f"{location}, “{name[:60]}”", reason)
                continue
            match = _SOCIAL_TIME_NAME.fullmatch(name)
            label = (match["in_brackets"] or match["rest"]).strip() if match else name
            yield _SocialTime({"start": start, "end": end}, label, entry_text(session, "zoom_link"))

    def add_workshops(self) -> None:
        entries = [*self.files.entries("workshops.yml", under="workshops"), *self.files.rows("workshops.csv")]
        for entry in entries:
            title = entry_text(entry, "name") or entry_text(entry, "title")
            location = f"workshops, “{title[:60]}”"
            hosts = person_names(entry_text(entry, "organizers") or entry_text(entry, "authors").replace("|", ","))
            texts = [entry_text(entry, name) for name in ("short", "description", "abstract", "content")]
            key = entry_key("workshop", entry_text(entry, "cal"), entry_text(entry, "UID"), entry_text(entry, "chat"), title)
            more = {
                "stream_url": entry_text(entry, "zoom_live"),
                "recording_url": slideslive_url(entry_text(entry, "slides_live")),
            }
            self.add(location, key, title, ("session", "Workshop"), abstract="\n\n".join(filter(None, texts)), **more,
                     people=self.appearances(hosts, "host"), links=self.link(entry_text(entry, "website"), location))  # fmt: skip
        if entries:
            self.builder.warn(f"workshops: their file names no day; {len(entries)} are to be announced")

    def build(self) -> ScheduleData:
        if unread := sorted(set(self.files.paths) - set(SITE_FILES)):
            more = f" and {len(unread) - _MAX_SHOWN_FILES} more" if len(unread) > _MAX_SHOWN_FILES else ""
            self.builder.warn(
                f"not read, because they have nothing of the programme: {', '.join(unread[:_MAX_SHOWN_FILES])}{more}"
            )
        try:
            config = self.files.load("config.yml")
            tagline = entry_text(config, "tagline") or entry_text(config, "site_title")
            return self.builder.build(name=entry_text(config, "name"), title=tagline)
        except ScheduleParseError as error:
            if self.files.document.is_one_file and not self.dates:
                problem = f"{error.problem}. This is one file of a Mini-Conf site: upload its whole sitedata folder as a zip"
                raise ScheduleParseError(problem, file=error.file) from error
            raise
