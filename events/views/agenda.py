"""The visitor's agenda."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from events.byte_cache import CACHE
from events.http import Request, find_agenda, in_conference, needs_of
from events.models import Agenda, Conference
from events.pages.fragments import visitor_key
from events.pages.page_cache import current_minute
from events.queries import agenda as agenda_queries
from events.queries.agenda_changes import agenda_news
from events.queries.rounds import rounds_of
from events.queries.seats import new_places, own_places
from events.schedule.walking import Need


@dataclass(frozen=True, slots=True)
class AgendaDays:
    """The days and the recordings as HTML without a form's token, and the counts for the head of the page."""

    html: bytes = b""
    count: int = 0
    conflicts: int = 0
    quiet: int = 0
    later: int = 0


@require_safe
@in_conference
def agenda_detail(request: Request, conference: Conference) -> HttpResponse:
    agenda, needs = find_agenda(request, conference), needs_of(request)
    if agenda is not None:
        agenda.conference = conference
    days = agenda_days(request, agenda) if agenda else AgendaDays()
    empty = not days.count and not days.later
    context = {
        "drawn": days.html.decode(),
        "count": days.count,
        "conflicts": days.conflicts,
        "quiet": days.quiet,
        "later_count": days.later,
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


def agenda_days(request: Request, agenda: Agenda) -> AgendaDays:
    """As costly as all the rest of the page, so cached like a personal fragment."""

    def build() -> AgendaDays:
        page = agenda_queries.agenda_page(agenda, request.clock, needs_of(request))
        context = {"agenda_days": page.days, "undated": page.undated, "later": page.later}
        # Without the request: what is cached must not depend on anything that is not in its key.
        html = render_to_string("events/_agenda_picks.html", context | {"conference": agenda.conference, "clock": request.clock})
        return AgendaDays(html.encode(), page.count, page.conflicts, page.quiet, len(page.later))

    return CACHE.get_or_build(("agenda", visitor_key(request, agenda, current_minute())), build)
