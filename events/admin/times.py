"""The times of an event as organisers write them: by the clock at the venue, on a day of the programme."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple
from zoneinfo import ZoneInfo

from events.schedule.clock import DAY_CHANGE, programme_date

ONE_DAY = dt.timedelta(days=1)


class Wall(NamedTuple):
    """What a clock shows; without a date it means the day of the event."""

    time: dt.time
    date: dt.date | None = None


class TimeError(ValueError):
    """Why times cannot be, in a sentence for the field it belongs to."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


class Times(NamedTuple):
    start: dt.datetime | None
    end: dt.datetime | None
    notes: tuple[str, ...] = ()


def clock_on(day: dt.date, time: dt.time) -> dt.datetime:
    """01:30 on a day of the programme is the night after it."""
    return dt.datetime.combine(day + ONE_DAY if time < DAY_CHANGE else day, time)


def long_date(date: dt.date) -> str:
    return f"{date:%a} {date.day} {date:%B %Y}"


def exists(wall: dt.datetime, zone: ZoneInfo) -> bool:
    """Whether any clock in the zone ever shows this: one hour a year is skipped."""
    there = wall.replace(tzinfo=zone)
    return there.astimezone(dt.UTC).astimezone(zone).replace(tzinfo=None) == wall.replace(tzinfo=None)


def at_venue(field: str, wall: dt.datetime, zone: ZoneInfo) -> tuple[dt.datetime, tuple[str, ...]]:
    """The instant at which clocks in the zone show this, and what to tell about it."""
    if not 1900 < wall.year < 2200:
        raise TimeError(field, f"{wall.year} is not a year a conference happens in.")
    if not exists(wall, zone):
        raise TimeError(field, f"{wall:%H:%M} on {long_date(wall)} does not exist there: the clocks go forward that night.")
    first, second = (wall.replace(tzinfo=zone, fold=fold).astimezone(dt.UTC) for fold in (0, 1))
    if first != second:
        return first, (f"{wall:%H:%M} on {long_date(wall)} comes twice, as the clocks go back: the first one was taken.",)
    return first, ()


def shown(
    start: dt.datetime | None, end: dt.datetime | None, day: dt.date | None, zone: ZoneInfo
) -> tuple[Wall | None, Wall | None]:
    """Start and end as the form shows them: with a date only where the day does not say it."""
    if start is None or end is None:
        return None, None
    begins, ends = (instant.astimezone(zone).replace(tzinfo=None) for instant in (start, end))
    plain_start = Wall(begins.time(), None if day and clock_on(day, begins.time()) == begins else begins.date())
    return plain_start, Wall(ends.time(), None if _end_of(begins, ends.time()) == ends else ends.date())


def read(day: dt.date | None, start: Wall | None, end: Wall | None, *, zone: ZoneInfo, minutes: int) -> Times:
    """The instants that are meant; an end that is not given is `minutes` after the start."""
    if start is None:
        if end is not None:
            raise TimeError("start", "Say when it starts, or empty the end too.")
        return Times(None, None)
    if start.date is not None:
        begins = dt.datetime.combine(start.date, start.time)
    elif day is not None:
        begins = clock_on(day, start.time)
    else:
        raise TimeError("day", "Choose the day this time belongs to.")
    first, notes = at_venue("start", begins, zone)
    if day and programme_date(first, zone) != day:
        raise TimeError("start", f"{long_date(begins)} is not {long_date(day)}: empty the date here, or choose another day.")
    if end is None:
        return Times(first, first + dt.timedelta(minutes=minutes), notes)
    ends = dt.datetime.combine(end.date, end.time) if end.date else _end_of(begins, end.time)
    if ends is None or ends <= begins:
        raise TimeError("end", f"It would end at {end.time:%H:%M}, before it starts at {start.time:%H:%M}.")
    last, more = at_venue("end", ends, zone)
    return Times(first, last, notes + more)


def _end_of(begins: dt.datetime, time: dt.time) -> dt.datetime | None:
    """The next time clocks show this; None if that is after the night."""
    ends = dt.datetime.combine(begins.date(), time)
    if ends > begins:
        return ends
    return ends + ONE_DAY if time <= DAY_CHANGE and begins.time() >= DAY_CHANGE else None


def span_words(start: dt.datetime | None, end: dt.datetime | None, zone: ZoneInfo) -> str:
    """10:00–11:00 as the venue's clocks show it."""
    if start is None or end is None:
        return "time to be announced"
    begins, ends = start.astimezone(zone), end.astimezone(zone)
    later = (ends.date() - begins.date()).days
    plus = f" (+{later} days)" if later > 1 or (later and ends.time() > DAY_CHANGE) else ""
    return f"{begins:%H:%M}–{ends:%H:%M}{plus}"
