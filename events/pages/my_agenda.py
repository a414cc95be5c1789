"""What the agenda page contains for one visitor, as HTML: head, places, news, days, recordings and ways on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from events.agenda.models.agenda import Agenda
from events.agenda.page_cache import current_minute, visitor_key, visitor_version
from events.agenda.queries.changes import agenda_news
from events.agenda.queries.notes import notes_of
from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import with_pinned_time
from events.pages.context_processors import shown_moment
from events.pages.frame import schedule_url
from events.pages.queries import agenda as agenda_queries
from events.pages.queries.agenda import AgendaPage
from events.programme.display import zone_label
from events.programme.queries.days import day_links
from events.programme.rules.walking import Need
from events.sign_up.queries import new_seats, seats_outside_agenda
from events.web.request import Request, needs_of


@dataclass(frozen=True, slots=True)
class MyAgenda:
    """The HTML before and after the places, which change without a revision; most agendas have none and read none."""

    head: bytes
    days: bytes
    has_seats: bool


def my_agenda_fragment(request: Request, agenda: Agenda) -> str:
    key, version = ("agenda", visitor_key(request, agenda)), visitor_version(request, agenda, current_minute())
    mine = PROCESS_CACHE.get_or_build(key, lambda: _my_agenda(request, agenda), version=version)
    return mine.head.decode() + (_places(request, agenda) if mine.has_seats else "") + mine.days.decode()


def no_agenda(request: Request) -> SafeString:
    """The same for visitors who have bookmarked nothing yet."""
    nothing = _my_agenda(request, None)
    return mark_safe(nothing.head.decode() + nothing.days.decode())


def _my_agenda(request: Request, agenda: Agenda | None) -> MyAgenda:
    conference, clock, needs = request.conference, request.clock, needs_of(request)
    page = agenda_queries.agenda_page(agenda, clock, needs) if agenda else AgendaPage([])
    # What was cancelled counts as no pick, and is on the page.
    empty = not (agenda and agenda.bookmarked_events)
    context = _context(request) | {
        "count": page.count,
        "clashes": page.clashes,
        "partial": page.partial,
        "tight": page.tight,
        "quiet": page.quiet,
        "agenda_days": page.days,
        "past_days": page.past_days,
        "undated": page.undated,
        "later": page.later,
        "ready": page.ready,
        "empty": empty,
        "has_agenda": agenda is not None,
        "news": agenda_news(agenda, clock) if agenda else None,
        "notes": notes_of(agenda) if agenda else {},
        "step_free": Need.STEP_FREE in needs,
        "dry": Need.DRY in needs,
        "zone_label": zone_label(conference, clock.zone, shown_moment(conference, clock, None)),
        "suggestions": agenda_queries.suggestions(conference, clock) if empty and not (page.days or page.past_days) else [],
        "schedule_page_url": schedule_url(conference, clock, day_links(conference, clock)) if empty else "",
        "redraws_main": True,
    }
    head, days = (render_to_string(f"events/agenda/_my_agenda_{name}.html", context) for name in ("head", "days"))
    return MyAgenda(head.encode(), days.encode(), bool(agenda and agenda.extras.seats))


def _places(request: Request, agenda: Agenda) -> str:
    places = {
        "new_places": new_seats(agenda, request.clock),
        "own_places": seats_outside_agenda(agenda, request.clock),
    }
    return render_to_string("events/agenda/_my_agenda_places.html", _context(request) | places)


def _context(request: Request) -> dict[str, Any]:
    """Without the request: what is cached must not depend on anything that is not in its key."""
    own_url = reverse("events:agenda-detail", args=[request.conference.slug])
    next_url = with_pinned_time(own_url, request.clock)
    return {"conference": request.conference, "clock": request.clock, "next_url": next_url}
