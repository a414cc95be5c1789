"""The front page, a conference's overview, and what is said about it."""

from __future__ import annotations

import datetime as dt

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from events.http import Request, in_conference
from events.models import Conference
from events.pages.page_cache import page_cache
from events.queries import about as about_queries
from events.queries import changes as change_queries
from events.queries import overview as overview_queries
from events.schedule.days import by_day

CHANGES_PER_PAGE = 100


@require_safe
def conference_list(request: Request) -> HttpResponse:
    context = {"conferences": overview_queries.conference_doors(timezone.now())}
    return render(request, "events/conference_list.html", context)


@require_safe
@page_cache
@in_conference
def conference_detail(request: Request, conference: Conference) -> HttpResponse:
    page = overview_queries.overview(conference, request.clock)
    context = {
        "now": page.now,
        "bundles": page.bundles,
        "next": page.next,
        "starts_in_days": (conference.start - request.clock.today).days,
        "invited": page.invited,
        "registration": page.registration,
        "phase": page.phase,
        "status": page.status,
        "highlights": page.highlights,
    }
    return render(request, "events/conference_detail.html", context)


@require_safe
@page_cache
@in_conference
def about(request: Request, conference: Conference) -> HttpResponse:
    context = {
        "about": conference.about,
        "facts": conference.facts.all(),
        "past_editions": about_queries.past_editions(conference),
        "editions": about_queries.other_editions(conference),
    }
    return render(request, "events/about.html", context)


@require_safe
@page_cache
@in_conference
def change_list(request: Request, conference: Conference) -> HttpResponse:
    page = Paginator(change_queries.public_changes(conference), CHANGES_PER_PAGE).get_page(request.GET.get("page"))
    lines = change_queries.as_lines(page.object_list, request.clock)
    days = by_day(lines, lambda line: timezone.localtime(line.at).date())
    context = {"changes": page, "change_days": sorted(days, key=lambda day: day[0] or dt.date.min, reverse=True)}
    return render(request, "events/change_list.html", context)
