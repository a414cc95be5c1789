"""The frame around every page: its menus, and its parts that many pages share."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from django.template import Context
from django.template.loader import get_template
from django.urls import reverse

from events.agenda.page_cache import parts_html, render_parts
from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import Clock, not_after_now, with_pinned_time
from events.pages.queries.info import InfoLink, info_links
from events.pages.queries.menu import SECTIONS, menu_pages
from events.programme.models.conference import Conference
from events.programme.queries.days import DayLink, day_links, day_to_open
from events.programme.queries.revisions import last_change_of_everything
from events.web.request import Request


def frame_links(conference: Conference, clock: Clock, page: str) -> dict[str, Any]:
    """The context of the menus. Values that cost a query are functions, which run only if a template uses them."""

    @functools.cache
    def days() -> list[DayLink]:
        return day_links(conference, clock)

    @functools.cache
    def schedule_page_url() -> str:
        return schedule_url(conference, clock, days())

    @functools.cache
    def menu() -> frozenset[str]:
        return menu_pages(conference, not_after_now(clock), clock.today)

    def infos() -> tuple[InfoLink, ...]:
        return info_links(conference)

    return {
        "conference": conference,
        "clock": clock,
        "page": page,
        "section": SECTIONS.get(page, page),
        "menu": menu,
        "infos": infos,
        "days": days,
        "schedule_page_url": schedule_page_url,
    }


def schedule_url(conference: Conference, clock: Clock, days: Sequence[DayLink]) -> str:
    """The day itself, without the redirect of the schedule's own address."""
    day = day_to_open(days, clock)
    return day.url if day else with_pinned_time(reverse("events:schedule", args=[conference.slug]), clock)


FRAME_NAMES = ("request", "conference", "clock", "page", "section", "menu", "infos", "days", "schedule_page_url", "offline")


def frame_part(context: Context, template: str, values: dict[str, Any]) -> str:
    """A part of the frame. In pages for the cache it is rendered once for all with the same page name, menu and values."""
    request: Request | None = context.get("request")
    clock: Clock | None = context.get("clock")

    def render() -> str:
        return get_template(template).render({name: context.get(name) for name in FRAME_NAMES} | values)

    if request is None or not getattr(request, "shared", False) or clock is None or clock.pinned:
        return render()
    conference: Conference = context["conference"]
    # Asked for each page, so that it ends with them. The links to the days are those of today.
    times = clock.zone.key, clock.today, context["menu"]()
    key = ("frame", template, conference.pk, context["page"], *times, *values.values())
    parts = PROCESS_CACHE.get_or_build(key, lambda: render_parts(request, render), version=last_change_of_everything(conference))
    return parts_html(request, parts)
