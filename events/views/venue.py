"""The venue: its floors, halls and rooms."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from events.http import Request, in_conference
from events.models import Conference
from events.pages.shared import shared
from events.queries import venue as venue_queries


@require_safe
@shared
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
