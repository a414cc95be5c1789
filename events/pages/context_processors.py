"""The context of the frame around every page."""

from __future__ import annotations

import datetime as dt
import functools
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from events.announcements.queries import BANNER_URL_NAMES, AnnouncementList, banner
from events.core.clock import Clock, with_pinned_time
from events.core.spans import ONE_DAY
from events.pages.frame import frame_links
from events.pages.link_previews import PREVIEWED_PAGES, page_preview
from events.programme.display import zone_label
from events.programme.models.changes import Attendance
from events.programme.models.conference import Conference
from events.proposals import queries as proposals_queries
from events.proposals.models import accepts_proposals
from events.web.request import attendance_of

# Pages with cards of events that are on.
LIVE_CROWD_URL_NAMES = frozenset(
    {
        "agenda-detail",
        "agenda-gap",
        "conference-detail",
        "event-detail",
        "invited-talk-list",
        "schedule-day",
        "service-list",
        "social-list",
        "topic-detail",
    }
)
# Pages with the line about the visitor's next room.
LEAVE_URL_NAMES = frozenset({"agenda-detail", "conference-detail", "event-detail", "schedule-day"})
# Socials and workshops are before and after the dates of a conference.
LIVE_CROWD_MARGIN = dt.timedelta(days=3)


def page_frame(request: HttpRequest) -> dict[str, Any]:
    """Values that cost a query or a long text are functions, which run only if a template uses them."""
    conference: Conference | None = getattr(request, "conference", None)
    clock: Clock | None = getattr(request, "clock", None)
    match = request.resolver_match
    context: dict[str, Any] = {
        "page": match.url_name if match else "",
        "next_url": request.get_full_path(),
        "conference": conference,
    }
    context["offline"] = settings.OFFLINE
    if conference is None or clock is None:
        return context

    shown = shown_moment(conference, clock, match.kwargs.get("date") if match else None)
    if shown == clock.made_at and any(
        shown.astimezone(zone).utcoffset() != (shown + ONE_DAY).astimezone(zone).utcoffset() for zone in clock.zones
    ):
        # The clocks change within a day, and with them the labels.
        clock.is_live()

    @functools.cache
    def announcements() -> AnnouncementList | None:
        return banner(conference, clock, attendance_of(request)) if context["page"] in BANNER_URL_NAMES else None

    if context["page"] in PREVIEWED_PAGES:
        # Views whose page is about something of its own name another.
        context |= {
            "preview": functools.cache(functools.partial(page_preview, conference)),
            "canonical_url": f"{settings.SITE_URL}{request.path}",
        }
    return context | {
        **frame_links(conference, clock, str(context["page"])),
        "announcements": announcements,
        "zone_label": zone_label(conference, clock.zone, shown),
        "venue_zone_label": zone_label(conference, clock.venue_zone, shown),
        "at_problem": at_problem(request, clock),
        "has_leave_line": context["page"] in LEAVE_URL_NAMES,
        "is_online": attendance_of(request) == Attendance.VIRTUAL,
        "hears": context["page"] in LIVE_CROWD_URL_NAMES and not clock.pinned and is_near(conference, clock),
        "missing_url": missing_url(request, conference, clock),
        "shown_date": (match.kwargs.get("date", clock.today) if match else clock.today).isoformat(),
    }


def missing_url(request: HttpRequest, conference: Conference, clock: Clock) -> str:
    """The form for reports about this page; empty when proposals are closed."""
    name = request.resolver_match.url_name if request.resolver_match else None
    if name not in proposals_queries.REPORTABLE_PAGES or not accepts_proposals(conference, clock.today):
        return ""
    return with_pinned_time(reverse("events:missing", args=[conference.slug], query={"where": request.path}), clock)


def is_near(conference: Conference, clock: Clock) -> bool:
    return conference.start - LIVE_CROWD_MARGIN <= clock.today <= conference.end + LIVE_CROWD_MARGIN


def shown_moment(conference: Conference, clock: Clock, date: dt.date | None) -> dt.datetime:
    """The moment that decides the zone's offset: noon of the page's date, now during the conference, else its first day.

    The offset changes with the season: today's may not be that of a conference last May.
    """
    if date is None and conference.start <= clock.today <= conference.end:
        return clock.made_at
    return dt.datetime.combine(date or conference.start, dt.time(12), conference.zone)


def at_problem(request: HttpRequest, clock: Clock) -> str:
    """A message about an ``?at=`` that cannot be read."""
    text = request.GET.get("at", "")
    if not text or clock.pinned:
        return ""
    return f"“{text[:40]}” is not a valid time. Write it as 2025-04-24T09:30. This page shows the current time."
