"""For those who make other sites: the programme in a frame, and a page about it and about the open files."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import escape
from django.views.decorators.http import require_safe

from events.agenda.page_cache import page_cache
from events.pages.queries.embed import embed_choices, embed_page
from events.pages.queries.open_files import open_files
from events.programme.models.conference import Conference
from events.web.middleware import EMBED_POLICY
from events.web.request import Request, conference_view

EMBED_CODE = '<iframe src="{}" title="Programme of {}" width="100%" height="600" loading="lazy"></iframe>'


def without_cookies(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Show the same to everybody: a frame on another site has no visitor of ours."""

    @wraps(view)
    def for_everybody(request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        request.COOKIES = {}
        return view(request, *args, **kwargs)

    return for_everybody


@require_safe
@without_cookies
@page_cache
@conference_view
def embed(request: Request, conference: Conference) -> HttpResponse:
    page = embed_page(conference, request.clock, request.GET)
    request.subjects = page.subjects
    if page.is_now:
        # It says which time it is.
        request.clock.is_live()
    whole_url = page.day.url if page.day else reverse("events:schedule", args=[conference.slug])
    response = render(
        request, "events/pages/embed.html", {"embed": page, "whole_url": whole_url, "again_url": request.get_full_path()}
    )
    response["Content-Security-Policy"] = EMBED_POLICY
    response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
@page_cache
@conference_view
def file_list(request: Request, conference: Conference) -> HttpResponse:
    embed_url = settings.SITE_URL + reverse("events:embed", args=[conference.slug])
    context = {
        "files": open_files(conference, request.clock),
        "embed_url": embed_url,
        # No SafeString: the page shows the code, and does not run it.
        "embed_code": EMBED_CODE.format(embed_url, escape(conference.name)),
        "choices": embed_choices(conference, request.clock),
    }
    return render(request, "events/pages/file_list.html", context)
