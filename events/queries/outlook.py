"""How full what is to come is likely to be; what attendees are told of it is never a number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from django.db.models import Count, F, Q

from events.models import Bookmark, Event, Kind, Level
from events.models.picks import is_attended
from events.queries.cards import Card
from events.queries.flags import Flag
from events.schedule.clock import Clock
from events.schedule.crowd import STATES, Outlook, expected, outlook
from events.schedule.impact import FEW

WORDS = {Outlook.QUIET: "Likely quiet", Outlook.BUSY: "Likely busy", Outlook.FULLER: "Likely fuller than the room"}
# One looks at a poster for minutes, and a desk has a line, not seats.
WITHOUT_SEATS = (Kind.POSTER, Kind.BREAK, Kind.SERVICE)


class Wanted(NamedTuple):
    """How many have it in their agenda, surely and perhaps."""

    must: int = 0
    maybe: int = 0

    @property
    def picks(self) -> int:
        return self.must + self.maybe

    @property
    def expected(self) -> int:
        return expected(*self)

    @property
    def told(self) -> str:
        """As organisers read it."""
        return str(self.expected) if self.picks >= FEW else f"<{FEW}" if self.picks else "0"


NOBODY = Wanted()


def wanted(events: Collection[int]) -> dict[int, Wanted]:
    """By its key, who means to come to each; to a session as many as to the fullest talk in it, if that is in its room."""
    if not events:
        return {}
    inside = Q(event__session__in=events, event__room=F("event__session__room")) & ~Q(event__type__kind=Kind.POSTER)
    picks = Bookmark.objects.filter(is_attended(), Q(event__in=events) | inside).order_by()
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    sessions: dict[int, int] = {}
    for event, session, level, number in picks.values_list("event", "event__session", "level").annotate(n=Count("pk")):
        counts[event][level] = number
        if session in events:
            sessions[event] = session
    found = {event: Wanted(levels.get(Level.MUST, 0), levels.get(Level.MAYBE, 0)) for event, levels in counts.items()}
    for event, session in sessions.items():
        found[session] = max(found.get(session, NOBODY), found[event], key=lambda it: it.expected)
    return {event: found[event] for event in events if event in found}


def seats_of(event: Event) -> int | None:
    """Its own places, else the seats in its room; None where nobody has said."""
    if event.type.kind in WITHOUT_SEATS:
        return None
    return event.capacity or (event.room.capacity if event.room else None)


def outlooks(events: Iterable[Event], clock: Clock) -> dict[int, Outlook]:
    """By its key, what is likely of each that is not over; nothing where too little is known."""
    coming = [it for it in events if it.end and it.end > clock.now and not it.is_cancelled and seats_of(it)]
    found = wanted([it.pk for it in coming])
    told = {it.pk: outlook(*found.get(it.pk, NOBODY), seats_of(it), for_all=it.type.kind == Kind.INVITED_TALK) for it in coming}
    return {pk: likely for pk, likely in told.items() if likely}


def outlook_words(event: Event, likely: Outlook) -> str:
    return "Likely more people than places" if likely is Outlook.FULLER and event.capacity else WORDS[likely]


def add_outlooks(cards: Iterable[Card], clock: Clock) -> None:
    """Say it on the cards of what is on today and not over, and of which nothing is known; asked for at once."""
    today = [it for it in cards if it.state in {"now", "soon", "later"} and it.day == clock.today and not _is_known(it)]
    likely = outlooks([it.event for it in today], clock)
    for card in today:
        if card.key in likely:
            card.flags.append(Flag(f"likely-{likely[card.key]}", outlook_words(card.event, likely[card.key])))


def _is_known(card: Card) -> bool:
    return any(flag.text.startswith("Room: ") and flag.name in STATES for flag in card.flags)
