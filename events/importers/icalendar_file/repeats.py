"""RRULE, RDATE and EXDATE: a few repetitions are written out, a bomb is never lit."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any

from icalendar import vRecur

from events.importers.icalendar_file.lines import Component, Property
from events.importers.icalendar_file.moments import NotTakenError, Zones, moments

MOST = 100
"""Repetitions of one event."""
LONGEST = 366
"""Days from the first to the last of them."""
_PARTS = {"FREQ", "COUNT", "UNTIL", "INTERVAL", "BYDAY", "BYMONTHDAY", "BYMONTH", "WKST"}
_WIDEST, _LONGEST_LIST = 31, 20_000
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_BYDAY = re.compile(r"([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)")


def starts(event: Component, start: dt.datetime | dt.date, zones: Zones) -> list[dt.datetime | dt.date]:
    """When the event takes place, in order, its own start first unless it is taken out.

    Raises NotTakenError for rules without an end, finer than a day, or with more than MOST repetitions.
    """
    found: list[dt.datetime | dt.date] = [start]
    if len(event.all("RRULE")) > 1 or sum(len(it.value) for it in event.all("RDATE") + event.all("EXDATE")) > _LONGEST_LIST:
        raise NotTakenError("it repeats in more ways than any programme does: write its times out")
    for rule in event.all("RRULE"):
        found += _by_rule(rule, start)
    for dates in event.all("RDATE"):
        found += [it for it in moments(dates, zones) if isinstance(it, dt.datetime) is isinstance(start, dt.datetime)]
    # The same instant may be said in two zones.
    gone = {_instant(it) for dates in event.all("EXDATE") for it in moments(dates, zones)}
    once = {_instant(it): it for it in reversed(found) if _instant(it) not in gone}
    if len(once) > MOST:
        raise NotTakenError(f"it takes place more than {MOST} times")
    return [once[key] for key in sorted(once)]


def repeats(event: Component) -> bool:
    return bool(event.all("RRULE") or event.all("RDATE"))


def _instant(it: dt.datetime | dt.date) -> str:
    return it.astimezone(dt.UTC).isoformat() if isinstance(it, dt.datetime) else it.isoformat()


@dataclass(frozen=True)
class Rule:
    """An RRULE of days, weeks or months. Libraries would walk to the year 9999 for a 30 February; this walks a year."""

    first: dt.date
    frequency: str
    interval: int
    # (which of the month or 0, weekday)
    weekdays: frozenset[tuple[int, int]]
    month_days: frozenset[int]
    months: frozenset[int]
    week_start: int

    @classmethod
    def of(cls, first: dt.date, parts: dict[str, list[Any]]) -> Rule:
        """Raises ValueError for what is none."""
        weekdays = [_BYDAY.fullmatch(str(it).upper()) for it in parts.get("BYDAY", [])]
        if not all(weekdays):
            raise ValueError("BYDAY")
        return cls(
            first=first,
            frequency=str(parts["FREQ"][0]),
            interval=parts.get("INTERVAL", [1])[0],
            weekdays=frozenset((int(it[1] or 0), _WEEKDAYS.index(it[2])) for it in weekdays if it),
            month_days=frozenset(parts.get("BYMONTHDAY", [])),
            months=frozenset(parts.get("BYMONTH", [])),
            week_start=_WEEKDAYS.index(str(parts.get("WKST", ["MO"])[0])),
        )

    def dates(self) -> Iterator[dt.date]:
        """Every date within a year."""
        for step in range(LONGEST + 1):
            date = self.first + dt.timedelta(days=step)
            if self._in_turn(date) and self._fits(date):
                yield date

    def _in_turn(self, date: dt.date) -> bool:
        if self.frequency == "MONTHLY":
            passed = (date.year - self.first.year) * 12 + date.month - self.first.month
        elif self.frequency == "WEEKLY":
            passed = (date - self._week(self.first)).days // 7
        else:
            passed = (date - self.first).days
        return passed % self.interval == 0

    def _week(self, date: dt.date) -> dt.date:
        return date - dt.timedelta(days=(date.weekday() - self.week_start) % 7)

    def _fits(self, date: dt.date) -> bool:
        if self.months and date.month not in self.months:
            return False
        last = (date.replace(day=28) + dt.timedelta(days=4)).replace(day=1) - dt.timedelta(days=1)
        if self.month_days and not self.month_days & {date.day, date.day - last.day - 1}:
            return False
        if self.weekdays:
            places = {0, (date.day + 6) // 7, -((last.day - date.day) // 7 + 1)}
            return bool(self.weekdays & {(place, date.weekday()) for place in places})
        if self.frequency == "WEEKLY":
            return date.weekday() == self.first.weekday()
        return self.frequency == "DAILY" or bool(self.month_days) or date.day == self.first.day


def _by_rule(rule: Property, start: dt.datetime | dt.date) -> list[dt.datetime | dt.date]:
    """By the clocks of the event's own zone: 10:00 stays 10:00 when they change."""
    parts = _parts(rule)
    count = _count(rule, parts)
    try:
        walk = Rule.of(start.date() if isinstance(start, dt.datetime) else start, parts).dates()
    except (ValueError, TypeError) as error:
        raise _no_rule(rule) from error
    times = (dt.datetime.combine(it, start.timetz()) if isinstance(start, dt.datetime) else it for it in walk)
    until = parts["UNTIL"][0] if "UNTIL" in parts else None
    if not _by(until or start, start + dt.timedelta(days=LONGEST)):
        raise NotTakenError(f"it repeats for longer than a year (line {rule.line}): write its times out")
    found = list(islice(takewhile(lambda it: _by(it, until), times), count))
    if until is None and len(found) < count:
        raise NotTakenError(f"it repeats for longer than a year, or never (line {rule.line}): write its times out")
    return found


def _by(it: dt.datetime | dt.date, until: dt.datetime | dt.date | None) -> bool:
    """Whether it is not later than the rule's end, which may be a date for an event with hours, or the reverse."""
    if until is None:
        return True
    if isinstance(it, dt.datetime) and isinstance(until, dt.datetime):
        return it <= (until if until.tzinfo else until.replace(tzinfo=it.tzinfo))
    return f"{it:%Y%m%d}" <= f"{until:%Y%m%d}"


def _parts(rule: Property) -> dict[str, list[Any]]:
    if len(rule.value) > 500:
        raise _no_rule(rule)
    try:
        parts = {str(name).upper(): list(values) for name, values in vRecur.from_ical(rule.value.strip()).items()}
    except ValueError as error:
        raise _no_rule(rule) from error
    if (parts.get("FREQ") or [""])[0] not in {"DAILY", "WEEKLY", "MONTHLY"} or not parts.keys() <= _PARTS:
        raise NotTakenError(f"it repeats in a way no programme does (line {rule.line}): write its times out")
    if any(len(values) > _WIDEST for values in parts.values()) or not 1 <= parts.get("INTERVAL", [1])[0] <= LONGEST:
        raise _no_rule(rule)
    return parts


def _count(rule: Property, parts: dict[str, list[Any]]) -> int:
    """How many times are looked for, one more than are taken where the rule ends on a date."""
    if "COUNT" not in parts and "UNTIL" not in parts:
        raise NotTakenError(f"it repeats without an end (line {rule.line}): give it one")
    if "COUNT" not in parts:
        return MOST + 1
    count: int = parts["COUNT"][0]
    if not 1 <= count <= MOST:
        raise NotTakenError(f"it takes place more than {MOST} times (line {rule.line})")
    return count


def _no_rule(rule: Property) -> NotTakenError:
    return NotTakenError(f"its rule of repetition (line {rule.line}) is none")
