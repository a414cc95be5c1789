"""An agenda as a file to import: importing never deletes, so the file says too what an earlier one had in it and is gone."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from functools import cached_property

from django.conf import settings
from django.db.models import Q

from events.calendars.entries import Entry, each, entry_of, in_order, standing
from events.calendars.feeds import Feed, named_mine
from events.calendars.private import private
from events.calendars.style import style_of
from events.calendars.vevent import vevent
from events.calendars.ways import Guide
from events.models import Agenda, Bookmark, Conference, Event, Level


@dataclass(frozen=True, eq=False, kw_only=True)
class Download(Feed):
    """All that is to be attended, also what is cancelled, and what was taken back after it was downloaded.

    Only how it is written follows the options of the feed. What is left out later would need another entry to say so.
    """

    agenda: Agenda

    @cached_property
    def picks(self) -> dict[int, Bookmark]:
        """Also those that were downloaded once, by event."""
        told = self.agenda.bookmarks.filter(Q(removed_at=None) | Q(downloaded_at__isnull=False))
        return {pick.event_id: pick for pick in told}

    @cached_property
    def guide(self) -> Guide:
        return Guide(self.conference, self.style.start)

    @cached_property
    def held(self) -> dict[int, Entry]:
        """By event: what whoever imports the file has in the calendar from then on."""
        # A talk that was imported once is in the calendar; leaving it out would not take it away.
        taken = {pk for pk, pick in self.picks.items() if pick.downloaded_at}
        return standing(each(self.shown().filter(pk__in=self.picks).exclude(day=None), self.entry), alone=taken)

    def entries(self) -> list[bytes]:
        return in_order(self.held | self.besides())

    def entry(self, event: Event) -> Entry | None:
        pick = self.picks[event.pk]
        gone = not is_attended(pick)
        if gone and not pick.downloaded_at:
            return None
        moved_at, way = self.decided_at(pick), self.guide.words(event)
        body = vevent(event, self.style, site_url=settings.SITE_URL, way=way, moved_at=moved_at, gone=gone)
        entry = entry_of(event, body, self.style)
        return replace(entry, told=frozenset()) if gone else entry

    def decided_at(self, pick: Bookmark) -> dt.datetime:
        """Programs take the newer of two: an entry has to be newer than the one that took it back, and that than the first."""
        if pick.removed_at:
            return pick.removed_at
        return pick.created_at if is_attended(pick) else self.agenda.changed_at


def is_attended(pick: Bookmark) -> bool:
    return pick.removed_at is None and pick.level != Level.LATER


def agenda_download(agenda: Agenda) -> Download:
    return Download(
        **named_mine(agenda.conference),
        version=("download", agenda.pk, agenda.revision),
        shown=Event.objects.public,
        watched=lambda: Event.objects.filter(bookmarks__agenda=agenda),
        changed_at=agenda.changed_at,
        style=replace(style_of(agenda), titled=False),
        besides=lambda: private(agenda, style_of(agenda)),
        agenda=agenda,
    )


def empty_download(conference: Conference) -> Feed:
    """The agenda of somebody who has picked nothing: nothing, and not everything."""
    return Feed(**named_mine(conference), version=("nothing",), shown=Event.objects.none, watched=Event.objects.none)
