"""Announcements for the banner, the page and the feed, from one cached list."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.utils import timezone

from events.agenda.models.agenda import Agenda
from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import Clock, not_after_now
from events.core.spans import ONE_DAY
from events.core.tokens import etag_digest
from events.programme.models.changes import Announcement, Attendance
from events.programme.models.conference import Conference

MIDNIGHT = dt.time()
KEY_CHARS, WORDS_CHARS = 12, 6
MAX_BANNER_NOTICES = 10
"""Urgent ones are all shown."""
AUDIENCE_TEXTS = {
    Attendance.IN_PERSON: "For people on site",
    Attendance.VIRTUAL: "For people online",
}
BANNER_URL_NAMES = frozenset(
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
"""The pages with the banner: those that people look at during the day."""


@dataclass(frozen=True)
class ShownAnnouncement:
    announcement: Announcement
    is_over: bool = False

    @property
    def key(self) -> str:
        """What dismisses it, until its words change."""
        return announcement_key(self.announcement) + words_digest(self.announcement, urgent=self.announcement.urgent)

    @property
    def element_id(self) -> str:
        return f"a-{announcement_key(self.announcement)}"

    @property
    def since(self) -> str:
        begin = timezone.localtime(self.announcement.starts_at)
        return _date_time(begin) if begin.time() != MIDNIGHT else _date(begin)

    @property
    def until(self) -> str:
        """Return "" without an end. Midnight is the end of the day before; the day of ``since`` is not repeated."""
        if self.announcement.until is None:
            return ""
        begin, end = timezone.localtime(self.announcement.starts_at), timezone.localtime(self.announcement.until)
        if end.date() == begin.date():
            return f"{end:%H:%M}"
        if end.time() != MIDNIGHT:
            return _date_time(end)
        ends_with_its_day = end.date() - ONE_DAY == begin.date() and begin.time() != MIDNIGHT
        return "midnight" if ends_with_its_day else _date(end - ONE_DAY)

    @property
    def is_urgent(self) -> bool:
        return self.announcement.urgent and not self.is_over

    @property
    def shows_until(self) -> bool:
        return bool(self.until) and self.until != self.since

    @property
    def audience(self) -> str:
        return AUDIENCE_TEXTS[Attendance(self.announcement.audience)] if self.announcement.audience in AUDIENCE_TEXTS else ""


@dataclass(frozen=True)
class AnnouncementList:
    """The announcements for a visitor. ``attendance`` is "" if unknown.

    ``asks`` is True if some are only for one attendance.
    """

    notices: list[ShownAnnouncement]
    attendance: str
    asks: bool
    more: int = 0
    """How many are not shown."""

    @property
    def urgent(self) -> list[ShownAnnouncement]:
        return [notice for notice in self.notices if notice.is_urgent]

    @property
    def folded(self) -> list[ShownAnnouncement]:
        return [notice for notice in self.notices if not notice.is_urgent]

    @property
    def folded_count(self) -> int:
        return len(self.folded) + self.more

    @property
    def folded_keys(self) -> str:
        return ".".join(notice.key for notice in self.folded)

    @property
    def hidden_audience(self) -> str:
        others = [text for value, text in AUDIENCE_TEXTS.items() if value != self.attendance]
        return others[0].lower() if self.attendance else ""


def cached_announcements(conference: Conference) -> list[Announcement]:
    """Return the latest first. Future ones are included, which must not be shown yet."""
    # Every page reads them, and they seldom change.
    rows = Announcement.objects.filter(conference=conference).defer("imported")
    return PROCESS_CACHE.get_or_build(("announcements", conference.pk), lambda: list(rows), version=conference.revision)


def current_announcements(conference: Conference, clock: Clock, attendance: str = "") -> list[Announcement]:
    """Return those for one attendance: urgent ones first, then the latest."""
    clock = not_after_now(clock)
    # Of every announcement, so that a kept page ends when one of them begins or ends.
    rows = [row for row in cached_announcements(conference) if _is_current(row, clock) and row.is_for(attendance)]
    return sorted(rows, key=lambda row: not row.urgent)


def _is_current(row: Announcement, clock: Clock) -> bool:
    return clock.has_come(row.starts_at) and (row.until is None or not clock.has_come(row.until))


def announcement_key(announcement: Announcement) -> str:
    """The part of its identity that links, forms and cookies have."""
    return announcement.identity.hex[:KEY_CHARS]


def words_digest(announcement: Announcement, *, urgent: bool) -> str:
    return etag_digest("words", announcement.title, announcement.text, urgent)[:WORDS_CHARS]


def words_by_key(keys: Iterable[str]) -> dict[str, str]:
    """The digest of the words that were dismissed, by the key of each announcement; empty if unknown."""
    return {key[:KEY_CHARS]: key[KEY_CHARS:] for key in keys}


def _is_dismissed(row: Announcement, *dismissed: str) -> bool:
    """Not any more if its words have changed since, or it became urgent."""
    return any(not words or words in {words_digest(row, urgent=it) for it in {True, row.urgent}} for words in dismissed)


def announcements_by_key(conference: Conference, keys: Collection[str], now: dt.datetime) -> list[Announcement]:
    return [row for row in announcements_so_far(conference, now) if announcement_key(row) in keys]


def dismissed_ids(agenda: Agenda | None, conference: Conference, keys: Collection[str]) -> frozenset[int]:
    """The announcements that the agenda has dismissed, and those of the cookie of a browser without one."""
    stored, sent = _dismissed_in(agenda) if agenda else {}, words_by_key(keys)
    if not (stored or sent):
        return frozenset()
    return frozenset(row.pk for row in cached_announcements(conference) if _is_dismissed(row, *_words_of(row, stored, sent)))


def _words_of(row: Announcement, stored: Mapping[int, str], sent: Mapping[str, str]) -> list[str]:
    """The words of it that the agenda and the browser have dismissed."""
    found = [stored.get(row.pk), sent.get(announcement_key(row)) if sent else None]
    return [words for words in found if words is not None]


def _dismissed_in(agenda: Agenda) -> dict[int, str]:
    def read() -> dict[int, str]:
        return dict(agenda.dismissals.values_list("announcement", "words_digest"))

    return PROCESS_CACHE.get_or_build(("dismissed", agenda.pk), read, version=agenda.revision)


def banner(conference: Conference, clock: Clock, attendance: str, dismissed: frozenset[int] = frozenset()) -> AnnouncementList:
    everything = current_announcements(conference, clock)
    mine = [row for row in everything if row.is_for(attendance) and row.pk not in dismissed]
    # Urgent ones are always shown.
    size = max(MAX_BANNER_NOTICES, sum(row.urgent for row in mine))
    shown = [ShownAnnouncement(row) for row in mine[:size]]
    return AnnouncementList(shown, attendance, any(row.audience for row in everything), len(mine) - len(shown))


def full_announcement_list(conference: Conference, clock: Clock, attendance: str) -> AnnouncementList:
    now = not_after_now(clock).now
    rows = announcements_so_far(conference, now)
    notices = [ShownAnnouncement(row, row.is_over(now)) for row in rows]
    return AnnouncementList(notices, attendance, asks=bool(attendance) or any(row.audience for row in rows))


def _date(moment: dt.datetime) -> str:
    return f"{moment:%a} {moment.day} {moment:%b}"


def _date_time(moment: dt.datetime) -> str:
    return f"{_date(moment)}, {moment:%H:%M}"


def announcements_so_far(conference: Conference, now: dt.datetime, attendance: str = "") -> list[Announcement]:
    return [row for row in cached_announcements(conference) if row.has_started(now) and row.is_for(attendance)]
