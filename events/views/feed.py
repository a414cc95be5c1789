"""The feed people subscribe to, and what an address answers that was one."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from events.calendars import feeds
from events.calendars.clients import kind_of
from events.calendars.fetch_log import record
from events.calendars.replaced import notice
from events.http import Request
from events.models import Agenda
from events.views.calendar_answers import PERSONAL, answer, read_only, unlisted


@read_only
@unlisted
def feed(request: Request, token: str) -> HttpResponse:
    """What calendars fetch every hour: no cookie read, none set."""
    now, client = timezone.now(), kind_of(request.headers.get("User-Agent", ""))
    agenda = Agenda.objects.by_feed(token, client)
    if agenda is None:
        return former_feed(request, token)
    response = answer(request, feeds.agenda_feed(agenda, now), PERSONAL)
    if request.method == "GET" and not agenda.fetch_is_recorded:
        record(agenda, client, now)
    return response


def former_feed(request: Request, token: str) -> HttpResponse:
    """An address that was replaced says so to its calendar, later to people only; one that never was is none."""
    given_up = Agenda.objects.replaced_feed(token)
    if given_up is None:
        raise Http404
    calendar = notice(given_up, timezone.now())
    if calendar is not None:
        return answer(request, calendar, PERSONAL)
    context = {"calendar_url": reverse("events:agenda-calendar", args=[given_up.agenda.conference.slug])}
    return render(request, "410.html", context, status=410)
