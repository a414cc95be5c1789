"""Gathers a programme that names its rooms, tracks and people only where events mention them."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
import unicodedata
import uuid
from collections.abc import Callable
from typing import TypeVar
from zoneinfo import ZoneInfo

from events.importers import cells
from events.importers.data import (
    AwardData,
    ConferenceData,
    DayData,
    EventData,
    EventTypeData,
    LinkData,
    PaperData,
    PersonData,
    ScheduleData,
    TopicData,
    TrackData,
)
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints
from events.importers.place import RoomData
from events.importers.texts import Texts
from events.schedule.clock import programme_date

MOST_EVENTS = 20_000
LONGEST = dt.timedelta(days=14)
SHORTEST = dt.timedelta(minutes=5)
KINDS = {
    "invited-talk": ("Invited talk", "Invited talks"),
    "session": ("Session", "Sessions"),
    "talk": ("Talk", "Talks"),
    "poster": ("Poster", "Posters"),
    "social": ("Social", "Socials"),
    "break": ("Break", "Breaks"),
    "service": ("Opening hours", "Opening hours"),
}
T = TypeVar("T")


class ScheduleBuilder(Texts):
    """What every format but our own fills: each method returns the key of the row it found or made.

    Texts are taken as they are, without what no screen or database can hold; what had to be changed is a warning,
    what could not be taken is in ``skipped``, each with its reason.
    """

    def __init__(self, hints: Hints, zone: ZoneInfo, *, file: str) -> None:
        super().__init__()
        self.hints, self.zone, self.file = hints, zone, file
        self.skipped: list[str] = []
        self._guids: set[str] = set()
        self._days: dict[str, DayData] = {}
        self._types: dict[str, EventTypeData] = {}
        self._tracks: dict[str, TrackData] = {}
        self._topics: dict[str, TopicData] = {}
        self._rooms: dict[str, RoomData] = {}
        self._people: dict[str, PersonData] = {}
        self._papers: dict[str, PaperData] = {}
        self._events: dict[str, EventData] = {}
        self._awards: dict[str, AwardData] = {}

    def day(self, date: dt.date, *, title: str = "") -> str:
        key = date.isoformat()
        return self._first(self._days, key, lambda: DayData(key=key, date=date, title=self.line(title, 100)))

    def day_of(self, start: dt.datetime) -> str:
        """The day an instant belongs to: before DAY_CHANGE it is still the evening before."""
        return self.day(programme_date(start, self.zone))

    def type(self, kind: str, name: str = "") -> str:
        """An event type by its name in the source; the kind's own name where there is none."""
        known, plural = KINDS[kind]
        said = self.line(name, 100)
        label, many = (said, "") if said and said.lower() not in {known.lower(), plural.lower()} else (known, plural)
        key = _slug(label)
        position = len(self._types)
        return self._first(
            self._types, key, lambda: EventTypeData(key=key, name=label, plural=many, kind=kind, position=position)
        )

    def track(self, name: str, *, colour: str = "") -> str:
        label = self.line(name, 100)
        if not label:
            return ""
        key, position = _slug(label), len(self._tracks)
        return self._first(
            self._tracks, key, lambda: TrackData(key=key, name=label, colour=cells.colour(colour), position=position)
        )

    def topic(self, area: str, subarea: str = "") -> str:
        said, more = self.line(area, 200), self.line(subarea, 200)
        if not said:
            return ""
        key = _slug(f"{said} {more}")
        return self._first(self._topics, key, lambda: TopicData(key=key, area=said, subarea=more))

    def room(self, name: str, *, capacity: int | None = None, description: str = "") -> str:
        """A room by its name; which zone it is in, the conference knows or will say."""
        label = self.line(name, 100)
        if not label:
            return ""
        key, position = cells.key_of(label) or label, len(self._rooms)
        return self._first(
            self._rooms,
            key,
            lambda: RoomData(
                key=key, zone="", name=label, capacity=capacity, description=self.prose(description), position=position
            ),
        )

    def person(self, name: str, *, key: str = "", affiliation: str = "", bio: str = "", url: str = "") -> str:
        """A person by the source's key for them, else by their name; "" for a name that is none."""
        label = self.line(name, 200)
        if not label:
            return ""
        found = key or cells.key_of(label) or label
        return self._first(
            self._people,
            found,
            lambda: PersonData(
                key=found, name=label, affiliation=self.line(affiliation), bio=self.prose(bio), url=self.address(url, label)
            ),
        )

    def paper(self, paper: PaperData) -> str:
        """A paper; the first with its key counts."""
        return self._first(self._papers, paper.key, lambda: paper)

    def award(self, award: AwardData) -> str:
        return self._first(self._awards, award.key, lambda: award)

    def has_event(self, key: str) -> bool:
        return key in self._events

    def event(self, event: EventData, *, place: str) -> str:
        """An event with clean texts and times that can be; "" if it is skipped. ``place`` names it in messages.

        A key that is there already gets "#2", "#3" …: one submission, several times.
        """
        if len(self._events) >= MOST_EVENTS:
            raise ScheduleParseError(f"has more than {MOST_EVENTS} events: split it", file=self.file)
        title = self.line(event.title, 300)
        if not title:
            return self.skip(place, "it has no title")
        end = event.end
        if event.start and end is not None:
            length = end - event.start
            if length < dt.timedelta(0):
                return self.skip(place, f"it ends before it starts ({event.start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M})")
            if length > LONGEST:
                return self.skip(place, f"it lasts {length.days} days; no event may last more than {LONGEST.days}")
            if not length:
                end = event.start + SHORTEST
                self.warn(f"{place}: has no length; {SHORTEST.seconds // 60} minutes are taken")
        key = self._free_key(event.key)
        made = dataclasses.replace(
            event,
            key=key,
            guid=self._own_guid(event.guid),
            title=title,
            end=end,
            day=event.day or (self.day_of(event.start) if event.start else ""),
            abstract=self.prose(event.abstract),
            place=self.line(event.place, 200),
            board=self.line(event.board, 20),
            signup_url=self.address(event.signup_url, place),
            stream_url=self.address(event.stream_url, place),
            recording_url=self.address(event.recording_url, place),
        )
        self._events[key] = made
        return key

    def link(self, url: object, *, kind: str = "website", title: str = "", place: str) -> tuple[LinkData, ...]:
        """A link that a browser may follow, or none and a warning: to be added up."""
        address = self.address(url, place)
        return (LinkData(kind=kind, url=address, title=self.line(title, 200)),) if address else ()

    def skip(self, place: str, reason: str) -> str:
        """Leave something out, and say why."""
        self.skipped.append(f"{place}: {reason}")
        return ""

    def build(self, *, name: str = "", title: str = "", start: dt.date | None = None, end: dt.date | None = None,
              **more: str) -> ScheduleData:  # fmt: skip
        """The programme; its dates are its events' where the file does not say."""
        dates = sorted(day.date for day in self._days.values())
        if not self._events and not self._papers:
            told = f" ({self.skipped[0]})" if self.skipped else ""
            raise ScheduleParseError(f"holds no event that can be taken{told}", file=self.file)
        first = start or (dates[0] if dates else None) or end
        if first is None:
            raise ScheduleParseError("names no day at all: give its events dates", file=self.file)
        last = max(end or first, first)
        return ScheduleData(
            conference=ConferenceData(
                slug=self.hints.slug,
                name=self.hints.name or self.line(name, 100) or self.hints.slug,
                title=self.line(title, 300),
                timezone=self.zone.key,
                start=first,
                end=last if end else max(last, dates[-1]) if dates else last,
                **{field: self.line(value) for field, value in more.items()},
            ),
            days=tuple(self._days[key] for key in sorted(self._days)),
            types=tuple(self._types.values()),
            tracks=tuple(self._tracks.values()),
            topics=tuple(self._topics.values()),
            rooms=tuple(self._rooms.values()),
            people=tuple(self._people.values()),
            papers=tuple(self._papers.values()),
            events=tuple(self._events.values()),
            awards=tuple(self._awards.values()),
            warnings=tuple(self.warnings),
            skipped=tuple(self.skipped),
        )

    def _first(self, rows: dict[str, T], key: str, make: Callable[[], T]) -> str:
        if key not in rows:
            rows[key] = make()
        return key

    def _free_key(self, key: str) -> str:
        found, number = key, 1
        while found in self._events:
            number += 1
            found = f"{key}#{number}"
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


def _slug(label: str) -> str:
    """A key that is also an address; names without Latin letters get one from their code points."""
    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
    found = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].strip("-")
    return found or "x-" + "-".join(f"{ord(it):x}" for it in label[:10])
