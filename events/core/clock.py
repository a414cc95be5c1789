"""The time of a request: at the venue, in the visitor's zone, pinned by ``?at=``, and as a date of the programme."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace
from urllib.parse import parse_qs, urlencode, urlsplit
from zoneinfo import ZoneInfo

from events.core.spans import ONE_MINUTE, utc

DAY_CHANGE = dt.time(4)
# What was written past the application raises no revision.
MAX_PAGE_LIFE = dt.timedelta(minutes=15)
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
    def zones(self) -> tuple[ZoneInfo, ZoneInfo]:
        return self.zone, self.venue_zone

    @property
    def made_at(self) -> dt.datetime:
        """The time that a page says it was made at; it may be kept for longer."""
        return self.now

    @property
    def today(self) -> dt.date:
        return programme_date(self.made_at, self.venue_zone)

    def has_come(self, moment: dt.datetime) -> bool:
        return moment <= self.made_at

    def is_between(self, start: dt.datetime, end: dt.datetime) -> bool:
        return self.has_come(start) and not self.has_come(end)

    def is_on_date_of(self, moment: dt.datetime) -> bool:
        """Whether the calendar of the shown zone has the same date; a day of the programme ends later."""
        here, there = (utc(it).astimezone(self.zone) for it in (self.made_at, moment))
        midnight = dt.datetime.combine(here.date() + dt.timedelta(days=1), dt.time(), self.zone)
        self.has_come(midnight)
        return here.date() == there.date()

    def is_live(self) -> None:
        """Say that the page shows what changes at any time: seats, votes, reports, or the time itself."""

    @property
    def is_visitor_zone(self) -> bool:
        return self.zone.key != self.venue_zone.key


@dataclass
class PageEnd:
    """When a page that is made now must be made again: at the earliest of the moments that were noted."""

    made_at: dt.datetime
    moment: dt.datetime

    @classmethod
    def of_page_made(cls, now: dt.datetime) -> PageEnd:
        return cls(now, now + MAX_PAGE_LIFE)

    @property
    def next_minute(self) -> dt.datetime:
        return self.made_at.replace(second=0, microsecond=0) + ONE_MINUTE

    def note(self, moment: dt.datetime) -> None:
        self.moment = min(self.moment, moment)


class PageClock(Clock):
    """The clock of a page that is kept: it notes the next moment at which one of its answers changes.

    Who reads ``now`` may show anything of it, so the page ends with the minute. A pinned time stands still.
    """

    page_end: PageEnd
    moves: bool

    @classmethod
    def of_page(cls, clock: Clock, page_end: PageEnd) -> PageClock:
        kept = cls(clock.made_at, clock.venue_zone, clock.chosen_zone, clock.pinned)
        kept.page_end, kept.moves = page_end, not clock.pinned
        return kept

    def not_after_now(self) -> PageClock:
        if self.made_at <= self.page_end.made_at:
            return self
        earlier = PageClock(self.page_end.made_at, self.venue_zone, self.chosen_zone, self.pinned)
        # It moves on until it is at the pinned time.
        earlier.page_end, earlier.moves = self.page_end, True
        return earlier

    def _read_now(self) -> dt.datetime:
        if self.moves:
            self.is_live()
        return self.made_at

    def _set_now(self, now: dt.datetime) -> None:
        self.__dict__["_made_at"] = now

    now = property(_read_now, _set_now)

    @property
    def made_at(self) -> dt.datetime:
        made_at: dt.datetime = self.__dict__["_made_at"]
        return made_at

    @property
    def today(self) -> dt.date:
        today = super().today
        self.has_come(dt.datetime.combine(today + dt.timedelta(days=1), DAY_CHANGE, self.venue_zone))
        return today

    def has_come(self, moment: dt.datetime) -> bool:
        if moment <= self.made_at:
            return True
        if self.moves:
            self.page_end.note(moment)
        return False

    def is_live(self) -> None:
        self.page_end.note(self.page_end.next_minute)


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
    at = clock.made_at.astimezone(clock.venue_zone).strftime("%Y-%m-%dT%H:%M")
    return f"{path}{'&' if '?' in path else '?'}{urlencode({'at': at}, safe=':')}{hash_}{fragment}"


def not_after_now(clock: Clock) -> Clock:
    """Set a pinned time in the future back to now, so that ``?at=`` reveals nothing before its publication."""
    if isinstance(clock, PageClock):
        return clock.not_after_now()
    return replace(clock, now=min(clock.now, dt.datetime.now(dt.UTC)))
