"""The agenda as a file. A calendar app that imports it deletes nothing, so the file also cancels earlier entries."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from functools import cached_property

from django.conf import settings
from django.db.models import Q

from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import Bookmark, BookmarkLevel
from events.calendars.description import DirectionsWriter
from events.calendars.entries import (
    CalendarEntry,
    drop_covered_talks,
    event_entry,
    private_calendar_entries,
    sorted_vevents,
    written_by_event,
)
from events.calendars.feeds import Feed, agenda_feed_header
from events.calendars.queries import calendar_events
from events.calendars.vevent import style_of, vevent
from events.programme.models.conference import Conference
from events.programme.models.event import Event


@dataclass(frozen=True, eq=False, kw_only=True)
class Download(Feed):
    """All events to attend, also cancelled ones, and those that were removed after a download.

    The feed's options change how entries are written, but not which ones: an entry left out later would need a cancellation.
    """

    agenda: Agenda

    @cached_property
    def bookmarks(self) -> dict[int, Bookmark]:
        """By event id, with those that are not attended any more but were downloaded before."""
        rows = self.agenda.bookmarks.filter(Q(removed_at=None) | Q(downloaded_at__isnull=False))
        return {row.event_id: row for row in rows if row.downloaded_at or is_attended_bookmark(row)}

    @cached_property
    def directions(self) -> DirectionsWriter:
        return DirectionsWriter(self.conference, self.style.start)

    @cached_property
    def imported_entries(self) -> dict[int, CalendarEntry]:
        """By event id, the contents of the client's calendar after the import."""
        # A talk that was imported once stays in the calendar: leaving it out would not remove it.
        downloaded = {pk for pk, bookmark in self.bookmarks.items() if bookmark.downloaded_at}
        return drop_covered_talks(written_by_event(calendar_events([*self.bookmarks]), self.entry), alone=downloaded)

    def entries(self) -> list[bytes]:
        return sorted_vevents(self.imported_entries | self.extra_entries())

    def entry(self, event: Event) -> CalendarEntry:
        bookmark = self.bookmarks[event.pk]
        removed = not is_attended_bookmark(bookmark)
        body = vevent(
            event,
            self.style,
            site_url=settings.SITE_URL,
            way=self.directions.directions_to(event),
            bookmark_changed_at=self.bookmark_changed_at(bookmark),
            removed=removed,
        )
        entry = event_entry(event, body)
        return replace(entry, covered_talks=frozenset()) if removed else entry

    def bookmark_changed_at(self, bookmark: Bookmark) -> dt.datetime:
        """Return a later time for each removal and return, because clients prefer the newer of two entries."""
        if bookmark.removed_at:
            return bookmark.removed_at
        return bookmark.created_at if is_attended_bookmark(bookmark) else self.agenda.changed_at


def is_attended_bookmark(bookmark: Bookmark) -> bool:
    return bookmark.removed_at is None and bookmark.level != BookmarkLevel.LATER


def agenda_download(agenda: Agenda) -> Download:
    return Download(
        **agenda_feed_header(agenda.conference),
        version=("download", agenda.pk, agenda.revision),
        shown=Event.objects.public,
        watched=lambda: Event.objects.filter(bookmarks__agenda=agenda),
        changed_at=agenda.changed_at,
        style=replace(style_of(agenda), titled=False),
        extra_entries=lambda: private_calendar_entries(agenda, style_of(agenda)),
        agenda=agenda,
    )


def empty_download(conference: Conference) -> Feed:
    return Feed(**agenda_feed_header(conference), version=("nothing",), shown=Event.objects.none, watched=Event.objects.none)
