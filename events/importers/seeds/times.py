"""From what an organiser writes, a day and hours at the venue, to instants."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from events.importers.seeds.rows import Row
from events.schedule.clock import DAY_CHANGE

_NEXT = dt.timedelta(days=1)


def instant(row: Row, column: str, date: dt.date, time: dt.time, zone: ZoneInfo) -> dt.datetime:
    """The moment the venue's clocks show that time; in autumn's doubled hour, the first."""
    local = dt.datetime.combine(date, time)
    found = local.replace(tzinfo=zone).astimezone(dt.UTC)
    if found.astimezone(zone).replace(tzinfo=None) != local:
        raise row.refuse(column, f"does not exist on {date} in {zone.key}: the clocks go forward over it")
    return found


def span(row: Row, day: dt.date | None, zone: ZoneInfo, usual: int) -> tuple[dt.datetime | None, dt.datetime | None]:
    """Start and end; an end left empty is the start and the type's usual minutes."""
    start, end = row.time("start"), row.time("end")
    if start is None:
        if end is not None:
            raise row.error("start", "is empty though there is an end: fill it in, or empty both")
        return None, None
    if day is None:
        raise row.error("day", "is empty though there is a start: fill it in, or empty the start")
    # A programme's day runs past midnight: 01:30 is still the evening before.
    date = day + _NEXT if start < DAY_CHANGE else day
    begins = instant(row, "start", date, start, zone)
    if end is None:
        return begins, begins + dt.timedelta(minutes=usual)
    ends = instant(row, "end", date if end > start else date + _NEXT, end, zone)
    if ends <= begins:
        raise row.refuse("end", "is not after the start")
    return begins, ends


def beginning(row: Row, column: str, zone: ZoneInfo) -> dt.datetime:
    """A date and a time, or the first moment of a date."""
    date, time = row.date_and_time(column)
    return instant(row, column, date, time or dt.time(), zone)


def ending(row: Row, column: str, zone: ZoneInfo) -> dt.datetime:
    """A date and a time, or the last moment of a date."""
    date, time = row.date_and_time(column)
    return instant(row, column, date, time, zone) if time else instant(row, column, date + _NEXT, dt.time(), zone)
