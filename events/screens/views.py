"""Wall screens for doors and foyers, and the page that lists them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from django.http import HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils import timezone
from django.views.decorators.http import require_safe

from events.agenda.page_cache import page_cache
from events.programme.models.conference import Conference
from events.programme.models.venue import Room
from events.screens import queries
from events.web.request import Request, conference_view

SCREEN_STYLES = ("web/core", "screens/screen", "screens/door", "screens/foyer", "screens/poll")
SCREEN_ASSETS = (*(f"events/css/{name}.css" for name in SCREEN_STYLES), "events/js/screen.js")


@require_safe
@page_cache
@conference_view
def screen(request: Request, conference: Conference) -> HttpResponse:
    rooms = queries.rooms_of(conference)
    zone, room = request.GET.get("zone", "").strip(), request.GET.get("room", "").strip()
    location = queries.screen_location(conference, rooms, zone, room) if zone or room else None
    if location is None:
        return render_screen_choice(request, conference, rooms, zone, room)
    context = {"screen": queries.screen(conference, location, rooms, request.clock), "version": assets_version()}
    with timezone.override(request.clock.venue_zone):
        template = "events/screens/_screen.html" if request.part == "screen" else "events/screens/screen.html"
        response = render(request, template, context)
    response["X-Robots-Tag"] = "noindex"
    return response


def render_screen_choice(request: Request, conference: Conference, rooms: Sequence[Room], zone: str, room: str) -> HttpResponse:
    choices = queries.screen_choices(conference, rooms, request.clock)
    asked = " in ".join(f"“{it[:60]}”" for it in (room, zone) if it)
    if asked:
        # A 404 is not cached, so it has no placeholders.
        request.shared = False
    return render(
        request, "events/screens/screen_choice.html", {"choices": choices, "asked": asked}, status=404 if asked else 200
    )


def assets_version() -> str:
    """Return a value that changes with the assets: a screen that runs for a week then reloads them."""
    return hashlib.blake2b("".join(map(static, SCREEN_ASSETS)).encode(), digest_size=6).hexdigest()
