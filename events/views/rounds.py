"""The round past one's posters: the page to walk by, and ticking off what one has seen."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from events.calendars.links import qr_svg
from events.forms import BookmarkForm
from events.http import Request, find_agenda, in_conference
from events.models import Conference, Event
from events.queries import event as event_queries
from events.queries.pinned import carried
from events.queries.round_words import RoundPage
from events.queries.rounds import round_page
from events.views.calendar_answers import UNSTORED, read_only


@require_safe
@in_conference
def event_round(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    session = found(conference, guid)
    return render(request, "events/event_round.html", context_of(request, session))


@require_POST
@in_conference
def visit_set(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """``on=1`` ticks a poster off, ``on=0`` takes the tick away; sent twice it does the same."""
    poster = found(conference, guid)
    form = BookmarkForm(request.POST)
    agenda = find_agenda(request, conference)
    session = event_queries.bare_event(conference, poster.session.guid) if poster.session else None
    if agenda is not None and form.is_valid():
        agenda.visit(poster, on=form.cleaned_data["on"])
    if request.htmx and session:
        return render(request, "events/_round_answer.html", context_of(request, session))
    if not form.is_valid():
        messages.error(request, "Nothing was ticked off: use the buttons below.")
    return redirect(carried(f"{round_url(session)}#stop-{guid}" if session else poster.get_absolute_url(), request.clock))


@read_only
@in_conference
def round_qr(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """The way from a printed round to the live page; it has no secret in it."""
    svg = qr_svg(settings.SITE_URL + round_url(found(conference, guid)))
    return HttpResponse(svg, content_type="image/svg+xml", headers={"Cache-Control": UNSTORED})


def found(conference: Conference, guid: UUID) -> Event:
    event = event_queries.bare_event(conference, guid)
    if event is None:
        raise Http404
    return event


def context_of(request: Request, session: Event) -> dict[str, object]:
    agenda = find_agenda(request, session.conference)
    if agenda is not None:
        agenda.conference = session.conference
    return {
        "session": session,
        "session_url": carried(session.get_absolute_url(), request.clock),
        "round": round_page(agenda, session, request.clock) if agenda else RoundPage(),
    }


def round_url(session: Event) -> str:
    return reverse("events:event-round", args=[session.conference.slug, session.guid])
