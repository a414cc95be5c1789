"""What every page shows around its own content."""

from __future__ import annotations

import datetime as dt
import functools
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest
from django.urls import reverse

from events.http import attendance_of
from events.models import Conference
from events.models.proposals import are_taken
from events.queries import desk
from events.queries.announcements import BANNERED, Board, banner
from events.queries.days import DayDoor, day_doors
from events.queries.pinned import carried
from events.schedule.clock import Clock

# Where cards of what is on stand.
HEARING = frozenset(
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
# Socials and workshops are before and after the dates of a conference.
AROUND = dt.timedelta(days=3)


def chrome(request: HttpRequest) -> dict[str, Any]:
    """Context of the frame; what costs a query is asked only if a template asks for it."""
    conference: Conference | None = getattr(request, "conference", None)
    clock: Clock | None = getattr(request, "clock", None)
    match = request.resolver_match
    context = {"page": match.url_name if match else "", "next_url": request.get_full_path(), "conference": conference}
    if conference is None or clock is None:
        return context

    shown = shown_moment(conference, clock, match.kwargs.get("date") if match else None)

    @functools.cache
    def days() -> list[DayDoor]:
        return day_doors(conference, clock)

    @functools.cache
    def announcements() -> Board | None:
        return banner(conference, clock, attendance_of(request)) if context["page"] in BANNERED else None

    return context | {
        "clock": clock,
        "announcements": announcements,
        "zone_label": zone_label(conference, clock.zone, shown),
        "venue_zone_label": zone_label(conference, clock.venue_zone, shown),
        "at_problem": at_problem(request, clock),
        "days": days,
        "hears": context["page"] in HEARING and not clock.pinned and is_near(conference, clock),
        "missing_url": missing_url(request, conference, clock),
        "shown_date": (match.kwargs.get("date", clock.today) if match else clock.today).isoformat(),
    }


def missing_url(request: HttpRequest, conference: Conference, clock: Clock) -> str:
    """Where to say what is missing or wrong on this page, while there is somebody to say it to."""
    name = request.resolver_match.url_name if request.resolver_match else None
    if name not in desk.PAGES or not are_taken(conference, clock.today):
        return ""
    return carried(reverse("events:missing", args=[conference.slug], query={"where": request.path}), clock)


def is_near(conference: Conference, clock: Clock) -> bool:
    return conference.start - AROUND <= clock.today <= conference.end + AROUND


def shown_moment(conference: Conference, clock: Clock, date: dt.date | None) -> dt.datetime:
    """When the times on the page are: on its own date, now while the conference is on, else on its first day.

    A zone's offset changes with the season, so that of today may not be that of a conference last May.
    """
    if date is None and conference.start <= clock.today <= conference.end:
        return clock.now
    return dt.datetime.combine(date or conference.start, dt.time(12), conference.zone)


def zone_label(conference: Conference, zone: ZoneInfo, now: dt.datetime) -> str:
    """The zone as people know it, with its offset on that day: "Singapore time (UTC+8)"."""
    name = conference.zone_name if zone.key == conference.timezone else f"{zone.key.rpartition('/')[2].replace('_', ' ')} time"
    offset = now.astimezone(zone).utcoffset() or dt.timedelta()
    hours, minutes = divmod(abs(int(offset.total_seconds())) // 60, 60)
    sign = "−" if offset < dt.timedelta() else "+"
    return f"{name} (UTC{sign}{hours}{f':{minutes:02}' if minutes else ''})"


def at_problem(request: HttpRequest, clock: Clock) -> str:
    """What to tell somebody whose ``?at=`` is not a moment."""
    text = request.GET.get("at", "")
    if not text or clock.pinned:
        return ""
    return f"“{text[:40]}” is not a moment; write one as 2025-04-24T09:30. This is the page as it is now."
