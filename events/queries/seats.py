"""What one has on lists, and what a host reads of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, IntegerField, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from events.models import Agenda, Bookmark, Conference, Event, Seat, SeatState, SignUp
from events.models.picks import is_attended
from events.models.seats import SeatQuerySet
from events.models.sign_up import closing
from events.queries.flags import Flag
from events.queries.pinned import told
from events.queries.sign_up import list_of, places_text, signup_text
from events.schedule.clock import Clock

ORDINALS = {1: "st", 2: "nd", 3: "rd"}


@dataclass(frozen=True)
class ListPage:
    """A list as it is at this moment, and what the visitor has on it."""

    event: Event
    sign_up: SignUp
    text: str
    is_open: bool
    closes_at: dt.datetime | None
    mine: Seat | None
    mine_text: str

    @property
    def has_name(self) -> bool:
        """Whether the host reads what one is called: not of who will not come."""
        return bool(self.offers or (self.mine and (self.is_open or self.mine.state == SeatState.TAKEN)))

    @property
    def offers(self) -> str:
        """What its button gives; nothing where there is none."""
        if self.mine or not self.is_open:
            return ""
        if self.sign_up.free:
            return "Take a place"
        return "Join the waiting list" if self.sign_up.waiting_list else ""


@dataclass(frozen=True)
class HostRow:
    number: int
    name: str
    state: str
    joined_at: dt.datetime


def open_list(conference: Conference, guid: UUID) -> SignUp | None:
    """The list of a public event."""
    found = SignUp.objects.filter(event__in=Event.objects.public().filter(conference=conference, guid=guid))
    return found.select_related("event__conference", "event__type", "event__session__session").first()


def shared_list(event: Event, clock: Clock) -> ListPage | None:
    """For everybody, of an event that came through ``for_cards``."""
    own = list_of(event)
    return _page(own, getattr(event, "n_waiting", 0), None, clock) if own else None


def list_page(sign_up: SignUp, agenda: Agenda | None, clock: Clock) -> ListPage:
    mine = seats_in_line(agenda).filter(sign_up=sign_up).first() if agenda else None
    return _page(sign_up, sign_up.seats.filter(state=SeatState.WAITING).count(), mine, clock)


def _page(sign_up: SignUp, waiting: int, mine: Seat | None, clock: Clock) -> ListPage:
    # Places are given now, whatever moment is looked at.
    now = told(clock).now
    return ListPage(
        event=sign_up.event,
        sign_up=sign_up,
        text=places_text(sign_up, waiting) if sign_up.is_open(now) else signup_text(sign_up.event, now) or "Cancelled",
        is_open=sign_up.is_open(now),
        closes_at=sign_up.closes_at,
        mine=mine,
        mine_text=seat_text(mine, now) if mine else "",
    )


def seats_in_line(agenda: Agenda) -> SeatQuerySet:
    """What it has, each with how many are before it."""
    before = Seat.objects.filter(sign_up=OuterRef("sign_up"), state=SeatState.WAITING, number__lt=OuterRef("number"))
    counted = before.order_by().values("sign_up").annotate(n=Count("pk")).values("n")
    ahead = Coalesce(Subquery(counted, output_field=IntegerField()), 0)
    return Seat.objects.alive().filter(agenda=agenda).select_related("sign_up__event").annotate(ahead=ahead)


def seat_text(seat: Seat, now: dt.datetime) -> str:
    """Of a seat that came through ``seats_in_line``; after the end of sign-up nobody moves up."""
    event = seat.sign_up.event
    over = event.end is not None and event.end <= now
    if seat.state == SeatState.TAKEN:
        return "You had a place" if over else "You have a place"
    place = f"{ordinal(getattr(seat, 'ahead', 0) + 1)} in line"
    return f"You are {place}" if may_come(seat, now) else f"No place: you were {place}"


def may_come(seat: Seat, now: dt.datetime) -> bool:
    """Who has a place, or may still get one."""
    closes = closing(seat.sign_up.event)
    return seat.state == SeatState.TAKEN or closes is None or now < closes


def seat_flags(agenda: Agenda, clock: Clock) -> dict[int, Flag]:
    """For the cards of one's own agenda, by event."""
    now = told(clock).now
    seats = seats_in_line(agenda) if agenda.besides.seats else []
    return {seat.sign_up.event_id: _flag_of(seat, now) for seat in seats}


def _flag_of(seat: Seat, now: dt.datetime) -> Flag:
    waiting = "filling" if may_come(seat, now) else "closed"
    return Flag("fine" if seat.state == SeatState.TAKEN else waiting, seat_text(seat, now))


def still_held(agenda: Agenda, event: Event) -> str:
    """What one has on the list of an event that one has just taken out of the agenda."""
    seat = Seat.objects.alive().filter(agenda=agenda, sign_up__event=event).first() if agenda.besides.seats else None
    if seat is None:
        return ""
    has = "have a place there" if seat.state == SeatState.TAKEN else "wait for a place there"
    return f" You still {has}: give it up on its page, for whoever is next."


def own_places(agenda: Agenda, clock: Clock) -> list[Seat]:
    """Of events to come: what one has on lists that one's agenda does not show, and what organisers took from one."""
    if not agenda.besides.seats:
        return []
    now = told(clock).now
    shown = Bookmark.objects.filter(is_attended(), agenda=agenda).values("event")
    to_come = Q(sign_up__event__end=None) | Q(sign_up__event__end__gt=now)
    public = Q(sign_up__event__in=Event.objects.public())
    unpicked = Seat.objects.alive().filter(agenda=agenda).exclude(sign_up__event__in=shown)
    seats = (unpicked | Seat.objects.lost().filter(agenda=agenda)).filter(to_come, public)
    found = list(seats.select_related("sign_up__event__type").order_by("pk"))
    for seat in found:
        seat.sign_up.event.conference = agenda.conference
    return found


def new_places(agenda: Agenda, clock: Clock) -> list[Event]:
    """Where one has a place after waiting, and does not know it yet."""
    if not agenda.besides.seats:
        return []
    now = told(clock).now
    to_come = Q(sign_up__event__end=None) | Q(sign_up__event__end__gt=now)
    seats = Seat.objects.news().filter(to_come, agenda=agenda)
    events = list(Event.objects.public().filter(sign_up__seats__in=seats).select_related("type").in_order())
    for event in events:
        event.conference = agenda.conference
    return events


def host_rows(sign_up: SignUp) -> list[HostRow]:
    """In order: who has a place, then who waits; names only where they were given."""
    seats = sign_up.seats.alive().order_by("state", "number")
    rows = [HostRow(it.number, it.name or f"Guest {it.number}", it.state, it.joined_at) for it in seats]
    return sorted(rows, key=lambda row: (row.state != SeatState.TAKEN, row.number))


def host_cells(rows: list[HostRow]) -> Iterator[list[str]]:
    """The same as a table, with its head."""
    yield ["number", "name", "state"]
    for row in rows:
        yield [str(row.number), row.name, "place" if row.state == SeatState.TAKEN else "waiting"]


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 11th."""
    teens = number % 100 in {11, 12, 13}
    return f"{number}{'th' if teens else ORDINALS.get(number % 10, 'th')}"
