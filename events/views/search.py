"""Search: words in, everything that fits them out."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from events.http import Request, in_conference
from events.models import Conference
from events.pages.page_cache import page_cache
from events.queries import search as search_queries


@require_safe
@vary_on_headers("HX-Request")
@page_cache
@in_conference
def search(request: Request, conference: Conference) -> HttpResponse:
    found = search_queries.search_page(conference, request.clock, request.GET)
    whole = not request.htmx or request.htmx.history_restore_request
    return render(request, "events/search.html" if whole else "events/_search_results.html", {"found": found})
