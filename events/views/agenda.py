"""The visitor's agenda."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from events.http import Request, find_agenda, in_conference, needs_of
from events.models import Agenda, Conference
from events.pages.agendas import DrawnAgenda, drawn
from events.queries import agenda as agenda_queries
from events.queries.agenda_changes import agenda_news
from events.queries.rounds import rounds_of
from events.queries.seats import new_places, own_places
from events.schedule.walking import Need


@require_safe
@in_conference
def agenda_detail(request: Request, conference: Conference) -> HttpResponse:
    agenda, needs = find_agenda(request, conference), needs_of(request)
    if agenda is not None:
        agenda.conference = conference
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
        "new_places": new_places(agenda, request.clock) if agenda else [],
        "own_places": own_places(agenda, request.clock) if agenda else [],
        "suggestions": agenda_queries.suggestions(conference, request.clock) if empty else [],
    }
    return render(request, "events/agenda_detail.html", context)


def draw(request: Request, agenda: Agenda) -> DrawnAgenda:
    page = agenda_queries.agenda_page(agenda, request.clock, needs_of(request))
    context = {"agenda_days": page.days, "undated": page.undated, "later": page.later}
    html = render_to_string("events/_agenda_picks.html", context, request)
    return DrawnAgenda(html.encode(), page.count, page.conflicts, page.quiet, len(page.later))
