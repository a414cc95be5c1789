"""Times as organisers type and read them: wall-clock times at the venue, on a day of the programme; and moments."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.utils.html import format_html
from django.utils.safestring import SafeString

from events.core.clock import DAY_CHANGE, programme_date
from events.core.spans import ONE_DAY
from events.core.time_zones import moment_text
from events.programme.models.conference import Conference


class WallTime(NamedTuple):
    """A time on the clock. Without a date it belongs to the event's day."""

    time: dt.time
    date: dt.date | None = None


class TimeError(ValueError):
    """An invalid time: a sentence, and the form field it belongs to."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


class EventTimes(NamedTuple):
    start: dt.datetime | None
    end: dt.datetime | None
    notes: tuple[str, ...] = ()


def wall_datetime(day: dt.date, time: dt.time) -> dt.datetime:
    """The date and time on the clock: 01:30 belongs to the night after the day."""
    return dt.datetime.combine(day + ONE_DAY if time < DAY_CHANGE else day, time)


def clock_time(instant: dt.datetime, zone: dt.tzinfo) -> dt.datetime:
    """The date and time on the clocks of a zone."""
    return instant.astimezone(zone).replace(tzinfo=None)


def long_date(date: dt.date) -> str:
    return f"{date:%a} {date.day} {date:%B %Y}"


def short_date(date: dt.date) -> str:
    return f"{date:%a} {date.day} {date:%b}"


def is_existing_time(wall: dt.datetime, zone: ZoneInfo) -> bool:
    """False for the hour that is skipped when clocks go forward."""
    there = wall.replace(tzinfo=zone)
    return there.astimezone(dt.UTC).astimezone(zone).replace(tzinfo=None) == wall.replace(tzinfo=None)


def venue_instant(field: str, wall: dt.datetime, zone: ZoneInfo) -> tuple[dt.datetime, tuple[str, ...]]:
    """The instant in UTC, and warnings; TimeError on ``field`` if there is none."""
    if not 1900 < wall.year < 2200:
        raise TimeError(field, f"{wall.year} is not a year a conference happens in.")
    if not is_existing_time(wall, zone):
        raise TimeError(field, f"{wall:%H:%M} on {long_date(wall)} does not exist there: the clocks go forward that night.")
    first, second = (wall.replace(tzinfo=zone, fold=fold).astimezone(dt.UTC) for fold in (0, 1))
    if first != second:
        return first, (f"{wall:%H:%M} on {long_date(wall)} occurs twice, because the clocks go back: the first one is used.",)
    return first, ()


def wall_times(
    start: dt.datetime | None, end: dt.datetime | None, day: dt.date | None, zone: ZoneInfo
) -> tuple[WallTime | None, WallTime | None]:
    """Start and end for the form: with a date only where it does not follow from the day."""
    if start is None or end is None:
        return None, None
    begins, ends = (clock_time(instant, zone) for instant in (start, end))
    plain_start = WallTime(begins.time(), None if day and wall_datetime(day, begins.time()) == begins else begins.date())
    return plain_start, WallTime(ends.time(), None if _end_after(begins, ends.time()) == ends else ends.date())


def parse_event_times(
    day: dt.date | None, start: WallTime | None, end: WallTime | None, *, zone: ZoneInfo, minutes: int
) -> EventTimes:
    """Start and end in UTC. Without an end the event lasts ``minutes``. Raises TimeError."""
    if start is None:
        if end is not None:
            raise TimeError("start", "Enter a start, or leave the end empty.")
        return EventTimes(None, None)
    if start.date is not None:
        begins = dt.datetime.combine(start.date, start.time)
    elif day is not None:
        begins = wall_datetime(day, start.time)
    else:
        raise TimeError("day", "Choose the day this time belongs to.")
    first, notes = venue_instant("start", begins, zone)
    if day and programme_date(first, zone) != day:
        raise TimeError("start", f"{long_date(begins)} is not {long_date(day)}: remove the date here, or choose another day.")
    if end is None:
        return EventTimes(first, first + dt.timedelta(minutes=minutes), notes)
    ends = dt.datetime.combine(end.date, end.time) if end.date else _end_after(begins, end.time)
    if ends is None or ends <= begins:
        raise TimeError("end", f"It would end at {end.time:%H:%M}, before it starts at {start.time:%H:%M}.")
    last, more = venue_instant("end", ends, zone)
    # Most often the month or the year of the end is wrong.
    is_long = last - first > 7 * ONE_DAY
    question = (f"It lasts until {ends:%H:%M} on {long_date(ends)}: is that right?",) if is_long else ()
    return EventTimes(first, last, notes + more + question)


def _end_after(begins: dt.datetime, time: dt.time) -> dt.datetime | None:
    """The next time the clock shows ``time``; None if that is after the end of the day."""
    ends = dt.datetime.combine(begins.date(), time)
    if ends > begins:
        return ends
    return ends + ONE_DAY if time <= DAY_CHANGE and begins.time() >= DAY_CHANGE else None


def span_text(start: dt.datetime | None, end: dt.datetime | None, zone: ZoneInfo) -> str:
    """10:00–11:00, in this time zone."""
    if start is None or end is None:
        return "time to be announced"
    begins, ends = start.astimezone(zone), end.astimezone(zone)
    later = (ends.date() - begins.date()).days
    plus = f" (+{later} days)" if later > 1 or (later and ends.time() > DAY_CHANGE) else ""
    return f"{begins:%H:%M}–{ends:%H:%M}{plus}"


def day_span_text(day: dt.date | None, start: dt.datetime | None, end: dt.datetime | None, zone: ZoneInfo) -> str:
    """Thu 24 Apr 09:00–10:00; without a day only the times."""
    span = span_text(start, end, zone)
    return f"{short_date(day)} {span}" if day else span


def instant_text(at: dt.datetime | None, conference: Conference | None) -> str:
    """22 Nov 2026 20:35, Singapore; without a conference in UTC."""
    if at is None:
        return ""
    return conference.moment_text(at) if conference else moment_text(at, dt.UTC, "UTC")


def instant_html(at: dt.datetime | None, conference: Conference | None) -> SafeString | str:
    machine = at.astimezone(dt.UTC).isoformat("T", "minutes") if at else ""
    return format_html('<time datetime="{}">{}</time>', machine, instant_text(at, conference)) if at else ""
