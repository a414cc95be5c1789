"""RRULE, RDATE and EXDATE: a few repetitions are written out, as long as they end within a year."""

from __future__ import annotations

import datetime as dt
from itertools import islice, takewhile

from dateutil.rrule import rrulestr
from icalendar import Component, vRecur

from events.importers.icalendar_file.lines import values
from events.importers.icalendar_file.moments import NotTakenError, Zones, moments

MAX_TIMES = 100
"""Repetitions of one event."""
MAX_DAYS = 366
"""Days from the first to the last of them."""
_MAX_LISTS = 1_000
_ALWAYS = {"FREQ", "COUNT", "UNTIL", "INTERVAL", "WKST"}
_CHOOSING = {"DAILY": {"BYDAY"}, "WEEKLY": {"BYDAY"}, "MONTHLY": {"BYDAY", "BYMONTHDAY"}}
_ODD = "it repeats in a way no programme does: write its times out"


def starts(event: Component, start: dt.datetime | dt.date, zones: Zones) -> list[dt.datetime | dt.date]:
    """When the event takes place, in order, its own start first unless it is taken out.

    Raises NotTakenError for rules without an end, finer than a day, or with more than MAX_TIMES repetitions.
    """
    found: list[dt.datetime | dt.date] = [start]
    rules, added, left_out = (values(event, name) for name in ("RRULE", "RDATE", "EXDATE"))
    if len(rules) > 1 or len(added) + len(left_out) > _MAX_LISTS:
        raise NotTakenError(_ODD)
    for rule in rules:
        found += _by_rule(rule, start)
    for dates in added:
        found += [it for it in moments(dates, zones) if isinstance(it, dt.datetime) is isinstance(start, dt.datetime)]
    # The same instant may be said in two zones.
    gone = {_instant(it) for dates in left_out for it in moments(dates, zones)}
    once = {_instant(it): it for it in reversed(found) if _instant(it) not in gone}
    if len(once) > MAX_TIMES:
        raise NotTakenError(f"it takes place more than {MAX_TIMES} times")
    return [once[key] for key in sorted(once)]


def repeats(event: Component) -> bool:
    return bool(values(event, "RRULE") or values(event, "RDATE"))


def _instant(it: dt.datetime | dt.date) -> str:
    return it.astimezone(dt.UTC).isoformat() if isinstance(it, dt.datetime) else it.isoformat()


def _by_rule(rule: object, start: dt.datetime | dt.date) -> list[dt.datetime | dt.date]:
    """By the clocks of the event's own zone: 10:00 stays 10:00 when they change."""
    if not isinstance(rule, vRecur):
        raise NotTakenError("its rule of repetition is none")
    count, until = (rule.get(name, [None])[0] for name in ("COUNT", "UNTIL"))
    _check(rule, count, until)
    endless: bytes = vRecur({name: it for name, it in rule.items() if name not in {"COUNT", "UNTIL"}}).to_ical()  # type: ignore[no-untyped-call]
    first = start if isinstance(start, dt.datetime) else dt.datetime.combine(start, dt.time())
    try:
        times = takewhile(lambda it: _by(it, until), rrulestr(endless.decode(), dtstart=first))
        found = list(islice(times, count or MAX_TIMES + 1))
    except ValueError as error:
        raise NotTakenError("its rule of repetition is none") from error
    if found and found[-1] - first > dt.timedelta(days=MAX_DAYS):
        raise NotTakenError("it repeats for longer than a year: write its times out")
    return [it if isinstance(start, dt.datetime) else it.date() for it in found]


def _check(rule: vRecur, count: int | None, until: object) -> None:
    """Refuse rules without an end, and those of which dateutil might look for the next time until the year 9999."""
    frequency, interval = (rule.get(name, [value])[0] for name, value in (("FREQ", ""), ("INTERVAL", 1)))
    choosing = rule.keys() - _ALWAYS
    if not choosing <= _CHOOSING.get(frequency, set()) or frequency not in _CHOOSING:
        raise NotTakenError(_ODD)
    # Every second month has no 31st, and every seventh day is no Tuesday.
    if len(choosing) > 1 or (choosing and interval != 1 and frequency != "WEEKLY"):
        raise NotTakenError(_ODD)
    places = [day.relative or 1 for day in rule.get("BYDAY", [])]
    if not all(-5 <= it <= 5 for it in places) or not all(1 <= abs(it) <= 31 for it in rule.get("BYMONTHDAY", [1])):
        raise NotTakenError("its rule of repetition is none")
    if not 1 <= interval <= MAX_DAYS or not isinstance(until, dt.date | None):
        raise NotTakenError("its rule of repetition is none")
    if count is None and until is None:
        raise NotTakenError("it repeats without an end: give it one")
    if count is not None and not 1 <= count <= MAX_TIMES:
        raise NotTakenError(f"it takes place more than {MAX_TIMES} times")


def _by(it: dt.datetime, until: dt.datetime | dt.date | None) -> bool:
    """Whether it is not later than the rule's end, which may be a date for an event with hours, or the reverse."""
    if isinstance(until, dt.datetime) and it.tzinfo:
        return it <= (until if until.tzinfo else until.replace(tzinfo=it.tzinfo))
    return until is None or f"{it:%Y%m%d}" <= f"{until:%Y%m%d}"
