"""The fetch log of a feed: the kinds of clients, the times and revisions of their fetches, and what they miss."""

from __future__ import annotations

import datetime as dt
import logging
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import Error
from django.db.models import Count

from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import BookmarkLevel
from events.agenda.models.counting import uncounted_agenda_ids
from events.agenda.models.feeds import FeedFetch
from events.core.db.faults import DatabaseFault, database_fault
from events.core.db.writing import impatient_write
from events.programme.models.conference import Conference
from events.programme.models.event import Event

logger = logging.getLogger("events.calendars")


def record_fetch(agenda: Agenda, client: str, at: dt.datetime) -> None:
    """Store the fetch. If the database is locked or not reachable, no row is stored and the calendar is still sent."""
    revisions = {"at": at, "agenda_revision": agenda.revision, "conference_revision": agenda.conference.revision}
    # With the serial: a fetch of an address that was replaced meanwhile is not recorded.
    address = Agenda.objects.filter(pk=agenda.pk, feed_serial=agenda.feed_serial)
    last = FeedFetch.objects.filter(agenda__in=address, client=client)
    try:
        with impatient_write():
            # A later fetch may have been stored first.
            if last.filter(at__lte=at).update(**revisions):
                return
            if address.select_for_update(no_key=True).values_list("pk").first():
                FeedFetch.objects.bulk_create([FeedFetch(agenda=agenda, client=client, **revisions)], ignore_conflicts=True)
    except Error as error:
        # On SQLite somebody else writes often, and the calendar comes again.
        level = logging.DEBUG if database_fault(error) is DatabaseFault.BUSY else logging.WARNING
        logger.log(level, "The fetch of a calendar was not recorded: %r", error)


BROWSER_CLIENT = "browser"
OTHER_CLIENT = "other"
# The first match counts. Apple's and Microsoft's clients have had many names over the years.
CLIENT_PATTERNS = (
    ("google", "Google Calendar", re.compile(r"Google-Calendar-Importer|GoogleCalendar", re.IGNORECASE)),
    ("thunderbird", "Thunderbird", re.compile(r"Thunderbird|Betterbird|Lightning/", re.IGNORECASE)),
    ("outlook", "Outlook", re.compile(r"Outlook|Exchange|Microsoft[ -]|ms-office|MSOffice", re.IGNORECASE)),
    ("iphone", "Apple Calendar on a phone or tablet", re.compile(r"\b(iOS|iPadOS|watchOS|visionOS)/|iPhone OS/|dataaccessd")),
    ("mac", "Apple Calendar on a Mac", re.compile(r"CalendarAgent|CalendarStore|\bmacOS/|Mac[ _+]OS[ _+]X/|iCal/")),
    ("nextcloud", "Nextcloud", re.compile(r"Nextcloud|ownCloud", re.IGNORECASE)),
    ("icsx5", "ICSx⁵", re.compile(r"ICSx5|ICSdroid", re.IGNORECASE)),
    ("vdirsyncer", "vdirsyncer", re.compile(r"vdirsyncer", re.IGNORECASE)),
    ("gnome", "GNOME Calendar or Evolution", re.compile(r"Evolution/|GNOME-Calendar", re.IGNORECASE)),
    (BROWSER_CLIENT, "A web browser", re.compile(r"Mozilla/5\.0 .*(Gecko|WebKit|KHTML)")),
)
CLIENT_NAMES = {kind: name for kind, name, _ in CLIENT_PATTERNS} | {OTHER_CLIENT: "Another calendar"}
# No client has a longer name; the limit protects the patterns from hostile input.
MAX_USER_AGENT_CHARS = 300


def client_kind(user_agent: str) -> str:
    """Return the kind of client; only this is stored, never the User-Agent header."""
    shortened = user_agent[:MAX_USER_AGENT_CHARS]
    return next((kind for kind, _, pattern in CLIENT_PATTERNS if pattern.search(shortened)), OTHER_CLIENT)


STALE_AFTER = dt.timedelta(days=2)
# A change that was being committed during a fetch may not be in its answer.
FETCH_RACE_MARGIN = dt.timedelta(seconds=10)
ONE_MINUTE, ONE_HOUR, ONE_DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)
# Why a client may show an old state after a recent fetch, or fetch seldom.
CLIENT_DELAY_TEXTS = {"google": "Google may take a day", "outlook": "Outlook may take some hours"}
# For each bookmark: when it was made, and when its event changed last.
BookmarkTimes = Sequence[tuple[dt.datetime, dt.datetime]]


def undated_count(agenda: Agenda) -> int:
    """Count the events to attend that have no day, and are in no calendar yet."""
    return Event.objects.public().attended_in(agenda.pk).filter(day=None).count()


READ_WITHIN = dt.timedelta(days=7)


def feeds_by_client(conference: Conference, now: dt.datetime) -> list[tuple[str, int]]:
    """Return the kinds of clients that fetched feeds within ``READ_WITHIN``, each with the number of feeds, the most first."""
    fetches = FeedFetch.objects.filter(agenda__conference=conference, at__gte=now - READ_WITHIN)
    counted = fetches.exclude(agenda__in=uncounted_agenda_ids()).values_list("client").annotate(feeds=Count("pk"))
    return [
        (CLIENT_NAMES.get(client, CLIENT_NAMES[OTHER_CLIENT]), feeds) for client, feeds in counted.order_by("-feeds", "client")
    ]


def feed_fetches(agenda: Agenda) -> list[FeedFetch]:
    return list(agenda.fetches.all())


def revision_times(agenda: Agenda) -> BookmarkTimes:
    """Return the times of hidden events too, as hiding is a change."""
    attended = agenda.bookmarks.filter(removed_at=None).exclude(level=BookmarkLevel.LATER)
    return list(attended.values_list("created_at", "event__revised_at"))


@dataclass(frozen=True)
class Visit:
    """The last fetch by one kind of client, and the numbers of later changes of the agenda and of its events."""

    kind: str
    at: dt.datetime
    ago: str
    agenda_changes: int
    changed_events: int
    is_stale: bool

    @property
    def client(self) -> str:
        return CLIENT_NAMES.get(self.kind, CLIENT_NAMES[OTHER_CLIENT])

    @property
    def is_browser(self) -> bool:
        """Opening the address in a browser does not subscribe to it."""
        return self.kind == BROWSER_CLIENT

    @property
    def is_current(self) -> bool:
        return not self.agenda_changes and not self.changed_events

    @property
    def missing(self) -> str:
        return " and ".join(filter(None, [_agenda_changes_text(self.agenda_changes), _changed_events_text(self.changed_events)]))

    @property
    def outcome(self) -> str:
        if self.is_browser:
            return "it opened the address, which subscribes to nothing"
        return "has everything" if self.is_current else f"does not have {self.missing} yet"

    @property
    def verdict(self) -> str:
        """Empty for a browser, which has no subscription to be late."""
        if self.is_browser:
            return ""
        return "fine" if self.is_current and not self.is_stale else "tight"

    @property
    def icon(self) -> str:
        return {"fine": "check", "tight": "clock"}.get(self.verdict, "info")

    @property
    def delay_text(self) -> str:
        return CLIENT_DELAY_TEXTS.get(self.kind, "")


def _agenda_changes_text(count: int) -> str:
    return f"your last {count} changes" if count > 1 else "your last change" if count else ""


def _changed_events_text(count: int) -> str:
    return f"{count} changed event{'s' if count > 1 else ''}" if count else ""


def visits(agenda: Agenda, fetches: Iterable[FeedFetch], revised: BookmarkTimes, now: dt.datetime | None) -> list[Visit]:
    """Return the latest first. ``now`` is None while the page shows a pinned time; then no visit is stale."""
    rows = [_visit(agenda, fetch, revised, now) for fetch in fetches]
    return sorted(rows, key=lambda visit: visit.at, reverse=True)


def _visit(agenda: Agenda, fetch: FeedFetch, revised: BookmarkTimes, now: dt.datetime | None) -> Visit:
    return Visit(
        kind=fetch.client,
        at=fetch.at,
        ago=ago_text(now - fetch.at) if now else "",
        agenda_changes=max(agenda.revision - fetch.agenda_revision, 0),
        changed_events=count_changed_events(fetch, revised) if fetch.conference_revision < agenda.conference.revision else 0,
        is_stale=bool(now and now - fetch.at > STALE_AFTER),
    )


def count_changed_events(fetch: FeedFetch, revised: BookmarkTimes) -> int:
    """Count without bookmarks made after the fetch, which count as changes of the agenda."""
    return sum(bookmarked_at <= fetch.at and changed_at > fetch.at - FETCH_RACE_MARGIN for bookmarked_at, changed_at in revised)


def ago_text(length: dt.timedelta) -> str:
    """Return one unit, rounded down: "3 hours ago"."""
    for unit, name in ((ONE_DAY, "day"), (ONE_HOUR, "hour"), (ONE_MINUTE, "minute")):
        # 30 hours are shown as hours, 48 hours as 2 days.
        if length >= unit * (2 if unit == ONE_DAY else 1):
            count = length // unit
            return f"{count} {name}{'s' if count > 1 else ''} ago"
    return "just now"
