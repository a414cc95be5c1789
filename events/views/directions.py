"""The ways to the venue, where a visitor starts, and what ways have to be."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from events.forms import StartForm, WalkingForm
from events.http import (
    START_COOKIE,
    WALKING_COOKIE,
    Request,
    by_origin,
    find_agenda,
    in_conference,
    needs_of,
    next_url,
    remember,
    start_of,
)
from events.models import Conference, StartingPoint
from events.queries import directions as direction_queries
from events.queries.pinned import carried


@require_safe
@in_conference
def directions(request: Request, conference: Conference) -> HttpResponse:
    remembered = remembered_start(request, conference)
    page = direction_queries.directions(conference, request.GET, remembered, needs_of(request), request.clock.today)
    here = page.start.slug if page.start else ""
    back = next_url(request, "")
    here_url = carried(address(conference, here, back), request.clock)
    anyway_url = carried(address(conference, here, back, dry="0", step_free="0"), request.clock)
    context = {
        "start": page.start,
        # Of all starts at once the steps would bury what one looks for.
        "is_overview": page.start is None and len(page.routes) > 1,
        "starts": page.starts,
        "dry": page.dry.active,
        "step_free": page.step_free.active,
        "routes": page.routes,
        "hidden_count": page.hidden_count,
        "problem": page.problem,
        "anyway_url": anyway_url,
        "remembered": bool(here) and here == remembered,
        "back": back,
        "here_url": here_url,
        "has_agenda": find_agenda(request, conference) is not None,
        "qr_url": reverse("events:directions-qr", args=[conference.slug], query={"from": here} if here else {}),
        "stands": page.stands,
        "places": page.places,
    }
    return render(request, "events/directions.html", context)


def remembered_start(request: HttpRequest, conference: Conference) -> str:
    """Where this browser starts, else where the agenda says its holder does."""
    point = StartingPoint.objects.by_slug(conference, start_of(request))
    if point is not None:
        return point.slug
    agenda = find_agenda(request, conference)
    return agenda.start.slug if agenda and agenda.start else ""


def address(conference: Conference, start: str = "", back: str = "", **wishes: str) -> str:
    """The directions from there; what ways have to be is the browser's, unless it is asked for once."""
    asked = {name: value for name, value in {"from": start, "next": back, **wishes}.items() if value}
    return reverse("events:directions", args=[conference.slug], query=asked)


@require_POST
@in_conference
def start_set(request: Request, conference: Conference) -> HttpResponse:
    """Remember where the visitor starts from: in this browser, and with the agenda, if there is one, for its calendar."""
    form = StartForm(request.POST)
    response = redirect(next_url(request, address(conference)))
    point = StartingPoint.objects.by_slug(conference, form.cleaned_data["start"] if form.is_valid() else "")
    if point is None and form["start"].value():
        messages.error(request, form.problem)
        return response
    agenda = find_agenda(request, conference)
    if agenda is not None:
        agenda.set_start(point)
    remember(response, START_COOKIE, point.slug if point else "", path=conference.get_absolute_url())
    return response


@by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@in_conference
def walking_set(request: Request, conference: Conference) -> HttpResponse:
    """Remember what ways have to be, in this browser only; GET leads to the page with the switches and its token."""
    if request.method != "POST":
        return redirect(carried(address(conference), request.clock))
    form = WalkingForm(request.POST)
    response = redirect(next_url(request, reverse("events:agenda-detail", args=[conference.slug])))
    if form.is_valid():
        needs = ".".join(sorted(form.changed(needs_of(request))))
        remember(response, WALKING_COOKIE, needs, path=conference.get_absolute_url())
    else:
        messages.error(request, "That says neither on nor off. Nothing was changed: use the buttons.")
    return response
