"""Taking another time of a work in the place of the one that was picked."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from events.http import (
    VISITOR_COOKIE,
    Request,
    by_origin,
    find_agenda,
    get_or_begin_agenda,
    in_conference,
    needs_of,
    next_url,
    remember,
)
from events.models import Conference, Event
from events.queries import agenda as agenda_queries
from events.queries import event as event_queries
from events.queries.own_time import conflicts_with_picks
from events.queries.seats import still_held
from events.views.event import at_card


@by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@in_conference
def bookmark_exchange(request: Request, conference: Conference, guid: UUID, other: UUID) -> HttpResponse:
    """GET asks, POST picks the event and takes the other back; sent twice it does the same."""
    event, of = event_queries.bare_event(conference, guid), event_queries.bare_event(conference, other)
    if event is None or of is None or event == of:
        raise Http404
    back = next_url(request, reverse("events:agenda-detail", args=[conference.slug]))
    if request.method != "POST":
        agenda = find_agenda(request, conference)
        taken, given_up = (agenda_queries.one_card(it, agenda, request.clock) for it in (event, of))
        return render(request, "events/bookmark_exchange.html", {"taken": taken, "given_up": given_up, "next": back})
    agenda, token = get_or_begin_agenda(request, conference)
    agenda.exchange(event, of=of)
    messages.success(request, said(request, event, of))
    response = redirect(at_card(back, event))
    remember(response, VISITOR_COOKIE, token)
    return response


def said(request: Request, event: Event, of: Event) -> str:
    """What is picked now, and whatever is in its way."""
    agenda = find_agenda(request, event.conference)
    lines = conflicts_with_picks(event, agenda, request.clock, needs_of(request))
    told = [f"{line.sentence} with {line.other.title}." for line in lines]
    # An oral and its poster have one title.
    taken, given_up = (str(event), str(of)) if event.title != of.title else (f"{event} ({event.type.name})", of.type.name)
    return " ".join([f"In your agenda: {taken}, in place of {given_up}.{still_held(agenda, of) if agenda else ''}", *told])
