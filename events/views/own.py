"""The parts of a page that are a visitor's own: rendered for each, set into pages that are the same for everybody."""

from __future__ import annotations

import datetime as dt
from typing import cast

from django.http import HttpRequest
from django.template.loader import render_to_string

from events.http import Request, find_agenda
from events.models import Event
from events.pages.holes import own_part
from events.queries import agenda as agenda_queries


@own_part("agenda-count")
def agenda_count(request: HttpRequest, argument: str) -> str:
    """How many picks the agenda has; nothing for none."""
    agenda = find_agenda(request, cast(Request, request).conference)
    return str(agenda.events.count() or "") if agenda else ""


@own_part("my-day")
def my_day(request: HttpRequest, argument: str) -> str:
    """The picks of a date (``argument``, ISO 8601) as a column beside the page."""
    conference, clock = cast(Request, request).conference, cast(Request, request).clock
    agenda = find_agenda(request, conference)
    rows = agenda_queries.picks_of_day(agenda, clock, dt.date.fromisoformat(argument)) if agenda else []
    if not rows:
        return ""
    return render_to_string("events/_my_day.html", {"my_day": rows, "conference": conference, "clock": clock})


@own_part("conflicts")
def conflicts(request: HttpRequest, argument: str) -> str:
    """What of the agenda the event (``argument``, its primary key) is in conflict with."""
    conference, clock = cast(Request, request).conference, cast(Request, request).clock
    agenda = find_agenda(request, conference)
    event = Event.objects.public().filter(conference=conference, pk=argument).first() if agenda else None
    lines = agenda_queries.conflicts_with_picks(event, agenda, clock) if event else []
    return render_to_string("events/_conflicts.html", {"conflicts": lines, "conference": conference}) if lines else ""
