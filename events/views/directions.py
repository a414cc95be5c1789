"""The ways to the venue, and where a visitor starts."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from events.forms import StartForm
from events.http import START_COOKIE, Request, in_conference, next_url, remember
from events.models import Conference
from events.queries import directions as direction_queries


@require_safe
@in_conference
def directions(request: Request, conference: Conference) -> HttpResponse:
    remembered = request.COOKIES.get(START_COOKIE, "")
    page = direction_queries.directions(conference, request.GET, remembered)
    context = {
        "start": page.start,
        "starts": page.starts,
        "dry": page.dry,
        "step_free": page.step_free,
        "routes": page.routes,
        "hidden_count": page.hidden_count,
        "no_dry": page.no_dry,
        "remembered": page.start is not None and page.start.slug == remembered,
        "venues": conference.venues.all(),
    }
    return render(request, "events/directions.html", context)


@require_POST
@in_conference
def start_set(request: Request, conference: Conference) -> HttpResponse:
    """Remember where the visitor starts from, in this browser only."""
    form = StartForm(request.POST)
    slug = form.cleaned_data["start"] if form.is_valid() else ""
    point = direction_queries.starting_point(conference, slug)
    response = redirect(next_url(request, reverse("events:directions", args=[conference.slug])))
    remember(response, START_COOKIE, point.slug if point else "", path=conference.get_absolute_url())
    return response
