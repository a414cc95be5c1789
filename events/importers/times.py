"""When an event is and how long, as schedule.xml and schedule.json say it."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from events.importers import cells
from events.schedule.clock import DAY_CHANGE
from events.schedule.spans import utc

_DURATION = re.compile(r"(?:(?P<days>[0-9]{1,4}):)?(?P<hours>[0-9]{1,4}):(?P<minutes>[0-9]{1,4})")
_ISO_DURATION = re.compile(
    r"P(?:(?P<days>[0-9]{1,4})D)?(?:T(?:(?P<hours>[0-9]{1,4})H)?(?:(?P<minutes>[0-9]{1,5})M)?(?:[0-9]+S)?)?"
)
_CLOCK = re.compile(r"(?P<hours>[0-9]{1,2}):(?P<minutes>[0-9]{2})(?::[0-9]{2})?")


@dataclass(frozen=True)
class Instant:
    """When something starts, and what about it is worth a warning."""

    at: dt.datetime
    warning: str = ""


def duration(text: str) -> dt.timedelta | None:
    """“0:30”, “00:30”, “2:06:00” (two days and six hours), “PT30M”, or minutes; None for what is none.

    >>> duration("1:05"), duration("2:06:00").days, duration("45"), duration("-0:30")
    (datetime.timedelta(seconds=3900), 2, datetime.timedelta(seconds=2700), None)
    """
    said = text.strip()
    if re.fullmatch("[0-9]{1,5}", said):
        return dt.timedelta(minutes=int(said))
    found = _DURATION.fullmatch(said) or (len(said) > 2 and _ISO_DURATION.fullmatch(said))
    if not found:
        return None
    return dt.timedelta(**{unit: int(number or 0) for unit, number in found.groupdict().items()})


def clock(text: str) -> dt.time | None:
    """“9:30”, “09:30” and “09:30:00”; None for what no clock shows."""
    found = _CLOCK.fullmatch(text.strip())
    try:
        return dt.time(int(found["hours"]), int(found["minutes"])) if found else None
    except ValueError:
        return None


def moment(text: str, zone: ZoneInfo) -> dt.datetime | None:
    """An ISO 8601 date and time, at the venue where it names no offset; None for what is none or far from any conference."""
    said = text.strip()
    try:
        found = dt.datetime.fromisoformat(said) if len(said) > len("2025-04-24") else None
    except ValueError:
        return None
    if found is None or found.year not in cells.YEARS:
        return None
    return found if found.utcoffset() is not None else found.replace(tzinfo=zone)


def day_of(text: str) -> dt.date | None:
    """The date at the beginning of a date or a date and time; None for “20008-02-24”."""
    return cells.date(text.strip()[:10]) if re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?", text.strip()) else None


def on_day(date: dt.date, start: dt.time, zone: ZoneInfo, *, change: dt.time = DAY_CHANGE) -> Instant:
    """A time on a day of the programme: before the day's change it is already the next date."""
    day = date + dt.timedelta(days=start < change)
    at = dt.datetime.combine(day, start, zone)
    known = utc(at).astimezone(zone)
    if known.replace(tzinfo=None) != at.replace(tzinfo=None):
        return Instant(known, f"the clocks at the venue leave out {start:%H:%M} on {day}; {known:%H:%M} is taken")
    if at.utcoffset() != at.replace(fold=1).utcoffset():
        return Instant(at, f"the clocks at the venue show {start:%H:%M} twice on {day}; the first is taken")
    return Instant(at)


def day_change(text: str) -> dt.time:
    """“09:00:00”: when the programme's day begins; our own rule where the file has none."""
    found = clock(text)
    return DAY_CHANGE if found is None else found
