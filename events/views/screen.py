"""Wall screens: what hangs at a door or in a foyer, and the page on which one is chosen."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from django.http import HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils import timezone
from django.views.decorators.http import require_safe

from events.http import Request, in_conference
from events.models import Conference, Room
from events.pages.page_cache import page_cache
from events.queries import screen as queries
from events.queries import screens

STYLES = ("tokens", "base", "screen", "screen_door", "screen_foyer")
ASSETS = (*(f"events/css/{name}.css" for name in STYLES), "events/js/screen.js")


@require_safe
@page_cache
@in_conference
def screen(request: Request, conference: Conference) -> HttpResponse:
    """By the venue's clock, for whoever walks by: nothing of it is a visitor's own."""
    rooms = screens.rooms_of(conference)
    zone, room = request.GET.get("zone", "").strip(), request.GET.get("room", "").strip()
    found = screens.spot(conference, rooms, zone, room) if zone or room else None
    if found is None:
        return choice(request, conference, rooms, zone, room)
    context = {"screen": queries.screen(conference, found, rooms, request.clock), "version": version()}
    with timezone.override(request.clock.venue_zone):
        response = render(request, "events/_screen.html" if request.htmx else "events/screen.html", context)
    response["X-Robots-Tag"] = "noindex"
    return response


def choice(request: Request, conference: Conference, rooms: Sequence[Room], zone: str, room: str) -> HttpResponse:
    """All screens there are, also for an address that names a place we do not have."""
    choices = screens.choices(conference, rooms, request.clock)
    asked = " in ".join(f"“{it[:60]}”" for it in (room, zone) if it)
    if asked:
        # A page that is not found is not cached, and has no placeholders.
        request.shared = False
    return render(request, "events/screen_choice.html", {"choices": choices, "asked": asked}, status=404 if asked else 200)


def version() -> str:
    """Another one once the files of the page are: a screen that hangs for a week loads them anew."""
    return hashlib.blake2b("".join(map(static, ASSETS)).encode(), digest_size=6).hexdigest()
