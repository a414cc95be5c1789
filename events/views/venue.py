"""The venue: its floors, halls and rooms, and the drawings of its floors."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from events.http import Request, in_conference
from events.models import Conference
from events.pages.page_cache import page_cache
from events.queries import venue as venue_queries
from events.queries.plans import drawing_of

# Who opens the address instead of seeing it on the page gets a picture too: nothing runs, nothing is fetched.
IMAGE_ONLY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"


@require_safe
@page_cache
@in_conference
def venue(request: Request, conference: Conference) -> HttpResponse:
    page = venue_queries.venue_page(conference, request.clock, request.GET.get("floor", ""))
    context = {
        "venues": page.venues,
        "plan": page.floors.plan,
        "floors": page.floors.floors,
        "walks": venue_queries.walks(conference),
    }
    return render(request, "events/venue.html", context)


@require_safe
@in_conference
def plan_drawing(request: Request, conference: Conference, version: str) -> HttpResponse:
    drawing = drawing_of(conference, version)
    if drawing is None:
        raise Http404
    headers = {"Content-Security-Policy": IMAGE_ONLY, "Cache-Control": "public, max-age=31536000, immutable"}
    return HttpResponse(drawing, content_type="image/svg+xml; charset=utf-8", headers=headers)
