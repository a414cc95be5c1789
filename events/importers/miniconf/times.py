"""Weekdays and hours as Mini-Conf writes them: “Wednesday/Thursday”, “Molecules: Monday”, “23:00-01:00 GMT”, “5:00 AM”."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from events.schedule.clock import DAY_CHANGE

UTC = ZoneInfo("UTC")
"""The zone of every time in Mini-Conf that names none."""
ONE_DAY = dt.timedelta(days=1)
AROUND = 3
"""Days before the first and after the last that a weekday may mean."""
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(r"\b(mon|tue|wed|thu|fri|sat|sun)(?:day|s|sday|nesday|r|rs|rsday|urday)?\b\.?", re.IGNORECASE)
_CLOCK = r"(\d{1,2})(?::(\d{2}))?(?::00)?(?:\s*([AP])\.?M\b\.?)?"
_ZONE = r"(?:\s*\(?(?P<zone>[A-Z]{1,4}T|UTC|Z|(?:UTC|GMT)?\s*[+-]\d{1,2}(?::?\d{2})?)\)?)?"
_TIME = re.compile(rf"\s*{_CLOCK}\s*", re.IGNORECASE)
_HOURS = re.compile(rf"\s*{_CLOCK}\s*(?:-|–|—|to)\s*{_CLOCK}{_ZONE}\s*", re.IGNORECASE)
_OFFSETS = {
    "": 0, "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "CET": 1, "BST": 1, "EET": 2, "CEST": 2, "EAT": 3, "JST": 9, "KST": 9,
    "SGT": 8, "AEST": 10, "EST": -5, "EDT": -4, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
}  # fmt: skip


@dataclass(frozen=True)
class Hours:
    """From when to when, in a zone that is a fixed offset; an end that is not after the start is on the next date."""

    start: dt.time
    end: dt.time
    zone: dt.timezone = dt.UTC

    def on(self, date: dt.date) -> tuple[dt.datetime, dt.datetime]:
        last = date if self.end > self.start else date + ONE_DAY
        return dt.datetime.combine(date, self.start, self.zone), dt.datetime.combine(last, self.end, self.zone)


@dataclass(frozen=True)
class Weekdays:
    """What a text says of days: a label before them, and the weekdays, Monday being 0."""

    label: str
    days: tuple[int, ...]


def clock(text: str) -> dt.time | None:
    """“5:00 AM” or “17:30”."""
    found = _TIME.fullmatch(text)
    return _time(*found.groups()) if found else None


def hours(text: str) -> Hours | None:
    """“16:00-18:00 GMT”; without a zone it is UTC, as everywhere in Mini-Conf. None for “All Day” and what is no time."""
    found = _HOURS.fullmatch(text)
    if not found:
        return None
    start, end = _time(*found.groups()[:3]), _time(*found.groups()[3:6])
    zone = _zone(found["zone"] or "")
    return Hours(start, end, zone) if start and end and zone else None


def weekdays(text: str) -> Weekdays:
    """“Molecules: Monday” is Monday, called Molecules."""
    named = tuple(_WEEKDAYS.index(found[1].lower()) for found in _WEEKDAY.finditer(text))
    before, colon, after = text.rpartition(":")
    return Weekdays(before.strip() if colon and _WEEKDAY.search(after) else "", named)


def at_night(hour: dt.time) -> bool:
    """Whether a day's programme has not ended yet at that hour."""
    return hour < DAY_CHANGE


def nearest(weekday: int, dates: Sequence[dt.date]) -> dt.date | None:
    """The conference's date that is this weekday, else the nearest one just before or after the conference."""
    inside = [date for date in dates if date.weekday() == weekday]
    if inside or not dates:
        return inside[0] if inside else None
    first, last = min(dates), max(dates)
    around = [date for step in range(1, AROUND + 1) for date in (first - step * ONE_DAY, last + step * ONE_DAY)]
    return next((date for date in around if date.weekday() == weekday), None)


def _time(hour: str, minute: str | None, half: str | None) -> dt.time | None:
    number = int(hour)
    if half:
        if not 1 <= number <= 12:
            return None
        number = number % 12 + (12 if half.upper() == "P" else 0)
    try:
        return dt.time(0 if number == 24 and not half else number, int(minute or 0))
    except ValueError:
        return None


def _zone(name: str) -> dt.timezone | None:
    said = re.sub(r"\s", "", name.upper())
    if said in _OFFSETS:
        return dt.timezone(dt.timedelta(hours=_OFFSETS[said]))
    found = re.fullmatch(r"(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?", said)
    if not found or int(found[2]) > 14 or int(found[3] or 0) > 59:
        return None
    offset = dt.timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
    return dt.timezone(-offset if found[1] == "-" else offset)
