"""Pages that organisers write, and the sponsors."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from events.agenda.page_cache import page_cache
from events.pages.link_previews import info_preview
from events.pages.queries import info as info_queries
from events.programme.models.conference import Conference
from events.web.drafts import shows_drafts
from events.web.request import Request, conference_view

# Their rows change every page, so they change with nothing less.
CHANGED_WITH_EVERYTHING: frozenset[str] = frozenset()


@require_safe
@shows_drafts
@page_cache
@conference_view
def info_page(request: Request, conference: Conference, slug: str) -> HttpResponse:
    shown = info_queries.info_page(conference, slug)
    if shown is None:
        raise Http404
    request.subjects = CHANGED_WITH_EVERYTHING
    context = {"info": shown.page, "text_html": shown.html, "pictures": shown.pictures, "preview": info_preview(shown.page)}
    return render(request, "events/pages/info_page.html", context)


@require_safe
@shows_drafts
@page_cache
@conference_view
def sponsor_list(request: Request, conference: Conference) -> HttpResponse:
    request.subjects = CHANGED_WITH_EVERYTHING
    context = {"levels": info_queries.sponsors_by_level(conference, request.clock)}
    return render(request, "events/pages/sponsor_list.html", context)
