"""Robots.txt, health check, uploads, colours and the choice of a time zone."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.db import connection
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_http_methods, require_safe
from django.views.static import serve

from events.core.graphics import light_and_dark
from events.programme.models.conference import Conference
from events.web.request import ZONE_COOKIE, Request, TimeZoneForm, conference_view, csrf_by_origin, next_url, remember, zone_names


@require_safe
def healthz(request: Request) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})


@require_safe
def robots(request: Request) -> HttpResponse:
    """Feeds stay allowed: Google Calendar refuses an address that robots.txt forbids."""
    lines = [
        "User-agent: *",
        f"Disallow: /{settings.ADMIN_PATH}",
        "Disallow: /account/",
        "Disallow: /*/agenda/",
        "Disallow: /*/bookmark/",
        "",
    ]
    return HttpResponse("\n".join(lines), content_type="text/plain", headers={"Cache-Control": "public, max-age=3600"})


@require_safe
def media(request: Request, path: str) -> HttpResponse:
    """Photos that organisers uploaded and we re-encoded; the CSP lets them be nothing but images."""
    try:
        response = serve(request, path, document_root=str(settings.MEDIA_ROOT))
    except (OSError, SuspiciousOperation) as error:
        # A name longer than file systems take, or one that leads out of the folder.
        raise Http404 from error
    response.headers["Cache-Control"] = "public, max-age=86400"
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response  # type: ignore[return-value]


@require_safe
@conference_view
def colours(request: Request, conference: Conference) -> HttpResponse:
    """The organisers' colours as a stylesheet, because no inline style is allowed."""
    rules = [("type", "line", row.slug, light_and_dark(row.hex)) for row in conference.types.all() if row.hex]
    rules += [("track", "track", row.slug, light_and_dark(row.colour)) for row in conference.tracks.all() if row.colour]
    context = {"rules": rules, "accent": light_and_dark(conference.colour) if conference.colour else None}
    css = render_to_string("events/web/colours.css", context)
    return HttpResponse(css, content_type="text/css; charset=utf-8", headers={"Cache-Control": "public, max-age=300"})


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def time_zone_set(request: Request, conference: Conference) -> HttpResponse:
    """Choose the time zone of this browser; an empty choice is the venue's."""
    form = TimeZoneForm(request.POST or None)
    back = next_url(request, conference.get_absolute_url())
    if request.method == "POST" and form.is_valid():
        response = redirect(back)
        remember(response, ZONE_COOKIE, form.cleaned_data["zone"])
        return response
    context = {"form": form, "zones": zone_names(), "chosen": request.COOKIES.get(ZONE_COOKIE, ""), "next": back}
    return render(request, "events/web/time_zone.html", context, status=422 if form.errors else 200)
