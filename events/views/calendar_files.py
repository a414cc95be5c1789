"""Calendar files: an event, the programme, one's own agenda."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404

from events.calendars import feeds
from events.http import Request, in_conference
from events.models import Conference, Event
from events.queries import exports as export_queries
from events.views.calendar_answers import PERSONAL, PUBLIC, answer, own_agenda, read_only


@read_only
@in_conference
def event_calendar(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    event = get_object_or_404(Event.objects.public().exclude(day=None), guid=guid, conference=conference)
    event.conference = conference
    return answer(request, feeds.event_calendar(event), PUBLIC, filename=event.title)


@read_only
@in_conference
def schedule_calendar(request: Request, conference: Conference) -> HttpResponse:
    """Under the filters of the schedule's pages, as the other files of the programme; anybody's page may fetch it."""
    asked = export_queries.asked_of_schedule(request.GET)
    shown = export_queries.chosen_events(conference, request.GET) if asked else None
    response = answer(request, feeds.schedule_feed(conference, shown, asked), PUBLIC, filename=conference.name)
    response["Access-Control-Allow-Origin"] = "*"
    return response


@read_only
@in_conference
def agenda_download(request: Request, conference: Conference) -> HttpResponse:
    agenda = own_agenda(request, conference)
    download = feeds.agenda_download(agenda) if agenda else feeds.empty_download(conference)
    return answer(request, download, PERSONAL, filename=download.name)
