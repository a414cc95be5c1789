"""Times, durations and time zones of schedule.xml and schedule.json."""

from __future__ import annotations

import datetime as dt
import re
import zoneinfo
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from zoneinfo import ZoneInfo

from events.core.clock import DAY_CHANGE
from events.core.parsing import cells
from events.core.parsing.errors import ScheduleParseError, TimeZoneNeededError
from events.core.spans import utc
from events.core.time_zones import find_zone
from events.imports.formats.document import Hints
from events.programme.data.schedule import load_time_zone

_DURATION_PATTERN = re.compile(r"(?:(?P<days>[0-9]{1,4}):)?(?P<hours>[0-9]{1,4}):(?P<minutes>[0-9]{1,4})")
_ISO_DURATION_PATTERN = re.compile(
    r"P(?:(?P<days>[0-9]{1,4})D)?(?:T(?:(?P<hours>[0-9]{1,4})H)?(?:(?P<minutes>[0-9]{1,5})M)?(?:[0-9]+S)?)?"
)
_CLOCK_PATTERN = re.compile(r"(?P<hours>[0-9]{1,2}):(?P<minutes>[0-9]{2})(?::[0-9]{2})?")


@dataclass(frozen=True)
class StartTime:
    """A start, with a warning if the clocks leave it out or show it twice."""

    at: dt.datetime
    warning: str = ""


def parse_duration(text: str) -> dt.timedelta | None:
    """“0:30”, “00:30”, “2:06:00” (two days and six hours), “PT30M”, or minutes; None if malformed.

    >>> parse_duration("1:05"), parse_duration("2:06:00").days, parse_duration("45"), parse_duration("-0:30")
    (datetime.timedelta(seconds=3900), 2, datetime.timedelta(seconds=2700), None)
    """
    stripped = text.strip()
    if re.fullmatch("[0-9]{1,5}", stripped):
        return dt.timedelta(minutes=int(stripped))
    match = _DURATION_PATTERN.fullmatch(stripped) or (len(stripped) > 2 and _ISO_DURATION_PATTERN.fullmatch(stripped))
    if not match:
        return None
    return dt.timedelta(**{unit: int(number or 0) for unit, number in match.groupdict().items()})


def parse_clock(text: str) -> dt.time | None:
    match = _CLOCK_PATTERN.fullmatch(text.strip())
    try:
        return dt.time(int(match["hours"]), int(match["minutes"])) if match else None
    except ValueError:
        return None


def parse_datetime(text: str, zone: ZoneInfo) -> dt.datetime | None:
    """Parse an ISO 8601 date and time, in ``zone`` if it names no offset; None if malformed or of an impossible year."""
    at = _parse_iso(text)
    return at.replace(tzinfo=zone) if at and at.utcoffset() is None else at


def datetimes(texts: Iterable[str]) -> list[dt.datetime]:
    """Return the dates with a time, with and without an offset, for ``find_time_zone``."""
    return [at for text in texts if (at := _parse_iso(text))]


def _parse_iso(text: str) -> dt.datetime | None:
    stripped = text.strip()
    try:
        at = dt.datetime.fromisoformat(stripped) if len(stripped) > len("2025-04-24") else None
    except ValueError:
        return None
    return at if at and at.year in cells.VALID_YEARS else None


def parse_leading_date(text: str) -> dt.date | None:
    """Parse the date at the beginning of a date or a date and time; None for “20008-02-24”."""
    return cells.parse_date(text.strip()[:10]) if re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?", text.strip()) else None


def start_on_day(date: dt.date, start: dt.time, zone: ZoneInfo, *, change: dt.time = DAY_CHANGE) -> StartTime:
    """Place a time on a day of the programme; before ``change`` it is on the next date."""
    return at_venue(dt.datetime.combine(date + dt.timedelta(days=start < change), start), zone)


def parse_start(text: str, zone: ZoneInfo) -> StartTime | None:
    """Like ``parse_datetime``, with a warning for a time without an offset that the clocks leave out or show twice."""
    at = _parse_iso(text)
    if at is None:
        return None
    return StartTime(at) if at.utcoffset() is not None else at_venue(at, zone)


def at_venue(naive: dt.datetime, zone: ZoneInfo) -> StartTime:
    at, day = naive.replace(tzinfo=zone), naive.date()
    shown = utc(at).astimezone(zone)
    if shown.replace(tzinfo=None) != naive:
        return StartTime(shown, f"the clocks at the venue leave out {at:%H:%M} on {day}; {shown:%H:%M} is used")
    if at.utcoffset() != at.replace(fold=1).utcoffset():
        return StartTime(at, f"the clocks at the venue show {at:%H:%M} twice on {day}; the first is used")
    return StartTime(at)


def parse_day_change(text: str) -> dt.time:
    change = parse_clock(text)
    return DAY_CHANGE if change is None else change


# Offsets that only one country has today.
_ONLY_TIME_ZONE_BY_OFFSET = {
    dt.timedelta(hours=5, minutes=30): "Asia/Kolkata",
    dt.timedelta(hours=5, minutes=45): "Asia/Kathmandu",
    dt.timedelta(hours=3, minutes=30): "Asia/Tehran",
    dt.timedelta(hours=4, minutes=30): "Asia/Kabul",
    dt.timedelta(hours=6, minutes=30): "Asia/Yangon",
    -dt.timedelta(hours=2, minutes=30): "America/St_Johns",
    -dt.timedelta(hours=3, minutes=30): "America/St_Johns",
}


EXAMPLE_TIME_ZONE = "Europe/Brussels"


def find_time_zone(
    name: str, hints: Hints, *, moments: Collection[dt.datetime] = (), city: str = "", file: str
) -> tuple[zoneinfo.ZoneInfo, str]:
    """Return the zone, and a warning or "". ``moments`` are the file's times, ``city`` its city or country.

    Raise TimeZoneNeededError if the zone is unknown.
    """
    if name.strip():
        try:
            return load_time_zone(name, file=file), ""
        except ScheduleParseError as error:
            if not hints.timezone:
                example = find_zone(city) or EXAMPLE_TIME_ZONE
                raise TimeZoneNeededError(f"{cells.quoted(name[:60])} is not a time zone", example=example, file=file) from error
            return load_time_zone(hints.timezone), f"{cells.quoted(name)} is not a time zone; {hints.timezone} is used"
    if hints.timezone:
        return load_time_zone(hints.timezone), ""
    aware = [at for at in moments if at.utcoffset() is not None]
    likely = [load_time_zone(zone) for zone in (find_zone(city), _time_zone_by_offset(aware)) if zone]
    fitting = [zone for zone in likely if aware and all(at.utcoffset() == at.astimezone(zone).utcoffset() for at in aware)]
    if fitting:
        return fitting[0], f"names no time zone; {fitting[0].key} fits its times and is used"
    # A local time among them would be moved by a zone that only fits the others.
    if aware and not likely and len(aware) == len(moments) and (fixed := _fixed_offset_zone(aware)):
        return ZoneInfo(fixed), (
            f"names no time zone, but all its times are at UTC{str(aware[0])[-6:]}: {fixed} is used, whose clocks never change. "
            "Set the time zone of the conference to that of its city"
        )
    raise TimeZoneNeededError("names no time zone", example=likely[0].key if likely else EXAMPLE_TIME_ZONE, file=file)


def _fixed_offset_zone(moments: Collection[dt.datetime]) -> str:
    """Return a zone that always has the one offset of the times; "" if they have several, or one that no such zone has."""
    offsets = {at.utcoffset() or dt.timedelta() for at in moments}
    hours, rest = divmod(offsets.pop(), dt.timedelta(hours=1))
    if offsets or rest:
        return ""
    # The names count westwards: Etc/GMT-1 is an hour ahead of UTC.
    name = f"Etc/GMT{-hours:+d}" if hours else "UTC"
    return name if name in _available_time_zones() else ""


def _time_zone_by_offset(moments: Collection[dt.datetime]) -> str:
    zones = {_ONLY_TIME_ZONE_BY_OFFSET.get(at.utcoffset() or dt.timedelta(), "") for at in moments}
    return zones.pop() if len(zones) == 1 else ""


@cache
def _available_time_zones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())
