"""Expected crowds of coming events, from bookmarks. Attendees never see a number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from django.db.models import Count, F, Q

from events.agenda.models.agenda import Bookmark, BookmarkLevel, attended_q
from events.agenda.rules.impact import MIN_SHOWN_COUNT
from events.core.clock import Clock
from events.crowd.rules import Outlook, expected_people, outlook
from events.programme.models.event import Event
from events.programme.models.labels import Kind

OUTLOOK_TEXTS = {Outlook.QUIET: "Likely quiet", Outlook.BUSY: "Likely busy", Outlook.FULLER: "Likely fuller than the room"}
# People look at a poster for minutes, and a service has a line, not seats.
KINDS_WITHOUT_SEATS = (Kind.POSTER, Kind.BREAK, Kind.SERVICE)


class Demand(NamedTuple):
    """The numbers of agendas that bookmarked an event, by level."""

    must: int = 0
    maybe: int = 0

    @property
    def bookmark_count(self) -> int:
        return self.must + self.maybe

    @property
    def expected(self) -> int:
        return expected_people(*self)

    @property
    def organiser_text(self) -> str:
        if self.bookmark_count >= MIN_SHOWN_COUNT:
            return str(self.expected)
        return f"<{MIN_SHOWN_COUNT}" if self.bookmark_count else "0"


NO_DEMAND = Demand()


def demand_by_event(events: Collection[int]) -> dict[int, Demand]:
    """Count by id of the event. A session has at least the demand of its fullest talk in the same room."""
    if not events:
        return {}
    talks = Q(event__session__in=events, event__room=F("event__session__room")) & ~Q(event__type__kind=Kind.POSTER)
    bookmarks = Bookmark.objects.filter(attended_q(), Q(event__in=events) | talks).order_by()
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    sessions: dict[int, int] = {}
    for event, session, level, number in bookmarks.values_list("event", "event__session", "level").annotate(n=Count("pk")):
        counts[event][level] = number
        if session in events:
            sessions[event] = session
    demands = {
        event: Demand(levels.get(BookmarkLevel.MUST, 0), levels.get(BookmarkLevel.MAYBE, 0)) for event, levels in counts.items()
    }
    for event, session in sessions.items():
        demands[session] = max(demands.get(session, NO_DEMAND), demands[event], key=lambda demand: demand.expected)
    return {event: demands[event] for event in events if event in demands}


def capacity_of(event: Event) -> int | None:
    if event.type.kind in KINDS_WITHOUT_SEATS:
        return None
    return event.capacity or (event.room.capacity if event.room else None)


def outlooks(events: Iterable[Event], clock: Clock) -> dict[int, Outlook]:
    """Return outlooks by id, without events that are over or of which too little is known."""
    coming = [event for event in events if event.end and event.end > clock.now and not event.is_cancelled and capacity_of(event)]
    demands = demand_by_event([event.pk for event in coming])
    likely = {
        event.pk: outlook(*demands.get(event.pk, NO_DEMAND), capacity_of(event), for_all=event.type.kind == Kind.INVITED_TALK)
        for event in coming
    }
    return {pk: expected for pk, expected in likely.items() if expected}


def outlook_words(event: Event, likely: Outlook) -> str:
    return "Likely more people than places" if likely is Outlook.FULLER and event.capacity else OUTLOOK_TEXTS[likely]
