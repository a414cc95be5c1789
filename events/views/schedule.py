"""The programme, a day at a time."""

from __future__ import annotations

import datetime as dt

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from events.http import Request, in_conference
from events.models import Conference
from events.pages.page_cache import page_cache
from events.queries import days as day_queries
from events.queries import schedule as schedule_queries
from events.views.subscriptions import offer_of_schedule


@require_safe
@in_conference
def schedule(request: Request, conference: Conference) -> HttpResponse:
    """To today's page, or to the conference's first day with events."""
    door = day_queries.day_to_open(day_queries.day_doors(conference, request.clock), request.clock)
    if door is None:
        return render(request, "events/schedule_empty.html")
    return redirect(reverse("events:schedule-day", args=[conference.slug, door.date], query=request.GET))


@require_safe
@vary_on_headers("HX-Request")
@page_cache
@in_conference
def schedule_day(request: Request, conference: Conference, date: dt.date) -> HttpResponse:
    doors = day_queries.day_doors(conference, request.clock)
    door = next((door for door in doors if door.date == date), None)
    if door is None:
        raise Http404
    day = door.day
    before, after = day_queries.neighbours(doors, date)
    as_grid = request.GET.get("view") == "grid"
    page = schedule_queries.schedule_of_day(day, clock=request.clock, query=request.GET, as_grid=as_grid)
    context = {
        "day": day,
        "offer": offer_of_schedule(conference, request.GET, day=date.isoformat()),
        "layer": offer_of_schedule(conference, QueryDict(), layer="sessions"),
        # The frame shows the same doors.
        "days": doors,
        "previous": before,
        "next": after,
        "view": "grid" if page.grid else "list",
        "groups": page.groups,
        "now_at_end": page.now_at_end,
        "grid": page.grid,
        "too_many": page.too_many,
        "page_of": page.page,
        "filters": page.filters,
        "count": page.count,
        "changed_at": page.changed_at,
    }
    whole = not request.htmx or request.htmx.history_restore_request
    return render(request, "events/schedule_day.html" if whole else "events/_schedule.html", context)
