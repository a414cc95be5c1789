"""Which time zone a file is in that may not say so."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from events.importers.hints import Hints, zone_of


def zone_in(named: str, hints: Hints, starts: Iterable[str], *, file: str) -> ZoneInfo:
    """The zone the file names, else the conference's, else a fixed one by the offset most of its times carry, else UTC.

    Raises ScheduleParseError for a name that is none.
    """
    if named.strip() or hints.timezone:
        return zone_of(named.strip() or hints.timezone, file=file)
    offsets = Counter(start.strip()[-6:] for start in starts)
    return next((zone for offset, _ in offsets.most_common() if (zone := _fixed(offset))), ZoneInfo("UTC"))


def _fixed(offset: str) -> ZoneInfo | None:
    """“+08:00” → Etc/GMT-8, as that family counts westward; None for what is no whole hours from UTC."""
    try:
        ahead = dt.datetime.fromisoformat(f"2000-01-01T00:00{offset}").utcoffset()
    except ValueError:
        return None
    if ahead is None or ahead % dt.timedelta(hours=1) or not -12 <= (hours := ahead // dt.timedelta(hours=1)) <= 14:
        return None
    return ZoneInfo(f"Etc/GMT{-hours:+d}") if hours else ZoneInfo("UTC")
