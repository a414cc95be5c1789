"""What one has on an event's list, as a part of a page that is everybody's."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest
from django.template.loader import render_to_string

from events.http import Request, find_agenda
from events.models import SignUp
from events.pages.holes import own_part
from events.queries import seats as queries


@own_part("my-seat")
def my_seat(request: HttpRequest, argument: str) -> str:
    """The place or turn on an event's list (``argument``, its primary key), and the button that gives it up."""
    conference = cast(Request, request).conference
    agenda = find_agenda(request, conference)
    mine = queries.seats_in_line(agenda).filter(sign_up__event=int(argument)).first() if agenda else None
    if mine is None:
        return ""
    own = SignUp.objects.select_related("event").get(pk=mine.sign_up_id)
    own.event.conference = conference
    context = {"seat": mine, "seat_text": queries.seat_text(mine), "event": own.event, "conference": conference}
    return render_to_string("events/_my_seat.html", context | {"clock": cast(Request, request).clock})
