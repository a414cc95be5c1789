"""The events of a schedule.json where they stand, and when they are."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from events.importers import cells, times, values
from events.importers.builder import ScheduleBuilder

Json = dict[str, Any]
UNKNOWN = ZoneInfo("UTC")


class UnusableError(ValueError):
    """Why one event is skipped."""


@dataclass(frozen=True)
class Entry:
    """An event as the file has it, and what stands around it: the day's date, the room's name, where to find it."""

    event: Json
    date: dt.date | None
    room: str
    place: str

    def text(self, name: str) -> str:
        return values.text(self.event.get(name)).strip()

    def key(self, start: dt.datetime | None) -> str:
        """Who the event is: its guid, else what else names it for good; a title may change."""
        named = (values.key(self.event.get(name)) for name in ("guid", "code", "id", "url", "slug"))
        return next(filter(None, named), "") or f"{cells.key_of(self.text('title'))[:100]} {start or ''}".strip()

    def times(self, build: ScheduleBuilder) -> tuple[dt.datetime | None, dt.datetime | None]:
        """Start and end; neither where the file has no start. Raises UnusableError for a length that is none."""
        start, told = self._start(build), self.text("duration")
        if start is None:
            if self.text("date") or self.text("start"):
                build.warn(f"{self.place}: when it starts cannot be read; it is to be announced")
            return None, None
        length = times.duration(told)
        if length is not None:
            # In UTC, so that an hour stays one where the clocks change.
            return start, start.astimezone(dt.UTC) + length
        if told:
            raise UnusableError(f"its duration {cells.quoted(told)} is none: write hours and minutes, as 0:45")
        return start, times.moment(self.text("end"), build.zone)

    def disagrees(self, start: dt.datetime | None, zone: ZoneInfo) -> bool:
        """Whether the clock that stands beside the date shows another time, here and where the date is from."""
        clock = times.clock(self.text("start"))
        known = {it.replace(second=0, microsecond=0).time() for it in (start, start.astimezone(zone))} if start else set()
        return bool(known and clock and clock not in known)

    def _start(self, build: ScheduleBuilder) -> dt.datetime | None:
        date, start = self.text("date"), self.text("start")
        if at := times.moment(date, build.zone) or times.moment(start, build.zone):
            return at
        clock = times.clock(start)
        if clock is None or self.date is None:
            return None
        found = times.on_day(self.date, clock, build.zone)
        if found.warning:
            build.warn(f"{self.place}: {found.warning}")
        return found.at

    def day(self, start: dt.datetime | None, build: ScheduleBuilder) -> str:
        """The day the file puts it under, where that can be: after midnight it is still the evening before."""
        if start is None or self.date is None:
            return build.day(self.date) if self.date else ""
        if abs((start.astimezone(build.zone).date() - self.date).days) <= 1:
            return build.day(self.date)
        build.warn(f"{self.place}: stands under {self.date} and starts at {start:%Y-%m-%d %H:%M}; the latter counts")
        return build.day_of(start)


def entries(days: list[Json], events: list[Json], rooms: dict[str, str], build: ScheduleBuilder) -> Iterator[Entry]:
    """Version 1 groups events by day and room; version 2 lists them, and names rooms by guid or slug."""
    for number, day in enumerate(days, start=1):
        date = times.day_of(values.text(day.get("date")))
        if date:
            build.day(date)
        for room, there in values.row(day.get("rooms")).items():
            where = f"day {number}, room {cells.quoted(room)}"
            build.room(room)
            for event in values.only_rows(there, where, build):
                yield Entry(event, date, room, _place(event, where))
    for event in events:
        yield Entry(event, None, _room_of(event, rooms), _place(event, "events"))


def moments(days: list[Json], events: list[Json]) -> list[dt.datetime]:
    """Times with an offset, to tell the zone by where it is not named."""
    told = [event.get("start") for event in events] + [day.get("day_start") or day.get("start") for day in days]
    found = (times.moment(values.text(it), UNKNOWN) for it in told)
    return [it for it in found if it and it.tzinfo is not UNKNOWN]


def _place(event: Json, where: str) -> str:
    return f"{where}, {cells.quoted(' '.join(values.text(event.get('title'))[:200].split()))}"


def _room_of(event: Json, rooms: dict[str, str]) -> str:
    said = event.get("room")
    if not isinstance(said, dict):
        return values.text(said)
    known = (rooms.get(values.text(said.get(by)), "") for by in ("slug", "guid"))
    return values.text(said.get("name")) or next(filter(None, known), "")
