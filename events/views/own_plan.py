"""The visitor's next room, in words and on the plan."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone

from events.http import Request, find_agenda, needs_of
from events.pages.holes import own_part
from events.queries.next_room import NextRoom, next_room
from events.schedule.clock import Clock
from events.schedule.plan_labels import sign


def _next_room(request: HttpRequest) -> NextRoom | None:
    """Asked for once, though a page has it in two places."""
    if "next_room" not in request.__dict__:
        conference, clock = cast(Request, request).conference, cast(Request, request).clock
        agenda = find_agenda(request, conference)
        if agenda:
            agenda.conference = conference
        request.__dict__["next_room"] = next_room(agenda, clock, needs_of(request)) if agenda else None
    found: NextRoom | None = request.__dict__["next_room"]
    return found


@own_part("next-room")
def next_room_line(request: HttpRequest, argument: str) -> str:
    found = _next_room(request)
    if found is None:
        return ""
    clock = cast(Request, request).clock
    return render_to_string("events/_next_room.html", {"next": found, "clock": clock})


@own_part("next-area")
def next_room_area(request: HttpRequest, argument: str) -> str:
    """The frame around it on the plan (``argument``, its primary key), with when it is."""
    found = _next_room(request)
    places = [it for it in found.places if it.plan == int(argument)] if found else []
    if not found or not places:
        return ""
    when = _when(found, cast(Request, request).clock)
    signs = [sign(it.shape, when, it.width) for it in places]
    return render_to_string("events/_next_area.html", {"signs": signs})


def _when(found: NextRoom, clock: Clock) -> str:
    start, now = (timezone.localtime(it) for it in (found.event.start or clock.now, clock.now))
    return f"Next {start:%H:%M}" if start.date() == now.date() else f"Next {start:%a %H:%M}"
