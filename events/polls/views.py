"""Polls of an event: their page, and voting."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from events.agenda.models.agenda import Agenda
from events.agenda.page_cache import page_cache
from events.agenda.visitor import find_agenda, get_or_begin_agenda, is_known, limited_network, remember_visitor
from events.core import limits
from events.core.clock import with_pinned_time
from events.core.graphics import qr_svg
from events.polls import queries
from events.polls.forms import PollVoteForm
from events.polls.models import Poll, PollRefusedError
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.participation import participation_closes_at
from events.programme.queries import events as events_queries
from events.web.caching import shared_without_cookies
from events.web.request import Request, conference_view, csrf_by_origin, network_of, next_url, retry_after

TOO_MANY_POLL_VOTES_MESSAGE = "Too many votes came within an hour. Yours does not count yet. Vote again later."


@require_safe
@page_cache
@conference_view
def poll_list(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """Also for an event without a poll, so that its address can be shown before the first one is opened."""
    event = event_or_404(conference, guid)
    context = {
        "event": event,
        "polls": queries.polls_of(event, request.clock),
        "page_url": queries.poll_page_url(event),
        "is_over": request.clock.now >= participation_closes_at(event),
    }
    return render(request, "events/polls/_poll_list.html" if request.part == "list" else "events/polls/poll_list.html", context)


@require_safe
@shared_without_cookies
@conference_view
def poll_qr(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    svg = qr_svg(settings.SITE_URL + queries.poll_page_url(event_or_404(conference, guid)))
    return HttpResponse(svg, content_type="image/svg+xml")


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def poll_vote(request: Request, conference: Conference, guid: UUID, poll: UUID) -> HttpResponse:
    """GET shows the poll alone, POST sets ``answer``. Repeating it changes nothing."""
    row = queries.visible_poll(event_or_404(conference, guid), poll)
    if row is None:
        raise Http404
    if request.method != "POST":
        return poll_page(request, row)
    form = PollVoteForm(request.POST, queries.poll_card(row, None, request.clock.now))
    if not form.is_valid():
        return vote_response(request, row, form.problem)
    if not may_vote(request):
        return retry_after(poll_page(request, row, TOO_MANY_POLL_VOTES_MESSAGE, status=429), limits.POLL_VOTES.within)
    agenda, token = get_or_begin_agenda(request, conference)
    try:
        set_vote(request, row, agenda, form.cleaned_data["answer"])
    except PollRefusedError as refused:
        row.refresh_from_db(fields=["state"])
        response = vote_response(request, row, str(refused))
    else:
        response = vote_response(request, row)
    remember_visitor(request, response, token)
    return response


def may_vote(request: Request) -> bool:
    """Count one more request. All newcomers of a network count together."""
    agenda = find_agenda(request, request.conference)
    return limits.POLL_VOTES.allows(
        visitor=str(agenda.visitor_id) if agenda else None,
        newcomers=None if is_known(request) else network_of(request),
        network=limited_network(request),
    )


def set_vote(request: Request, poll: Poll, agenda: Agenda, number: int) -> None:
    """Of the newcomers of one network, a few votes in each poll count."""
    is_newcomer = not is_known(request)
    counts = (
        not is_newcomer
        or poll.has_vote_of(agenda)
        or limits.NEWCOMER_POLL_VOTES.allows(newcomers=f"{poll.pk} {network_of(request)}")
    )
    poll.vote(agenda, number, is_newcomer=is_newcomer, counts=counts)


def poll_page(request: Request, poll: Poll, problem: str = "", *, status: int = 200) -> HttpResponse:
    context = poll_context(request, poll) | {"problem": problem}
    return render(request, "events/polls/poll_vote.html", context, status=status)


def vote_response(request: Request, poll: Poll, problem: str = "") -> HttpResponse:
    if request.htmx:
        return render(request, "events/polls/_poll_answer.html", poll_context(request, poll) | {"problem": problem})
    if problem:
        return poll_page(request, poll, problem, status=422)
    page_url = with_pinned_time(queries.poll_page_url(poll.event), request.clock)
    return redirect(f"{next_url(request, page_url)}#poll-{poll.guid}")


def poll_context(request: Request, poll: Poll) -> dict[str, object]:
    agenda = find_agenda(request, request.conference)
    return {
        "event": poll.event,
        "poll": queries.poll_card(poll, agenda, request.clock.now),
        "page_url": with_pinned_time(queries.poll_page_url(poll.event), request.clock),
    }


def event_or_404(conference: Conference, guid: UUID) -> Event:
    event = events_queries.bare_event(conference, guid)
    if event is None:
        raise Http404
    return event
