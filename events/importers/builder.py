"""Gathers a programme that names its rooms, tracks and people only where events mention them."""

from __future__ import annotations

import dataclasses
import datetime as dt
import uuid
from zoneinfo import ZoneInfo

from events.importers import cells
from events.importers.data import AppearanceData, ConferenceData, EventData, LinkData, ScheduleData
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints
from events.importers.labels import KINDS, Labels
from events.importers.limits import MOST_EVENTS
from events.schedule.spans import utc

__all__ = ["KINDS", "LONGEST", "MOST_EVENTS", "SHORTEST", "ScheduleBuilder"]

LONGEST = dt.timedelta(days=14)
SHORTEST = dt.timedelta(minutes=5)
USUAL = dt.timedelta(minutes=60)


class ScheduleBuilder(Labels):
    """What every format but our own fills: each method returns the key of the row it found or made.

    Texts are taken as they are, without what no screen or database can hold; what had to be changed is a warning,
    what could not be taken is in ``skipped``, each with its reason.
    """

    def __init__(self, hints: Hints, zone: ZoneInfo, *, file: str) -> None:
        super().__init__(zone)
        self.hints, self.file = hints, file
        self.skipped: list[str] = []
        self._guids: set[str] = set()
        self._numbers: dict[str, int] = {}
        self._events: dict[str, EventData] = {}

    def has_event(self, key: str) -> bool:
        return self.key(key) in self._events

    def event(self, event: EventData, *, place: str) -> str:
        """An event with clean texts and times that can be; "" if it is skipped. ``place`` names it in messages.

        A key that is there already gets "#2", "#3" …: one submission, several times.
        """
        if len(self._events) >= MOST_EVENTS:
            raise ScheduleParseError(f"has more than {MOST_EVENTS:,} events: split it", file=self.file)
        title = self.line(event.title, 300)
        if not title:
            return self.skip(place, "it has no title")
        if problem := _impossible(event.start, event.end):
            return self.skip(place, problem)
        key = self._free_key(self.key(event.key))
        self._events[key] = dataclasses.replace(
            event,
            key=key,
            guid=self._own_guid(event.guid),
            title=title,
            # In UTC: an instant in the hour that comes twice equals no other, not even itself in another zone.
            start=utc(event.start) if event.start else None,
            end=self._end(event.start, event.end, place),
            day=event.day or (self.day_of(event.start) if event.start else ""),
            abstract=self.prose(event.abstract),
            place=self.line(event.place, 200),
            board=self.line(event.board, 20),
            audience=self.line(event.audience),
            cost=self.line(event.cost, 100),
            access_notes=self.prose(event.access_notes)[:2000],
            signup_until=utc(event.signup_until) if event.signup_until else None,
            notes=self.prose(event.notes),
            signup_url=self.address(event.signup_url, place),
            stream_url=self.address(event.stream_url, place),
            recording_url=self.address(event.recording_url, place),
        )
        return key

    def add(self, key: str, *, people: tuple[AppearanceData, ...] = (), links: tuple[LinkData, ...] = ()) -> None:
        """Who is on stage at an event that is there, and what it links to."""
        self._events[key] = dataclasses.replace(self._events[key], people=people, links=links)

    def link(self, url: object, *, kind: str = "website", title: str = "", place: str) -> tuple[LinkData, ...]:
        """A link that a browser may follow, or none and a warning: to be added up."""
        address = self.address(url, place)
        return (LinkData(kind=kind, url=address, title=self.line(title, 200)),) if address else ()

    def skip(self, place: str, reason: str) -> str:
        """Leave something out, and say why."""
        self.skipped.append(f"{place}: {reason}")
        return ""

    def build(self, *, name: str = "", title: str = "", start: dt.date | None = None, end: dt.date | None = None,
              url: str = "", **more: str) -> ScheduleData:  # fmt: skip
        """The programme; its dates are its events' where the file does not say."""
        if not self._events and not self._papers:
            told = f" ({self.skipped[0]})" if self.skipped else ""
            raise ScheduleParseError(f"holds no event that can be taken{told}", file=self.file)
        dates = sorted(day.date for day in self._days.values())
        first = start or (dates[0] if dates else None) or end
        if first is None:
            raise ScheduleParseError("names no day at all: give its events dates", file=self.file)
        last = max(end or first, first)
        conference = ConferenceData(
            slug=self.hints.slug,
            name=self.hints.name or self.line(name, 100) or self.hints.slug,
            title=self.line(title, 300),
            timezone=self.zone.key,
            start=first,
            end=last if end else max(last, dates[-1]) if dates else last,
            url=self.address(url, "the conference"),
            **{field: self.line(value, 100) for field, value in more.items()},
        )
        return ScheduleData(
            conference=conference,
            days=tuple(self._days[key] for key in sorted(self._days)),
            types=tuple(self._types.values()),
            tracks=tuple(self._tracks.values()),
            topics=tuple(self._topics.values()),
            rooms=tuple(self._rooms.values()),
            people=tuple(self._people.values()),
            papers=tuple(self._papers.values()),
            events=tuple(self._events.values()),
            awards=tuple(self._awards.values()),
            warnings=self.told(),
            skipped=tuple(self.skipped),
        )

    def _end(self, start: dt.datetime | None, end: dt.datetime | None, place: str) -> dt.datetime | None:
        if start is None:
            return None
        if end is None:
            self.warn(f"{place}: says neither its end nor its length; {USUAL.seconds // 60} minutes are taken")
            return utc(start) + USUAL
        if utc(end) == utc(start):
            self.warn(f"{place}: has no length; {SHORTEST.seconds // 60} minutes are taken")
            return utc(start) + SHORTEST
        return utc(end)

    def _free_key(self, key: str) -> str:
        """The key, numbered from its second time on."""
        found = key
        while found in self._events:
            self._numbers[key] = self._numbers.get(key, 1) + 1
            found = f"{key}#{self._numbers[key]}"
        return found

    def _own_guid(self, guid: str) -> str:
        """The guid, if it is one and this is the first event with it."""
        try:
            found = str(uuid.UUID(guid))
        except ValueError:
            return ""
        if found in self._guids:
            return ""
        self._guids.add(found)
        return found


def _impossible(start: dt.datetime | None, end: dt.datetime | None) -> str:
    """Why an event cannot be then, or nothing."""
    years = [it.year for it in (start, end) if it]
    if any(year not in cells.YEARS for year in years):
        return f"its year is {years[0]}; years from {cells.YEARS[0]} to {cells.YEARS[-1]} can be taken"
    if not start or not end:
        return ""
    length = utc(end) - utc(start)
    if length < dt.timedelta(0):
        return f"it ends before it starts ({start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M})"
    if length > LONGEST:
        return f"it lasts {length.days} days; no event may last more than {LONGEST.days}"
    return ""
