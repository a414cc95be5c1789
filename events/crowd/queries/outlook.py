"""Expected crowds of coming events, from bookmarks. Attendees never see a number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from django.db.models import Count, F, Q
from django.utils import timezone

from events.agenda.models.bookmarks import Bookmark, BookmarkLevel, attended_q
from events.agenda.models.counting import uncounted_agenda_ids
from events.agenda.rules.impact import MIN_SHOWN_COUNT
from events.core.clock import Clock
from events.crowd.rules import MAX_COUNTED_NEWCOMERS, NEWCOMER_DEMAND_AGE, Outlook, expected_people, outlook
from events.programme.models.event import Event
from events.programme.models.labels import Kind

OUTLOOK_TEXTS = {Outlook.QUIET: "Likely quiet", Outlook.BUSY: "Likely busy", Outlook.FULLER: "Likely fuller than the room"}
# People look at a poster for minutes, and a service has a line, not seats.
KINDS_WITHOUT_SEATS = (Kind.POSTER, Kind.BREAK, Kind.SERVICE)


class Demand(NamedTuple):
    """The numbers of agendas that bookmarked an event and count, by level.

    ``newcomers`` of them are new; ``uncounted`` agendas are over the limit of new ones, or an organiser does not count them.
    """

    must: int = 0
    maybe: int = 0
    newcomers: int = 0
    uncounted: int = 0

    @property
    def bookmark_count(self) -> int:
        return self.must + self.maybe

    @property
    def expected(self) -> int:
        return expected_people(self.must, self.maybe)

    @property
    def organiser_text(self) -> str:
        if self.bookmark_count >= MIN_SHOWN_COUNT:
            return f"at least {self.expected}" if self.uncounted >= MIN_SHOWN_COUNT else str(self.expected)
        return f"<{MIN_SHOWN_COUNT}" if self.bookmark_count else "0"

    @property
    def uncounted_text(self) -> str:
        """Empty for too few to be shown."""
        return str(self.uncounted) if self.uncounted >= MIN_SHOWN_COUNT else ""


NO_DEMAND = Demand()


def demand_by_event(events: Collection[int]) -> dict[int, Demand]:
    """Count by id of the event, at the real time. A session has at least the demand of its fullest talk in the same room."""
    if not events:
        return {}
    talks = Q(event__session__in=events, event__room=F("event__session__room")) & ~Q(event__type__kind=Kind.POSTER)
    bookmarks = Bookmark.objects.filter(attended_q(), Q(event__in=events) | talks).order_by()
    counts: dict[int, dict[str, BookmarkCount]] = defaultdict(dict)
    sessions: dict[int, int] = {}
    is_left_out = Q(agenda__in=uncounted_agenda_ids())
    is_new = Q(agenda__created_at__gt=timezone.now() - NEWCOMER_DEMAND_AGE)
    numbers = {
        "known": Count("pk", filter=~is_left_out & ~is_new),
        "new": Count("pk", filter=~is_left_out & is_new),
        "left_out": Count("pk", filter=is_left_out),
    }
    for event, session, level, *number in bookmarks.values_list("event", "event__session", "level").annotate(**numbers):
        counts[event][level] = BookmarkCount(*number)
        if session in events:
            sessions[event] = session
    demands = {
        event: _demand(levels.get(BookmarkLevel.MUST, NO_BOOKMARKS), levels.get(BookmarkLevel.MAYBE, NO_BOOKMARKS))
        for event, levels in counts.items()
    }
    for event, session in sessions.items():
        demands[session] = max(demands.get(session, NO_DEMAND), demands[event], key=lambda demand: demand.expected)
    return {event: demands[event] for event in events if event in demands}


class BookmarkCount(NamedTuple):
    """The numbers of bookmarks of known agendas, of new ones, and of those that an organiser does not count."""

    known: int = 0
    new: int = 0
    left_out: int = 0


NO_BOOKMARKS = BookmarkCount()


def _demand(must: BookmarkCount, maybe: BookmarkCount) -> Demand:
    """Of the newcomers, those who must come count first."""
    new_must = min(must.new, MAX_COUNTED_NEWCOMERS)
    new_maybe = min(maybe.new, MAX_COUNTED_NEWCOMERS - new_must)
    newcomers = new_must + new_maybe
    return Demand(
        must=must.known + new_must,
        maybe=maybe.known + new_maybe,
        newcomers=newcomers,
        uncounted=must.new + maybe.new - newcomers + must.left_out + maybe.left_out,
    )


def capacity_of(event: Event) -> int | None:
    if event.type.kind in KINDS_WITHOUT_SEATS:
        return None
    return event.capacity or (event.room.capacity if event.room else None)


def outlooks(events: Iterable[Event], clock: Clock) -> dict[int, Outlook]:
    """Return outlooks by id, without events that are over or of which too little is known."""
    with_seats = [event for event in events if event.end and not event.is_cancelled and capacity_of(event)]
    coming = [event for event in with_seats if event.end and not clock.has_come(event.end)]
    if coming:
        # Bookmarks decide.
        clock.is_live()
    demands = demand_by_event([event.pk for event in coming])
    likely = {event.pk: _outlook_of(event, demands.get(event.pk, NO_DEMAND)) for event in coming}
    return {pk: expected for pk, expected in likely.items() if expected}


def _outlook_of(event: Event, demand: Demand) -> Outlook | None:
    crowd = {"newcomers": demand.newcomers, "uncounted": demand.uncounted}
    return outlook(demand.must, demand.maybe, capacity_of(event), for_all=event.type.kind == Kind.INVITED_TALK, **crowd)


def outlook_words(event: Event, likely: Outlook) -> str:
    return "Likely more people than places" if likely is Outlook.FULLER and event.capacity else OUTLOOK_TEXTS[likely]
