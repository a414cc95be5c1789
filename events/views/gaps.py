"""What to do with free time between picks."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from events.http import Request, find_agenda, in_conference, needs_of
from events.models import Conference
from events.queries.free_time import asked_for
from events.queries.gaps import gap_page


@require_safe
@in_conference
def agenda_gap(request: Request, conference: Conference) -> HttpResponse:
    """What fits between ``from`` and ``to``; between now and the next pick when neither is given."""
    agenda = find_agenda(request, conference)
    asked = asked_for(request.GET, agenda, request.clock)
    found = gap_page(conference, agenda, asked.span, request.clock, request.GET, needs_of(request)) if asked.span else None
    context = {"asked": asked, "found": found}
    return render(request, "events/agenda_gap.html", context, status=422 if asked.problem else 200)
