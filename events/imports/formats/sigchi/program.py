"""The lists of a program by their numbers, its times and its texts."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from events.core.parsing import cells, values
from events.core.parsing.values import JsonObject
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.services import MAX_ENTRY_PEOPLE, shown_value
from events.imports.formats.times import at_venue

_DAY_MILLISECONDS = 86_400_000
MILLISECONDS = range(7_258_118_400_000)
"""From 1970 to 2199."""


class SigchiProgram:
    """The lists of the file, by their numbers."""

    def __init__(self, top: JsonObject) -> None:
        self.top, self.conference = top, values.as_object(top.get("conference"))
        self.by_id = {
            part: {values.as_key(each.get("id")): each for each in self.objects(part)}
            for part in ("rooms", "tracks", "contentTypes", "timeSlots", "contents", "people", "recognitions")
        }
        self.blocks = [SigchiBlock("session", each) for each in self.objects("sessions")]
        self.blocks += [SigchiBlock("event", each) for each in self.objects("events")]

    def objects(self, part: str) -> list[JsonObject]:
        return values.as_objects(self.top.get(part))

    def find(self, part: str, number: Any) -> JsonObject:
        return self.by_id[part].get(values.as_key(number), {})

    def type_name(self, entry: JsonObject) -> str:
        return values.as_text(self.find("contentTypes", entry.get("typeId")).get("name")).strip()


@dataclass(frozen=True)
class SigchiBlock:
    """A session or an event of the program; both may have contents."""

    sort: str
    content: JsonObject

    @property
    def title(self) -> str:
        return one_line(self.content.get("name"))

    @property
    def number(self) -> str:
        return values.as_key(self.content.get("id"))

    @property
    def key(self) -> str:
        return f"{self.sort}-{self.number}"

    @property
    def location(self) -> str:
        return f"{self.sort} {self.number or '?'}, {cells.quoted(self.title)}"


class SigchiTimes:
    """Times in milliseconds.

    The app writes the clock of the venue as if it were UTC, so that a conference begins at midnight UTC. A file whose first
    day begins at midnight of the venue has instants.
    """

    def __init__(self, conference: JsonObject, builder: ScheduleBuilder) -> None:
        self.builder, self.zone = builder, builder.zone
        begin: Any = conference.get("startDate")
        self.are_instants = _is_time(begin) and begin % _DAY_MILLISECONDS != 0 and _instant(begin, self.zone).time() == dt.time()

    def read(self, value: Any, name: str, location: str) -> dt.datetime | None:
        if value is None:
            return None
        if not _is_time(value):
            problem = f"{name}, {shown_value(value)}, is no time in milliseconds; it is left out: export it again"
            self.builder.warn_of_time(location, problem)
            return None
        if self.are_instants:
            return _instant(value, self.zone)
        start = at_venue(_instant(value, dt.UTC).replace(tzinfo=None), self.zone)
        if start.warning:
            self.builder.warn(f"{location}: {start.warning}")
        return start.at

    def date(self, value: Any) -> dt.date | None:
        if not _is_time(value):
            return None
        return _instant(value, self.zone if self.are_instants else dt.UTC).date()


def _is_time(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in MILLISECONDS


def _instant(milliseconds: int, zone: dt.tzinfo) -> dt.datetime:
    return dt.datetime.fromtimestamp(milliseconds // 1000, zone)


def offset_moments(conference: JsonObject) -> list[dt.datetime]:
    """Return the first day at midnight with the file's offset, which may tell the zone."""
    begin: Any = conference.get("startDate")
    minutes = conference.get("timeZoneOffset")
    if not _is_time(begin) or not isinstance(minutes, int) or abs(minutes) >= 1440:
        return []
    return [_instant(begin, dt.timezone(dt.timedelta(minutes=minutes)))]


def one_line(value: Any) -> str:
    return " ".join(values.as_text(value)[:600].split())


def listed(value: Any) -> list[Any]:
    return value[:MAX_ENTRY_PEOPLE] if isinstance(value, list) else []
