"""The crowd of an event: its page, reports of attendees, and the badges that open pages load again."""

from __future__ import annotations

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_http_methods, require_safe

from events.agenda.models.agenda import Agenda
from events.agenda.page_cache import page_cache
from events.agenda.page_keys import PART_PARAM
from events.agenda.visitor import get_or_begin_agenda, limited_network, remember_visitor
from events.core import limits
from events.crowd.models import CrowdReport, report_event_id
from events.crowd.queries.block import (
    LINE_STATE_CHOICES,
    ROOM_STATE_CHOICES,
    CrowdBlock,
    alternatives_to,
    crowd_block,
    reported_event,
)
from events.crowd.queries.reports import Crowds, is_on, live_crowd_badges
from events.mail.notices import tell_organisers
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.venue import RoomState
from events.web.request import Request, conference_view, csrf_by_origin, needs_of, network_of, next_url, retry_after


class CrowdForm(forms.Form):
    state = forms.ChoiceField(choices=RoomState.choices)

    @property
    def problem(self) -> str:
        return f"“{str(self.data.get('state', ''))[:40]}” is not one of the answers. Please use the buttons below."


REPORTED_JUST_NOW_MESSAGE = "You reported another place a moment ago. Try again in half a minute."
TOO_MANY_REPORTS_MESSAGE = "Too many reports come from this network. Try again in a while."
NOT_RUNNING_MESSAGE = "Not recorded: reports are open from 15 minutes before the start until the end."
NO_ROOM_MESSAGE = "Not recorded: the room is not known yet."


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def crowd_set(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    event = reported_event(conference, guid)
    if event is None:
        raise Http404
    if request.method != "POST":
        return show_crowd(request, event)
    form = CrowdForm(request.POST)
    if not form.is_valid():
        return reject_report(request, event, form.problem, status=422)
    if request.clock.pinned or not is_on(event, request.clock.now):
        return reject_report(
            request, event, NOT_RUNNING_MESSAGE if event.room_id or event.service_id else NO_ROOM_MESSAGE, status=409
        )
    if not limits.CROWD_REPORTS.allows(network=limited_network(request)):
        return retry_after(reject_report(request, event, TOO_MANY_REPORTS_MESSAGE, status=429), limits.CROWD_REPORTS.within)
    agenda, token = get_or_begin_agenda(request, conference)
    if not record_report(request, agenda, event, form.cleaned_data["state"]):
        response = retry_after(
            reject_report(request, event, REPORTED_JUST_NOW_MESSAGE, status=429), limits.CROWD_REPORTS_AT_ONCE.within
        )
    else:
        response = thank_for_report(request, event, agenda, form.cleaned_data["state"])
    remember_visitor(request, response, token)
    return response


def record_report(request: Request, agenda: Agenda, event: Event, state: str) -> bool:
    now = request.clock.now
    if not limits.CROWD_REPORTS_AT_ONCE.allows(visitor=str(agenda.pk)):
        return False
    counts = not CrowdReport.is_from_newcomer(agenda, event, now) or _counts_newcomers(request, event)
    is_recorded = CrowdReport.record(agenda, event, state, now, counts=counts)
    if is_recorded and state == RoomState.FULL:
        tell_organisers()
    return is_recorded


def _counts_newcomers(request: Request, event: Event) -> bool:
    return limits.CROWD_NEWCOMERS.allows(newcomers=f"{report_event_id(event)} {network_of(request)}")


@require_safe
@page_cache
@conference_view
def crowd_list(request: Request, conference: Conference) -> HttpResponse:
    """The part ``badges`` is for the cards of open pages. There is no page: a person is sent to the list of rooms."""
    if request.part != "badges":
        return redirect("events:venue", conference.slug)
    return render(request, "events/crowd/_latest_reports.html", {"badges": live_crowd_badges(conference, request.clock)})


def show_crowd(request: Request, event: Event) -> HttpResponse:
    if request.GET.get(PART_PARAM) != "block":
        return render_crowd(request, event)
    return cached_crowd_block(request, event)


@page_cache
def cached_crowd_block(request: Request, event: Event) -> HttpResponse:
    # A full hall asks every minute: built once a minute, and mostly answered with 304.
    return HttpResponse(crowd_fragment(request, event, crowd_block(event, request.clock)))


def thank_for_report(request: Request, event: Event, agenda: Agenda, state: str) -> HttpResponse:
    crowds = Crowds(request.clock)
    block = crowd_block(event, request.clock, crowds)
    message = thanks_text(event, state, block)
    if not request.htmx:
        messages.success(request, message)
        return redirect(next_url(request, f"{event.get_absolute_url()}#crowd"))
    is_turned_away = state == RoomState.FULL and event.room_id
    own = alternatives_to(event, request.clock, agenda, needs_of(request), crowds) if is_turned_away else None
    return HttpResponse(crowd_fragment(request, event, block, message=message, own=own))


def thanks_text(event: Event, state: str, block: CrowdBlock | None) -> str:
    choice = dict(LINE_STATE_CHOICES if event.service_id else ROOM_STATE_CHOICES)[RoomState(state)]
    is_shown = block is not None and block.crowd.sure and block.crowd.state == state
    return f"Thank you: “{choice}”. " + ("Everybody sees it now." if is_shown else "It will show once others confirm.")


def reject_report(request: Request, event: Event, problem: str, *, status: int) -> HttpResponse:
    if not request.htmx:
        return render_crowd(request, event, problem, status=status)
    html = crowd_fragment(request, event, crowd_block(event, request.clock), message=problem)
    return HttpResponse(html, status=status, headers={"HX-Reswap": "outerHTML"})


def render_crowd(request: Request, event: Event, problem: str = "", *, status: int = 200) -> HttpResponse:
    block = crowd_block(event, request.clock)
    context = {"event": event, "crowd": block, "problem": problem, "next": next_url(request, event.get_absolute_url())}
    return render(request, "events/crowd/crowd_detail.html", context, status=status)


def crowd_fragment(request: Request, event: Event, block: CrowdBlock | None, **more: object) -> str:
    context = {"crowd": block, "event": event, "conference": request.conference, "clock": request.clock, **more}
    return render_to_string("events/crowd/_crowd_answer.html", context, request)
