"""How many lists one agenda may be on: nobody can be everywhere, and others would come."""

from __future__ import annotations

import datetime as dt

from django.db.models import Q

from events.models.agenda import Agenda
from events.models.event import Event, Status
from events.models.seats import Seat

MOST_SEATS = 20
"""What one agenda may hold at a time, places and turns in line together."""
MOST_AT_ONCE = 3
"""How many of them may be at the same hour: one to go to, and others to wait for."""


def too_many(agenda: Agenda, event: Event, now: dt.datetime) -> str:
    """Why it gets no seat more; empty where it may. What is over or cancelled counts no more."""
    to_come = Q(sign_up__event__end=None) | Q(sign_up__event__end__gt=now)
    seats = Seat.objects.alive().filter(to_come, agenda=agenda).exclude(sign_up__event__status=Status.CANCELLED)
    held = list(seats.values_list("sign_up__event__title", "sign_up__event__start", "sign_up__event__end"))
    if len(held) >= MOST_SEATS:
        return f"You are on {len(held)} lists, as many as one agenda can be: give up a place first."
    hours = (event.start, event.end)
    titles = [f"“{title}”" for title, *slot in held if _overlap(hours, tuple(slot))]
    if len(titles) >= MOST_AT_ONCE:
        return f"You are on {len(titles)} lists of that hour already: {', '.join(titles)}. Give up one of them first."
    return ""


def _overlap(one: tuple[dt.datetime | None, ...], other: tuple[dt.datetime | None, ...]) -> bool:
    (start, end), (begins, ends) = one, other
    return bool(start and end and begins and ends and start < ends and begins < end)
