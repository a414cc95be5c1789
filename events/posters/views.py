"""The page of a poster round, and ticking off posters."""

from __future__ import annotations

from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from events.agenda.forms import BookmarkForm
from events.agenda.models.bookmarks import BookmarkLevel
from events.agenda.visitor import find_agenda
from events.core.clock import with_pinned_time
from events.core.graphics import qr_svg
from events.posters.queries import RoundPage, round_page
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.queries import events as events_queries
from events.web.caching import NO_STORE_CACHE_CONTROL, read_only
from events.web.request import Request, conference_view


@require_safe
@conference_view
def event_round(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    session = bare_event_or_404(conference, guid)
    return render(request, "events/posters/event_round.html", round_context(request, session))


@require_POST
@conference_view
def visit_set(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    poster = bare_event_or_404(conference, guid)
    form = BookmarkForm(request.POST)
    agenda = find_agenda(request, conference)
    session = events_queries.bare_event(conference, poster.session.guid) if poster.session else None
    if agenda is not None and form.is_valid():
        agenda.visit(poster, on=form.cleaned_data["on"])
    if request.htmx and session:
        return render(request, "events/posters/_round_answer.html", round_context(request, session))
    if not form.is_valid():
        messages.error(request, "Nothing was ticked off. Please use the buttons below.")
    if session is None:
        return redirect(with_pinned_time(poster.get_absolute_url(), request.clock))
    level = {"level": BookmarkLevel.MUST.value} if _chosen_level(request) else None
    return redirect(with_pinned_time(f"{round_url(session, level)}#stop-{guid}", request.clock))


@read_only
@conference_view
def round_qr(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    svg = qr_svg(settings.SITE_URL + round_url(bare_event_or_404(conference, guid)))
    return HttpResponse(svg, content_type="image/svg+xml", headers={"Cache-Control": NO_STORE_CACHE_CONTROL})


def bare_event_or_404(conference: Conference, guid: UUID) -> Event:
    event = events_queries.bare_event(conference, guid)
    if event is None:
        raise Http404
    return event


def round_context(request: Request, session: Event) -> dict[str, object]:
    agenda = find_agenda(request, session.conference)
    if agenda is not None:
        agenda.conference = session.conference
    page = round_page(agenda, session, request.clock, _chosen_level(request)) if agenda else RoundPage()
    must = {"level": BookmarkLevel.MUST.value}
    return {
        "redraws_main": True,
        "session": session,
        "session_url": with_pinned_time(session.get_absolute_url(), request.clock),
        "round": page,
        "round_url": with_pinned_time(round_url(session), request.clock),
        "must_url": with_pinned_time(round_url(session, must), request.clock),
        "level_query": f"?{urlencode(must)}" if page.level else "",
    }


def _chosen_level(request: Request) -> str:
    return BookmarkLevel.MUST.value if request.GET.get("level") == BookmarkLevel.MUST else ""


def round_url(session: Event, query: dict[str, str] | None = None) -> str:
    return reverse("events:event-round", args=[session.conference.slug, session.guid], query=query)
