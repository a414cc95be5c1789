"""A place on an event's own list: asked for, given up, and known of."""

from __future__ import annotations

import datetime as dt
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from events.forms import SignUpForm
from events.http import (
    VISITOR_COOKIE,
    Request,
    by_origin,
    find_agenda,
    get_or_begin_agenda,
    in_conference,
    needs_of,
    network_of,
    next_url,
    remember,
    retry_after,
)
from events.models import Agenda, Conference, SignUp, SignUpRefusedError, limits
from events.models.places import see_place
from events.queries import seats as queries
from events.queries.cards import PickButton
from events.queries.own_time import conflicts_with_picks

# An agenda without a pick, or made a moment ago, may be one of many of a script.
NEW = dt.timedelta(minutes=15)
TOO_MANY = "No place was given: from this network very many were taken within an hour. Try again in an hour."
TOO_NEW = "No place was given: many new agendas came from this network. Bookmark the event, and try again in 15 minutes."


@by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@in_conference
def sign_up(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """GET shows the list and asks; POST sets ``on=1`` or ``on=0``, and with ``name`` what the host reads."""
    own = queries.open_list(conference, guid)
    if own is None:
        raise Http404
    own.event.conference = conference
    if request.method != "POST":
        return list_page(request, own)
    form = SignUpForm(request.POST)
    if not form.is_valid():
        return list_page(request, own, form.problem, status=422)
    return join(request, own, form) if form.cleaned_data["on"] else leave(request, own)


def list_page(request: Request, own: SignUp, problem: str = "", *, status: int = 200) -> HttpResponse:
    agenda = find_agenda(request, own.event.conference)
    page = queries.list_page(own, agenda, request.clock)
    context = {
        "places": page,
        "event": own.event,
        "problem": problem,
        "typed": request.POST.get("name", "")[:60],
        "conflicts": conflicts_with_picks(own.event, agenda, request.clock, needs_of(request)),
        "next": next_url(request, ""),
    }
    return render(request, "events/sign_up_detail.html", context, status=status)


def join(request: Request, own: SignUp, form: SignUpForm) -> HttpResponse:
    conference = own.event.conference
    if refusal := too_many(request, own, find_agenda(request, conference)):
        return retry_after(refuse(request, own, refusal, status=429), NEW if refusal == TOO_NEW else limits.SEATS.within)
    agenda, token = get_or_begin_agenda(request, conference)
    try:
        own.join(agenda, form.wanted_name)
    except SignUpRefusedError as error:
        response = refuse(request, own, str(error), status=409)
    else:
        response = answer(request, own, agenda)
    remember(response, VISITOR_COOKIE, token)
    return response


def leave(request: Request, own: SignUp) -> HttpResponse:
    agenda = find_agenda(request, own.event.conference)
    if agenda is not None:
        own.leave(agenda)
    return answer(request, own, agenda)


def too_many(request: Request, own: SignUp, agenda: Agenda | None) -> str:
    """Count one more try, by where it comes from, and say why it is one too many; who has a seat only changes the name on it."""
    if agenda is not None and own.seats.alive().filter(agenda=agenda).exists():
        return ""
    network = network_of(request)
    if not limits.SEATS.allows(network=network):
        return TOO_MANY
    if agenda is not None and timezone.now() - agenda.created_at >= NEW and agenda.levels():
        return ""
    few = limits.NEWCOMER_SEATS.allows(newcomers=network)
    few &= limits.NEWCOMER_SEATS_OF_A_LIST.allows(newcomers=f"{own.pk} {network}")
    return "" if few else TOO_NEW


def refuse(request: Request, own: SignUp, problem: str, *, status: int) -> HttpResponse:
    """The list as it is, and why nothing came of it; htmx takes no page that says it failed."""
    own = queries.open_list(own.event.conference, own.event.guid) or own
    if not request.htmx:
        return list_page(request, own, problem, status=status)
    return fragment(request, own, find_agenda(request, own.event.conference), problem)


def answer(request: Request, own: SignUp, agenda: Agenda | None) -> HttpResponse:
    """What was pressed alone for htmx; otherwise back to where the visitor was, with the same words as a message."""
    own = queries.open_list(own.event.conference, own.event.guid) or own
    page = queries.list_page(own, agenda, request.clock)
    said = f"{page.mine_text}: {own.event}." if page.mine else f"You are not on the list of {own.event}."
    if request.htmx:
        return fragment(request, own, agenda, said)
    lines = conflicts_with_picks(own.event, agenda, request.clock, needs_of(request)) if page.mine else []
    messages.success(request, " ".join([said, *(f"{line.sentence} with {line.other.title}." for line in lines)]))
    return redirect(next_url(request, f"{own.event.get_absolute_url()}#sign-up"))


def fragment(request: Request, own: SignUp, agenda: Agenda | None, said: str) -> HttpResponse:
    """The block of the event's page, and what else on it is otherwise now."""
    level = agenda.levels().get(own.event_id, "") if agenda else ""
    context = {
        "places": queries.list_page(own, agenda, request.clock),
        "event": own.event,
        "card": PickButton(own.event, bookmarked=bool(level)),
        "level": level,
        "sentence": said,
        "conflicts": conflicts_with_picks(own.event, agenda, request.clock, needs_of(request)) if level else [],
    }
    return render(request, "events/_sign_up_answer.html", context)


@require_POST
@in_conference
def place_seen(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """Its holder knows of the place; sent twice it does the same."""
    own, agenda = queries.open_list(conference, guid), find_agenda(request, conference)
    if own is None:
        raise Http404
    if agenda is not None:
        see_place(agenda, own.event)
    return redirect(next_url(request, reverse("events:agenda-detail", args=[conference.slug])))
