"""Invited talks and socials."""

from __future__ import annotations

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from events.http import Request, in_conference
from events.models import Conference, Kind
from events.models.proposals import are_taken
from events.pages.page_cache import page_cache
from events.queries import lists as list_queries
from events.queries.pinned import carried
from events.schedule.clock import Clock
from events.views.subscriptions import offer_of_schedule


@require_safe
@page_cache
@in_conference
def invited_talk_list(request: Request, conference: Conference) -> HttpResponse:
    context = {
        "talk_days": list_queries.invited_talks(conference, request.clock),
        "offer": offer_of_schedule(conference, QueryDict(), kind=Kind.INVITED_TALK),
    }
    return render(request, "events/talk_list.html", context)


@require_safe
@page_cache
@in_conference
def social_list(request: Request, conference: Conference) -> HttpResponse:
    page = list_queries.socials(conference, request.clock, request.GET)
    context = {
        "social_days": page.days,
        "offer": offer_of_schedule(conference, request.GET, kind=Kind.SOCIAL),
        "filters": page.filters,
        "hide_full": page.hide_full,
        "any_asterisk": page.any_asterisk,
        "changed_at": page.changed_at,
        "count": page.count,
        "propose_url": propose_url(conference, request.clock),
    }
    return render(request, "events/social_list.html", context)


def propose_url(conference: Conference, clock: Clock) -> str:
    """Where to propose one, while there is somebody to propose it to."""
    if not are_taken(conference, clock.today):
        return ""
    return carried(reverse("events:social-propose", args=[conference.slug]), clock)
