"""The changes since a visitor last looked: the list, and marking them as seen."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from events.agenda.forms import ChangesSeenForm
from events.agenda.models.agenda import Agenda
from events.agenda.queries.changes import News, agenda_news, public_event_of
from events.agenda.visitor import find_agenda
from events.programme.models.conference import Conference
from events.web.request import Request, conference_view, csrf_by_origin, next_url


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def agenda_changes(request: Request, conference: Conference) -> HttpResponse:
    """GET lists the changes; POST marks those of one event, or all, as seen up to ``upto``."""
    agenda = find_agenda(request, conference)
    if request.method != "POST":
        return render_changes(request, agenda)
    if agenda is None:
        return redirect(request.path)
    form = ChangesSeenForm(request.POST)
    if not form.is_valid():
        return render_changes(request, agenda, form.problem, status=422)
    message = mark_seen(agenda, form)
    if request.htmx:
        context = {"news": news_of_agenda(request, agenda), "sentence": message, "focused": True}
        return render(request, "events/agenda/_news_answer.html", context)
    messages.success(request, message)
    return redirect(next_url(request, request.path))


def render_changes(request: Request, agenda: Agenda | None, problem: str = "", *, status: int = 200) -> HttpResponse:
    news = news_of_agenda(request, agenda) if agenda else News([])
    context = {"news": news, "has_agenda": agenda is not None, "problem": problem}
    return render(request, "events/agenda/agenda_changes.html", context, status=status)


def mark_seen(agenda: Agenda, form: ChangesSeenForm) -> str:
    guid, upto = form.cleaned_data["event"], form.cleaned_data["upto"]
    event = public_event_of(agenda, guid) if guid else None
    if guid is None:
        agenda.acknowledge(upto)
        return "All changes are marked as seen."
    if event is None:
        return "That event is no longer in the programme."
    agenda.acknowledge(upto, [event.pk])
    return f"Seen: {event.title}."


def news_of_agenda(request: Request, agenda: Agenda) -> News:
    agenda.conference = request.conference
    return agenda_news(agenda, request.clock)
