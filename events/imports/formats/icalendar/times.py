"""Times of a VEVENT: dates and instants, names of time zones, and repetitions."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr
from icalendar import Component, vBroken, vRecur
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from events.core.parsing import cells
from events.core.parsing.errors import ScheduleParseError
from events.imports.formats.icalendar.lines import TZID_PARAMETER, property_values
from events.programme.data.schedule import load_time_zone


class UnusableVEventError(ValueError):
    """The reason why a VEVENT is skipped."""


class PrivateVEventError(UnusableVEventError):
    """It is not for attendees."""


@dataclass(frozen=True)
class CalendarTimeZones:
    """``floating`` is the zone of times without one; ``defined`` has the tz database's name of each VTIMEZONE."""

    floating: ZoneInfo
    # Outlook and Mozilla have their own names for zones, and write the common one beside it.
    defined: Mapping[str, str]

    def named(self, name: str) -> ZoneInfo:
        """Accept “Europe/London”, “/mozilla.org/20070129_1/Europe/London” and “W. Europe Standard Time”."""
        bare = name.strip().strip('"')
        tail = re.search(r"[A-Za-z_]+/[A-Za-z_+-]+(?:/[A-Za-z_]+)?$", bare) if bare.startswith("/") else None
        for known in (self.defined.get(bare, ""), WINDOWS_TO_OLSON.get(bare, ""), bare, tail[0] if tail else ""):
            try:
                if known:
                    return load_time_zone(known)
            except ScheduleParseError:
                continue
        raise UnusableVEventError(f"{cells.quoted(bare)} is not a known time zone: export the calendar in UTC")


def quoted_value(value: Any) -> str:
    return cells.quoted(value.to_ical().decode())


def parse_ical_time(value: Any, zones: CalendarTimeZones) -> dt.date | dt.datetime:
    """Return a date, or an aware instant in the zone of the value; raise UnusableVEventError."""
    if isinstance(value, vBroken):
        raise UnusableVEventError(f"{quoted_value(value)} is not a date")
    return _checked_ical_time(value.dt, value, zones)


def parse_ical_times(values: Any, zones: CalendarTimeZones) -> list[dt.date | dt.datetime]:
    if isinstance(values, vBroken):
        raise UnusableVEventError(f"{quoted_value(values)} is not a list of dates")
    return [_checked_ical_time(value.dt, values, zones) for value in values.dts if not isinstance(value.dt, tuple)]


def _checked_ical_time(at: Any, value: Any, zones: CalendarTimeZones) -> dt.date | dt.datetime:
    if not isinstance(at, dt.date) or at.year not in cells.VALID_YEARS:
        raise UnusableVEventError(f"{quoted_value(value)} is not a date")
    if not isinstance(at, dt.datetime):
        return at
    if at.tzinfo:
        return at.replace(tzinfo=dt.UTC)
    return at.replace(tzinfo=zones.named(value.params[TZID_PARAMETER]) if TZID_PARAMETER in value.params else zones.floating)


def clock_change_warning(at: dt.datetime) -> str:
    """Return a warning for a time that the clocks leave out or show twice; "" for others."""
    if at.astimezone(dt.UTC).astimezone(at.tzinfo).replace(tzinfo=None) != at.replace(tzinfo=None):
        return f"clocks leave out {at:%H:%M} on {at:%Y-%m-%d}"
    if at.utcoffset() != at.replace(fold=1).utcoffset():
        return f"clocks show {at:%H:%M} twice on {at:%Y-%m-%d}; the first is used"
    return ""


MAX_REPETITIONS = 100
MAX_REPETITION_DAYS = 366
"""From the first to the last repetition of one event."""
_MAX_DATE_LISTS = 1_000
_COMMON_RULE_PARTS = {"FREQ", "COUNT", "UNTIL", "INTERVAL", "WKST"}
_BY_PARTS_OF_FREQUENCY = {"DAILY": {"BYDAY"}, "WEEKLY": {"BYDAY"}, "MONTHLY": {"BYDAY", "BYMONTHDAY"}}
_UNSUPPORTED_RULE_MESSAGE = "it repeats in an unusual way: write its times out"


def start_times(event: Component, start: dt.datetime | dt.date, zones: CalendarTimeZones) -> list[dt.datetime | dt.date]:
    """Return the starts of all repetitions in order, with ``start`` unless EXDATE excludes it.

    Raise UnusableVEventError for rules without an end, finer than a day, or with more than MAX_REPETITIONS.
    """
    times: list[dt.datetime | dt.date] = [start]
    rules, added, excluded = (property_values(event, name) for name in ("RRULE", "RDATE", "EXDATE"))
    if len(rules) > 1 or len(added) + len(excluded) > _MAX_DATE_LISTS:
        raise UnusableVEventError(_UNSUPPORTED_RULE_MESSAGE)
    for rule in rules:
        times += _rule_times(rule, start)
    for dates in added:
        times += [
            time for time in parse_ical_times(dates, zones) if isinstance(time, dt.datetime) is isinstance(start, dt.datetime)
        ]
    # The same instant may be written in two zones.
    excluded_keys = {_utc_key(time) for dates in excluded for time in parse_ical_times(dates, zones)}
    unique = {_utc_key(time): time for time in reversed(times) if _utc_key(time) not in excluded_keys}
    if len(unique) > MAX_REPETITIONS:
        raise UnusableVEventError(f"it takes place more than {MAX_REPETITIONS} times")
    return [unique[key] for key in sorted(unique)]


def is_repeated(event: Component) -> bool:
    return bool(property_values(event, "RRULE") or property_values(event, "RDATE"))


def _utc_key(time: dt.datetime | dt.date) -> str:
    return time.astimezone(dt.UTC).isoformat() if isinstance(time, dt.datetime) else time.isoformat()


def _rule_times(rule: object, start: dt.datetime | dt.date) -> list[dt.datetime | dt.date]:
    """Repeat in the event's zone: 10:00 stays 10:00 when the clocks change."""
    if not isinstance(rule, vRecur):
        raise UnusableVEventError("its RRULE cannot be read")
    count, until = (rule.get(name, [None])[0] for name in ("COUNT", "UNTIL"))
    _check_rule(rule, count, until)
    endless: bytes = vRecur({name: value for name, value in rule.items() if name not in {"COUNT", "UNTIL"}}).to_ical()  # type: ignore[no-untyped-call]
    first = start if isinstance(start, dt.datetime) else dt.datetime.combine(start, dt.time())
    try:
        endless_times = rrulestr(endless.decode(), dtstart=first)
        times = list(islice(takewhile(lambda time: _is_within_until(time, until), endless_times), count or MAX_REPETITIONS + 1))
    except ValueError as error:
        raise UnusableVEventError("its RRULE cannot be read") from error
    if times and times[-1] - first > dt.timedelta(days=MAX_REPETITION_DAYS):
        raise UnusableVEventError("it repeats for longer than a year: write its times out")
    return [time if isinstance(start, dt.datetime) else time.date() for time in times]


def _check_rule(rule: vRecur, count: int | None, until: object) -> None:
    """Refuse rules without an end, and those for which dateutil could search until the year 9999."""
    frequency, interval = (rule.get(name, [value])[0] for name, value in (("FREQ", ""), ("INTERVAL", 1)))
    by_parts = rule.keys() - _COMMON_RULE_PARTS
    if not by_parts <= _BY_PARTS_OF_FREQUENCY.get(frequency, set()) or frequency not in _BY_PARTS_OF_FREQUENCY:
        raise UnusableVEventError(_UNSUPPORTED_RULE_MESSAGE)
    # Every second month has no 31st, and every seventh day is no Tuesday.
    if len(by_parts) > 1 or (by_parts and interval != 1 and frequency != "WEEKLY"):
        raise UnusableVEventError(_UNSUPPORTED_RULE_MESSAGE)
    weeks = [day.relative or 1 for day in rule.get("BYDAY", [])]
    if not all(-5 <= week <= 5 for week in weeks) or not all(1 <= abs(day) <= 31 for day in rule.get("BYMONTHDAY", [1])):
        raise UnusableVEventError("its RRULE cannot be read")
    if not 1 <= interval <= MAX_REPETITION_DAYS or not isinstance(until, dt.date | None):
        raise UnusableVEventError("its RRULE cannot be read")
    if count is None and until is None:
        raise UnusableVEventError("it repeats without an end: give it one")
    if count is not None and not 1 <= count <= MAX_REPETITIONS:
        raise UnusableVEventError(f"it takes place more than {MAX_REPETITIONS} times")


def _is_within_until(time: dt.datetime, until: dt.datetime | dt.date | None) -> bool:
    """Compare with UNTIL, which may be a date for an event with hours, or an instant for one of whole days."""
    if isinstance(until, dt.datetime) and time.tzinfo:
        return time <= (until if until.tzinfo else until.replace(tzinfo=time.tzinfo))
    return until is None or f"{time:%Y%m%d}" <= f"{until:%Y%m%d}"
