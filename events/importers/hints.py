"""What a file may leave unsaid."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from dataclasses import dataclass

from events.importers.errors import ScheduleParseError


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """Which conference the file is for (``slug``; its name and dates if it is there), and where clocks without a zone stand."""

    slug: str
    name: str = ""
    timezone: str = ""
    start: dt.date | None = None
    end: dt.date | None = None


def zone_of(name: str, *, file: str = "") -> zoneinfo.ZoneInfo:
    """The time zone of that name; raises ScheduleParseError for what is none."""
    try:
        return zoneinfo.ZoneInfo(name.strip())
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        shown = "".join(it for it in name[:60] if it.isprintable())
        raise ScheduleParseError(f"“{shown}” is not a time zone: write one as Europe/Vienna", file=file) from error
