"""The visitor's agenda."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from events.http import Request, find_agenda, in_conference
from events.models import Conference
from events.queries import agenda as agenda_queries
from events.queries.agenda import AgendaPage
from events.queries.agenda_changes import agenda_news
from events.queries.rounds import rounds_of


@require_safe
@in_conference
def agenda_detail(request: Request, conference: Conference) -> HttpResponse:
    agenda = find_agenda(request, conference)
    page = agenda_queries.agenda_page(agenda, request.clock) if agenda else AgendaPage([], 0)
    context = {
        "agenda_days": page.days,
        "count": page.count,
        "conflicts": page.conflicts,
        "undated": page.undated,
        "empty": not page.count,
        "rounds": rounds_of(agenda, request.clock) if agenda else [],
        "news": agenda_news(agenda, request.clock) if agenda else None,
        "suggestions": [] if page.count else agenda_queries.suggestions(conference, request.clock),
    }
    return render(request, "events/agenda_detail.html", context)
