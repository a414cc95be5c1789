"""What everybody reads of signing up: how many places there are, how full it was, and until when."""

from __future__ import annotations

import datetime as dt

from django.db.models import Count, F, IntegerField, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from events.models import Event, Seat, SeatState, SignUp, SignupState
from events.models.event import EventQuerySet
from events.models.sign_up import closing

RECENT = dt.timedelta(days=3)
"""How long it is believed what somebody read on the page of a sign-up elsewhere."""


def with_places(events: EventQuerySet) -> EventQuerySet:
    """The events with their lists, and how many wait; no query more."""
    waiting = Seat.objects.filter(sign_up=OuterRef("sign_up"), state=SeatState.WAITING).order_by()
    counted = waiting.values("sign_up").annotate(n=Count("pk")).values("n")
    n_waiting = Coalesce(Subquery(counted, output_field=IntegerField()), 0)
    return events.select_related("sign_up").annotate(n_waiting=n_waiting)


def list_of(event: Event) -> SignUp | None:
    """Its own list, where it has one."""
    return getattr(event, "sign_up", None)


def sign_up_state(event: Event, now: dt.datetime) -> str:
    """Open, filling, full or closed; nothing where nobody knows."""
    own = list_of(event)
    ends = closing(event) if own else event.signup_until
    if ends is not None and ends <= now:
        return SignupState.CLOSED
    if own:
        few = own.free * 5 <= own.places
        return SignupState.FULL if not own.free else SignupState.FILLING if few else SignupState.OPEN
    return event.signup_state if event.signup_state == SignupState.CLOSED or is_recent(event, now) else ""


def without_a_place(now: dt.datetime) -> Q:
    """Of events: that nobody gets in any more, as far as anybody knows."""
    elsewhere = Q(sign_up=None, signup_state__in=[SignupState.FULL, SignupState.CLOSED])
    return elsewhere | Q(signup_until__lte=now) | Q(sign_up__taken__gte=F("sign_up__places"))


def is_recent(event: Event, now: dt.datetime) -> bool:
    return event.signup_checked_at is not None and now - event.signup_checked_at <= RECENT


def signup_text(event: Event, now: dt.datetime) -> str:
    """How full it is or was, when anybody looked, and until when one can; a state without a fresh look claims nothing."""
    if event.is_cancelled:
        return ""
    own = list_of(event)
    ends = closing(event) if own else event.signup_until
    if ends is not None and ends <= now:
        return f"Sign-up closed {_at(ends, now)}" if ends == event.signup_until else "Sign-up closed"
    said = places_text(own, getattr(event, "n_waiting", 0)) if own else _elsewhere(event, now)
    until = f"Sign-up until {when(event.signup_until)}" if event.signup_until else ""
    if said == "Sign-up needed" and until:
        return until
    return said if event.signup_state == SignupState.CLOSED and not own else " · ".join(filter(None, [said, until]))


def places_text(own: SignUp, waiting: int) -> str:
    if own.free:
        return f"{own.free} of {own.places} place{'' if own.places == 1 else 's'} left"
    if not own.waiting_list:
        return "Full"
    return f"Full: {waiting} wait{'s' if waiting == 1 else ''}" if waiting else "Full, with a waiting list"


def _elsewhere(event: Event, now: dt.datetime) -> str:
    """As somebody read it on the page of a sign-up that is not ours."""
    if not event.signup_state:
        return "Sign-up needed" if event.signup_url else ""
    if not is_recent(event, now) and event.signup_state != SignupState.CLOSED:
        return "No recent report of places"
    checked = f", checked {when(event.signup_checked_at)}" if event.signup_checked_at else ""
    return f"{event.get_signup_state_display()}{checked}"


def when(moment: dt.datetime) -> str:
    """Wed 23 Apr, 18:00, by the clock of whoever reads."""
    local = timezone.localtime(moment)
    return f"{local:%a} {local.day} {local:%b, %H:%M}"


def _at(moment: dt.datetime, now: dt.datetime) -> str:
    """Only the hour, if it is today's."""
    local = timezone.localtime(moment)
    return f"at {local:%H:%M}" if local.date() == timezone.localtime(now).date() else when(moment)
