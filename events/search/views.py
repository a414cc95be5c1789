"""The search page, whole or as a fragment for htmx: its results, or the panel under the header's field."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from events.agenda.page_cache import page_cache
from events.programme.models.conference import Conference
from events.search.queries.page import search_page
from events.web.request import Request, conference_view


@require_safe
@vary_on_headers("HX-Request")
@page_cache
@conference_view
def search(request: Request, conference: Conference) -> HttpResponse:
    context = {"search_page": search_page(conference, request.clock, request.GET)}
    template = "events/search/search.html"
    if request.htmx and not request.htmx.history_restore_request:
        template = "events/search/_panel.html" if request.GET.get("view") == "panel" else "events/search/_results.html"
    return render(request, template, context)
