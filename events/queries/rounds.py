"""The round past the posters one picked in a session, and how much time there is for each."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass

from django.db.models import F, Q
from django.urls import reverse

from events.models import Agenda, Appearance, Authorship, Bookmark, Event, Kind, Level, Status
from events.models.event import EventQuerySet
from events.models.picks import Pick
from events.queries.filters import ABOUT
from events.queries.pinned import carried
from events.queries.round_words import About, Poster, RoundPage, round_told
from events.schedule.boards import board_key
from events.schedule.clock import Clock
from events.schedule.rounds import Stop, plan
from events.schedule.spans import Span

MOST_SUGGESTED = 3
TAKES_NO_TIME = (Kind.BREAK, Kind.SERVICE, Kind.POSTER)


@dataclass(frozen=True)
class RoundLine:
    """A way to one of the rounds."""

    title: str
    start: dt.datetime | None
    count: int
    url: str


def rounds_of(agenda: Agenda, clock: Clock) -> list[RoundLine]:
    """The sessions of which at least one poster is picked, in order of time."""
    counts = Counter(it.session for it in agenda.picks.values() if it.session and _is_walked_past(it))
    if not counts:
        return []
    slug = agenda.conference.slug
    sessions = Event.objects.filter(pk__in=list(counts)).order_by(F("start").asc(nulls_last=True), "title")
    return [
        RoundLine(title, start, counts[pk], carried(reverse("events:event-round", args=[slug, guid]), clock))
        for pk, title, start, guid in sessions.values_list("pk", "title", "start", "guid")
    ]


def _is_walked_past(pick: Pick) -> bool:
    return pick.kind == Kind.POSTER and pick.status != Status.CANCELLED and pick.level != Level.LATER


def attended(agenda: int) -> EventQuerySet:
    """What is picked and public, and not only to be watched some day."""
    picks = Bookmark.objects.filter(agenda=agenda, removed_at=None).exclude(level=Level.LATER)
    return Event.objects.public().filter(pk__in=picks.values("event"))


def round_page(agenda: Agenda, session: Event, clock: Clock) -> RoundPage:
    posters = _posters(session)
    picks = {it.event_id: it for it in agenda.bookmarks.filter(event__session=session)}
    mine = [it for it in posters.values() if it.pk in picks and _is_walked_to(picks[it.pk])]
    names = _people(agenda, session)
    stops = [
        Stop(it.pk, it.board or it.title, frozenset(names[it.pk]), _is_visited(picks[it.pk], clock))
        for it in mine
        if not picks[it.pk].presents
    ]
    span = Span.of(session.start, session.end)
    found = plan(stops, span, _taken(agenda, session, span), clock.now)
    nearby = _nearby(posters, [it.pk for it in mine], picks)
    presented = [posters[it.pk].board or it.title for it in mine if picks[it.pk].presents]
    return round_told(found, About(session, clock, posters, names, span), nearby, presented)


def _posters(session: Event) -> dict[int, Poster]:
    """All that hang in it, in the order in which one walks past them."""
    hanging = Event.objects.public().filter(session=session).of_kind(Kind.POSTER).exclude(status=Status.CANCELLED)
    rows = hanging.order_by("pk").annotate(about=ABOUT).values_list("pk", "board", "title", "about")
    ordered = sorted((Poster(*row) for row in rows), key=lambda it: (board_key(it.board), it.title, it.pk))
    return {it.pk: it for it in ordered}


def _is_walked_to(pick: Bookmark) -> bool:
    return pick.removed_at is None and pick.level != Level.LATER


def _is_visited(pick: Bookmark, clock: Clock) -> bool:
    return pick.visited_at is not None and not (clock.pinned and pick.visited_at > clock.now)


def _people(agenda: Agenda, session: Event) -> dict[int, dict[Hashable, str]]:
    """By poster, who may stand at it: by number, with their names."""
    mine = agenda.events.filter(session=session).of_kind(Kind.POSTER).values("pk")
    authors = Authorship.objects.filter(paper__is_public=True, paper__events__in=mine)
    speakers = Appearance.objects.filter(event__in=mine)
    people: dict[int, dict[Hashable, str]] = defaultdict(dict)
    rows = authors.values_list("paper__events", "person", "person__name")
    for event, person, name in [*rows, *speakers.values_list("event", "person", "person__name")]:
        people[event][person] = name
    return people


def _taken(agenda: Agenda, session: Event, span: Span | None) -> list[Span]:
    """When other picks and private entries call. A workshop that is longer is left for the posters."""
    if span is None:
        return []
    others = attended(agenda.pk).filter(start__lt=span.end, end__gt=span.start).exclude(status=Status.CANCELLED)
    others = others.exclude(pk=session.pk).exclude(session=session).exclude(type__kind__in=TAKES_NO_TIME)
    longer = Q(type__kind=Kind.SESSION, end__gt=F("start") + span.length)
    own = agenda.private_entries.filter(removed_at=None, start__lt=span.end, end__gt=span.start)
    called = [*others.exclude(longer).values_list("start", "end"), *own.values_list("start", "end")]
    return [found for start, end in called if (found := Span.of(start, end))]


def _nearby(posters: Mapping[int, Poster], mine: Collection[int], known: Collection[int]) -> list[tuple[int, int]]:
    """The nearest that share a topic with a pick, each with that pick; not what was picked or refused before."""
    places = {pk: place for place, pk in enumerate(posters)}
    found = []
    for pk, poster in posters.items():
        alike = [it for it in mine if poster.topic and posters[it].topic == poster.topic]
        if alike and pk not in known:
            found.append(min((abs(places[pk] - places[it]), places[pk], pk, it) for it in alike))
    return [(pk, near) for *_, pk, near in sorted(found)[:MOST_SUGGESTED]]
