"""The time of a request: at the venue, in the visitor's zone, pinned by ``?at=``, and as a date of the programme."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace
from urllib.parse import parse_qs, urlencode, urlsplit
from zoneinfo import ZoneInfo

from events.core.spans import utc

DAY_CHANGE = dt.time(4)
DEFAULT_PINNED_TIME = dt.time(8)
# More than any time that can be read.
MAX_PINNED_CHARS = 40

_PINNED_PATTERN = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)"
    r"(T(?P<time>\d\d:\d\d(:\d\d(\.\d{1,6})?)?)"
    r"(?P<offset>Z|[+ -]\d\d(:?\d\d)?)?)?",
    re.ASCII,
)


@dataclass(frozen=True)
class Clock:
    now: dt.datetime
    venue_zone: ZoneInfo
    # The zone that the visitor chose instead of the venue's.
    chosen_zone: ZoneInfo | None = None
    pinned: bool = False

    @property
    def zone(self) -> ZoneInfo:
        return self.chosen_zone or self.venue_zone

    @property
    def today(self) -> dt.date:
        return programme_date(self.now, self.venue_zone)

    @property
    def is_visitor_zone(self) -> bool:
        return self.zone.key != self.venue_zone.key


def programme_date(instant: dt.datetime, zone: ZoneInfo) -> dt.date:
    local = utc(instant).astimezone(zone)
    # 01:30 is still the evening before.
    return local.date() - dt.timedelta(days=local.time() < DAY_CHANGE)


def parse_at(text: str, venue_zone: ZoneInfo) -> dt.datetime | None:
    """Return the time in ``?at=``, in the venue's zone unless it has an offset; None if malformed."""
    at = read_at(text)
    if at is None:
        return None
    return utc(at if at.tzinfo else at.replace(tzinfo=venue_zone)).astimezone(venue_zone)


def read_at(text: str) -> dt.datetime | None:
    """Return the time in ``?at=``: in UTC if it has an offset, else without a zone; None if malformed."""
    match = _PINNED_PATTERN.fullmatch(text) if len(text) <= MAX_PINNED_CHARS else None
    if match is None:
        return None
    # A plus sign in a query string arrives as a space.
    offset = (match["offset"] or "").replace(" ", "+")
    try:
        at = dt.datetime.fromisoformat(f"{match['date']}T{match['time'] or DEFAULT_PINNED_TIME}{offset}")
    except ValueError:
        return None
    # The first and the last year would overflow in another zone, or with a day before and after.
    if not dt.MINYEAR < at.year < dt.MAXYEAR:
        return None
    return utc(at) if at.tzinfo else at


def written_at(at: dt.datetime) -> str:
    """Return the shortest text that ``read_at`` reads as this time."""
    text = at.isoformat(timespec="auto" if at.second or at.microsecond else "minutes")
    return text.replace("+00:00", "Z")


def with_pinned_time(url: str, clock: Clock) -> str:
    path, hash_, fragment = url.partition("#")
    if not clock.pinned or "at" in parse_qs(urlsplit(path).query):
        return url
    at = clock.now.astimezone(clock.venue_zone).strftime("%Y-%m-%dT%H:%M")
    return f"{path}{'&' if '?' in path else '?'}{urlencode({'at': at}, safe=':')}{hash_}{fragment}"


def not_after_now(clock: Clock) -> Clock:
    """Set a pinned time in the future back to now, so that ``?at=`` reveals nothing before its publication."""
    return replace(clock, now=min(clock.now, dt.datetime.now(dt.UTC)))
