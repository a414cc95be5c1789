"""What time it is: at the venue, for the visitor, and on which date of the programme."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from events.schedule.spans import utc

DAY_CHANGE = dt.time(4)
MORNING = dt.time(8)

_AT = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)"
    r"(T(?P<time>\d\d:\d\d(:\d\d(\.\d{1,6})?)?)"
    r"(?P<offset>Z|[+ -]\d\d(:?\d\d)?)?)?",
    re.ASCII,
)


@dataclass(frozen=True)
class Clock:
    now: dt.datetime
    venue_zone: ZoneInfo
    # What the visitor asked to read times in, instead of the venue's zone.
    chosen_zone: ZoneInfo | None = None
    pinned: bool = False

    @property
    def zone(self) -> ZoneInfo:
        return self.chosen_zone or self.venue_zone

    @property
    def today(self) -> dt.date:
        return programme_date(self.now, self.venue_zone)

    @property
    def own_zone(self) -> bool:
        return self.zone.key != self.venue_zone.key


def programme_date(instant: dt.datetime, zone: ZoneInfo) -> dt.date:
    local = utc(instant).astimezone(zone)
    # 01:30 is still the evening before.
    return local.date() - dt.timedelta(days=local.time() < DAY_CHANGE)


def parse_at(text: str, venue_zone: ZoneInfo) -> dt.datetime | None:
    """Read the moment a visitor asks for, at the venue unless it says otherwise; None if it is not one."""
    match = _AT.fullmatch(text)
    if match is None:
        return None
    # A plus sign in a query string arrives as a space.
    offset = (match["offset"] or "").replace(" ", "+")
    try:
        at = dt.datetime.fromisoformat(f"{match['date']}T{match['time'] or MORNING}{offset}")
    except ValueError:
        return None
    # The first and the last year leave no room for another zone, or for a day before and after.
    if not dt.MINYEAR < at.year < dt.MAXYEAR:
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=venue_zone)
    return utc(at).astimezone(venue_zone)
