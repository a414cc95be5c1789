"""Questions to an event: the page everybody reads, asking one, and a vote for another's."""

from __future__ import annotations

import datetime as dt
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from events.http import (
    VISITOR_COOKIE,
    Request,
    address_of,
    by_origin,
    find_agenda,
    get_or_begin_agenda,
    in_conference,
    next_url,
    remember,
    visitor_token,
)
from events.models import Account, Conference, Event, Question, Tally
from events.models.questions import NotTakenError, is_closed
from events.models.tries import network_of
from events.pages.shared import shared
from events.queries import questions as queries
from events.queries.pinned import carried
from events.queries.shown_names import is_refused, may_show
from events.question_forms import LONGEST, QuestionForm, VoteForm
from events.views.calendar_answers import unstored

HOUR = dt.timedelta(hours=1)
# By visitor, and generously by address: a whole hall comes from one.
MOST_ASKED, MOST_ASKED_FROM = 20, 2_000
MOST_VOTES, MOST_VOTES_FROM = 400, 40_000
TOO_MANY_QUESTIONS = "That were many questions in an hour. Yours is not kept yet: send it again in a while."
TOO_MANY_VOTES = "That were many votes in an hour. This one does not count yet: vote again in a while."
NAME_TAKEN = "The name of your account is too close to somebody's here: ask under the name that is given."


@require_safe
@shared
@in_conference
def question_list(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """All that was asked, the most wanted first; the list alone for who keeps asking for it."""
    page = queries.question_page(event_of(conference, guid), request.clock, request.GET)
    asks_again = request.htmx and not request.htmx.boosted and not request.htmx.history_restore_request
    template = "events/_question_list.html" if asks_again else "events/question_list.html"
    return render(request, template, {"questions": page, "event": page.event})


@require_http_methods(["GET", "HEAD", "POST"])
@unstored
@in_conference
def question_ask(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """GET asks for the question, POST keeps it; sent twice it is one."""
    event = event_of(conference, guid)
    name = own_name(request)
    if request.method != "POST":
        return asked(request, event, QuestionForm(initial={"guid": uuid4()}), name)
    form = QuestionForm(request.POST)
    if form.is_valid() and form.cleaned_data["named"] and (not name or is_refused(name, event, find_agenda(request, conference))):
        form.add_error("named", NAME_TAKEN)
    if not form.is_valid():
        return asked(request, event, form, name, status=422)
    if not is_within_limits(request, "question", MOST_ASKED, MOST_ASKED_FROM):
        form.add_error(None, TOO_MANY_QUESTIONS)
        return later(asked(request, event, form, name, status=429))
    return keep(request, event, form, name if form.cleaned_data["named"] else "")


def keep(request: Request, event: Event, form: QuestionForm, name: str) -> HttpResponse:
    agenda, token = get_or_begin_agenda(request, event.conference)
    try:
        question = Question.ask(agenda, event, form.cleaned_data["text"], form=form.cleaned_data["guid"], name=name)
    except NotTakenError as refused:
        form.add_error(None, str(refused))
        response = asked(request, event, form, name, status=422)
    else:
        messages.success(request, f"Asked, as {question.name}. Within a minute everybody reads it.")
        response = redirect(f"{page_of(request, event)}#q-{question.guid}")
    remember(response, VISITOR_COOKIE, token)
    return response


def asked(request: Request, event: Event, form: QuestionForm, name: str, *, status: int = 200) -> HttpResponse:
    agenda = find_agenda(request, event.conference)
    context = {
        "event": event,
        "form": form,
        "longest": LONGEST,
        "own_name": name,
        "may_show": bool(name) and may_show(name, event, agenda),
        "given_name": queries.given_name_of(agenda, event) if agenda else "",
        # What is written goes by the real time, whatever moment is looked at.
        "is_closed": is_closed(event, timezone.now()),
        "page_url": page_of(request, event),
    }
    return render(request, "events/question_ask.html", context, status=status)


@by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@in_conference
def question_vote(request: Request, conference: Conference, guid: UUID, question: UUID) -> HttpResponse:
    """GET asks, POST sets ``on=1`` or ``on=0``; sent twice it counts once."""
    found = queries.known_question(event_of(conference, guid), question)
    if found is None:
        raise Http404
    if request.method != "POST":
        return confirmed(request, found)
    form = VoteForm(request.POST)
    if not form.is_valid():
        return confirmed(request, found, form.problem, status=422)
    if not is_within_limits(request, "vote", MOST_VOTES, MOST_VOTES_FROM):
        return later(confirmed(request, found, TOO_MANY_VOTES, status=429))
    agenda, token = get_or_begin_agenda(request, conference)
    try:
        found.vote(agenda, on=form.cleaned_data["on"])
    except NotTakenError as refused:
        response = voted(request, found, str(refused))
    else:
        response = voted(request, found)
    remember(response, VISITOR_COOKIE, token)
    return response


def confirmed(request: Request, question: Question, problem: str = "", *, status: int = 200) -> HttpResponse:
    context = vote_context(request, question) | {"problem": problem, "page_url": page_of(request, question.event)}
    return render(request, "events/question_vote.html", context, status=status)


def voted(request: Request, question: Question, problem: str = "") -> HttpResponse:
    """The button alone for htmx; otherwise back to the question."""
    if request.htmx:
        return render(request, "events/_question_vote_answer.html", vote_context(request, question) | {"problem": problem})
    if problem:
        return confirmed(request, question, problem, status=422)
    return redirect(f"{next_url(request, page_of(request, question.event))}#q-{question.guid}")


def vote_context(request: Request, question: Question) -> dict[str, object]:
    agenda = find_agenda(request, question.event.conference)
    line = queries.question_line(question, request.clock.now)
    own = queries.own_votes(agenda, question.event, request.clock.now) if agenda else None
    return {
        "event": question.event,
        "question": line,
        "is_own": own is not None and line.pk in own.asked,
        "voted": own is not None and line.pk in own.voted,
    }


def event_of(conference: Conference, guid: UUID) -> Event:
    event = queries.asked_event(conference, guid)
    if event is None:
        raise Http404
    return event


def page_of(request: Request, event: Event) -> str:
    return carried(queries.page_url(event), request.clock)


def own_name(request: Request) -> str:
    """The name that the account of who is signed in shows; usually nobody is."""
    account = Account.objects.of(visitor_token(request))
    return account.display_name if account else ""


def is_within_limits(request: Request, what: str, most: int, most_from: int) -> bool:
    token = visitor_token(request)
    counts = [
        not token or Tally.allows(what, token, most=most, within=HOUR),
        Tally.allows(f"{what}-address", network_of(address_of(request)), most=most_from, within=HOUR),
    ]
    return all(counts)


def later(response: HttpResponse) -> HttpResponse:
    response["Retry-After"] = str(int(HOUR.total_seconds()))
    return response
