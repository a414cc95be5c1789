"""The front page, and of one conference: overview, about, changes, days, invited talks and socials."""

from __future__ import annotations

import datetime as dt
import functools

from django.conf import settings
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import conditional_page, require_safe

from events.agenda.page_cache import page_cache
from events.calendars.links import offer_of_schedule, offers_of_day
from events.core.clock import Clock, with_pinned_time
from events.pages.link_previews import conference_preview, day_preview
from events.pages.queries import info as info_queries
from events.pages.queries import lists as lists_queries
from events.pages.queries import overview as overview_queries
from events.pages.queries import schedule as schedule_queries
from events.programme.models.conference import Conference
from events.programme.models.labels import Kind
from events.programme.queries import days as days_queries
from events.programme.queries.change_entries import CHANGE_KINDS, change_entries
from events.programme.queries.filters import with_room_numbers
from events.programme.rules.days import by_day
from events.proposals.models import accepts_socials
from events.web.caching import shared_without_cookies
from events.web.drafts import shows_drafts
from events.web.request import Request, conference_view


@require_safe
@shows_drafts
@shared_without_cookies
@conditional_page
def conference_list(request: Request) -> HttpResponse:
    context = {
        "conferences": overview_queries.conference_links(timezone.now()),
        "site_url": settings.SITE_URL + reverse("events:conference-list"),
    }
    return render(request, "events/pages/conference_list.html", context)


@require_safe
@shows_drafts
@page_cache
@conference_view
def conference_detail(request: Request, conference: Conference) -> HttpResponse:
    page = overview_queries.overview(conference, request.clock)
    request.subjects = page.subjects(request.clock)
    context = {
        "preview": conference_preview(conference),
        "now": page.now,
        "bundles": page.bundles,
        "next": page.next,
        "starts_in_days": (conference.start - request.clock.today).days,
        "invited": page.invited,
        "filled_days": page.days,
        "registration": page.registration,
        "dates": page.dates,
        "status": page.status,
        "phase": page.phase,
        "ending": page.ending,
        "highlights": page.highlights,
        # Only asked where the menu has sponsors.
        "sponsors": functools.partial(info_queries.sponsors_of_overview, conference),
    }
    return render(request, "events/pages/conference_detail.html", context)


@require_safe
@shows_drafts
@page_cache
@conference_view
def about(request: Request, conference: Conference) -> HttpResponse:
    context = {
        "about": conference.about,
        "facts": conference.facts.all(),
        "past_editions": overview_queries.past_editions(conference),
        "editions": overview_queries.other_editions(conference),
    }
    return render(request, "events/pages/about.html", context)


@require_safe
@page_cache
@conference_view
def change_list(request: Request, conference: Conference) -> HttpResponse:
    kind = request.GET.get("kind", "")
    page, entries = change_entries(conference, kind, request.GET.get("page"), request.clock)
    days = by_day(entries, lambda entry: timezone.localtime(entry.at).date())
    context = {
        "changes": page,
        "change_days": sorted(days, key=lambda day: day[0] or dt.date.min, reverse=True),
        "kind": kind if kind in CHANGE_KINDS else "",
        "kinds": [(name, label) for name, (label, _) in CHANGE_KINDS.items()],
    }
    return render(request, "events/pages/change_list.html", context)


@require_safe
@shows_drafts
@page_cache
@conference_view
def schedule(request: Request, conference: Conference) -> HttpResponse:
    link = days_queries.day_to_open(days_queries.day_links(conference, request.clock), request.clock)
    if link is None or request.GET.get("day") == lists_queries.UNDATED:
        undated, cards = lists_queries.undated_page(conference, request.clock, request.GET)
        context = {"undated": undated, "cards": cards, "has_days": link is not None}
        return render(request, "events/pages/schedule_undated.html", context)
    now = "now" if link.is_today else None
    return redirect(reverse("events:schedule-day", args=[conference.slug, link.date], query=request.GET, fragment=now))


@require_safe
@shows_drafts
@page_cache
@conference_view
def schedule_day(request: Request, conference: Conference, date: dt.date) -> HttpResponse:
    links = days_queries.day_links(conference, request.clock)
    link = next((link for link in links if link.date == date), None)
    if link is None:
        raise Http404
    query = with_room_numbers(conference, request.GET)
    earlier = [it.day for it in days_queries.earlier_days(link, links)]
    day, opened = link.day, days_queries.day_to_open(links, request.clock) or link
    as_grid = request.GET.get("view") == "grid"
    if as_grid:
        links = [it.as_grid() for it in links]
    before, after = days_queries.adjacent_days(links, date)
    page = schedule_queries.schedule_of_day(day, earlier, clock=request.clock, query=query, as_grid=as_grid)
    request.subjects = days_queries.day_subjects(link, links, lists_posters=page.lists_posters)
    offer, all_days_offer = offers_of_day(conference, query, date)
    context = {
        "day": day,
        "preview": day_preview(day),
        "is_today": link.is_today,
        "offer": offer,
        "all_days_offer": all_days_offer,
        # The frame shows the same links.
        "days": links,
        "as_grid": as_grid,
        "schedule_page_url": opened.url,
        "previous": before,
        "next": after,
        "view": "grid" if page.grid else "list",
        "groups": page.groups,
        "listing": page.listing,
        "grid": page.grid,
        "too_many": page.too_many,
        "undated": page.undated,
        "filters": page.filters,
        "is_narrowed": any(request.GET.get(name) for name in ("track", "room", "topic")),
        "count": page.count,
        "shown": page.shown,
        "changed_at": page.changed_at,
    }
    template = "events/pages/_schedule.html" if request.part == "schedule" else "events/pages/schedule_day.html"
    return render(request, template, context)


@require_safe
@shows_drafts
@page_cache
@conference_view
def invited_talk_list(request: Request, conference: Conference) -> HttpResponse:
    context = {
        "talk_days": lists_queries.invited_talks(conference, request.clock),
        "offer": offer_of_schedule(conference, QueryDict(), kind=Kind.INVITED_TALK),
    }
    return render(request, "events/pages/talk_list.html", context)


@require_safe
@shows_drafts
@page_cache
@conference_view
def social_list(request: Request, conference: Conference) -> HttpResponse:
    query = with_room_numbers(conference, request.GET)
    page = lists_queries.socials(conference, request.clock, query)
    context = {
        "social_days": page.days,
        "offer": offer_of_schedule(conference, query, kind=Kind.SOCIAL),
        "filters": page.filters,
        "hide_full": page.hide_full,
        "any_asterisk": page.any_asterisk,
        "any_sign_up": page.any_sign_up,
        "changed_at": page.changed_at,
        "count": page.count,
        "propose_url": social_propose_url(conference, request.clock),
    }
    return render(request, "events/pages/social_list.html", context)


def social_propose_url(conference: Conference, clock: Clock) -> str:
    """Empty when proposals are closed."""
    if not accepts_socials(conference, clock, clock.today):
        return ""
    return with_pinned_time(reverse("events:social-propose", args=[conference.slug]), clock)
