"""The venue with its floor plans, directions, and services."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_http_methods, require_safe

from events.agenda.forms import StartForm
from events.agenda.page_cache import page_cache
from events.agenda.visitor import find_agenda
from events.core.clock import with_pinned_time
from events.pages.queries import venue as venue_queries
from events.pages.queries.plans import drawing_of
from events.pages.queries.venue import service_rows
from events.programme.models.conference import Conference
from events.venue.models import StartingPoint
from events.venue.queries import ways as way_queries
from events.venue.queries.amenities import amenities
from events.web.caching import LASTING_CACHE_CONTROL, shared_without_cookies
from events.web.drafts import shows_drafts
from events.web.prefetching import add_speculation_rules
from events.web.request import (
    START_COOKIE,
    WALKING_COOKIE,
    Request,
    WalkingForm,
    conference_view,
    csrf_by_origin,
    needs_of,
    next_url,
    remember,
    start_of,
)

# Also when the address is opened by itself, no script runs and nothing is fetched.
IMAGE_ONLY_CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"


@require_safe
@shows_drafts
@page_cache
@conference_view
def venue(request: Request, conference: Conference) -> HttpResponse:
    page = venue_queries.venue_page(conference, request.clock, request.GET.get("floor", ""))
    context = {
        "venues": page.venues,
        "plan": page.floors.plan,
        "floors": page.floors.floors,
        "walks": venue_queries.zone_walks(conference),
        "has_directions": way_queries.has_directions(conference),
    }
    return render(request, "events/venue/venue.html", context)


@require_safe
@shows_drafts
@conference_view
def plan_drawing(request: Request, conference: Conference, version: str) -> HttpResponse:
    drawing = drawing_of(conference, version)
    if drawing is None:
        raise Http404
    headers = {"Content-Security-Policy": IMAGE_ONLY_CSP, "Cache-Control": LASTING_CACHE_CONTROL}
    return HttpResponse(drawing, content_type="image/svg+xml; charset=utf-8", headers=headers)


@require_safe
@shows_drafts
@conditional_page
@shared_without_cookies
@conference_view
def directions(request: Request, conference: Conference) -> HttpResponse:
    return add_speculation_rules(render_directions(request, conference))


def render_directions(request: Request, conference: Conference, *, with_token: bool = False) -> HttpResponse:
    """A token sets a cookie: only for a browser that sends no Origin, which asked for the page with one."""
    remembered = remembered_start(request, conference)
    page = way_queries.directions_page(conference, request.GET, remembered, needs_of(request), request.clock.today)
    here = page.start.slug if page.start else ""
    back = next_url(request, "")
    here_url = with_pinned_time(directions_url(conference, here, back), request.clock)
    anyway_url = with_pinned_time(directions_url(conference, here, back, dry="0", step_free="0"), request.clock)
    context = {
        "with_token": with_token,
        "start": page.start,
        # The steps of all starts at once would be too long.
        "is_overview": page.start is None and len(page.routes) > 1,
        "starts": page.starts,
        "dry": page.dry.active,
        "step_free": page.step_free.active,
        "routes": page.routes,
        "hidden_count": page.hidden_count,
        "no_route": page.problem,
        "anyway_url": anyway_url,
        "remembered": bool(here) and here == remembered,
        "back": back,
        "here_url": here_url,
        "has_agenda": find_agenda(request, conference) is not None,
        # Nobody who reads a draft on paper could open it.
        "qr_url": "" if conference.is_draft else directions_qr_url(conference, here),
        "stands": page.stands,
        "places": page.places,
    }
    return render(request, "events/venue/directions.html", context)


def directions_qr_url(conference: Conference, start: str) -> str:
    return reverse("events:directions-qr", args=[conference.slug], query={"from": start} if start else {})


def remembered_start(request: Request, conference: Conference) -> str:
    point = StartingPoint.objects.by_slug(conference, start_of(request))
    if point is not None:
        return point.slug
    agenda = find_agenda(request, conference)
    return agenda.start.slug if agenda and agenda.start else ""


def directions_url(conference: Conference, start: str = "", back: str = "", **overrides: str) -> str:
    """``overrides`` replace the browser's walking needs for one request."""
    asked = {name: value for name, value in {"from": start, "next": back, **overrides}.items() if value}
    return reverse("events:directions", args=[conference.slug], query=asked)


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def start_set(request: Request, conference: Conference) -> HttpResponse:
    """Remember the starting point in this browser. GET shows the directions with the CSRF token in their forms."""
    if request.method != "POST":
        return render_directions(request, conference, with_token=True)
    form = StartForm(request.POST)
    response = redirect(next_url(request, with_pinned_time(directions_url(conference), request.clock)))
    point = StartingPoint.objects.by_slug(conference, form.cleaned_data["start"] if form.is_valid() else "")
    if point is None and form["start"].value():
        messages.error(request, form.problem)
        return response
    agenda = find_agenda(request, conference)
    if agenda is not None:
        agenda.set_start(point)
    remember(response, START_COOKIE, point.slug if point else "", path=conference.get_absolute_url())
    return response


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def walking_set(request: Request, conference: Conference) -> HttpResponse:
    """Remember the walking needs in this browser. GET redirects to the page with the switches and the CSRF token."""
    if request.method != "POST":
        return redirect(with_pinned_time(reverse("events:start-set", args=[conference.slug]), request.clock))
    form = WalkingForm(request.POST)
    response = redirect(next_url(request, reverse("events:agenda-detail", args=[conference.slug])))
    if form.is_valid():
        needs = ".".join(sorted(form.updated_needs(needs_of(request))))
        remember(response, WALKING_COOKIE, needs, path=conference.get_absolute_url())
    else:
        messages.error(request, "Something went wrong and nothing was changed. Please use the buttons.")
    return response


@require_safe
@shows_drafts
@page_cache
@conference_view
def service_list(request: Request, conference: Conference) -> HttpResponse:
    context = {"services": service_rows(conference, request.clock), "amenities": amenities(conference, request.clock)}
    return render(request, "events/venue/service_list.html", context)
