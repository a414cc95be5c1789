"""The visitor's next room, in words and on the plan."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest
from django.template.loader import render_to_string

from events.http import Request, find_agenda, needs_of
from events.pages.holes import own_part
from events.queries.next_room import NextRoom, next_room, shapes_on


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
    """The frame around it on the plan (``argument``, its primary key)."""
    found = _next_room(request)
    shapes = shapes_on(int(argument), found.plate.key) if found else []
    return render_to_string("events/_next_area.html", {"shapes": shapes}) if shapes else ""
