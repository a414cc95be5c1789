"""What belongs to no page: health, robots, photos, colours, the visitor's time zone."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.db import connection
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_http_methods, require_safe
from django.views.static import serve

from events.colours import twins
from events.forms import TimeZoneForm
from events.http import ZONE_COOKIE, Request, by_origin, in_conference, next_url, remember, zone_names
from events.models import Conference


@require_safe
def healthz(request: Request) -> HttpResponse:
    """200 when the database answers."""
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
    """Photos that organisers uploaded, re-encoded by us; shown as pictures and as nothing else."""
    try:
        response = serve(request, path, document_root=str(settings.MEDIA_ROOT))
    except (OSError, SuspiciousOperation) as error:
        # A name longer than file systems take, or one that leads out of the folder.
        raise Http404 from error
    response.headers["Cache-Control"] = "public, max-age=86400"
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response  # type: ignore[return-value]


@require_safe
@in_conference
def colours(request: Request, conference: Conference) -> HttpResponse:
    """The organisers' colours as a stylesheet, because no inline style is allowed."""
    rules = [("type", it.slug, twins(it.hex)) for it in conference.types.all() if it.hex]
    rules += [("track", it.slug, twins(it.colour)) for it in conference.tracks.all() if it.colour]
    context = {"rules": rules, "accent": twins(conference.colour) if conference.colour else None}
    css = render_to_string("events/colours.css", context)
    return HttpResponse(css, content_type="text/css; charset=utf-8", headers={"Cache-Control": "public, max-age=300"})


@by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@in_conference
def time_zone(request: Request, conference: Conference) -> HttpResponse:
    """Show times in the visitor's own zone, or in the venue's again."""
    form = TimeZoneForm(request.POST or None)
    back = next_url(request, conference.get_absolute_url())
    if request.method == "POST" and form.is_valid():
        response = redirect(back)
        remember(response, ZONE_COOKIE, form.cleaned_data["zone"])
        return response
    context = {"form": form, "zones": zone_names(), "chosen": request.COOKIES.get(ZONE_COOKIE, ""), "next": back}
    return render(request, "events/time_zone.html", context, status=422 if form.errors else 200)
