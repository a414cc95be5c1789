"""What organisers announce: what stands on the pages now, and all that was told so far."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.utils import timezone

from events.byte_cache import CACHE
from events.models import Announcement, Attendance, Conference
from events.queries.pinned import told
from events.schedule.clock import Clock

MIDNIGHT = dt.time()
DAY = dt.timedelta(days=1)
MOST = 3
"""So many stand above a page; it is the page that people came for."""
FOR = {
    Attendance.IN_PERSON: "For those who are there",
    Attendance.VIRTUAL: "For those who take part from afar",
}
BANNERED = frozenset(
    {
        "agenda-detail",
        "conference-detail",
        "directions",
        "event-detail",
        "invited-talk-list",
        "schedule-day",
        "service-list",
        "social-list",
        "venue",
    }
)
"""The pages people look at during the day, by their names in the URLconf."""


@dataclass(frozen=True)
class Notice:
    """An announcement as one visitor is shown it."""

    announcement: Announcement
    is_over: bool = False

    @property
    def element_id(self) -> str:
        return f"a-{self.announcement.identity.hex[:12]}"

    @property
    def since(self) -> str:
        begin = timezone.localtime(self.announcement.starts_at)
        return _words(begin) if begin.time() != MIDNIGHT else _date(begin)

    @property
    def until(self) -> str:
        """Nothing for what has no end; midnight is the end of the day before, and a day that was named is not named again."""
        if self.announcement.until is None:
            return ""
        begin, end = timezone.localtime(self.announcement.starts_at), timezone.localtime(self.announcement.until)
        if end.date() == begin.date():
            return f"{end:%H:%M}"
        if end.time() != MIDNIGHT:
            return _words(end)
        ends_with_its_day = end.date() - DAY == begin.date() and begin.time() != MIDNIGHT
        return "midnight" if ends_with_its_day else _date(end - DAY)

    @property
    def audience(self) -> str:
        """For whom it is, in words; nothing when it is for everybody."""
        return FOR[Attendance(self.announcement.audience)] if self.announcement.audience in FOR else ""


@dataclass(frozen=True)
class Board:
    """What is announced to a visitor; ``asks`` if it matters how they take part, which ``attendance`` says if they said it."""

    notices: list[Notice]
    attendance: str
    asks: bool
    more: int = 0
    """How many there are besides."""

    @property
    def left_out(self) -> str:
        """Whose announcements a visitor who said how they take part does not see."""
        others = [words for value, words in FOR.items() if value != self.attendance]
        return others[0].lower() if self.attendance else ""


def announced(conference: Conference) -> list[Announcement]:
    """The latest first, also those still to come, which must not be shown yet; every page reads them, and they seldom change."""
    rows = Announcement.objects.filter(conference=conference).defer("imported")
    return CACHE.get_or_build(("announcements", conference.pk, conference.revision), lambda: list(rows))


def current(conference: Conference, clock: Clock, attendance: str = "") -> list[Announcement]:
    """What holds at this minute for somebody who takes part like this: what is urgent, then the latest."""
    now = told(clock).now
    rows = [it for it in announced(conference) if it.is_told(now) and not it.is_over(now) and it.is_for(attendance)]
    return sorted(rows, key=lambda it: not it.urgent)


def banner(conference: Conference, clock: Clock, attendance: str) -> Board:
    everything = current(conference, clock)
    mine = [it for it in everything if it.is_for(attendance)]
    # What is urgent is never left out.
    size = max(MOST, sum(it.urgent for it in mine))
    shown = [Notice(it) for it in mine[:size]]
    return Board(shown, attendance, any(it.audience for it in everything), len(mine) - len(shown))


def whole_board(conference: Conference, clock: Clock, attendance: str) -> Board:
    """Everything announced so far, for whomever it is: the page of announcements."""
    now = told(clock).now
    rows = told_so_far(conference, now)
    return Board([Notice(it, it.is_over(now)) for it in rows], attendance, bool(attendance) or any(it.audience for it in rows))


def _date(moment: dt.datetime) -> str:
    return f"{moment:%a} {moment.day} {moment:%b}"


def _words(moment: dt.datetime) -> str:
    return f"{_date(moment)}, {moment:%H:%M}"


def told_so_far(conference: Conference, now: dt.datetime, attendance: str = "") -> list[Announcement]:
    return [it for it in announced(conference) if it.is_told(now) and it.is_for(attendance)]
