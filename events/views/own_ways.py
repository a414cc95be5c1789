"""The way to an event, from where the visitor starts: a part of its page for everybody who chose a start, agenda or not."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse

from events.http import Request, find_agenda, needs_of, start_of
from events.models import Event
from events.pages.holes import own_part
from events.queries.pinned import carried
from events.queries.way_here import way_here
from events.schedule.walking import Need


@own_part("way", for_all=True)
def way(request: HttpRequest, argument: str) -> str:
    """How one gets to the event (``argument``, its primary key); nothing if that is not at the venue."""
    conference, clock = cast(Request, request).conference, cast(Request, request).clock
    events = Event.objects.public().filter(conference=conference, pk=argument)
    event = events.select_related("room__zone", "service__zone", "service__room__zone").first()
    if event is None:
        return ""
    event.conference = conference
    agenda = find_agenda(request, conference)
    needs = needs_of(request)
    found = way_here(event, start_of(request), clock, needs, agenda.start_id if agenda else None)
    if found is None:
        return ""
    url = carried(event.get_absolute_url(), clock)
    asked = {"from": found.start.slug} if found.start else {}
    context = {
        "here": found,
        "step_free": Need.STEP_FREE in needs,
        "dry": Need.DRY in needs,
        "next_url": url,
        "directions_url": carried(reverse("events:directions", args=[conference.slug], query=asked | {"next": url}), clock),
        "conference": conference,
    }
    return render_to_string("events/_way_here.html", context)
