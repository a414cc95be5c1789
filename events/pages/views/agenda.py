"""The frame of the visitor's agenda, its gaps, and the banner about its changes on every page."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from events.agenda.models.agenda import Agenda
from events.agenda.page_cache import fragment_keeper, page_cache
from events.agenda.queries.changes import past_bookmark_count
from events.agenda.queries.free_time import requested_free_time
from events.agenda.views.changes import news_of_agenda
from events.agenda.visitor import find_agenda
from events.core.tokens import etag_digest
from events.pages.fragments import FRAGMENTS
from events.pages.my_agenda import no_agenda
from events.pages.queries.gaps import gap_page
from events.programme.models.changes import Attendance
from events.programme.models.conference import Conference
from events.sign_up.queries import new_seats
from events.web.caching import is_current
from events.web.request import Request, attendance_of, conference_view, needs_of


@require_safe
@conference_view
def agenda_banner(request: Request, conference: Conference) -> HttpResponse:
    """The banner. Every open page polls it each minute, so most answers are 304.

    With ``leave`` it brings the line about the next room too, or that ``alone``.
    """
    agenda = find_agenda(request, conference)
    if agenda is None:
        return HttpResponse(status=204)
    agenda.conference = conference
    asked = request.GET.get("leave", "")
    line = leave_line_html(request, agenda) if asked else None
    if asked == "alone":
        return render(request, "events/agenda/_banner.html", {"line": line})
    over = past_bookmark_count(agenda, request.clock)
    seats = new_seats(agenda, request.clock)
    version = (agenda.pk, agenda.revision, conference.revision, over, [seat.event.pk for seat in seats], line or "")
    etag = f'"{etag_digest("banner", *version)}"'
    if is_current(request.headers, etag, lambda: None):
        return HttpResponseNotModified(headers={"ETag": etag})
    count = news_of_agenda(request, agenda).count
    context = {"news_count": count, "new_places": seats, "line": line, "conference": conference, "clock": request.clock}
    response = render(request, "events/agenda/_banner.html", context)
    response["ETag"] = etag
    return response


def leave_line_html(request: Request, agenda: Agenda) -> SafeString:
    """The line about the next room as the pages have it, and kept as on them."""
    is_online = attendance_of(request) == Attendance.VIRTUAL
    return mark_safe(fragment_keeper(request, agenda)(FRAGMENTS["leave-line"], is_online).decode())


@require_safe
@page_cache
@conference_view
def agenda_detail(request: Request, conference: Conference) -> HttpResponse:
    """The frame, with what visitors without an agenda see; for the others a personal fragment takes its place."""
    return render(request, "events/agenda/agenda_detail.html", {"nothing_picked": no_agenda(request)})


@require_safe
@conference_view
def agenda_gap(request: Request, conference: Conference) -> HttpResponse:
    """Events that fit between ``from`` and ``to``; between now and the next bookmark without both."""
    agenda = find_agenda(request, conference)
    free_time = requested_free_time(request.GET, agenda, request.clock)
    page = gap_page(conference, agenda, free_time.span, request.clock, request.GET, needs_of(request)) if free_time.span else None
    # The date in its heading, which needs no day on the cards.
    listed = timezone.localtime(free_time.span.start).date() if free_time.span else None
    context = {"asked": free_time, "problem": free_time.problem, "found": page, "listed": listed, "redraws_main": True}
    return render(request, "events/agenda/agenda_gap.html", context, status=422 if free_time.problem else 200)
