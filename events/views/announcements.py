"""What organisers announce: the page, the feed, and for whom somebody wants to see it."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from events.calendars.conditions import is_current
from events.calendars.feeds import digest
from events.calendars.text import clean
from events.forms import AttendanceForm
from events.http import ATTENDANCE_COOKIE, Request, attendance_of, by_origin, in_conference, next_url, remember
from events.models import Announcement, Attendance, Conference
from events.pages.page_cache import page_cache
from events.queries import announcements as queries
from events.text import markdown_to_html
from events.views.atom_feeds import ConferenceFeed
from events.views.calendar_answers import PUBLIC, read_only

PER_PAGE = 50
MOST = 100


@require_safe
@page_cache
@in_conference
def announcement_list(request: Request, conference: Conference) -> HttpResponse:
    board = queries.whole_board(conference, request.clock, attendance_of(request))
    page = Paginator(board.notices, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "events/announcement_list.html", {"board": board, "notices": page})


@by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@in_conference
def attendance_set(request: Request, conference: Conference) -> HttpResponse:
    """Remember how the visitor takes part, in this browser only."""
    form = AttendanceForm(request.POST if request.method == "POST" else None)
    back = next_url(request, reverse("events:announcement-list", args=[conference.slug]))
    if form.is_valid():
        response = redirect(back)
        remember(response, ATTENDANCE_COOKIE, form.cleaned_data["attendance"], path=conference.get_absolute_url())
        return response
    context = {"form": form, "attendance": attendance_of(request), "next": back}
    return render(request, "events/attendance.html", context, status=422 if form.errors else 200)


@read_only
@in_conference
def announcements_feed(request: Request, conference: Conference) -> HttpResponse:
    """All that was announced until this moment; with ``?for=`` what concerns those who take part like that."""
    asked = request.GET.get("for", "")
    attendance = asked if asked in Attendance.values else ""
    rows = queries.told_so_far(conference, timezone.now(), attendance)
    # That one begins raises no revision, but how many there are.
    etag = f'"{digest("announcements", settings.SITE_URL, conference.pk, conference.revision, attendance, len(rows))}"'
    if is_current(request.headers, etag, lambda: None):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = written(conference, rows[:MOST], attendance)
    response["ETag"] = etag
    response["Cache-Control"] = PUBLIC
    response["Access-Control-Allow-Origin"] = "*"
    response["X-Robots-Tag"] = "noindex"
    return response


def written(conference: Conference, rows: Sequence[Announcement], attendance: str) -> HttpResponse:
    """An entry is new when it is announced, and again when its words change."""
    page = settings.SITE_URL + reverse("events:announcement-list", args=[conference.slug])
    query = {"for": attendance} if attendance else None
    own_url = settings.SITE_URL + reverse("events:announcements-feed", args=[conference.slug], query=query)
    whose = f" {queries.FOR[Attendance(attendance)].lower()}" if attendance else ""
    feed = ConferenceFeed(conference, f"announcements{whose}", page, part=attendance, own_url=own_url)
    for row in rows:
        notice = queries.Notice(row)
        text = clean(f"{markdown_to_html(row.text)}{f'<p>{notice.audience}.</p>' if notice.audience else ''}")
        changed = max(row.starts_at, row.changed_at)
        feed.add(row.identity, row.title, f"{page}#{notice.element_id}", text, at=row.starts_at, changed=changed)
    return feed.answer()
