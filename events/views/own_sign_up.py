"""What one has on an event's list, as a part of a page that is everybody's."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest
from django.template.loader import render_to_string

from events.http import Request, find_agenda
from events.pages.holes import own_part
from events.queries import seats as queries
from events.queries.pinned import told


@own_part("my-seat", kept=False)
def my_seat(request: HttpRequest, argument: str) -> str:
    """The place or turn on an event's list (``argument``, its primary key), and the button that gives it up."""
    conference = cast(Request, request).conference
    agenda = find_agenda(request, conference)
    mine = queries.seats_in_line(agenda).filter(sign_up__event=int(argument)).first() if agenda else None
    if mine is None:
        return ""
    event, clock = mine.sign_up.event, cast(Request, request).clock
    event.conference = conference
    now = told(clock).now
    context = {
        "seat": mine,
        "seat_text": queries.seat_text(mine, now),
        "is_over": event.end is not None and event.end <= now,
        "has_name": queries.may_come(mine, now),
        "event": event,
        "conference": conference,
        "clock": clock,
    }
    return render_to_string("events/_my_seat.html", context)
