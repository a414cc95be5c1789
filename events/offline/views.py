"""The service worker, what it saves, and what a phone needs to install a conference."""

from __future__ import annotations

from django import forms
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from events.agenda.page_cache import page_cache
from events.agenda.visitor import agenda_mark, find_agenda
from events.core.byte_cache import PROCESS_CACHE
from events.core.tokens import etag_digest
from events.offline.icons import SIGN_COLOUR, favicon_ico, icon_png
from events.offline.queries import NEVER_ALONE, changed_pages, saved_files, saved_pages
from events.offline.worker import worker_text
from events.programme.models.conference import Conference
from events.web.caching import NO_STORE_CACHE_CONTROL, PUBLIC_CACHE_CONTROL
from events.web.request import Request, conference_view

PAPER_COLOUR = "#fbfaf6"
# Apple's for the home screen, and the two that Chromium asks for.
ICON_SIZES = (180, 192, 512)
ICON_CACHE_CONTROL = "public, max-age=86400"


class SinceForm(forms.Form):
    """The revision of the programme that the browser saved; anything else counts as none."""

    since = forms.IntegerField(min_value=0, max_value=2**63 - 1)


@require_safe
def service_worker(request: Request) -> HttpResponse:
    """At the root, so that it may answer for all pages. Browsers ask for it at each visit."""
    text = worker_text()
    headers = {"Cache-Control": "no-cache", "ETag": f'"{etag_digest(text)}"'}
    response = HttpResponse(text, content_type="text/javascript; charset=utf-8", headers=headers)
    return get_conditional_response(request, etag=response["ETag"], response=response) or response


@require_safe
@conference_view
def manifest(request: Request, conference: Conference) -> HttpResponse:
    start = reverse("events:agenda-detail", args=[conference.slug])
    urls = {
        size: reverse("events:icon", args=[conference.slug, size], query={"version": conference.icon_version})
        for size in ICON_SIZES[1:]
    }
    icons = [
        {"src": url, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for size, url in urls.items()
        for purpose in ("any", "maskable")
    ]
    about = {
        "id": start,
        "start_url": start,
        "scope": "/",
        "name": conference.name,
        "short_name": conference.name,
        "description": f"The programme of {conference}, and my agenda.",
        "lang": "en",
        "display": "standalone",
        "theme_color": SIGN_COLOUR,
        "background_color": PAPER_COLOUR,
        "icons": icons,
    }
    headers = {"Cache-Control": PUBLIC_CACHE_CONTROL}
    return JsonResponse(about, content_type="application/manifest+json", headers=headers)


@require_safe
@conference_view
def icon(request: Request, conference: Conference, size: int) -> HttpResponse:
    if size not in ICON_SIZES:
        raise Http404
    colour, picture = conference.colour, conference.icon
    body = PROCESS_CACHE.get_or_build(("icon", size, colour, picture.name), lambda: icon_png(size, colour, picture))
    return HttpResponse(body, content_type="image/png", headers={"Cache-Control": ICON_CACHE_CONTROL})


@require_safe
def favicon(request: Request) -> HttpResponse:
    """For programs that ask for this address without reading a page."""
    body = PROCESS_CACHE.get_or_build(("favicon",), favicon_ico)
    return HttpResponse(body, content_type="image/x-icon", headers={"Cache-Control": ICON_CACHE_CONTROL})


@require_safe
@conference_view
def offline_list(request: Request, conference: Conference) -> HttpResponse:
    """What the service worker saves for this visitor, and what of it changed since the revision ``since``."""
    agenda = find_agenda(request, conference)
    pages = saved_pages(conference, agenda, request.clock)
    form = SinceForm(request.GET)
    changed = changed_pages(conference, pages, form.cleaned_data["since"]) if form.is_valid() else []
    values = {
        "revision": conference.revision,
        "whose": agenda_mark(agenda),
        "agenda_revision": agenda.revision if agenda else 0,
        "pages": [page.url for page in pages],
        "changed": changed,
        "files": saved_files(conference),
    }
    return JsonResponse(values, headers={"Cache-Control": NO_STORE_CACHE_CONTROL})


@require_safe
@page_cache
@conference_view
def offline(request: Request, conference: Conference) -> HttpResponse:
    """Shown instead of a page that is not saved; also what the browser saved, for whoever opens it."""
    request.subjects = NEVER_ALONE
    return render(request, "events/offline/offline.html")
