"""Several agendas side by side, for a group that spreads out and meets again."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from events.http import Request, in_conference
from events.models import Conference
from events.queries.together import MOST, together_page
from events.views.calendar_answers import UNSTORED, unlisted


@require_safe
@unlisted
@in_conference
def together(request: Request, conference: Conference) -> HttpResponse:
    """The links are in the address and nowhere else: who looks at whom together is written down nowhere."""
    page = together_page(conference, request.GET, request.clock)
    empty = range(len(page.members) + 1, min(MOST, max(2, len(page.members) + 1)) + 1)
    context = {"together": page, "empty_places": empty, "at": request.GET.get("at", "") if request.clock.pinned else ""}
    response = render(request, "events/together.html", context)
    response["Cache-Control"] = UNSTORED
    return response
