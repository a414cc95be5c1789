"""The page that hands out the address of an agenda's feed, and the ways from paper to screen."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from events.calendars import feeds, health
from events.calendars.links import REFRESH_TIMES, Links, feed_links, qr_svg
from events.forms import FeedOptionsForm
from events.http import Request, in_conference
from events.models import Agenda, Conference, StartingPoint
from events.queries import calendars as queries
from events.views.calendar_answers import UNSTORED, own_agenda, read_only, unlisted


@require_safe
@unlisted
@in_conference
def agenda_calendar(request: Request, conference: Conference) -> HttpResponse:
    return calendar_page(request, conference)


def calendar_page(request: Request, conference: Conference, form: FeedOptionsForm | None = None) -> HttpResponse:
    """With the options as they are, or as somebody sent them and was not understood."""
    agenda = own_agenda(request, conference)
    context = {
        "has_agenda": agenda is not None,
        "schedule_url": reverse("events:schedule-calendar", args=[conference.slug]),
        **(addresses(agenda) | contents(agenda) | arrival(request, agenda) if agenda else {}),
        "form": form or (agenda and FeedOptionsForm.of(agenda)),
    }
    response = render(request, "events/agenda_calendar.html", context, status=422 if form else 200)
    response["Cache-Control"] = UNSTORED
    return response


def addresses(agenda: Agenda) -> dict[str, Any]:
    """Without those of its feeds where SECRET_KEY does not give them again."""
    token, slug = agenda.feed_token, agenda.conference.slug
    known = {"download_url": reverse("events:agenda-download", args=[slug]), "refresh": REFRESH_TIMES}
    if not token:
        return known
    links = own_links(agenda, token)
    return known | {
        "recordings_url": settings.SITE_URL + reverse("events:recordings-feed", args=[token]),
        "https_url": links.https,
        "webcal_url": links.webcal,
        "google_url": links.google,
        "outlook_url": links.outlook,
        "outlook_at_work_url": links.outlook_at_work,
        "qr_url": reverse("events:feed-qr", args=[slug]),
    }


def contents(agenda: Agenda) -> dict[str, Any]:
    picked = queries.picked(agenda)
    return {"count": picked.count, "undated": picked.undated}


def arrival(request: Request, agenda: Agenda) -> dict[str, Any]:
    """What the feed holds at this moment, and who has been told."""
    clock = request.clock
    now = None if clock.pinned else clock.now
    visits = health.visits(agenda, queries.fetches(agenda), queries.revised(agenda), now)
    return {
        "entries": len(feeds.agenda_feed(agenda, clock.now).entries()),
        "visits": visits,
        "is_fetched": not all(visit.is_browser for visit in visits),
    }


@require_POST
@unlisted
@in_conference
def feed_options(request: Request, conference: Conference) -> HttpResponse:
    agenda, form = own_agenda(request, conference), FeedOptionsForm(request.POST)
    if agenda is not None:
        if not form.is_valid():
            return calendar_page(request, conference, form)
        agenda.set_feed_options(**form.cleaned_data)
        messages.success(request, "Kept. Your calendar follows when it next looks for changes.")
    return redirect("events:agenda-calendar", conference.slug)


@require_POST
@unlisted
@in_conference
def feed_reset(request: Request, conference: Conference) -> HttpResponse:
    agenda = own_agenda(request, conference)
    if agenda is not None:
        agenda.reset_feed()
        messages.success(request, "Your calendar has a new address. The old one only says that it was replaced: subscribe again.")
    return redirect("events:agenda-calendar", conference.slug)


@read_only
@unlisted
@in_conference
def feed_qr(request: Request, conference: Conference) -> HttpResponse:
    """For one's own telephone: whoever scans it can read the agenda."""
    agenda = own_agenda(request, conference)
    token = agenda.feed_token if agenda else ""
    if agenda is None or not token:
        raise Http404
    return svg(own_links(agenda, token).webcal)


@read_only
@in_conference
def agenda_qr(request: Request, conference: Conference) -> HttpResponse:
    """The way from a printed agenda to the live page; it has no secret in it."""
    return svg(settings.SITE_URL + reverse("events:agenda-detail", args=[conference.slug]))


@read_only
@in_conference
def directions_qr(request: Request, conference: Conference) -> HttpResponse:
    """The way from printed directions to the live page, from the same start."""
    start = StartingPoint.objects.by_slug(conference, request.GET.get("from", ""))
    asked = {"from": start.slug} if start else {}
    return svg(settings.SITE_URL + reverse("events:directions", args=[conference.slug], query=asked))


def own_links(agenda: Agenda, token: str) -> Links:
    return feed_links(token, f"{agenda.conference.name}: my agenda")


def svg(text: str) -> HttpResponse:
    return HttpResponse(qr_svg(text), content_type="image/svg+xml", headers={"Cache-Control": UNSTORED})
