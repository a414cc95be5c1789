"""The search page, whole or in part: its results, or the panel under the header's field."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from events.agenda.page_cache import page_cache
from events.programme.models.conference import Conference
from events.search.missed import missed_question
from events.search.queries.index import is_compared
from events.search.queries.page import search_page
from events.web.request import Request, conference_view


@require_safe
@page_cache
@conference_view
def search(request: Request, conference: Conference) -> HttpResponse:
    if not is_compared(conference):
        # The comparison raises no revision when it corrects an entry.
        request.clock.is_live()
    page = search_page(conference, request.clock, request.GET)
    request.subjects = page.subjects
    request.on_answer = missed_question(conference, page, request.part)
    context = {"search_page": page}
    templates = {"results": "events/search/_results.html", "panel": "events/search/_panel.html"}
    return render(request, templates.get(request.part, "events/search/search.html"), context)
