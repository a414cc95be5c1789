"""Feeds with ETag, Last-Modified and bytes: agendas, the schedule, people, events; and replaced addresses."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypedDict
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse

from events.agenda.kept import bookmark_subjects
from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import BookmarkLevel
from events.agenda.models.feeds import CancelledDisplay, FeedAddress
from events.calendars.entries import (
    CalendarEntry,
    cached_event_entries,
    deadline_entries,
    drop_covered_talks,
    joined_event_entries,
    private_calendar_entries,
    sorted_vevents,
)
from events.calendars.ical import boundary, component, ical_moment, ical_text, vcalendar, vtimezone
from events.calendars.queries import (
    BRIEF_EVENTS_PER_READ,
    ENTRY_COLUMNS,
    EntryRow,
    NewestRow,
    attended_rows,
    newest_moments,
    newest_moments_of_agenda,
)
from events.calendars.vevent import DEFAULT_STYLE, PROGRAMME_STYLE, Style, style_of
from events.core.clock import DAY_CHANGE, programme_date
from events.core.kept_pieces import KEPT_PIECES, Pieces
from events.core.spans import utc
from events.core.stored_files import STORED_EXPORTS, BuiltFile, FileKey, StoredFile
from events.core.tokens import etag_digest
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind, Status
from events.programme.models.people import Person
from events.programme.queries.changes import may_serve_last
from events.programme.queries.filters import NO_MATCH_VALUE, FilterSelection
from events.programme.queries.revisions import last_change_of_everything, still_holds


def conference_url(name: str, conference: Conference, *args: object) -> str:
    return f"{settings.SITE_URL}{reverse(name, args=[conference.slug, *args])}"


def schedule_calendar_url(conference: Conference, asked: FilterSelection = ()) -> str:
    """``asked`` is sorted, so that equal filters give equal addresses."""
    query = urlencode([(name, values or NO_MATCH_VALUE) for name, values in asked], doseq=True)
    return conference_url("events:schedule-calendar", conference) + (f"?{query}" if query else "")


def person_calendar_url(person: Person) -> str:
    return conference_url("events:person-calendar", person.conference, person.guid)


# Raise this number when the same rows give other bytes; else the ETag is equal, and clients keep the old bytes.
FEED_FORMAT_VERSION = 8
REVISION_PATTERN = re.compile(r"[0-9]{1,18}")


class FeedHeader(TypedDict):
    conference: Conference
    title: str
    page: Callable[[], str]


@dataclass(frozen=True, eq=False)
class Feed:
    """A calendar: ``etag`` needs no query, ``last_modified`` one, ``body`` reads and writes the events.

    Querysets and texts are callables, because most requests are answered with 304.
    """

    conference: Conference
    title: str
    page: Callable[[], str]
    version: tuple[object, ...]
    shown: Callable[[], EventQuerySet]
    # Also events that are no longer shown: their removal changes the feed.
    watched: Callable[[], EventQuerySet]
    # The filters in words, for the name of the calendar.
    choice_text: Callable[[], str] = str
    # The address of the feed, unless it is secret.
    source: str = ""
    changed_at: dt.datetime | None = None
    style: Style = DEFAULT_STYLE
    # For everybody, and stored in a file of this name: it has entries of its own style, and may have thousands.
    file_name: str = ""
    is_selection: bool = False
    # Those of the whole programme are kept under this name.
    pieces_name: str = ""
    # Entries that are not events.
    extra_entries: Callable[[], dict[int, CalendarEntry]] = dict

    @cached_property
    def name(self) -> str:
        return ": ".join(filter(None, [self.title, self.choice_text()]))

    @property
    def about(self) -> str:
        return f"Times in the texts are {self.conference.zone_name}. This page is always up to date: {self.page()}"

    @cached_property
    def etag(self) -> str:
        return f'"{self.digest(self.conference.revision)}"'

    def digest(self, *parts: object) -> str:
        written_with = (FEED_FORMAT_VERSION, settings.SITE_URL, settings.CALENDAR_PRODUCT, vtimezone(self.conference))
        return etag_digest(*written_with, self.conference.pk, *parts, *self.version)

    @cached_property
    def last_modified(self) -> dt.datetime | None:
        """None if unknown; then only the ETag distinguishes versions."""
        if self.style.start:
            # A corrected route changes the directions and the revision, but no event.
            return None
        renamed_at, revised_at, dropped_day = self.newest()
        moments = [self.changed_at, renamed_at, revised_at, self.end_of_day(dropped_day)]
        return max(filter(None, moments), default=None)

    def newest(self) -> NewestRow:
        watched = self.watched()
        return newest_moments(self.conference.pk, watched, watched.none()).get()

    def end_of_day(self, day: dt.date | None) -> dt.datetime | None:
        return dt.datetime.combine(day + dt.timedelta(days=1), DAY_CHANGE, self.conference.zone) if day else None

    @property
    def key(self) -> FileKey:
        return FileKey(self.file_name, self.etag.strip('"'), is_selection=self.is_selection)

    def stored(self) -> StoredFile:
        """Return the file, or its last bytes; raise BusyError."""
        return STORED_EXPORTS.get_or_build(
            self.key, self.last_modified, self.build, lambda since: may_serve_last(self.conference, since)
        )

    def build(self) -> BuiltFile:
        """Only who holds the lock of the file calls this."""
        new = self.pieces.keys() - self.kept_pieces.keys()
        if not self.is_selection and self.pieces.keys() != self.kept_pieces.keys():
            KEPT_PIECES.store(self.pieces_name, self.pieces)
        return BuiltFile(self.body, self.last_modified, is_joined=len(new) <= BRIEF_EVENTS_PER_READ)

    @cached_property
    def kept_pieces(self) -> Pieces:
        return KEPT_PIECES.load(self.pieces_name)

    @cached_property
    def pieces(self) -> Pieces:
        version = (FEED_FORMAT_VERSION, settings.SITE_URL)
        return joined_event_entries(self.shown().with_day(), self.style, self.conference.zone, self.kept_pieces, version)

    @property
    def body(self) -> bytes:
        return vcalendar(self.conference, self.name, self.entries(), url=self.page(), about=self.about, source=self.source)

    def entries(self) -> list[bytes]:
        if self.file_name:
            return [*self.pieces.values()]
        version = (self.conference.pk, last_change_of_everything(self.conference), settings.SITE_URL)
        entries = cached_event_entries(self.entry_rows, self.style, version)
        return sorted_vevents(drop_covered_talks(entries) | self.extra_entries())

    @cached_property
    def entry_rows(self) -> Iterable[EntryRow]:
        return self.shown().with_day().values_list(*ENTRY_COLUMNS)


@dataclass(frozen=True, eq=False, kw_only=True)
class AgendaFeed(Feed):
    agenda: Agenda
    today: dt.date
    # ETags that the client has.
    known_tags: Collection[str] = ()

    @cached_property
    def etag(self) -> str:
        """That of an earlier revision, if the client has it and none of the bookmarked events changed since.

        Thousands of calendars ask after each change, and few of them have the event that changed.
        """
        known = next(filter(self.is_current, self.known_tags), None)
        return f'"{known or f"{self.digest()}-{self.conference.revision}"}"'

    def is_current(self, tag: str) -> bool:
        digest, _, revision = tag.partition("-")
        if digest != self.digest() or not REVISION_PATTERN.fullmatch(revision):
            return False
        since = int(revision)
        return since == self.conference.revision or still_holds(self.conference, since, bookmark_subjects(self.agenda))

    def newest(self) -> NewestRow:
        (moments,) = newest_moments_of_agenda(self.conference.pk, self.agenda.pk, self.today)
        return moments

    @cached_property
    def entry_rows(self) -> list[EntryRow]:
        """Choose among the rows, so that all agendas share one prepared query."""
        rows = attended_rows(self.agenda.pk)
        return [row[:3] for row in rows if self.is_shown(*row[1:])]

    def is_shown(self, status: str, revised_at: dt.datetime, level: str, kind: str, date: dt.date) -> bool:
        if self.agenda.feed_must_only and level != BookmarkLevel.MUST:
            return False
        if kind == Kind.BREAK and not self.agenda.feed_breaks:
            return False
        return status != Status.CANCELLED or (date >= self.today and self.agenda.feed_cancelled != CancelledDisplay.DROPPED)


def agenda_feed(agenda: Agenda, now: dt.datetime, known_tags: Collection[str] = ()) -> AgendaFeed:
    """Return the events to attend. Cancelled ones stay until the end of their day, so that visitors notice them."""
    today = programme_date(now, agenda.conference.zone)
    return AgendaFeed(
        **agenda_feed_header(agenda.conference),
        version=("agenda", agenda.pk, agenda.revision, agenda.feed_serial, today),
        shown=lambda: agenda_feed_events(agenda),
        watched=lambda: Event.objects.filter(bookmarks__agenda=agenda),
        changed_at=agenda.changed_at,
        style=style_of(agenda),
        extra_entries=lambda: private_calendar_entries(agenda, style_of(agenda)) | agenda_deadlines(agenda),
        agenda=agenda,
        today=today,
        known_tags=known_tags,
    )


def agenda_deadlines(agenda: Agenda) -> dict[int, CalendarEntry]:
    return (
        deadline_entries(agenda_feed_events(agenda).exclude(status=Status.CANCELLED), style_of(agenda))
        if agenda.feed_deadlines
        else {}
    )


def agenda_feed_events(agenda: Agenda) -> EventQuerySet:
    levels = [BookmarkLevel.MUST] if agenda.feed_must_only else [BookmarkLevel.MUST, BookmarkLevel.MAYBE]
    bookmarks = agenda.bookmarks.filter(removed_at=None, level__in=levels)
    events = Event.objects.public().filter(pk__in=bookmarks.values("event"))
    if not agenda.feed_breaks:
        events = events.exclude(type__kind=Kind.BREAK)
    if agenda.feed_cancelled == CancelledDisplay.DROPPED:
        events = events.exclude(status=Status.CANCELLED)
    return events


def agenda_feed_header(conference: Conference) -> FeedHeader:
    page = partial(conference_url, "events:agenda-detail", conference)
    return FeedHeader(conference=conference, title=f"{conference.name}: my agenda", page=page)


def schedule_feed(
    conference: Conference, shown: EventQuerySet | None = None, asked: FilterSelection = (), choice_text: Callable[[], str] = str
) -> Feed:
    """Return all public events, or those of the filters ``asked``; entries are shown as free time."""
    return Feed(
        conference=conference,
        title=conference.name,
        choice_text=choice_text,
        page=partial(conference_url, "events:schedule", conference),
        version=("schedule", *asked),
        shown=lambda: Event.objects.public().filter(conference=conference) if shown is None else shown,
        watched=lambda: Event.objects.filter(conference=conference),
        source=schedule_calendar_url(conference, asked),
        style=PROGRAMME_STYLE,
        file_name=f"{conference.pk}-schedule.ics" + (f"-{etag_digest(*asked)}" if asked else ""),
        is_selection=bool(asked),
        pieces_name=f"{conference.pk}-schedule.ics",
    )


def person_feed(person: Person, shown: EventQuerySet) -> Feed:
    """Return the events of one person; entries are shown as busy, for that person and for their audience."""
    return Feed(
        conference=person.conference,
        title=f"{person.conference.name}: {person.name}",
        page=lambda: settings.SITE_URL + person.get_absolute_url(),
        version=("person", person.guid),
        shown=lambda: shown,
        watched=lambda: Event.objects.filter(conference=person.conference),
        source=person_calendar_url(person),
    )


def event_calendar(event: Event) -> Feed:
    return Feed(
        conference=event.conference,
        title=event.title,
        page=lambda: settings.SITE_URL + event.get_absolute_url(),
        version=("event", event.guid),
        shown=lambda: Event.objects.public().filter(pk=event.pk),
        watched=lambda: Event.objects.filter(pk=event.pk),
    )


def deadline_calendar(event: Event) -> Feed:
    return Feed(
        conference=event.conference,
        title=f"Sign-up: {event.title}",
        page=lambda: settings.SITE_URL + event.get_absolute_url(),
        version=("sign-up", event.guid),
        shown=Event.objects.none,
        watched=lambda: Event.objects.filter(pk=event.pk),
        extra_entries=lambda: deadline_entries(Event.objects.public().filter(pk=event.pk)),
    )


REPLACED_NOTICE_TTL = dt.timedelta(days=30)
REPLACED_NOTICE_TITLE = "This calendar link was replaced"
REPLACED_NOTICE_TEXT = (
    "The agenda behind this calendar has a new address, and nothing new arrives at this one.\n\n"
    "If it is yours: open the page below in the browser you picked your events with, subscribe to the address it shows, "
    "and remove this calendar.\n\n"
)


@dataclass(frozen=True, eq=False)
class ReplacedNotice:
    """The feed at a replaced address: one entry, today. The bytes change once a day."""

    address: FeedAddress
    replaced_at: dt.datetime
    today: dt.date

    @property
    def conference(self) -> Conference:
        return self.address.agenda.conference

    @property
    def replaced_on(self) -> dt.date:
        return self.replaced_at.astimezone(self.conference.zone).date()

    @property
    def page(self) -> str:
        """The page shows the new address only to the browser with the agenda's cookie."""
        return conference_url("events:agenda-calendar", self.conference)

    @property
    def name(self) -> str:
        return f"{self.conference.name}: my agenda"

    @property
    def etag(self) -> str:
        written_with = (FEED_FORMAT_VERSION, settings.CALENDAR_PRODUCT, vtimezone(self.conference), self.name, self.page)
        return f'"{etag_digest("replaced", *written_with, self.address.token_hash, self.replaced_on, self.today)}"'

    @property
    def last_modified(self) -> dt.datetime:
        midnight = dt.datetime.combine(self.today, dt.time(), self.conference.zone)
        return utc(max(midnight, self.replaced_at))

    @property
    def body(self) -> bytes:
        return vcalendar(self.conference, self.name, [self.entry()], url=self.page)

    def entry(self) -> bytes:
        modified = ical_moment(self.last_modified)
        properties = {
            "SUMMARY": REPLACED_NOTICE_TITLE,
            **boundary("DTSTART", self.today),
            **boundary("DTEND", self.today + dt.timedelta(days=1)),
            "DTSTAMP": modified,
            "UID": str(uuid.uuid5(uuid.NAMESPACE_OID, self.address.token_hash)),
            "SEQUENCE": str(max((self.today - self.replaced_on).days, 0)),
            "CLASS": "PUBLIC",
            "CREATED": ical_moment(self.replaced_at),
            "DESCRIPTION": ical_text(REPLACED_NOTICE_TEXT + self.page),
            "LAST-MODIFIED": modified,
            "STATUS": "CONFIRMED",
            "TRANSP": "TRANSPARENT",
            "URL": self.page,
        }
        return component("VEVENT", properties)


def replaced_notice(address: FeedAddress, now: dt.datetime) -> ReplacedNotice | None:
    """Return None after ``REPLACED_NOTICE_TTL``."""
    replaced_at = address.replaced_at
    if replaced_at is None or now - replaced_at > REPLACED_NOTICE_TTL:
        return None
    return ReplacedNotice(address, replaced_at, now.astimezone(address.agenda.conference.zone).date())
