"""Sign-up lists and their seats."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.utils import timezone

from events.models import Agenda, Event, Seat, SignUp
from tests.factories import make_agenda, make_conference, make_day, make_event


def make_sign_up(places: int, *, event: Event | None = None, **fields: Any) -> SignUp:
    """A list of an event that is tomorrow, so that it is open."""
    return SignUp.objects.create(event=event or make_social(), places=places, **fields)


def make_social(**fields: Any) -> Event:
    start = (timezone.now() + dt.timedelta(days=1)).replace(microsecond=0)
    conference = fields.pop("conference", None) or make_conference()
    day = make_day(conference, start.date())
    return make_event(conference, kind="social", day=day, **{"start": start, "end": start + dt.timedelta(hours=2)} | fields)


def agendas_of(sign_up: SignUp, count: int) -> list[Agenda]:
    return [make_agenda(sign_up.event.conference)[0] for _ in range(count)]


def seating(sign_up: SignUp) -> list[tuple[int, str, int]]:
    """Who is on the list, by number."""
    seats = Seat.objects.alive().filter(sign_up=sign_up).order_by("number")
    return list(seats.values_list("number", "state", "agenda"))
