"""Calendars of what is public, to subscribe to or to download, and one's own agenda as a file."""

from __future__ import annotations

import datetime as dt
from uuid import UUID

from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from events.calendars import downloads, feeds
from events.http import Request, in_conference
from events.models import Conference, Day, Event, Person
from events.queries import choices as choice_queries
from events.queries import exports as export_queries
from events.queries import people as people_queries
from events.views.calendar_answers import PERSONAL, PUBLIC, answer, own_agenda, read_only


@read_only
@in_conference
def event_calendar(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    event = get_object_or_404(Event.objects.public().exclude(day=None), guid=guid, conference=conference)
    event.conference = conference
    return answer(request, feeds.event_calendar(event), PUBLIC, download=True)


@read_only
@in_conference
def deadline_calendar(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """Until when one can sign up."""
    event = get_object_or_404(Event.objects.public().exclude(signup_until=None), guid=guid, conference=conference)
    event.conference = conference
    return answer(request, feeds.deadline_calendar(event), PUBLIC, download=True)


@read_only
@in_conference
def schedule_calendar(request: Request, conference: Conference) -> HttpResponse:
    """Under the filters of the schedule's pages, as the other files of the programme."""
    return programme(request, conference, request.GET, download=is_download(request))


@read_only
@in_conference
def day_calendar(request: Request, conference: Conference, date: dt.date) -> HttpResponse:
    """One day to take away; whoever wants to follow it subscribes to the schedule under its filter."""
    get_object_or_404(Day, conference=conference, date=date)
    query = request.GET.copy()
    query.setlist("day", [date.isoformat()])
    return programme(request, conference, query, download=True)


def programme(request: Request, conference: Conference, query: QueryDict, *, download: bool) -> HttpResponse:
    asked = export_queries.asked_of_schedule(query)
    shown = export_queries.chosen_events(conference, query) if asked else None
    feed = feeds.schedule_feed(conference, shown, asked, lambda: choice_queries.in_words(conference, asked))
    return for_any_page(answer(request, feed, PUBLIC, download=download))


@read_only
@in_conference
def person_calendar(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    person = get_object_or_404(Person.objects.public(), conference=conference, guid=guid)
    person.conference = conference
    feed = feeds.person_feed(person, people_queries.events_of(person))
    return for_any_page(answer(request, feed, PUBLIC, download=is_download(request)))


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@in_conference
def agenda_download(request: Request, conference: Conference) -> HttpResponse:
    """Reading only reads; the button also remembers what was taken away, so that the next file can say what is gone."""
    file = agenda_file(request, conference)
    return take_away(request, file) if request.method == "POST" else answer(request, file, PERSONAL, download=True)


@csrf_protect
def take_away(request: Request, file: feeds.Feed) -> HttpResponse:
    if isinstance(file, downloads.Download):
        file.agenda.took_away(file.held, timezone.now())
    return answer(request, file, PERSONAL, download=True)


def agenda_file(request: Request, conference: Conference) -> feeds.Feed:
    agenda = own_agenda(request, conference)
    return downloads.agenda_download(agenda) if agenda else downloads.empty_download(conference)


def is_download(request: Request) -> bool:
    return bool(request.GET.get("download"))


def for_any_page(response: HttpResponse) -> HttpResponse:
    """Anybody's page may fetch it."""
    response["Access-Control-Allow-Origin"] = "*"
    return response
