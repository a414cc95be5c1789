"""schedule.yml, main_calendar.json and poster_schedule.yml: the dates, the sessions, and which paper is shown in which."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass

from events.importers import cells
from events.importers.data import EventData
from events.importers.errors import ScheduleParseError
from events.importers.miniconf import times
from events.importers.miniconf.programme import Programme
from events.importers.miniconf.sitedata import Entry, inner, text, texts
from events.importers.miniconf.times import Hours

_SHORT = re.compile(r"P(\d{1,2})S(\d{1,2})")
_SESSION = re.compile(r"session\s*#?(\d{1,2})", re.IGNORECASE)


@dataclass(frozen=True)
class Slot:
    """One line of schedule.yml."""

    date: dt.date
    hours: Hours | None
    entry: Entry

    @property
    def type(self) -> str:
        return text(self.entry, "type").lower()

    @property
    def name(self) -> str:
        return text(self.entry, "name") or text(self.entry, "short") or self.type.capitalize()

    @property
    def place(self) -> str:
        return f"schedule.yml, {self.date}, “{self.name[:60]}”"

    def event(self, key: str, title: str, kind: str) -> EventData:
        start, end = self.hours.on(self.date) if self.hours else (None, None)
        return EventData(key=key, title=title, type=kind, start=start, end=end, day="" if start else self.date.isoformat())


def slots(programme: Programme) -> list[Slot]:
    """Every line of schedule.yml; its dates become the conference's."""
    content = programme.files.load("schedule.yml")
    if content is None:
        return []
    named = content.get("time_slots") if isinstance(content, dict) else None
    if not isinstance(named, dict):
        raise ScheduleParseError("is not what Mini-Conf writes: “time_slots:” is missing", file="schedule.yml")
    hours = {name: _hours(texts(named, name)) for name in named}
    return list(_slots(programme, content, hours))


def _slots(programme: Programme, content: Entry, hours: dict[str, Hours | None]) -> Iterator[Slot]:
    for day in inner(content, "conference"):
        date = cells.date(text(day, "day"))
        if date is None:
            programme.builder.skip(f"schedule.yml, day “{text(day, 'day')[:40]}”", "it is no date like 2020-04-27")
            continue
        programme.dates.append(date)
        programme.builder.day(date)
        for entry in inner(day, "events"):
            slot = Slot(date, hours.get(text(entry, "slot")), entry)
            if slot.hours is None:
                programme.builder.warn(
                    f"{slot.place}: “{text(entry, 'slot')[:40]}” is no slot with two times; its hour is to be announced"
                )
            yield slot


def _hours(said: list[str]) -> Hours | None:
    if len(said) != 2:
        return None
    start, end = map(times.clock, said)
    return Hours(start, end) if start and end else None


def poster_sessions(programme: Programme, found: list[Slot]) -> None:
    """The poster sessions of schedule.yml, known by date and number for those who show in them."""
    for date in sorted({slot.date for slot in found}):
        for number, slot in enumerate((it for it in found if it.date == date and it.type == "poster"), start=1):
            short = text(slot.entry, "short")
            numbered = _SHORT.fullmatch(short)
            label = text(slot.entry, "name") or f"Poster session {short or number}"
            session = slot.event(
                f"posters-{short or f'{date}-{number}'}", label, programme.builder.type("session", "Poster session")
            )
            programme.sessions[date, int(numbered[2]) if numbered else number] = programme.add(session, place=slot.place)


def posters(programme: Programme) -> None:
    """poster_schedule.yml: a paper shown twice has two events."""
    for listed in programme.files.entries("poster_schedule.yml"):
        name = text(listed, "name")
        session = session_called(programme, name, "poster_schedule.yml")
        for position, poster in enumerate(inner(listed, "posters"), start=1):
            place = f"poster_schedule.yml, “{name[:60]}”, “{text(poster, 'id')[:60]}”"
            show(programme, text(poster, "id"), session, position, text(poster, "join_link"), place)


def show(programme: Programme, paper: str, session: EventData, position: int, link: str, place: str) -> None:
    """A paper's poster in a session."""
    if paper not in programme.papers:
        programme.builder.skip(place, "no paper has this id" if programme.papers else "the papers' file is not there")
        return
    programme.add(
        EventData(
            key=programme.key("poster", paper),
            title=programme.titles[paper],
            type=programme.builder.type("poster"),
            day=session.day,
            start=session.start,
            end=session.end,
            session=session.key,
            position=position,
            paper=programme.papers[paper],
            stream_url=link,
        ),
        place=place,
    )


def session_called(programme: Programme, name: str, file: str) -> EventData:
    """“Mon Session 1” is the first poster session of the conference's Monday; made without an hour if it is not there."""
    if name in programme.sessions:
        return programme.sessions[name]
    weekday, number = times.weekdays(name).days, _SESSION.search(name)
    date = programme.date(weekday[0], f"{file}, “{name[:60]}”") if weekday else None
    if date and number and (found := programme.sessions.get((date, int(number[1])))):
        programme.sessions[name] = found
        return found
    place = f"{file}, “{name[:60]}”"
    programme.builder.warn(f"{place}: no hour is given for it; it is to be announced")
    session = EventData(
        key=programme.key("posters", name), title=f"Poster session: {name}".rstrip(": "), day=programme.day(date),
        type=programme.builder.type("session", "Poster session"),
    )  # fmt: skip
    programme.sessions[name] = programme.add(session, place=place)
    return programme.sessions[name]
