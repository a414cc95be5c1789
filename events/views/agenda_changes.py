"""What is new in the visitor's agenda: the banner on every page, the list, and saying that one has seen it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from events.calendars.conditions import is_current
from events.calendars.feeds import digest
from events.forms import SeenForm
from events.http import Request, find_agenda, in_conference, next_url
from events.models import Agenda, Conference, Event
from events.queries.agenda_changes import News, agenda_news, count_over
from events.queries.seats import new_places


@require_safe
@in_conference
def agenda_banner(request: Request, conference: Conference) -> HttpResponse:
    """What the banner holds now; asked every minute by every page that is open, so mostly answered with 304."""
    agenda = find_agenda(request, conference)
    if agenda is None:
        return HttpResponse(status=204)
    over = count_over(agenda, request.clock)
    agenda.conference = conference
    places = new_places(agenda, request.clock)
    known = (agenda.pk, agenda.revision, conference.revision, over, [it.pk for it in places])
    etag = f'"{digest("banner", *known)}"'
    if is_current(request.headers, etag, lambda: None):
        return HttpResponseNotModified(headers={"ETag": etag})
    count = news_of(request, agenda).count
    context = {"news_count": count, "new_places": places, "conference": conference, "clock": request.clock}
    response = render(request, "events/_agenda_banner.html", context)
    response["ETag"] = etag
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@in_conference
def agenda_changes(request: Request, conference: Conference) -> HttpResponse:
    """GET lists what is new; POST says that what was shown (``upto``) of one event, or all of it, has been seen."""
    agenda = find_agenda(request, conference)
    if request.method != "POST":
        return listed(request, agenda)
    if agenda is None:
        return redirect(request.path)
    form = SeenForm(request.POST)
    if not form.is_valid():
        return listed(request, agenda, form.problem, status=422)
    said = see(agenda, form)
    if request.htmx:
        context = {"news": news_of(request, agenda), "sentence": said, "focused": True}
        return render(request, "events/_agenda_news_answer.html", context)
    messages.success(request, said)
    return redirect(next_url(request, request.path))


def listed(request: Request, agenda: Agenda | None, problem: str = "", *, status: int = 200) -> HttpResponse:
    news = news_of(request, agenda) if agenda else News([])
    context = {"news": news, "has_agenda": agenda is not None, "problem": problem}
    return render(request, "events/agenda_changes.html", context, status=status)


def see(agenda: Agenda, form: SeenForm) -> str:
    """Note it, and say so."""
    guid, upto = form.cleaned_data["event"], form.cleaned_data["upto"]
    event = Event.objects.public().filter(guid=guid, conference=agenda.conference_id).first() if guid else None
    if guid is None:
        agenda.acknowledge(upto)
        return "Seen: all that changed in your agenda."
    if event is None:
        return "That event is no longer in the programme."
    agenda.acknowledge(upto, [event.pk])
    return f"Seen: {event.title}."


def news_of(request: Request, agenda: Agenda) -> News:
    agenda.conference = request.conference
    return agenda_news(agenda, request.clock)
