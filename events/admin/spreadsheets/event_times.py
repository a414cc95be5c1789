"""Day, start and end of an event as the three cells of its row say them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from events.admin.times import TimeError, Wall, read
from events.models import Conference, Day
from events.schedule.clock import programme_date

MINUTE = dt.timedelta(minutes=1)


def complete_times(
    event: Any, row: Mapping[str, str], conference: Conference, days: Mapping[dt.date, Day], usual_minutes: int
) -> None:
    """Set what the cells that differ (``written_day``, ``written_start``, ``written_end``) say; TimeError if they cannot be."""
    changed = {name for name in ("day", "start", "end") if hasattr(event, f"written_{name}")}
    if not changed:
        return
    zone = conference.zone
    first, last = (_wall(event, name, zone) for name in ("start", "end"))
    if "start" in changed and "end" not in row and event.start:
        # Without a column for the end it keeps its length.
        last, usual_minutes = None, (event.end - event.start) // MINUTE
    day = _day(event, first)
    start, event.end, _ = read(day, first, last, zone=zone, minutes=usual_minutes)
    # The second of two equal hours survives a file that does not touch it.
    event.start = start if {"start", "day"} & changed else event.start
    date = programme_date(event.start, zone) if event.start else day
    if date is not None and date not in days:
        field = "day" if day == date else "start"
        raise TimeError(field, f"{date:%Y-%m-%d} is no day of {conference}: add it under Days first.")
    event.day = days[date] if date else None


def _wall(event: Any, name: str, zone: ZoneInfo) -> Wall | None:
    """What the cell says, or what clocks show now where it says what it said."""
    if hasattr(event, f"written_{name}"):
        wall: Wall | None = getattr(event, f"written_{name}")
        return wall
    instant = getattr(event, name)
    if instant is None:
        return None
    there = instant.astimezone(zone).replace(tzinfo=None)
    return Wall(there.time(), there.date())


def _day(event: Any, start: Wall | None) -> dt.date | None:
    """The day that was written; one that was not touched gives way to a date in the start."""
    if hasattr(event, "written_day"):
        day: dt.date | None = event.written_day
        return day
    return None if start is not None and start.date is not None else event.day.date if event.day else None
