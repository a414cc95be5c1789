"""Desks, lines and stands, with their hours."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from events.http import Request, in_conference
from events.models import Conference
from events.pages.page_cache import page_cache
from events.queries.amenities import amenities
from events.queries.services import service_rows


@require_safe
@page_cache
@in_conference
def service_list(request: Request, conference: Conference) -> HttpResponse:
    context = {"services": service_rows(conference, request.clock), "amenities": amenities(conference, request.clock)}
    return render(request, "events/service_list.html", context)
