"""DTSTART and its like: dates, instants in UTC, and what clocks show in some zone."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from events.importers import cells
from events.importers.errors import ScheduleParseError
from events.importers.hints import zone_of
from events.importers.icalendar_file.lines import Component, Property

_VALUE = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z)?)?", re.ASCII)


class NotTakenError(ValueError):
    """Why an event cannot be taken, in words."""


@dataclass(frozen=True)
class Zones:
    """``floating`` is where clocks stand that name no zone; ``defined`` what the file's own VTIMEZONEs are called elsewhere."""

    floating: ZoneInfo
    defined: dict[str, str]

    @classmethod
    def of(cls, calendar: Component, floating: ZoneInfo) -> Zones:
        """Outlook and Mozilla call a zone what they like, and say beside it what the world calls it."""
        blocks = [it for it in calendar.children if it.name == "VTIMEZONE"]
        return cls(floating, {it.text("TZID"): it.text("X-LIC-LOCATION") for it in blocks if it.text("X-LIC-LOCATION")})

    def named(self, name: str) -> ZoneInfo:
        """“Europe/London”, “/mozilla.org/20070129_1/Europe/London”, “W. Europe Standard Time”."""
        said = name.strip().strip('"')
        tail = re.search(r"[A-Za-z_]+/[A-Za-z_+-]+(?:/[A-Za-z_]+)?$", said) if said.startswith("/") else None
        for known in (self.defined.get(said, ""), WINDOWS_TO_OLSON.get(said, ""), said, tail[0] if tail else ""):
            try:
                if known:
                    return zone_of(known)
            except ScheduleParseError:
                continue
        raise NotTakenError(f"{cells.quoted(said)} is no time zone anybody knows: export the calendar in UTC")


def moment(found: Property, zones: Zones) -> dt.date | dt.datetime:
    """A date, or an aware instant in the zone it is said in; raises NotTakenError for what is neither."""
    return _moment(found.value, found, zones)


def moments(found: Property, zones: Zones) -> list[dt.date | dt.datetime]:
    """The values of EXDATE or RDATE; periods are no dates and left out."""
    return [_moment(value, found, zones) for value in found.value.split(",") if value.strip() and "/" not in value]


def _moment(value: str, found: Property, zones: Zones) -> dt.date | dt.datetime:
    parts = _VALUE.fullmatch(value.strip())
    try:
        if not parts or int(parts[1]) not in cells.YEARS:
            raise ValueError
        date = dt.date(int(parts[1]), int(parts[2]), int(parts[3]))
        if parts[4] is None:
            return date
        # 23:59:60 is a second that clocks here do not show.
        time = dt.time(int(parts[4]), int(parts[5]), min(int(parts[6]), 59))
    except ValueError as error:
        raise NotTakenError(f"{cells.quoted(value.strip())} (line {found.line}) is no date") from error
    zone: dt.tzinfo = dt.UTC if parts[7] else zones.named(found.params["TZID"]) if "TZID" in found.params else zones.floating
    return dt.datetime.combine(date, time, zone)


def doubt(at: dt.datetime) -> str:
    """What is odd about a time on the day the clocks change."""
    if at.astimezone(dt.UTC).astimezone(at.tzinfo).replace(tzinfo=None) != at.replace(tzinfo=None):
        return f"clocks leave out {at:%H:%M} on {at:%Y-%m-%d}"
    if at.utcoffset() != at.replace(fold=1).utcoffset():
        return f"clocks show {at:%H:%M} twice on {at:%Y-%m-%d}; the first is taken"
    return ""
