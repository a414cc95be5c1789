"""A vote for somebody else's question."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from events.http import (
    VISITOR_COOKIE,
    Request,
    by_origin,
    find_agenda,
    get_or_begin_agenda,
    in_conference,
    next_url,
    remember,
    retry_after,
)
from events.models import Conference, Question, limits
from events.models.questions import NotTakenError
from events.queries import questions as queries
from events.question_forms import VoteForm
from events.views.questions import event_of, may_send, page_of

TOO_MANY = "Too many votes came within an hour. This one does not count yet: vote again in a while."


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
    if not may_send(request, limits.VOTES):
        return retry_after(confirmed(request, found, TOO_MANY, status=429), limits.VOTES.within)
    agenda, token = get_or_begin_agenda(request, conference)
    try:
        found.vote(agenda, on=form.cleaned_data["on"])
    except Question.DoesNotExist:
        # Taken back in this moment by who asked it.
        raise Http404 from None
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
