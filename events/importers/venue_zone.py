"""Which time zone a file's clocks stand in: what it says, else what we are told, else what only one place can mean."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from collections.abc import Collection
from functools import cache

from events.importers import cells
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints, zone_of

# Offsets that only one country's clocks have today.
_ONLY = {
    dt.timedelta(hours=5, minutes=30): "Asia/Kolkata",
    dt.timedelta(hours=5, minutes=45): "Asia/Kathmandu",
    dt.timedelta(hours=3, minutes=30): "Asia/Tehran",
    dt.timedelta(hours=4, minutes=30): "Asia/Kabul",
    dt.timedelta(hours=6, minutes=30): "Asia/Yangon",
    -dt.timedelta(hours=2, minutes=30): "America/St_Johns",
    -dt.timedelta(hours=3, minutes=30): "America/St_Johns",
}


def zone_for(
    said: str, hints: Hints, *, moments: Collection[dt.datetime] = (), city: str = "", file: str
) -> tuple[zoneinfo.ZoneInfo, str]:
    """The zone, and a warning or "". ``moments`` are the file's times that name an offset.

    Raises ScheduleParseError that names the remedy.
    """
    if said.strip():
        try:
            return zone_of(said, file=file), ""
        except ScheduleParseError:
            if not hints.timezone:
                raise
            return zone_of(hints.timezone), f"{cells.quoted(said)} is not a time zone; {hints.timezone} is taken"
    if hints.timezone:
        return zone_of(hints.timezone), ""
    named = [zone_of(name) for name in (_in_city(city), _only(moments)) if name]
    fitting = [zone for zone in named if moments and all(it.utcoffset() == it.astimezone(zone).utcoffset() for it in moments)]
    if fitting:
        return fitting[0], f"names no time zone; {fitting[0].key} fits its times and is taken"
    example = named[0].key if named else "Europe/Brussels"
    raise ScheduleParseError(f"names no time zone: say which, as --timezone {example}", file=file)


def _only(moments: Collection[dt.datetime]) -> str:
    found = {_ONLY.get(it.utcoffset() or dt.timedelta(), "") for it in moments}
    return found.pop() if len(found) == 1 else ""


def _in_city(city: str) -> str:
    """The zone that is called after the city, if one is."""
    wanted = "/" + city.strip().replace(" ", "_")
    found = [name for name in _names() if name.endswith(wanted)] if city.strip() else []
    return found[0] if len(found) == 1 else ""


@cache
def _names() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())
