"""The visitor's agenda."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from events.forms import WalkingForm
from events.http import WALKING_COOKIE, Request, find_agenda, in_conference, needs_of, next_url, remember
from events.models import Agenda, Conference
from events.pages.agendas import DrawnAgenda, drawn
from events.queries import agenda as agenda_queries
from events.queries.agenda_changes import agenda_news
from events.queries.rounds import rounds_of
from events.schedule.walking import Need


@require_safe
@in_conference
def agenda_detail(request: Request, conference: Conference) -> HttpResponse:
    agenda, needs = find_agenda(request, conference), needs_of(request)
    page = drawn(request, agenda, lambda: draw(request, agenda)) if agenda else DrawnAgenda(b"")
    empty = not page.count and not page.later
    context = {
        "drawn": page.html.decode(),
        "count": page.count,
        "conflicts": page.conflicts,
        "quiet": page.quiet,
        "later_count": page.later,
        "step_free": Need.STEP_FREE in needs,
        "dry": Need.DRY in needs,
        "empty": empty,
        "rounds": rounds_of(agenda, request.clock) if agenda else [],
        "news": agenda_news(agenda, request.clock) if agenda else None,
        "suggestions": agenda_queries.suggestions(conference, request.clock) if empty else [],
    }
    return render(request, "events/agenda_detail.html", context)


def draw(request: Request, agenda: Agenda) -> DrawnAgenda:
    agenda.conference = request.conference
    page = agenda_queries.agenda_page(agenda, request.clock, needs_of(request))
    context = {"agenda_days": page.days, "undated": page.undated, "later": page.later}
    html = render_to_string("events/_agenda_picks.html", context, request)
    return DrawnAgenda(html.encode(), page.count, page.conflicts, page.quiet, len(page.later))


@require_POST
@in_conference
def walking_set(request: Request, conference: Conference) -> HttpResponse:
    """Remember what ways have to be, in this browser only."""
    form = WalkingForm(request.POST)
    response = redirect(next_url(request, reverse("events:agenda-detail", args=[conference.slug])))
    if form.is_valid():
        needs = ".".join(sorted(form.changed(needs_of(request))))
        remember(response, WALKING_COOKIE, needs, path=conference.get_absolute_url())
    else:
        messages.error(request, "That says neither on nor off. Nothing was changed: use the buttons.")
    return response
