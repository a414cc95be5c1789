"""Calendars over HTTP: the calendar page of an agenda with its options, feeds, downloads and QR codes."""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseNotModified, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import http_date
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from events.agenda.models.agenda import Agenda
from events.agenda.models.feeds import CancelledDisplay
from events.agenda.visitor import find_agenda
from events.calendars import downloads, feeds, health
from events.calendars.feeds import Feed, ReplacedNotice, replaced_notice
from events.calendars.health import client_kind, record_fetch
from events.calendars.links import CLIENT_REFRESH_TIMES, CalendarLinks, feed_links
from events.core.graphics import qr_svg
from events.core.stored_files import STORED_EXPORTS, BusyError, StoredFile
from events.programme.models.conference import Conference, Day
from events.programme.models.event import Event
from events.programme.models.people import Person
from events.programme.queries import events as events_queries
from events.programme.queries import filters as filters_queries
from events.venue.models import StartingPoint
from events.web.caching import (
    NO_STORE_CACHE_CONTROL,
    PERSONAL_CACHE_CONTROL,
    PUBLIC_CACHE_CONTROL,
    content_disposition,
    etags_in,
    is_current,
    noindex,
    open_to_scripts,
    read_only,
)
from events.web.request import Request, conference_view, csrf_by_origin
from events.web.stored_responses import busy_response, stored_cache_control, stored_response


class FeedOptionsForm(forms.Form):
    """All options of the feed at once: a checkbox that was not sent is off."""

    feed_must_only = forms.BooleanField(required=False)
    feed_breaks = forms.BooleanField(required=False)
    feed_alarm = forms.BooleanField(required=False)
    feed_busy = forms.BooleanField(required=False)
    feed_deadlines = forms.BooleanField(required=False)
    feed_cancelled = forms.ChoiceField(
        choices=CancelledDisplay.choices,
        error_messages={
            "required": "Choose how cancelled events are shown.",
            "invalid_choice": "“%(value)s” is not a way to show cancelled events: choose one of these.",
        },
    )

    @classmethod
    def for_agenda(cls, agenda: Agenda) -> FeedOptionsForm:
        return cls(initial={name: getattr(agenda, name) for name in cls.base_fields})


class FeedAlarmForm(forms.Form):
    """The reminder alone, which is offered before a calendar subscribes: the wanted state."""

    on = forms.TypedChoiceField(choices=[("1", "on"), ("0", "off")], coerce=lambda value: value == "1")

    @property
    def problem(self) -> str:
        return f"“{str(self.data.get('on', ''))[:40]}” is neither on nor off: use the button about reminders."


def calendar_response(request: Request, calendar: Feed | ReplacedNotice, caching: str, *, download: bool = False) -> HttpResponse:
    """Return the calendar, or 304 before anything is rendered. A download gets a file name."""
    is_conditional = request.method != "POST"
    if is_conditional and is_current(request.headers, calendar.etag, lambda: calendar.last_modified):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = HttpResponse(calendar.body, content_type="text/calendar; charset=utf-8")
        if calendar.last_modified:
            response["Last-Modified"] = http_date(calendar.last_modified.timestamp())
        if download:
            response["Content-Disposition"] = content_disposition(calendar.name)
    response["ETag"] = calendar.etag
    response["Cache-Control"] = caching
    response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
@noindex
@conference_view
def agenda_calendar(request: Request, conference: Conference) -> HttpResponse:
    return calendar_page(request, conference)


def calendar_page(request: Request, conference: Conference, form: FeedOptionsForm | None = None) -> HttpResponse:
    agenda = find_agenda(request, conference)
    context = {
        "has_agenda": agenda is not None,
        "schedule_url": reverse("events:schedule-calendar", args=[conference.slug]),
        **(feed_addresses(agenda) | feed_state(request, agenda) if agenda else {}),
        "form": form or (agenda and FeedOptionsForm.for_agenda(agenda)),
    }
    response = render(request, "events/calendars/agenda_calendar.html", context, status=422 if form else 200)
    response["Cache-Control"] = NO_STORE_CACHE_CONTROL
    return response


def feed_addresses(agenda: Agenda) -> dict[str, Any]:
    """Return no secret addresses if they cannot be derived again, because SECRET_KEY was changed."""
    token, slug = agenda.feed_token, agenda.conference.slug
    public = {"download_url": reverse("events:agenda-download", args=[slug]), "refresh": CLIENT_REFRESH_TIMES}
    if not token:
        return public
    links = agenda_links(agenda, token)
    return public | {
        "recordings_url": settings.SITE_URL + reverse("events:recordings-feed", args=[token]),
        "https_url": links.https,
        "webcal_url": links.webcal,
        "google_url": links.google,
        "outlook_url": links.outlook,
        "outlook_at_work_url": links.outlook_at_work,
        "qr_url": reverse("events:feed-qr", args=[slug]),
    }


def feed_state(request: Request, agenda: Agenda) -> dict[str, Any]:
    clock = request.clock
    now = None if clock.pinned else clock.now
    visits = health.visits(agenda, health.feed_fetches(agenda), health.revision_times(agenda), now)
    feed = feeds.agenda_feed(agenda, clock.now)
    entries = len(feed.entries())
    return {
        "undated": health.undated_count(agenda),
        "entries": entries,
        "has_talks_inside": len(feed.entry_rows) + len(feed.extra_entries()) > entries,
        "visits": visits,
        "is_fetched": not all(visit.is_browser for visit in visits),
    }


@require_POST
@noindex
@conference_view
def feed_options(request: Request, conference: Conference) -> HttpResponse:
    agenda, form = find_agenda(request, conference), FeedOptionsForm(request.POST)
    if agenda is not None:
        if not form.is_valid():
            return calendar_page(request, conference, form)
        agenda.set_feed_options(**form.cleaned_data)
        messages.success(request, "Saved. Your calendar changes when it next refreshes.")
    return redirect("events:agenda-calendar", conference.slug)


@require_POST
@noindex
@conference_view
def feed_alarm(request: Request, conference: Conference) -> HttpResponse:
    agenda, form = find_agenda(request, conference), FeedAlarmForm(request.POST)
    if agenda is None:
        return redirect("events:agenda-calendar", conference.slug)
    if not form.is_valid():
        messages.error(request, form.problem)
    elif form.cleaned_data["on"]:
        agenda.set_feed_options(feed_alarm=True)
        messages.success(request, "Your calendar will remind you 10 minutes before each event. Now subscribe.")
    else:
        agenda.set_feed_options(feed_alarm=False)
        messages.success(request, "No reminders from your calendar.")
    return redirect("events:agenda-calendar", conference.slug)


@require_POST
@noindex
@conference_view
def feed_reset(request: Request, conference: Conference) -> HttpResponse:
    agenda = find_agenda(request, conference)
    if agenda is not None:
        agenda.reset_feed()
        messages.success(request, "Your calendar has a new address. The old one only says that it was replaced: subscribe again.")
    return redirect("events:agenda-calendar", conference.slug)


@read_only
@noindex
@conference_view
def feed_qr(request: Request, conference: Conference) -> HttpResponse:
    """Show the secret address for the visitor's phone: anybody who scans it can read the agenda."""
    agenda = find_agenda(request, conference)
    token = agenda.feed_token if agenda else ""
    if agenda is None or not token:
        raise Http404
    return qr_response(agenda_links(agenda, token).webcal)


@read_only
@conference_view
def agenda_qr(request: Request, conference: Conference) -> HttpResponse:
    return qr_response(settings.SITE_URL + reverse("events:agenda-detail", args=[conference.slug]))


@read_only
@conference_view
def directions_qr(request: Request, conference: Conference) -> HttpResponse:
    start = StartingPoint.objects.by_slug(conference, request.GET.get("from", ""))
    query = {"from": start.slug} if start else {}
    return qr_response(settings.SITE_URL + reverse("events:directions", args=[conference.slug], query=query))


def agenda_links(agenda: Agenda, token: str) -> CalendarLinks:
    return feed_links(token, f"{agenda.conference.name}: my agenda")


def qr_response(text: str) -> HttpResponse:
    return HttpResponse(qr_svg(text), content_type="image/svg+xml", headers={"Cache-Control": NO_STORE_CACHE_CONTROL})


@open_to_scripts
@conference_view
def event_calendar(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    event = get_object_or_404(Event.objects.public().with_day(), guid=guid, conference=conference)
    event.conference = conference
    return calendar_response(request, feeds.event_calendar(event), PUBLIC_CACHE_CONTROL, download=True)


@open_to_scripts
@conference_view
def deadline_calendar(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    event = get_object_or_404(Event.objects.public().with_deadline(), guid=guid, conference=conference)
    event.conference = conference
    return calendar_response(request, feeds.deadline_calendar(event), PUBLIC_CACHE_CONTROL, download=True)


@open_to_scripts
@conference_view
def schedule_calendar(request: Request, conference: Conference) -> HttpResponse:
    return schedule_feed_response(request, conference, request.GET, download=is_download(request))


@open_to_scripts
@conference_view
def day_calendar(request: Request, conference: Conference, date: dt.date) -> HttpResponse:
    get_object_or_404(Day, conference=conference, date=date)
    query = request.GET.copy()
    query.setlist("day", [date.isoformat()])
    return schedule_feed_response(request, conference, query, download=True)


def schedule_feed_response(request: Request, conference: Conference, query: QueryDict, *, download: bool) -> HttpResponse:
    query = filters_queries.with_room_numbers(conference, query)
    asked = filters_queries.schedule_filter_selection(query)
    shown = filters_queries.chosen_events(conference, query) if asked else None
    feed = feeds.schedule_feed(conference, shown, asked, lambda: filters_queries.describe_filters(conference, asked))
    return stored_calendar_response(request, feed, download=download)


def stored_calendar_response(request: Request, feed: Feed, *, download: bool) -> HttpResponse:
    """Return the stored file, or 304 before anything is read; while it is built, its last bytes."""
    if is_current(request.headers, feed.etag, lambda: feed.last_modified):
        STORED_EXPORTS.note_current(feed.key)
        response: HttpResponse = HttpResponseNotModified(headers={"ETag": feed.etag, "Cache-Control": PUBLIC_CACHE_CONTROL})
    else:
        try:
            response = calendar_file_response(request, feed, feed.stored(), download=download)
        except BusyError:
            response = busy_response()
    response["X-Robots-Tag"] = "noindex"
    return response


def calendar_file_response(request: Request, feed: Feed, stored: StoredFile, *, download: bool) -> HttpResponse:
    etag = f'"{stored.version}"'
    if stored.is_last and is_current(request.headers, etag, lambda: stored.modified_at):
        stored.file.close()
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = stored_response(request, stored, "text/calendar; charset=utf-8")
        if stored.modified_at is not None:
            response["Last-Modified"] = http_date(stored.modified_at.timestamp())
        if download:
            response["Content-Disposition"] = content_disposition(feed.name)
    response["ETag"] = etag
    response["Cache-Control"] = stored_cache_control(stored)
    return response


@open_to_scripts
@conference_view
def person_calendar(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    person = get_object_or_404(Person.objects.public(), conference=conference, guid=guid)
    person.conference = conference
    feed = feeds.person_feed(person, events_queries.events_of_person(person))
    return calendar_response(request, feed, PUBLIC_CACHE_CONTROL, download=is_download(request))


@csrf_by_origin
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def agenda_download(request: Request, conference: Conference) -> HttpResponse:
    """Record what was downloaded on POST, so that the next file can cancel what was removed since."""
    calendar = agenda_file(request, conference)
    return (
        download_and_record(request, calendar)
        if request.method == "POST"
        else calendar_response(request, calendar, PERSONAL_CACHE_CONTROL, download=True)
    )


@csrf_protect
def download_and_record(request: Request, calendar: Feed) -> HttpResponse:
    if isinstance(calendar, downloads.Download):
        calendar.agenda.mark_downloaded(calendar.imported_entries, timezone.now())
    return calendar_response(request, calendar, PERSONAL_CACHE_CONTROL, download=True)


def agenda_file(request: Request, conference: Conference) -> Feed:
    agenda = find_agenda(request, conference)
    return downloads.agenda_download(agenda) if agenda else downloads.empty_download(conference)


def is_download(request: Request) -> bool:
    return bool(request.GET.get("download"))


@read_only
@noindex
def feed(request: Request, token: str) -> HttpResponse:
    """Return the personal feed, which clients fetch every hour; read and set no cookie."""
    now, client = timezone.now(), client_kind(request.headers.get("User-Agent", ""))
    agenda = Agenda.objects.by_feed(token, client)
    if agenda is None:
        return replaced_feed(request, token)
    known_tags = etags_in(request.headers.get("If-None-Match", ""))
    response = calendar_response(request, feeds.agenda_feed(agenda, now, known_tags), PERSONAL_CACHE_CONTROL)
    if request.method == "GET" and not agenda.fetch_is_recorded:
        record_fetch(agenda, client, now)
    return response


def replaced_feed(request: Request, token: str) -> HttpResponse:
    """Return a calendar with a notice for a replaced address, 410 after a month, and 404 for an unknown address."""
    address = Agenda.objects.replaced_feed(token)
    if address is None:
        raise Http404
    calendar = replaced_notice(address, timezone.now())
    if calendar is not None:
        return calendar_response(request, calendar, PERSONAL_CACHE_CONTROL)
    context = {"calendar_url": reverse("events:agenda-calendar", args=[address.agenda.conference.slug])}
    return render(request, "410.html", context, status=410)
