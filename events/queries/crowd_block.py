"""What the page of an event says of how full it is, and what it asks."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse

from events.models import Agenda, Conference, Event, RoomState
from events.queries.crowd import Crowds, is_on, said_words
from events.queries.instead import Instead, instead_of
from events.queries.outlook import outlook_words, outlooks
from events.schedule.clock import Clock
from events.schedule.crowd import Crowd, Outlook
from events.schedule.walking import ANY_WAY, Needs

OF_A_ROOM = ((RoomState.FULL, "It’s full"), (RoomState.FILLING, "Nearly full"), (RoomState.OPEN, "Seats left"))
OF_A_LINE = ((RoomState.FULL, "Long line"), (RoomState.FILLING, "Short line"), (RoomState.OPEN, "No line"))
EMPTY = Instead()


@dataclass(frozen=True)
class CrowdBlock:
    event: Event
    crowd: Crowd
    # "Full, 10:20"; "No recent report" where nobody said anything, either.
    words: str
    outlook: str
    # People are there now, and may say how full it is.
    asks: bool
    # Whether to say where else to go.
    is_too_full: bool
    instead: Instead = EMPTY

    @property
    def url(self) -> str:
        return reverse("events:crowd-set", args=[self.event.conference.slug, self.event.guid])

    @property
    def is_line(self) -> bool:
        return self.event.service_id is not None

    @property
    def flag(self) -> str:
        """Not confirmed looks like not known."""
        return self.crowd.state if self.crowd.sure else "crowd"

    @property
    def choices(self) -> tuple[tuple[RoomState, str], ...]:
        return OF_A_LINE if self.is_line else OF_A_ROOM

    @property
    def place(self) -> str:
        return str(self.event.service or self.event.room or "")


def reported_event(conference: Conference, guid: UUID) -> Event | None:
    """The event with what its crowd and what else there is need."""
    related = ("conference", "type", "room__zone", "service", "session", "paper", "track")
    return Event.objects.public().filter(conference=conference, guid=guid).select_related(*related).first()


def crowd_block(event: Event, clock: Clock, crowds: Crowds | None = None) -> CrowdBlock | None:
    """The same for everybody; None where nothing is known and nothing can be asked."""
    likely = outlooks([event], clock).get(event.pk)
    asks = is_on(event, clock.now)
    if not (asks or likely):
        return None
    crowds = crowds or Crowds(clock)
    crowd = crowds.of(event)
    is_too_full = crowd.is_full or (likely is Outlook.FULLER and not crowd.sure)
    return CrowdBlock(
        event=event,
        crowd=crowd,
        words=sentence(crowd, line=event.service_id is not None) if asks else "",
        # What is known is not guessed as well.
        outlook=outlook_words(event, likely) if likely and not crowd.sure else "",
        asks=asks and not clock.pinned,
        is_too_full=is_too_full and event.service_id is None,
        instead=instead_of(event, clock, crowds=crowds) if is_too_full and event.service_id is None else EMPTY,
    )


def own_instead(event: Event, agenda: Agenda, clock: Clock, needs: Needs = ANY_WAY, crowds: Crowds | None = None) -> Instead:
    """What goes with somebody's agenda."""
    return instead_of(event, clock, agenda, needs, crowds)


def sentence(crowd: Crowd, *, line: bool = False) -> str:
    words = said_words(crowd, line=line) or "no recent report"
    return f"{words[0].upper()}{words[1:]}"
