"""The page and the feed of announcements, and the choice of attendance."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from events.agenda.models.agenda import Agenda
from events.agenda.page_cache import page_cache
from events.agenda.visitor import find_agenda
from events.announcements import queries
from events.announcements.models import AnnouncementDismissal
from events.core.clock import not_after_now
from events.core.rendered_text import cached_html
from events.core.text import clean_text
from events.core.tokens import etag_digest
from events.programme.models.changes import Announcement, Attendance
from events.programme.models.conference import Conference
from events.web.atom import ConferenceFeed
from events.web.caching import PUBLIC_CACHE_CONTROL, is_current, open_to_scripts
from events.web.request import (
    ATTENDANCE_COOKIE,
    DISMISSED_COOKIE,
    MAX_COOKIE_DISMISSALS,
    AttendanceForm,
    DismissForm,
    Request,
    attendance_of,
    conference_view,
    csrf_by_origin,
    dismissed_of,
    next_url,
    remember,
)

ANNOUNCEMENTS_PER_PAGE = 50
MAX_FEED_ANNOUNCEMENTS = 100


@require_safe
@page_cache
@conference_view
def announcement_list(request: Request, conference: Conference) -> HttpResponse:
    announced = queries.full_announcement_list(conference, request.clock, attendance_of(request))
    page = Paginator(announced.notices, ANNOUNCEMENTS_PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "events/announcements/announcement_list.html", {"announced": announced, "notices": page})


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def attendance_set(request: Request, conference: Conference) -> HttpResponse:
    form = AttendanceForm(request.POST if request.method == "POST" else None)
    back = next_url(request, reverse("events:announcement-list", args=[conference.slug]))
    if form.is_valid():
        response = redirect(back)
        remember(response, ATTENDANCE_COOKIE, form.cleaned_data["attendance"], path=conference.get_absolute_url())
        return response
    context = {"form": form, "attendance": attendance_of(request), "next": back}
    return render(request, "events/announcements/attendance.html", context, status=422 if form.errors else 200)


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def announcements_dismiss(request: Request, conference: Conference) -> HttpResponse:
    """Remember in the agenda what was dismissed, so that it follows to other devices; without one in a cookie."""
    form = DismissForm(request.POST if request.method == "POST" else None)
    agenda, keys = find_agenda(request, conference), dismissed_of(request)
    back = next_url(request, reverse("events:announcement-list", args=[conference.slug]))
    if not form.is_valid():
        shown = queries.banner(conference, request.clock, "", queries.dismissed_ids(agenda, conference, keys))
        context = {"form": form, "shown": shown, "next": back}
        return render(request, "events/announcements/dismiss.html", context, status=422 if form.errors else 200)
    seen = queries.words_by_key(form.cleaned_data["announcement"])
    rows = queries.announcements_by_key(conference, seen, not_after_now(request.clock).now)
    words = {row.pk: seen[queries.announcement_key(row)] for row in rows}
    if agenda is not None:
        AnnouncementDismissal.objects.dismiss(agenda, rows, words)
        agenda.refresh_from_db(fields=["revision"])
    else:
        known = queries.words_by_key(keys) | {queries.announcement_key(row): words[row.pk] for row in rows}
        keys = [key + known[key] for key in known]
    response = _dismissed(request, conference, agenda, keys) if request.htmx else redirect(back)
    if agenda is None:
        remember(response, DISMISSED_COOKIE, ".".join(keys[-MAX_COOKIE_DISMISSALS:]), path=conference.get_absolute_url())
    return response


def _dismissed(request: Request, conference: Conference, agenda: Agenda | None, keys: Sequence[str]) -> HttpResponse:
    dismissed = queries.dismissed_ids(agenda, conference, keys)
    left = queries.banner(conference, request.clock, attendance_of(request), dismissed)
    return render(request, "events/announcements/_announcements.html", {"announcements": left, "focused": True})


@open_to_scripts
@conference_view
def announcements_feed(request: Request, conference: Conference) -> HttpResponse:
    asked = request.GET.get("for", "")
    attendance = asked if asked in Attendance.values else ""
    rows = queries.announcements_so_far(conference, timezone.now(), attendance)
    # The start of an announcement does not raise the revision, but changes the number of rows.
    etag = f'"{etag_digest("announcements", settings.SITE_URL, conference.pk, conference.revision, attendance, len(rows))}"'
    if is_current(request.headers, etag, lambda: None):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = announcements_feed_response(conference, rows[:MAX_FEED_ANNOUNCEMENTS], attendance)
    response["ETag"] = etag
    response["Cache-Control"] = PUBLIC_CACHE_CONTROL
    response["X-Robots-Tag"] = "noindex"
    return response


def announcements_feed_response(conference: Conference, rows: Sequence[Announcement], attendance: str) -> HttpResponse:
    """Mark an entry as new when its announcement begins, and again when it is edited."""
    page = settings.SITE_URL + reverse("events:announcement-list", args=[conference.slug])
    query = {"for": attendance} if attendance else None
    own_url = settings.SITE_URL + reverse("events:announcements-feed", args=[conference.slug], query=query)
    whose = f" {queries.AUDIENCE_TEXTS[Attendance(attendance)].lower()}" if attendance else ""
    feed = ConferenceFeed(conference, f"announcements{whose}", page, part=attendance, own_url=own_url)
    for row in rows:
        notice = queries.ShownAnnouncement(row)
        text = clean_text(f"{cached_html(row.text)}{f'<p>{notice.audience}.</p>' if notice.audience else ''}")
        changed = max(row.starts_at, row.changed_at)
        feed.add(row.identity, row.title, f"{page}#{notice.element_id}", text, at=row.starts_at, changed=changed)
    return feed.as_response()
