"""The visitor's agenda, its gaps, and the banner about its changes on every page."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from events.agenda.models.agenda import Agenda
from events.agenda.page_cache import current_minute, visitor_key, visitor_version
from events.agenda.queries.changes import agenda_news, past_bookmark_count
from events.agenda.queries.free_time import requested_free_time
from events.agenda.queries.notes import notes_of
from events.agenda.views.changes import news_of_agenda
from events.agenda.visitor import find_agenda
from events.core.byte_cache import PROCESS_CACHE
from events.core.tokens import etag_digest
from events.pages.queries import agenda as agenda_queries
from events.pages.queries.gaps import gap_page
from events.programme.models.conference import Conference
from events.programme.rules.walking import Need
from events.sign_up.queries import events_with_new_seat, seats_outside_agenda
from events.web.caching import is_current
from events.web.request import Request, conference_view, needs_of


@require_safe
@conference_view
def agenda_banner(request: Request, conference: Conference) -> HttpResponse:
    """The banner. Every open page polls it each minute, so most answers are 304."""
    agenda = find_agenda(request, conference)
    if agenda is None:
        return HttpResponse(status=204)
    over = past_bookmark_count(agenda, request.clock)
    agenda.conference = conference
    seats = events_with_new_seat(agenda, request.clock)
    version = (agenda.pk, agenda.revision, conference.revision, over, [event.pk for event in seats])
    etag = f'"{etag_digest("banner", *version)}"'
    if is_current(request.headers, etag, lambda: None):
        return HttpResponseNotModified(headers={"ETag": etag})
    count = news_of_agenda(request, agenda).count
    context = {"news_count": count, "new_places": seats, "conference": conference, "clock": request.clock}
    response = render(request, "events/agenda/_banner.html", context)
    response["ETag"] = etag
    return response


@dataclass(frozen=True, slots=True)
class AgendaDays:
    """The days and the recordings as HTML without a form's token, and the counts for the head of the page."""

    html: bytes = b""
    count: int = 0
    conflicts: int = 0
    quiet: int = 0
    later: int = 0
    ready: int = 0


@require_safe
@conference_view
def agenda_detail(request: Request, conference: Conference) -> HttpResponse:
    agenda, needs = find_agenda(request, conference), needs_of(request)
    if agenda is not None:
        agenda.conference = conference
    days = agenda_days(request, agenda) if agenda else AgendaDays()
    empty = not (days.count or days.later or days.ready)
    context = {
        "drawn": days.html.decode(),
        "redraws_main": True,
        "count": days.count,
        "conflicts": days.conflicts,
        "quiet": days.quiet,
        "later_count": days.later,
        "ready_count": days.ready,
        "step_free": Need.STEP_FREE in needs,
        "dry": Need.DRY in needs,
        "empty": empty,
        "news": agenda_news(agenda, request.clock) if agenda else None,
        "new_places": events_with_new_seat(agenda, request.clock) if agenda else [],
        "own_places": seats_outside_agenda(agenda, request.clock) if agenda else [],
        "suggestions": agenda_queries.suggestions(conference, request.clock) if empty else [],
    }
    return render(request, "events/agenda/agenda_detail.html", context)


def agenda_days(request: Request, agenda: Agenda) -> AgendaDays:
    """The days cost as much as the rest of the page, so they are cached like a personal fragment."""

    def build() -> AgendaDays:
        page = agenda_queries.agenda_page(agenda, request.clock, needs_of(request))
        context = {
            "agenda_days": page.days,
            "past_days": page.past_days,
            "undated": page.undated,
            "later": page.later,
            "ready": page.ready,
            "notes": notes_of(agenda),
        }
        # Without the request: what is cached must not depend on anything that is not in its key.
        html = render_to_string(
            "events/agenda/_bookmarks.html",
            context | {"conference": agenda.conference, "clock": request.clock, "redraws_main": True},
        )
        return AgendaDays(html.encode(), page.count, page.conflicts, page.quiet, len(page.later), len(page.ready))

    version = visitor_version(request, agenda, current_minute())
    return PROCESS_CACHE.get_or_build(("agenda", visitor_key(request, agenda)), build, version=version)


@require_safe
@conference_view
def agenda_gap(request: Request, conference: Conference) -> HttpResponse:
    """Events that fit between ``from`` and ``to``; between now and the next bookmark without both."""
    agenda = find_agenda(request, conference)
    free_time = requested_free_time(request.GET, agenda, request.clock)
    page = gap_page(conference, agenda, free_time.span, request.clock, request.GET, needs_of(request)) if free_time.span else None
    context = {"asked": free_time, "found": page, "redraws_main": True}
    return render(request, "events/agenda/agenda_gap.html", context, status=422 if free_time.problem else 200)
