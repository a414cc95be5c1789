"""Calendar files, the feed people subscribe to, and the page that hands out its address."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec
from urllib.parse import quote
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import http_date
from django.utils.text import slugify
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from events.calendars import feeds
from events.calendars.conditions import is_current
from events.calendars.links import REFRESH_TIMES, Links, feed_links, qr_svg
from events.calendars.text import one_line
from events.http import Request, find_agenda, in_conference, visitor_token
from events.models import Agenda, Conference, Event
from events.queries import calendars as queries
from events.queries import exports as export_queries

PERSONAL = "private, no-cache"
PUBLIC = "public, max-age=300"
UNSTORED = "private, no-store"
# What some file system does not take in a name.
UNNAMEABLE = re.compile(r'[/\\:*?"<>|%]')
P = ParamSpec("P")


def read_only(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """GET and HEAD; anything else, also a PROPFIND without a CSRF token, is told so by 405."""
    return csrf_exempt(require_safe(view))


def unlisted(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """For what has or shows a secret address: no search engine lists it, no site that is linked hears of it."""

    @wraps(view)
    def without_traces(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = view(*args, **kwargs)
        # Not "no-referrer": with it a browser sends our own forms without an origin, and they would be refused.
        response["Referrer-Policy"] = "same-origin"
        response["X-Robots-Tag"] = "noindex"
        return response

    return without_traces


@read_only
@in_conference
def event_calendar(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    event = get_object_or_404(Event.objects.public().exclude(day=None), guid=guid, conference=conference)
    event.conference = conference
    return answer(request, feeds.event_calendar(event), PUBLIC, filename=event.title)


@read_only
@in_conference
def schedule_calendar(request: Request, conference: Conference) -> HttpResponse:
    """Under the filters of the schedule's pages, as the other files of the programme; anybody's page may fetch it."""
    asked = export_queries.asked_of_schedule(request.GET)
    shown = export_queries.chosen_events(conference, request.GET) if asked else None
    response = answer(request, feeds.schedule_feed(conference, shown, asked), PUBLIC, filename=conference.name)
    response["Access-Control-Allow-Origin"] = "*"
    return response


@read_only
@in_conference
def agenda_download(request: Request, conference: Conference) -> HttpResponse:
    agenda = own_agenda(request, conference)
    download = feeds.agenda_download(agenda) if agenda else feeds.empty_download(conference)
    return answer(request, download, PERSONAL, filename=download.name)


@read_only
@unlisted
def feed(request: Request, token: str) -> HttpResponse:
    """What calendars fetch every hour: no cookie read, none set, and nothing written."""
    agenda = Agenda.objects.by_feed(token)
    if agenda is None:
        raise Http404
    return answer(request, feeds.agenda_feed(agenda, timezone.now()), PERSONAL)


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


def own_agenda(request: Request, conference: Conference) -> Agenda | None:
    agenda = find_agenda(request, conference)
    if agenda is not None:
        agenda.conference = conference
    return agenda


def own_links(request: Request, conference: Conference) -> Links | None:
    agenda = own_agenda(request, conference)
    return feed_links(agenda.feed_token(visitor_token(request)), f"{conference.name}: my agenda") if agenda else None


def svg(text: str) -> HttpResponse:
    return HttpResponse(qr_svg(text), content_type="image/svg+xml", headers={"Cache-Control": UNSTORED})


def answer(request: Request, calendar: feeds.Feed, caching: str, *, filename: str = "") -> HttpResponse:
    """The calendar, or 304 before anything is rendered. Never compressed: that has broken subscriptions in Outlook."""
    if is_current(request.headers, calendar.etag, lambda: calendar.last_modified):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = HttpResponse(calendar.body, content_type="text/calendar; charset=utf-8")
        if calendar.last_modified:
            response["Last-Modified"] = http_date(calendar.last_modified.timestamp())
        if filename:
            response["Content-Disposition"] = attachment(filename)
    response["ETag"] = calendar.etag
    response["Cache-Control"] = caching
    response["X-Robots-Tag"] = "noindex"
    return response


def attachment(name: str) -> str:
    """A name in ASCII for old clients, and the real one."""
    real = " ".join(UNNAMEABLE.sub(" ", one_line(name)).split())[:80].strip(". ")
    return f"attachment; filename=\"{slugify(name)[:80] or 'calendar'}.ics\"; filename*=UTF-8''{quote(real or 'calendar')}.ics"
