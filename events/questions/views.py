"""Questions about an event: the public list, asking, withdrawing and voting."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from events.agenda.models.agenda import Agenda
from events.agenda.page_cache import page_cache
from events.agenda.visitor import find_agenda, get_or_begin_agenda, is_known, limited_network, remember_visitor
from events.core import limits
from events.core.clock import with_pinned_time
from events.core.graphics import qr_svg
from events.mail.notices import tell_organisers
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.participation import is_participation_closed
from events.questions import queries
from events.questions.forms import MAX_QUESTION_CHARS, QuestionForm, VoteForm
from events.questions.models import Question, QuestionRefusedError, QuestionState
from events.web.caching import no_store, shared_without_cookies
from events.web.request import Request, conference_view, csrf_by_origin, network_of, next_url, retry_after

TOO_MANY_QUESTIONS_MESSAGE = "Too many questions came within an hour. Yours is not saved yet. Send it again later."
# A question that is asked twice exists already, and may have been decided.
ASKED_MESSAGES = {
    QuestionState.OPEN: "Asked as {}. Everybody sees it within a minute.",
    QuestionState.ANSWERED: "You asked this before, and it was answered.",
    QuestionState.SKIPPED: "You asked this before, and it was skipped.",
    QuestionState.HIDDEN: "You asked this before, and it was removed from the page.",
    QuestionState.HELD: "Asked as {}. A moderator reads it first: new visitors of your network asked many questions here.",
}


@require_safe
@page_cache
@conference_view
def question_list(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    page = queries.question_page(asked_event_or_404(conference, guid), request.clock, request.GET)
    template = "events/questions/_question_list.html" if request.part == "list" else "events/questions/question_list.html"
    return render(request, template, {"questions": page, "event": page.event})


@require_safe
@shared_without_cookies
@conference_view
def question_qr(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    url = reverse("events:question-list", args=[conference.slug, asked_event_or_404(conference, guid).guid])
    return HttpResponse(qr_svg(settings.SITE_URL + url), content_type="image/svg+xml")


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
@conference_view
def question_ask(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    event = asked_event_or_404(conference, guid)
    if request.method != "POST":
        return render_question_form(request, event, QuestionForm(initial={"guid": uuid4()}))
    form = QuestionForm(request.POST)
    if not form.is_valid():
        return render_question_form(request, event, form, status=422)
    if not may_send(request, limits.QUESTIONS):
        form.add_error(None, TOO_MANY_QUESTIONS_MESSAGE)
        return retry_after(render_question_form(request, event, form, status=429), limits.QUESTIONS.within)
    return save_question(request, event, form)


def may_send(request: Request, limit: limits.Limit) -> bool:
    """Count one more request. All newcomers of a network count together."""
    agenda = find_agenda(request, request.conference)
    return limit.allows(
        visitor=str(agenda.visitor_id) if agenda else None,
        newcomers=None if is_known(request) else network_of(request),
        network=limited_network(request),
    )


def save_question(request: Request, event: Event, form: QuestionForm) -> HttpResponse:
    agenda, token = get_or_begin_agenda(request, event.conference)
    is_held = not (is_known(request) or limits.NEWCOMER_QUESTIONS.allows(newcomers=f"{event.pk} {network_of(request)}"))
    try:
        question = Question.ask(agenda, event, form.cleaned_data["text"], form=form.cleaned_data["guid"], is_held=is_held)
    except QuestionRefusedError as refused:
        form.add_error(None, str(refused))
        response = render_question_form(request, event, form, status=422)
    else:
        if is_held:
            tell_organisers()
        messages.success(request, ASKED_MESSAGES[QuestionState(question.state)].format(question.name))
        response = redirect(f"{question_page_url(request, event)}#mine")
    remember_visitor(request, response, token)
    return response


def render_question_form(request: Request, event: Event, form: QuestionForm, *, status: int = 200) -> HttpResponse:
    agenda = find_agenda(request, event.conference)
    context = {
        "event": event,
        "form": form,
        "max_chars": MAX_QUESTION_CHARS,
        "pseudonym": queries.pseudonym_of(agenda, event) if agenda else "",
        # Deadlines use the real time, also on a page with a pinned time.
        "is_closed": is_participation_closed(event, timezone.now()),
        "page_url": question_page_url(request, event),
    }
    return render(request, "events/questions/question_ask.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
@conference_view
def question_withdraw(request: Request, conference: Conference, guid: UUID, question: UUID) -> HttpResponse:
    event, agenda = asked_event_or_404(conference, guid), find_agenda(request, conference)
    row = queries.own_question(agenda, event, question)
    if agenda is None or row is None:
        if request.method != "POST":
            raise Http404
        # Sent twice: it is withdrawn already.
        return redirect(question_page_url(request, event))
    if request.method != "POST":
        return confirm_withdrawal(request, row)
    try:
        row.withdraw(agenda)
    except QuestionRefusedError as refused:
        row.refresh_from_db(fields=["state"])
        return confirm_withdrawal(request, row, str(refused), status=422)
    messages.success(request, "Withdrawn. It disappears within a minute.")
    return redirect(question_page_url(request, event))


def confirm_withdrawal(request: Request, question: Question, problem: str = "", *, status: int = 200) -> HttpResponse:
    context = {
        "event": question.event,
        "question": question,
        "problem": problem,
        "page_url": question_page_url(request, question.event),
    }
    return render(request, "events/questions/question_withdraw.html", context, status=status)


def asked_event_or_404(conference: Conference, guid: UUID) -> Event:
    event = queries.event_taking_questions(conference, guid)
    if event is None:
        raise Http404
    return event


def question_page_url(request: Request, event: Event) -> str:
    return with_pinned_time(queries.question_list_url(event), request.clock)


TOO_MANY_VOTES_MESSAGE = "Too many votes came within an hour. Yours does not count yet. Vote again later."


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def question_vote(request: Request, conference: Conference, guid: UUID, question: UUID) -> HttpResponse:
    row = queries.visible_question(asked_event_or_404(conference, guid), question)
    if row is None:
        raise Http404
    if request.method != "POST":
        return confirm_vote(request, row)
    form = VoteForm(request.POST)
    if not form.is_valid():
        return confirm_vote(request, row, form.problem, status=422)
    if not may_send(request, limits.VOTES):
        return retry_after(confirm_vote(request, row, TOO_MANY_VOTES_MESSAGE, status=429), limits.VOTES.within)
    agenda, token = get_or_begin_agenda(request, conference)
    try:
        set_vote(request, row, agenda, on=form.cleaned_data["on"])
    except Question.DoesNotExist:
        # Its asker has just withdrawn it.
        raise Http404 from None
    except QuestionRefusedError as refused:
        response = vote_response(request, row, str(refused))
    else:
        response = vote_response(request, row)
    remember_visitor(request, response, token)
    return response


def set_vote(request: Request, question: Question, agenda: Agenda, *, on: bool) -> None:
    """Set or withdraw the vote. Of the newcomers of one network, a few votes for each question count."""
    is_newcomer = on and not is_known(request)
    counts = (
        not is_newcomer
        or question.has_vote_of(agenda)
        or limits.NEWCOMER_VOTES.allows(newcomers=f"{question.pk} {network_of(request)}")
    )
    question.vote(agenda, on=on, is_newcomer=is_newcomer, counts=counts)


def confirm_vote(request: Request, question: Question, problem: str = "", *, status: int = 200) -> HttpResponse:
    context = vote_context(request, question) | {"problem": problem, "page_url": question_page_url(request, question.event)}
    return render(request, "events/questions/question_vote.html", context, status=status)


def vote_response(request: Request, question: Question, problem: str = "") -> HttpResponse:
    if request.htmx:
        return render(
            request, "events/questions/_question_vote_answer.html", vote_context(request, question) | {"problem": problem}
        )
    if problem:
        return confirm_vote(request, question, problem, status=422)
    return redirect(f"{next_url(request, question_page_url(request, question.event))}#q-{question.guid}")


def vote_context(request: Request, question: Question) -> dict[str, object]:
    agenda = find_agenda(request, question.event.conference)
    line = queries.question_line(question, request.clock.now)
    mine = queries.own_votes(agenda, question.event, request.clock.now) if agenda else None
    return {
        "event": question.event,
        "question": line,
        "is_own": mine is not None and line.pk in mine.asked,
        "voted": mine is not None and line.pk in mine.voted,
    }
