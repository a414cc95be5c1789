"""Saying that one stands there oneself."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from events.forms import PresentForm
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
from events.models import Agenda, Conference, Event
from events.queries import event as event_queries
from events.queries.agenda import is_presented
from events.queries.cards import PickButton
from events.queries.own_time import conflicts_with_picks
from events.views.event import at_card


@by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@in_conference
def present_set(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """GET asks, POST sets ``on=1`` or ``on=0``; sent twice it does the same. The page it came from is made anew."""
    event = event_queries.bare_event(conference, guid)
    if event is None:
        raise Http404
    form = PresentForm(request.POST)
    if request.method != "POST" or not form.is_valid():
        return asked(request, event, form.problem if request.method == "POST" else "")
    agenda, token = get_or_begin_agenda(request, conference)
    agenda.present(event, on=form.cleaned_data["on"])
    messages.success(request, said(request, event, agenda, on=form.cleaned_data["on"]))
    response = redirect(at_card(next_url(request, event.get_absolute_url()), event))
    remember(response, VISITOR_COOKIE, token)
    return response


def asked(request: Request, event: Event, problem: str) -> HttpResponse:
    agenda = find_agenda(request, event.conference)
    context = {
        "card": PickButton(event, bookmarked=False),
        "url": event.get_absolute_url(),
        "presents": agenda is not None and is_presented(agenda, event.pk),
        "problem": problem,
        "next": next_url(request, event.get_absolute_url()),
    }
    return render(request, "events/present_confirm.html", context, status=422 if problem else 200)


def said(request: Request, event: Event, agenda: Agenda, *, on: bool) -> str:
    if not on:
        return f"You do not present this: {event}. It stays in your agenda."
    lines = conflicts_with_picks(event, agenda, request.clock, needs_of(request))
    return " ".join([f"You present this: {event}.", *(f"{line.sentence} ({line.other.title})." for line in lines)])
