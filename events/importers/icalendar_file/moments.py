"""DTSTART and its like: dates, instants in UTC, and what clocks show in some zone."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from icalendar import vBroken
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from events.importers import cells
from events.importers.errors import ScheduleParseError
from events.importers.hints import zone_of
from events.importers.icalendar_file.lines import TZID


class NotTakenError(ValueError):
    """Why an event cannot be taken, in words."""


@dataclass(frozen=True)
class Zones:
    """``floating`` is where clocks stand that name no zone; ``defined`` what the file's own VTIMEZONEs are called elsewhere."""

    floating: ZoneInfo
    # Outlook and Mozilla call a zone what they like, and say beside it what the world calls it.
    defined: Mapping[str, str]

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


def shown(value: Any) -> str:
    """A value of icalendar's as the file has it."""
    return cells.quoted(value.to_ical().decode())


def moment(found: Any, zones: Zones) -> dt.date | dt.datetime:
    """A date, or an aware instant in the zone it is said in; raises NotTakenError for what is neither."""
    if isinstance(found, vBroken):
        raise NotTakenError(f"{shown(found)} is no date")
    return _moment(found.dt, found, zones)


def moments(found: Any, zones: Zones) -> list[dt.date | dt.datetime]:
    """The values of EXDATE or RDATE; periods are no dates and left out."""
    if isinstance(found, vBroken):
        raise NotTakenError(f"{shown(found)} is no list of dates")
    return [_moment(it.dt, found, zones) for it in found.dts if not isinstance(it.dt, tuple)]


def _moment(at: Any, found: Any, zones: Zones) -> dt.date | dt.datetime:
    if not isinstance(at, dt.date) or at.year not in cells.YEARS:
        raise NotTakenError(f"{shown(found)} is no date")
    if not isinstance(at, dt.datetime):
        return at
    if at.tzinfo:
        return at.replace(tzinfo=dt.UTC)
    return at.replace(tzinfo=zones.named(found.params[TZID]) if TZID in found.params else zones.floating)


def doubt(at: dt.datetime) -> str:
    """What is odd about a time on the day the clocks change."""
    if at.astimezone(dt.UTC).astimezone(at.tzinfo).replace(tzinfo=None) != at.replace(tzinfo=None):
        return f"clocks leave out {at:%H:%M} on {at:%Y-%m-%d}"
    if at.utcoffset() != at.replace(fold=1).utcoffset():
        return f"clocks show {at:%H:%M} twice on {at:%Y-%m-%d}; the first is taken"
    return ""
