"""The parts of a page that are a visitor's own: rendered for each, set into pages that are the same for everybody."""

from __future__ import annotations

import datetime as dt
from typing import cast

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse

from events.http import Request, find_agenda, needs_of
from events.models import Event
from events.pages.holes import own_part
from events.queries import agenda as agenda_queries
from events.queries import agenda_changes as change_queries
from events.queries import held as held_queries
from events.queries import topics as topic_queries
from events.queries.cards import PickButton
from events.queries.elsewhere import ways_out_of
from events.queries.own_time import OwnTime
from events.queries.pinned import carried
from events.queries.seats import new_places


@own_part("agenda-count")
def agenda_count(request: HttpRequest, argument: str) -> str:
    """How many picks the agenda has; nothing for none."""
    agenda = find_agenda(request, cast(Request, request).conference)
    return str(agenda.count or "") if agenda else ""


@own_part("agenda-news")
def agenda_news(request: HttpRequest, argument: str) -> str:
    """How much of the agenda has changed since its holder looked, and what keeps asking for it."""
    conference, clock = cast(Request, request).conference, cast(Request, request).clock
    agenda = find_agenda(request, conference)
    if agenda is None:
        return ""
    agenda.conference = conference
    count, places = change_queries.agenda_news(agenda, clock).count, new_places(agenda, clock)
    context = {"news_count": count, "new_places": places, "conference": conference, "clock": clock}
    return render_to_string("events/_agenda_watch.html", context)


@own_part("my-day")
def my_day(request: HttpRequest, argument: str) -> str:
    """The picks of a date (``argument``, ISO 8601) as a column beside the page."""
    conference, clock = cast(Request, request).conference, cast(Request, request).clock
    agenda = find_agenda(request, conference)
    rows = agenda_queries.picks_of_day(agenda, clock, dt.date.fromisoformat(argument), needs_of(request)) if agenda else []
    if not rows:
        return ""
    return render_to_string("events/_my_day.html", {"my_day": rows, "conference": conference, "clock": clock})


@own_part("conflicts")
def conflicts(request: HttpRequest, argument: str) -> str:
    """What of the agenda the event (``argument``, its primary key) is in conflict with."""
    conference, clock = cast(Request, request).conference, cast(Request, request).clock
    agenda = find_agenda(request, conference)
    event = Event.objects.public().filter(conference=conference, pk=argument).first() if agenda else None
    own = OwnTime(agenda, conference, clock, needs_of(request))
    lines = own.conflicts_of(event) if event else []
    if event is None or not lines:
        return ""
    ways = ways_out_of(event, lines, own)
    context = {"conflicts": lines, "ways": ways, "conference": conference, "clock": clock}
    return render_to_string("events/_conflicts.html", context)


@own_part("level")
def level(request: HttpRequest, argument: str) -> str:
    """How much the event (``argument``, its primary key) is wanted, and the buttons that say otherwise; nothing if it is not."""
    conference = cast(Request, request).conference
    agenda = find_agenda(request, conference)
    found = agenda_queries.picked_with_level(agenda, int(argument)) if agenda else None
    if found is None:
        return ""
    event, wanted = found
    event.conference = conference
    context = {"card": PickButton(event, bookmarked=True), "level": wanted, "conference": conference}
    return render_to_string("events/_my_pick.html", context | {"clock": cast(Request, request).clock})


@own_part("my-posters")
def my_posters(request: HttpRequest, argument: str) -> str:
    """What of the posters of a session (``argument``, its primary key) is in the agenda, and how long each can have."""
    conference, clock = cast(Request, request).conference, cast(Request, request).clock
    agenda = find_agenda(request, conference)
    session = Event.objects.public().filter(conference=conference, pk=argument).first() if agenda else None
    mine = held_queries.my_posters(agenda, session, clock) if agenda and session else None
    if session is None or mine is None or not mine.count:
        return ""
    round_url = carried(reverse("events:event-round", args=[conference.slug, session.guid]), clock)
    return render_to_string("events/_my_posters.html", {"mine": mine, "round_url": round_url})


@own_part("fits")
def fits(request: HttpRequest, argument: str) -> str:
    """How much about some topics (``argument``, their primary keys) goes with the agenda; nothing to an empty one."""
    conference = cast(Request, request).conference
    agenda = find_agenda(request, conference)
    if agenda is None or not agenda.events.exists():
        return ""
    fit = topic_queries.fit(conference, agenda, [int(it) for it in argument.split(",")])
    return render_to_string("events/_fits.html", {"fit": fit}) if fit.of else ""
