"""Robots.txt, security.txt, rules for prefetching, health and readiness, uploads, colours and the choice of a time zone."""

from __future__ import annotations

import datetime as dt
import json
import logging

from django import forms
from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe
from django.views.static import serve

from events.core.db.readiness import readiness_problems
from events.core.graphics import light_and_dark
from events.core.time_zones import former_zones, zone_choices
from events.pages.context_processors import shown_moment
from events.programme.models.conference import Conference
from events.programme.queries.public_names import only_public
from events.web.caching import LASTING_CACHE_CONTROL, PUBLIC_CACHE_CONTROL
from events.web.drafts import shows_drafts
from events.web.prefetching import SPECULATION_RULES
from events.web.request import ZONE_COOKIE, Request, TimeZoneForm, conference_view, csrf_by_origin, next_url, remember

logger = logging.getLogger("events.readiness")
# RFC 9116 asks for less than a year.
SECURITY_TXT_LIFETIME = dt.timedelta(days=180)


class RevisionForm(forms.Form):
    """The conference's revision in the address of its colours."""

    revision = forms.IntegerField(min_value=0)


@require_safe
def healthz(request: Request) -> HttpResponse:
    """Whether the process answers; a restart would not bring back a database, so it is not asked."""
    return HttpResponse("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})


@require_safe
def readyz(request: Request) -> HttpResponse:
    """Whether the process can do all its work, with the reasons if not."""
    problems = readiness_problems()
    if problems:
        logger.error("Not ready: %s", " ".join(problems))
    text = "".join(f"{problem}\n" for problem in problems) or "ready\n"
    response = HttpResponse(text, "text/plain; charset=utf-8", 503 if problems else 200, headers={"Cache-Control": "no-store"})
    setattr(response, "_has_been_logged", True)  # noqa: B010
    return response


@require_safe
def robots(request: Request) -> HttpResponse:
    """Feeds stay allowed: Google Calendar refuses an address that robots.txt forbids.

    The path of the admin is not listed, because anybody can read this; its pages have a header instead.
    """
    lines = [
        "User-agent: *",
        "Disallow: /account/",
        "Disallow: /*/agenda/",
        "Disallow: /*/bookmark/",
        "Disallow: /*/time-zone/",
        "",
        f"Sitemap: {settings.SITE_URL}/sitemap.xml",
        "",
    ]
    return HttpResponse("\n".join(lines), content_type="text/plain", headers={"Cache-Control": "public, max-age=3600"})


@require_safe
def speculation_rules(request: Request) -> HttpResponse:
    """Which links browsers may fetch in advance; public pages name this address in a header."""
    headers = {"Cache-Control": "public, max-age=86400"}
    return HttpResponse(json.dumps(SPECULATION_RULES), content_type="application/speculationrules+json", headers=headers)


@require_safe
def security_txt(request: Request) -> HttpResponse:
    """Where to report a weakness (RFC 9116); not found unless SECURITY_CONTACT is set."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = timezone.now().astimezone(dt.UTC).replace(hour=0, minute=0, second=0, microsecond=0) + SECURITY_TXT_LIFETIME
    lines = [
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {settings.SITE_URL}/.well-known/security.txt",
        "",
    ]
    return HttpResponse(
        "\n".join(lines), content_type="text/plain; charset=utf-8", headers={"Cache-Control": "public, max-age=86400"}
    )


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
@shows_drafts
@conference_view
def colours(request: Request, conference: Conference) -> HttpResponse:
    """The organisers' colours as a stylesheet, because no inline style is allowed."""
    rules = [("type", "line", row.slug, light_and_dark(row.hex)) for row in only_public(conference.types.all()) if row.hex]
    tracks = only_public(conference.tracks.all())
    rules += [("track", "track", row.slug, light_and_dark(row.colour)) for row in tracks if row.colour]
    context = {"rules": rules, "accent": light_and_dark(conference.colour) if conference.colour else None}
    css = render_to_string("events/web/colours.css", context)
    form = RevisionForm(request.GET)
    # Pages name the revision that they are of, so that a later colour has another address. An address of a revision that is not
    # yet there must not be kept for it.
    lasts = form.is_valid() and form.cleaned_data["revision"] <= conference.revision
    headers = {"Cache-Control": LASTING_CACHE_CONTROL if lasts else PUBLIC_CACHE_CONTROL}
    return HttpResponse(css, content_type="text/css; charset=utf-8", headers=headers)


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def time_zone_set(request: Request, conference: Conference) -> HttpResponse:
    """Choose the time zone of this browser; an empty choice is the venue's."""
    form = TimeZoneForm(request.POST if request.method == "POST" else None)
    back = next_url(request, conference.get_absolute_url())
    if request.method == "POST" and form.is_valid():
        response = redirect(back)
        remember(response, ZONE_COOKIE, form.cleaned_data["zone"])
        return response
    chosen = request.COOKIES.get(ZONE_COOKIE, "")
    shown = shown_moment(conference, request.clock, None)
    context = {
        "form": form,
        "zones": zone_choices(shown.date()),
        # An option has the present name of its zone.
        "chosen": former_zones().get(chosen, chosen),
        "next": back,
    }
    return render(request, "events/web/time_zone.html", context, status=422 if form.errors else 200)
