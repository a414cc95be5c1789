"""The page that hands out the address of an agenda's feed, and the ways from paper to screen."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from events.calendars.links import REFRESH_TIMES, Links, feed_links, qr_svg
from events.http import Request, find_agenda, in_conference, visitor_token
from events.models import Conference
from events.queries import calendars as queries
from events.views.calendar_answers import UNSTORED, own_agenda, read_only, unlisted


@require_safe
@unlisted
@in_conference
def agenda_calendar(request: Request, conference: Conference) -> HttpResponse:
    links = own_links(request, conference)
    picked = queries.picked(find_agenda(request, conference))
    context = {
        "has_agenda": links is not None,
        "https_url": links and links.https,
        "webcal_url": links and links.webcal,
        "google_url": links and links.google,
        "outlook_url": links and links.outlook,
        "outlook_at_work_url": links and links.outlook_at_work,
        "download_url": reverse("events:agenda-download", args=[conference.slug]),
        "schedule_url": reverse("events:schedule-calendar", args=[conference.slug]),
        "qr_url": reverse("events:feed-qr", args=[conference.slug]),
        "refresh": REFRESH_TIMES,
        "count": picked.count,
        "undated": picked.undated,
    }
    response = render(request, "events/agenda_calendar.html", context)
    response["Cache-Control"] = UNSTORED
    return response


@require_POST
@unlisted
@in_conference
def feed_reset(request: Request, conference: Conference) -> HttpResponse:
    agenda = own_agenda(request, conference)
    if agenda is not None:
        agenda.reset_feed(visitor_token(request))
        messages.success(request, "Your calendar has a new address. The old one has stopped working: subscribe again.")
    return redirect("events:agenda-calendar", conference.slug)


@read_only
@unlisted
@in_conference
def feed_qr(request: Request, conference: Conference) -> HttpResponse:
    """For one's own telephone: whoever scans it can read the agenda."""
    links = own_links(request, conference)
    if links is None:
        raise Http404
    return svg(links.webcal)


@read_only
@in_conference
def agenda_qr(request: Request, conference: Conference) -> HttpResponse:
    """The way from a printed agenda to the live page; it has no secret in it."""
    return svg(settings.SITE_URL + reverse("events:agenda-detail", args=[conference.slug]))


@read_only
@in_conference
def directions_qr(request: Request, conference: Conference) -> HttpResponse:
    """The way from printed directions to the live page."""
    return svg(settings.SITE_URL + reverse("events:directions", args=[conference.slug]))


def own_links(request: Request, conference: Conference) -> Links | None:
    agenda = own_agenda(request, conference)
    return feed_links(agenda.feed_token(visitor_token(request)), f"{conference.name}: my agenda") if agenda else None


def svg(text: str) -> HttpResponse:
    return HttpResponse(qr_svg(text), content_type="image/svg+xml", headers={"Cache-Control": UNSTORED})
