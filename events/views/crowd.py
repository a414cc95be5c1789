"""How full it is: what is known, and one more word about it."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_http_methods, require_safe

from events.forms import CrowdForm
from events.http import (
    VISITOR_COOKIE,
    Request,
    by_origin,
    get_or_begin_agenda,
    in_conference,
    needs_of,
    network_of,
    next_url,
    remember,
    retry_after,
)
from events.models import Agenda, Conference, CrowdReport, Event, RoomState, limits
from events.models.crowd import slot_of
from events.pages.page_cache import page_cache
from events.queries.crowd import Crowds, is_on
from events.queries.crowd_block import OF_A_LINE, OF_A_ROOM, CrowdBlock, crowd_block, own_instead, reported_event
from events.queries.crowd_list import heard

TOO_SOON = "You said something a moment ago: say this in half a minute."
TOO_MANY = "Very many words come from this network just now: try again in a while."
NOT_ON = "Nothing was noted: people say how full it is from 15 minutes before the start until the end."
NO_PLACE = "Nothing was noted: nobody has said which room this is in."


@by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@in_conference
def crowd_set(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """GET says what is known; POST adds a word, ``state``, in place of the one given before."""
    event = reported_event(conference, guid)
    if event is None:
        raise Http404
    if request.method != "POST":
        return known(request, event)
    form = CrowdForm(request.POST)
    if not form.is_valid():
        return answer(request, event, form.problem, status=422)
    if request.clock.pinned or not is_on(event, request.clock.now):
        return answer(request, event, NOT_ON if event.room_id or event.service_id else NO_PLACE, status=409)
    if not limits.CROWD_REPORTS.allows(network=network_of(request)):
        return retry_after(answer(request, event, TOO_MANY, status=429), limits.CROWD_REPORTS.within)
    agenda, token = get_or_begin_agenda(request, conference)
    if not note(request, agenda, event, form.cleaned_data["state"]):
        response = retry_after(answer(request, event, TOO_SOON, status=429), limits.CROWD_REPORTS_AT_ONCE.within)
    else:
        response = noted(request, event, agenda, form.cleaned_data["state"])
    remember(response, VISITOR_COOKIE, token)
    return response


def note(request: Request, agenda: Agenda, event: Event, state: str) -> bool:
    now = request.clock.now
    if not limits.CROWD_REPORTS_AT_ONCE.allows(visitor=str(agenda.pk)):
        return False
    counts = not CrowdReport.is_of_a_stranger(agenda, event, now) or _hears_strangers(request, event)
    return CrowdReport.say(agenda, event, state, now, counts=counts)


def _hears_strangers(request: Request, event: Event) -> bool:
    return limits.CROWD_NEWCOMERS.allows(newcomers=f"{slot_of(event)} {network_of(request)}")


@require_safe
@page_cache
@in_conference
def crowd_list(request: Request, conference: Conference) -> HttpResponse:
    """What is known of all that is on, for the cards of pages that are open; where rooms are listed, to who has no script."""
    if not request.htmx or request.htmx.history_restore_request:
        return redirect("events:venue", conference.slug)
    return render(request, "events/_heard.html", {"heard": heard(conference, request.clock)})


def known(request: Request, event: Event) -> HttpResponse:
    """The part of the page that keeps asking; a page to who comes without a script."""
    if not request.htmx or request.htmx.history_restore_request:
        return page(request, event)
    return kept_part(request, event)


@page_cache
def kept_part(request: Request, event: Event) -> HttpResponse:
    """A full hall asks every minute: it is made once a minute, and mostly answered with 304."""
    return HttpResponse(fragment(request, event, crowd_block(event, request.clock)))


def noted(request: Request, event: Event, agenda: Agenda, state: str) -> HttpResponse:
    """Thanks, and where to go for who stands before a full room."""
    crowds = Crowds(request.clock)
    block = crowd_block(event, request.clock, crowds)
    said = thanks(event, state, block)
    if not request.htmx:
        messages.success(request, said)
        return redirect(next_url(request, f"{event.get_absolute_url()}#crowd"))
    is_turned_away = state == RoomState.FULL and event.room_id
    own = own_instead(event, agenda, request.clock, needs_of(request), crowds) if is_turned_away else None
    return HttpResponse(fragment(request, event, block, said=said, own=own))


def thanks(event: Event, state: str, block: CrowdBlock | None) -> str:
    words = dict(OF_A_LINE if event.service_id else OF_A_ROOM)[RoomState(state)]
    is_told = block is not None and block.crowd.sure and block.crowd.state == state
    return f"Thank you: “{words}”. " + ("So everybody reads now." if is_told else "It is shown once others say so, too.")


def answer(request: Request, event: Event, problem: str, *, status: int) -> HttpResponse:
    """What stood in the way, in words; for htmx in the place of what was pressed."""
    if not request.htmx:
        return page(request, event, problem, status=status)
    html = fragment(request, event, crowd_block(event, request.clock), said=problem)
    return HttpResponse(html, status=status, headers={"HX-Reswap": "outerHTML"})


def page(request: Request, event: Event, problem: str = "", *, status: int = 200) -> HttpResponse:
    block = crowd_block(event, request.clock)
    context = {"event": event, "crowd": block, "problem": problem, "next": next_url(request, event.get_absolute_url())}
    return render(request, "events/crowd_detail.html", context, status=status)


def fragment(request: Request, event: Event, block: CrowdBlock | None, **more: object) -> str:
    context = {"crowd": block, "event": event, "conference": request.conference, "clock": request.clock, **more}
    return render_to_string("events/_crowd_answer.html", context, request)
