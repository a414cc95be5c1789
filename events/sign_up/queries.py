"""Sign-up on cards and pages: states and texts, the seats of one agenda, and the host's list."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, IntegerField, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import Bookmark, attended_q
from events.core.clock import Clock, not_after_now
from events.core.spans import ONE_DAY
from events.programme.display import Badge
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import SignupState, Status
from events.programme.participation import sign_up_closes_at, sign_up_deadline
from events.sign_up.models import Seat, SeatQuerySet, SeatState, SignUp

SIGN_UP_CHECK_TTL = dt.timedelta(days=3)
"""How long the checked state of a sign-up on another site is shown."""
ORDINAL_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}


def for_sign_up(events: EventQuerySet) -> EventQuerySet:
    """Add each event's list, and ``n_waiting`` on it, to the same query."""
    waiting = Seat.objects.filter(sign_up=OuterRef("sign_up"), state=SeatState.WAITING).order_by()
    counted = waiting.values("sign_up").annotate(n=Count("pk")).values("n")
    n_waiting = Coalesce(Subquery(counted, output_field=IntegerField()), 0)
    return events.select_related("sign_up").annotate(n_waiting=n_waiting)


def sign_up_of(event: Event) -> SignUp | None:
    return getattr(event, "sign_up", None)


def sign_up_state(event: Event, clock: Clock) -> str:
    """A ``SignupState``, or "" if it is unknown."""
    sign_up = sign_up_of(event)
    deadline = sign_up_deadline(event)
    if deadline is not None and clock.has_come(deadline):
        return SignupState.CLOSED
    if sign_up:
        clock.is_live()
        few = sign_up.free * 5 <= sign_up.places
        return SignupState.FULL if not sign_up.free else SignupState.FILLING if few else SignupState.OPEN
    return event.signup_state if event.signup_state == SignupState.CLOSED or is_check_recent(event, clock) else ""


def is_check_recent(event: Event, clock: Clock) -> bool:
    checked = event.signup_checked_at
    # For the whole of its last instant.
    return checked is not None and not clock.has_come(checked + SIGN_UP_CHECK_TTL + dt.timedelta(microseconds=1))


def signup_text(event: Event, clock: Clock) -> str:
    """How full it is, when that was checked, and until when one can sign up. A state from an old check is not shown."""
    if event.is_cancelled:
        return ""
    sign_up = sign_up_of(event)
    deadline = sign_up_deadline(event)
    if deadline is not None and clock.has_come(deadline):
        return (
            f"Sign-up closed {_closing_time_text(event, deadline, clock)}" if deadline == event.signup_until else "Sign-up closed"
        )
    if sign_up:
        clock.is_live()
    state = seats_text(sign_up, getattr(event, "n_waiting", 0)) if sign_up else _external_sign_up_text(event, clock)
    until = f"Sign-up until {short_date_time(deadline)}" if deadline and event.signup_until else ""
    if state == "Sign-up needed" and until:
        return until
    return state if event.signup_state == SignupState.CLOSED and not sign_up else " · ".join(filter(None, [state, until]))


def seats_text(sign_up: SignUp, waiting: int) -> str:
    if sign_up.free:
        return f"{sign_up.free:,} of {sign_up.places:,} place{'' if sign_up.places == 1 else 's'} left"
    if not sign_up.waiting_list:
        return "Full"
    return f"Full · {waiting:,} waiting" if waiting else "Full, with a waiting list"


def _external_sign_up_text(event: Event, clock: Clock) -> str:
    if not event.signup_state:
        return "Sign-up needed" if event.signup_url else ""
    if not is_check_recent(event, clock) and event.signup_state != SignupState.CLOSED:
        return "No recent report of places"
    checked = f", checked {short_date_time(event.signup_checked_at)}" if event.signup_checked_at else ""
    return f"{event.get_signup_state_display()}{checked}"


def short_date_time(moment: dt.datetime) -> str:
    """Wed 23 Apr, 18:00, in the current time zone."""
    local = timezone.localtime(moment)
    return f"{local:%a} {local.day} {local:%b, %H:%M}"


def _closing_time_text(event: Event, moment: dt.datetime, clock: Clock) -> str:
    """With the date unless it is that of the event and today."""
    local = timezone.localtime(moment)
    next_day = dt.datetime.combine(local.date() + ONE_DAY, dt.time(), local.tzinfo)
    is_on_its_date = event.start is not None and timezone.localdate(event.start) == local.date()
    return f"at {local:%H:%M}" if is_on_its_date and not clock.has_come(next_day) else short_date_time(moment)


@dataclass(frozen=True)
class SignUpPage:
    """A list as it is now, with the visitor's seat on it."""

    event: Event
    sign_up: SignUp
    text: str
    is_open: bool
    closes_at: dt.datetime | None
    mine: Seat | None
    mine_text: str

    @property
    def has_name(self) -> bool:
        """Whether to ask for the name on the host's list; not if the visitor cannot come any more."""
        return bool(self.join_label or (self.mine and (self.is_open or self.mine.is_taken)))

    @property
    def join_label(self) -> str:
        if self.mine or not self.is_open:
            return ""
        if self.sign_up.free:
            return "Sign up"
        return "Join the waiting list" if self.sign_up.waiting_list else ""


def public_sign_up(conference: Conference, guid: UUID) -> SignUp | None:
    lists = SignUp.objects.filter(event__in=Event.objects.public().filter(conference=conference, guid=guid))
    return lists.select_related("event__conference", "event__type", "event__session__session").first()


def public_sign_up_page(event: Event, clock: Clock) -> SignUpPage | None:
    """The same for every visitor. The event was loaded through ``for_cards``."""
    sign_up = sign_up_of(event)
    return _build_sign_up_page(sign_up, getattr(event, "n_waiting", 0), None, clock) if sign_up else None


def sign_up_page(sign_up: SignUp, agenda: Agenda | None, clock: Clock) -> SignUpPage:
    mine = seats_with_position(agenda).filter(sign_up=sign_up).first() if agenda else None
    return _build_sign_up_page(sign_up, sign_up.seats.filter(state=SeatState.WAITING).count(), mine, clock)


def _build_sign_up_page(sign_up: SignUp, waiting: int, mine: Seat | None, clock: Clock) -> SignUpPage:
    # Seats are given now, whatever time the page is pinned to.
    clock.is_live()
    clock = not_after_now(clock)
    now = clock.now
    return SignUpPage(
        event=sign_up.event,
        sign_up=sign_up,
        text=seats_text(sign_up, waiting) if sign_up.is_open(now) else signup_text(sign_up.event, clock) or "Cancelled",
        is_open=sign_up.is_open(now),
        closes_at=sign_up.closes_at,
        mine=mine,
        mine_text=seat_text(mine, now) if mine else "",
    )


def seats_with_position(agenda: Agenda) -> SeatQuerySet:
    """The agenda's seats, each with ``ahead``: how many wait before it."""
    before = Seat.objects.filter(sign_up=OuterRef("sign_up"), state=SeatState.WAITING, number__lt=OuterRef("number"))
    counted = before.order_by().values("sign_up").annotate(n=Count("pk")).values("n")
    ahead = Coalesce(Subquery(counted, output_field=IntegerField()), 0)
    return Seat.objects.alive().filter(agenda=agenda).select_related("sign_up__event").annotate(ahead=ahead)


def seat_text(seat: Seat, now: dt.datetime) -> str:
    """The state of a seat from ``seats_with_position``. After the end of sign-up nobody moves up."""
    return _place_text(seat, now) + (", but it is cancelled" if seat.sign_up.event.is_cancelled else "")


def _place_text(seat: Seat, now: dt.datetime) -> str:
    event = seat.sign_up.event
    if seat.is_taken:
        return "You had a place" if event.end is not None and event.end <= now else "You have a place"
    position = f"{ordinal(getattr(seat, 'ahead', 0) + 1)} on the waiting list"
    return f"You are {position}" if can_come(seat, now) else f"No place: you were {position}"


def can_come(seat: Seat, now: dt.datetime) -> bool:
    closes = sign_up_closes_at(seat.sign_up.event)
    return seat.is_taken or closes is None or now < closes


def seat_badges(agenda: Agenda, clock: Clock) -> dict[int, Badge]:
    now = not_after_now(clock).now
    seats = seats_with_position(agenda) if agenda.extras.seats else []
    return {seat.sign_up.event_id: _seat_badge(seat, now) for seat in seats}


def _seat_badge(seat: Seat, now: dt.datetime) -> Badge:
    is_on = can_come(seat, now) and not seat.sign_up.event.is_cancelled
    return Badge("closed" if not is_on else "fine" if seat.is_taken else "filling", seat_text(seat, now))


def remaining_seat_text(agenda: Agenda, event: Event) -> str:
    seat = Seat.objects.alive().filter(agenda=agenda, sign_up__event=event).first() if agenda.extras.seats else None
    if seat is None or event.is_cancelled:
        return ""
    if seat.is_taken:
        return " You still have a place there. If you do not come, give it up on its page."
    return " You are still on its waiting list. If you do not come, leave it on its page."


class PlaceNotice(NamedTuple):
    """A seat on the agenda page, with what to know of it."""

    seat: Seat
    text: str


def seats_outside_agenda(agenda: Agenda, clock: Clock) -> list[PlaceNotice]:
    """Seats at events to come that are not bookmarked, and seats that organisers freed."""
    if not agenda.extras.seats:
        return []
    now = not_after_now(clock).now
    shown = Bookmark.objects.filter(attended_q(), agenda=agenda).values("event")
    to_come = Q(sign_up__event__end=None) | Q(sign_up__event__end__gt=now)
    public = Q(sign_up__event__in=Event.objects.public())
    not_bookmarked = Seat.objects.alive().filter(agenda=agenda).exclude(sign_up__event__in=shown)
    seats = (not_bookmarked | Seat.objects.unseen_freed().filter(agenda=agenda)).filter(to_come, public)
    rows = list(seats.select_related("sign_up__event__type").order_by("pk"))
    for seat in rows:
        seat.sign_up.event.conference = agenda.conference
    return [PlaceNotice(seat, _outside_agenda_text(seat, now)) for seat in rows]


def _outside_agenda_text(seat: Seat, now: dt.datetime) -> str:
    if seat.is_freed:
        return "The organisers took you off the list. Ask them if that is a mistake."
    if seat.sign_up.event.is_cancelled:
        return f"{seat_text(seat, now)}."
    if not seat.is_taken:
        return "You are on the waiting list, but it is not in your agenda."
    return f"You have a place, but it is not in your agenda. If you do not come, {_give_up_text(seat.sign_up.event, now)}."


def _give_up_text(event: Event, now: dt.datetime) -> str:
    closes = sign_up_closes_at(event)
    return "give it up for the next person" if closes is None or now < closes else "give it up"


class NewSeat(NamedTuple):
    event: Event
    text: str


def new_seats(agenda: Agenda, clock: Clock) -> list[NewSeat]:
    """Seats that came from a waiting list, until the visitor has confirmed them."""
    if not agenda.extras.seats:
        return []
    now = not_after_now(clock).now
    to_come = Q(sign_up__event__end=None) | Q(sign_up__event__end__gt=now)
    seats = Seat.objects.unseen_promoted().filter(to_come, agenda=agenda)
    events = Event.objects.public().exclude(status=Status.CANCELLED).filter(sign_up__seats__in=seats)
    rows = list(events.select_related("type").in_order())
    for event in rows:
        event.conference = agenda.conference
    return [NewSeat(event, f"If you cannot come, {_give_up_text(event, now)}.") for event in rows]


def is_waiting(sign_up: SignUp, agenda: Agenda) -> bool:
    return sign_up.seats.filter(agenda=agenda, state=SeatState.WAITING).exists()


def host_list(sign_up: SignUp) -> list[Seat]:
    return sorted(sign_up.seats.alive(), key=lambda seat: seat.rank)


def host_cells(seats: list[Seat]) -> Iterator[list[str]]:
    yield ["number", "name", "state"]
    for seat in seats:
        yield [str(seat.number), seat.host_name, "place" if seat.is_taken else "waiting"]


def ordinal(number: int) -> str:
    is_teen = number % 100 in {11, 12, 13}
    return f"{number}{'th' if is_teen else ORDINAL_SUFFIXES.get(number % 10, 'th')}"
