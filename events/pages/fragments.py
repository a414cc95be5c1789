"""Personal fragments: what a page shows to one visitor, in the place of its placeholders."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from events.byte_cache import CACHE
from events.http import Request, find_agenda, needs_of, start_of
from events.models import Agenda, Event
from events.queries import agenda as agenda_queries
from events.queries import seats as seat_queries
from events.queries.agenda_changes import agenda_news as news_of
from events.queries.cards import PickButton
from events.queries.crowd_block import own_instead, reported_event
from events.queries.elsewhere import ways_out_of
from events.queries.event import placed_event
from events.queries.held import my_posters as posters_of
from events.queries.next_room import NextRoom
from events.queries.next_room import next_room as next_room_of
from events.queries.own_time import OwnTime
from events.queries.pinned import carried, told
from events.queries.questions import OwnVotes, own_votes
from events.queries.topics import fit
from events.queries.way_here import way_here
from events.schedule.plan_labels import sign
from events.schedule.walking import Need

T = TypeVar("T")


@dataclass(frozen=True)
class Fragment:
    """``render(request, agenda, *arguments)`` returns HTML, empty where the visitor has nothing to be shown."""

    render: Callable[..., str]
    # Whether it is stored until the agenda, the conference or the minute changes.
    cached: bool = True
    # Without: the visitor's cookies decide, and ``agenda`` may be None.
    needs_agenda: bool = True


def visitor_key(request: Request, agenda: Agenda | None, minute: int) -> Hashable:
    """Everything that cached fragments depend on, besides their name and arguments."""
    clock = request.clock
    return (
        *(request.conference.pk, request.conference.revision, minute),
        *((agenda.pk, agenda.revision) if agenda else ()),
        *(clock.zone.key, clock.now if clock.pinned else None, needs_of(request), start_of(request)),
    )


def personal_html(request: Request, name: str, *arguments: object) -> str:
    """A fragment in a page that is rendered for one visitor; once for each request, however often the page shows it."""
    fragment, agenda = FRAGMENTS[name], find_agenda(request, request.conference)
    if agenda is None and fragment.needs_agenda:
        return ""
    if agenda:
        agenda.conference = request.conference
    return once(request, (name, *arguments), lambda: fragment.render(request, agenda, *arguments))


def agenda_count(request: Request, agenda: Agenda) -> str:
    return str(agenda.count or "")


def agenda_news(request: Request, agenda: Agenda) -> str:
    """How much of the agenda has changed since its holder looked, and what keeps asking for it."""
    clock = request.clock
    context = {"news_count": news_of(agenda, clock).count, "new_places": seat_queries.new_places(agenda, clock)}
    return _html(request, "agenda_watch", context)


@functools.cache
def icons() -> str:
    """The address of the drawings; a page has dozens, and each would look for it among all static files."""
    return static("events/icons.svg")


def bookmark_button(request: Request, agenda: Agenda, event_pk: int, *button: str) -> str:
    def read() -> frozenset[int]:
        key = ("bookmarked", agenda.pk, agenda.revision, request.conference.revision)
        return CACHE.get_or_build(key, lambda: frozenset(agenda.picked_ids()))

    bookmarked = once(request, "bookmarked", read)
    return bookmark_html(*button, bookmarked=True) if event_pk in bookmarked else ""


def bookmark_html(button_id: str, url: str, title: str, *, bookmarked: bool) -> SafeString:
    """Not by a template: a page has a hundred of them. An id with "wide-" stands for a button with words."""
    if "wide-" in button_id:
        name, words = mark_safe(' data-size="wide"'), "Bookmarked" if bookmarked else "Bookmark"
    else:
        name, words = format_html(' aria-label="Bookmark {}"', title), ""
    return format_html(
        '<button class="bookmark" id="{}" form="bookmark-form" formaction="{}" name="on" value="{}" aria-pressed="{}"{}'
        ' hx-post="{}" hx-swap="outerHTML"><svg class="icon" aria-hidden="true"><use href="{}#star"/></svg>{}</button>',
        *(button_id, url, "0" if bookmarked else "1", "true" if bookmarked else "false", name, url, icons(), words),
    )


def conflicts(request: Request, agenda: Agenda, event_pk: int) -> str:
    """What of the agenda the event is in conflict with."""
    event = _shown_event(request, event_pk)
    own = OwnTime(agenda, request.conference, request.clock, needs_of(request))
    lines = own.conflicts_of(event) if event else []
    if event is None or not lines:
        return ""
    return _html(request, "conflicts", {"conflicts": lines, "ways": ways_out_of(event, lines, own)})


def fits(request: Request, agenda: Agenda, topics: str) -> str:
    """How much about some topics ("17,4") goes with the agenda; nothing for an empty one."""
    keys = [int(it) for it in topics.split(",")]
    found = fit(request.conference, agenda, keys) if agenda.events.exists() else None
    return _html(request, "fits", {"fit": found}) if found and found.of else ""


def instead(request: Request, agenda: Agenda, guid: UUID) -> str:
    """Where to go from a full room, out of what goes with the agenda."""
    event = reported_event(request.conference, guid)
    if event is None:
        return ""
    found = own_instead(event, agenda, request.clock, needs_of(request))
    return _html(request, "instead", {"instead": found, "event": event})


def level(request: Request, agenda: Agenda, event_pk: int) -> str:
    """How much a bookmarked event is wanted, and the buttons to change it."""
    pick = agenda.picks.get(event_pk)
    event = _shown_event(request, event_pk) if pick else None
    if pick is None or event is None:
        return ""
    event.presents = pick.presents
    return _html(request, "my_pick", {"card": PickButton(event, bookmarked=True), "level": pick.level})


def my_day(request: Request, agenda: Agenda, date: str) -> str:
    """The bookmarks of a date (ISO 8601) as a column beside the page."""
    rows = agenda_queries.picks_of_day(agenda, request.clock, dt.date.fromisoformat(date), needs_of(request))
    return _html(request, "my_day", {"my_day": rows}) if rows else ""


def my_posters(request: Request, agenda: Agenda, session_pk: int) -> str:
    """The bookmarked posters of a session, and how long each can have."""
    session = _shown_event(request, session_pk)
    mine = posters_of(agenda, session, request.clock) if session else None
    if session is None or mine is None or not mine.count:
        return ""
    round_url = carried(reverse("events:event-round", args=[request.conference.slug, session.guid]), request.clock)
    return _html(request, "my_posters", {"mine": mine, "round_url": round_url})


def my_questions(request: Request, agenda: Agenda, event_pk: int) -> str:
    """What the visitor asked of an event, and what became of it."""
    own = _own_votes(request, agenda, event_pk)
    return _html(request, "my_questions", {"mine": list(own.asked.values())}) if own and own.asked else ""


def question_vote(request: Request, agenda: Agenda, event_pk: int, question_pk: int) -> str:
    """The button of a question that the visitor asked or voted for."""
    own = _own_votes(request, agenda, event_pk)
    line = (own.asked.get(question_pk) or own.voted.get(question_pk)) if own else None
    if own is None or line is None:
        return ""
    return _html(
        request, "question_vote", {"question": line, "is_own": question_pk in own.asked, "voted": question_pk in own.voted}
    )


def _own_votes(request: Request, agenda: Agenda, event_pk: int) -> OwnVotes | None:
    event = Event.objects.public().filter(conference=request.conference, pk=event_pk, takes_questions=True)

    def read() -> OwnVotes | None:
        for found in event:
            found.conference = request.conference
            return own_votes(agenda, found, request.clock.now)
        return None

    return once(request, ("votes", event_pk), read)


def my_seat(request: Request, agenda: Agenda, event_pk: int) -> str:
    """The seat or the place on the waiting list of an event, and the button that gives it up."""
    mine = seat_queries.seats_in_line(agenda).filter(sign_up__event=event_pk).first()
    if mine is None:
        return ""
    event, now = mine.sign_up.event, told(request.clock).now
    event.conference = request.conference
    context = {
        "seat": mine,
        "seat_text": seat_queries.seat_text(mine, now),
        "is_over": event.end is not None and event.end <= now,
        "has_name": seat_queries.may_come(mine, now),
        "event": event,
    }
    return _html(request, "my_seat", context)


def next_room(request: Request, agenda: Agenda) -> str:
    found = _next_room(request, agenda)
    return _html(request, "next_room", {"next": found}) if found else ""


def next_area(request: Request, agenda: Agenda, plan: int) -> str:
    """The frame around the next room on a plan, with when it is."""
    found = _next_room(request, agenda)
    places = [it for it in found.places if it.plan == plan] if found else []
    if not found or not places:
        return ""
    start, now = (timezone.localtime(it) for it in (found.event.start or request.clock.now, request.clock.now))
    when = f"Next {start:%H:%M}" if start.date() == now.date() else f"Next {start:%a %H:%M}"
    return _html(request, "next_area", {"signs": [sign(it.shape, when, it.width) for it in places]})


def _next_room(request: Request, agenda: Agenda) -> NextRoom | None:
    return once(request, "next room", lambda: next_room_of(agenda, request.clock, needs_of(request)))


def way(request: Request, agenda: Agenda | None, event_pk: int) -> str:
    """How to get to an event at the venue from where the visitor starts, by what the browser or the agenda remembers."""
    event = _shown_event(request, event_pk)
    if event is None:
        return ""
    needs = needs_of(request)
    here = way_here(event, start_of(request), request.clock, needs, agenda.start_id if agenda else None)
    if here is None:
        return ""
    url = carried(event.get_absolute_url(), request.clock)
    query = {"from": here.start.slug} if here.start else {}
    directions = reverse("events:directions", args=[request.conference.slug], query=query | {"next": url})
    context = {
        "here": here,
        "step_free": Need.STEP_FREE in needs,
        "dry": Need.DRY in needs,
        "next_url": url,
        "directions_url": carried(directions, request.clock),
    }
    return _html(request, "way_here", context)


def _shown_event(request: Request, event_pk: int) -> Event | None:
    """The public event of this primary key, unless the page that is being rendered has read it already."""
    event: Event | None = getattr(request, "event", None)
    if event is not None and event.pk == event_pk:
        return event
    return once(request, ("event", event_pk), lambda: placed_event(request.conference, event_pk))


def once(request: Request, key: Hashable, read: Callable[[], T]) -> T:
    """What several fragments of a page need, read once for each request."""
    values: dict[Hashable, T] = request.__dict__.setdefault("_fragments", {})
    if key not in values:
        values[key] = read()
    return values[key]


def _html(request: Request, template: str, context: dict[str, object]) -> str:
    # Without the request: what is cached must not depend on anything that is not in its key.
    shared = {"conference": request.conference, "clock": request.clock}
    return render_to_string(f"events/_{template}.html", context | shared)


FRAGMENTS = {
    "agenda-count": Fragment(agenda_count),
    "agenda-news": Fragment(agenda_news),
    "bookmark-button": Fragment(bookmark_button, cached=False),
    "conflicts": Fragment(conflicts),
    "fits": Fragment(fits),
    "instead": Fragment(instead),
    "level": Fragment(level),
    "my-day": Fragment(my_day),
    "my-posters": Fragment(my_posters),
    "my-questions": Fragment(my_questions, cached=False),
    "my-seat": Fragment(my_seat, cached=False),
    "next-area": Fragment(next_area),
    "next-room": Fragment(next_room),
    "question-vote": Fragment(question_vote, cached=False),
    "way": Fragment(way, needs_agenda=False),
}
"""By the names in ``{% personal_fragment %}``."""
