"""Questions to an event: the page everybody reads, asking one, and taking it back."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from events.http import (
    VISITOR_COOKIE,
    Request,
    find_agenda,
    get_or_begin_agenda,
    in_conference,
    network_of,
    remember,
    retry_after,
)
from events.models import Conference, Event, Question, QuestionState, limits
from events.models.question_times import is_closed
from events.models.questions import NotTakenError
from events.pages.page_cache import page_cache
from events.queries import questions as queries
from events.queries.pinned import carried
from events.question_forms import LONGEST, QuestionForm
from events.views.calendar_answers import unstored

TOO_MANY = "Too many questions came within an hour. Yours is not kept yet: send it again in a while."
# What is asked twice is there already, and may have been decided meanwhile.
ASKED = {
    QuestionState.OPEN: "Asked, as {}. Within a minute everybody reads it.",
    QuestionState.ANSWERED: "You asked this before, and it was answered.",
    QuestionState.SKIPPED: "You asked this before, and it was skipped.",
    QuestionState.HIDDEN: "You asked this before, and it was taken off the page.",
}


@require_safe
@page_cache
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
    if request.method != "POST":
        return asked(request, event, QuestionForm(initial={"guid": uuid4()}))
    form = QuestionForm(request.POST)
    if not form.is_valid():
        return asked(request, event, form, status=422)
    if not may_send(request, limits.QUESTIONS):
        form.add_error(None, TOO_MANY)
        return retry_after(asked(request, event, form, status=429), limits.QUESTIONS.within)
    return keep(request, event, form)


def may_send(request: Request, limit: limits.Limit) -> bool:
    """Who has no agenda here yet counts with all other newcomers of the network."""
    network = network_of(request)
    agenda = find_agenda(request, request.conference)
    if agenda is None:
        return limit.allows(visitor=None, newcomers=network, network=network)
    return limit.allows(visitor=str(agenda.visitor_id), newcomers=None, network=network)


def keep(request: Request, event: Event, form: QuestionForm) -> HttpResponse:
    agenda, token = get_or_begin_agenda(request, event.conference)
    try:
        question = Question.ask(agenda, event, form.cleaned_data["text"], form=form.cleaned_data["guid"])
    except NotTakenError as refused:
        form.add_error(None, str(refused))
        response = asked(request, event, form, status=422)
    else:
        messages.success(request, ASKED[QuestionState(question.state)].format(question.name))
        response = redirect(f"{page_of(request, event)}#mine")
    remember(response, VISITOR_COOKIE, token)
    return response


def asked(request: Request, event: Event, form: QuestionForm, *, status: int = 200) -> HttpResponse:
    agenda = find_agenda(request, event.conference)
    context = {
        "event": event,
        "form": form,
        "longest": LONGEST,
        "given_name": queries.given_name_of(agenda, event) if agenda else "",
        # What is written goes by the real time, whatever moment is looked at.
        "is_closed": is_closed(event, timezone.now()),
        "page_url": page_of(request, event),
    }
    return render(request, "events/question_ask.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@unstored
@in_conference
def question_withdraw(request: Request, conference: Conference, guid: UUID, question: UUID) -> HttpResponse:
    """GET asks whether to, POST takes one's own question back; sent twice it is gone once."""
    event, agenda = event_of(conference, guid), find_agenda(request, conference)
    own = queries.own_question(agenda, event, question)
    if agenda is None or own is None:
        if request.method != "POST":
            raise Http404
        # Sent twice: it is gone already.
        return redirect(page_of(request, event))
    if request.method != "POST":
        return asked_back(request, own)
    try:
        own.withdraw(agenda)
    except NotTakenError as refused:
        own.refresh_from_db(fields=["state"])
        return asked_back(request, own, str(refused), status=422)
    messages.success(request, "Taken back. Within a minute nobody reads it any more.")
    return redirect(page_of(request, event))


def asked_back(request: Request, own: Question, problem: str = "", *, status: int = 200) -> HttpResponse:
    context = {"event": own.event, "question": own, "problem": problem, "page_url": page_of(request, own.event)}
    return render(request, "events/question_withdraw.html", context, status=status)


def event_of(conference: Conference, guid: UUID) -> Event:
    event = queries.asked_event(conference, guid)
    if event is None:
        raise Http404
    return event


def page_of(request: Request, event: Event) -> str:
    return carried(queries.page_url(event), request.clock)
