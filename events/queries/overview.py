"""What is on, what is next, and the doors into everything else."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q
from django.urls import reverse

from events.models import Conference, Day, Event, Kind, Paper, Person, Topic
from events.models.event import EventQuerySet
from events.queries.bundles import Bundle, bundles_of, outside
from events.queries.cards import Card, for_cards, make_cards
from events.queries.crowd import Crowds
from events.queries.days import SHOWN
from events.queries.outlook import add_outlooks
from events.queries.pinned import carried
from events.queries.services import ServiceRow, next_registration
from events.schedule.clock import Clock, programme_date

MOST_NEXT = 6


@dataclass(frozen=True)
class Door:
    """A conference on the front page."""

    conference: Conference
    status: str
    phase: str
    count: int

    @property
    def url(self) -> str:
        return self.conference.get_absolute_url()


@dataclass(frozen=True)
class Overview:
    now: list[Card]
    bundles: list[Bundle]
    next: list[Card]
    invited: list[Card]
    registration: ServiceRow | None
    phase: str
    status: str
    highlights: list[tuple[str, int, str]]


def conference_doors(now: dt.datetime) -> list[Door]:
    """Every published conference: those on now, then those to come, then the past ones; each by its own calendar."""
    conferences = Conference.objects.public()
    counts = dict(conferences.order_by().values_list("pk").annotate(n=Count("events", filter=SHOWN)))
    doors = [Door(it, *_status(it, programme_date(now, it.zone)), counts.get(it.pk, 0)) for it in conferences]
    order = {"during": 0, "before": 1, "after": 2}
    return sorted(doors, key=lambda door: order[door.phase])


def _status(conference: Conference, today: dt.date) -> tuple[str, str]:
    if today > conference.end:
        return "Over", "after"
    if today >= conference.start:
        return "On now", "during"
    days = (conference.start - today).days
    return ("Starts tomorrow" if days == 1 else f"Starts in {days} days"), "before"


def overview(conference: Conference, clock: Clock) -> Overview:
    status, phase = _status(conference, clock.today)
    running = _on_now(conference, clock)
    bundles = _hanging(running, conference, clock)
    crowds = Crowds(clock)
    now = make_cards(for_cards(outside(bundles, running)).in_order(), clock, crowds=crowds)
    coming = make_cards(_next(conference, clock), clock, crowds=crowds)
    add_outlooks([*now, *coming], clock)
    return Overview(
        now=now,
        bundles=bundles,
        next=coming,
        invited=make_cards(_invited(conference, clock), clock, crowds=crowds),
        registration=next_registration(conference, clock),
        phase=phase,
        status=status,
        highlights=_highlights(conference, clock),
    )


def _public(conference: Conference) -> EventQuerySet:
    return Event.objects.public().filter(conference=conference)


def _on_now(conference: Conference, clock: Clock) -> EventQuerySet:
    """Running sessions, not every talk inside them; opening hours have a place of their own."""
    running = _public(conference).filter(start__lte=clock.now, end__gt=clock.now).exclude(status="cancelled")
    return running.exclude(type__kind=Kind.SERVICE).filter(Q(session=None) | ~Q(type__kind__in=[Kind.TALK, Kind.POSTER]))


def _hanging(running: EventQuerySet, conference: Conference, clock: Clock) -> list[Bundle]:
    """What is too much to stand under “On now” one by one: posters that no session holds."""
    day = Day.objects.filter(conference=conference, date=clock.today).select_related("conference").first()
    return bundles_of(running.filter(day=day), day, clock) if day else []


def _next(conference: Conference, clock: Clock) -> list[Event]:
    coming = _public(conference).filter(start__gt=clock.now).exclude(status="cancelled").exclude(type__kind=Kind.SERVICE)
    outer = coming.filter(Q(session=None) | ~Q(type__kind__in=[Kind.TALK, Kind.POSTER]))
    return list(for_cards(outer).order_by("start", "position", "title", "pk")[:MOST_NEXT])


def _invited(conference: Conference, clock: Clock) -> list[Event]:
    talks = _public(conference).of_kind(Kind.INVITED_TALK).exclude(status="cancelled")
    coming = talks.filter(Q(end__gt=clock.now) | Q(start=None, day__date__gte=clock.today))
    return list(for_cards(coming).in_order()[:3]) or list(for_cards(talks).in_order()[:3])


def _highlights(conference: Conference, clock: Clock) -> list[tuple[str, int, str]]:
    """What there is, how much of it, and where; nothing is left out silently but what there is none of."""
    written = Paper.objects.public().filter(topic=OuterRef("pk"))
    topics = Topic.objects.filter(Exists(written) | Exists(_public(conference).filter(topic=OuterRef("pk"))))
    kinds = dict(_public(conference).values_list("type__kind").annotate(n=Count("pk")))
    rows = [
        ("Invited talks", kinds.get(Kind.INVITED_TALK, 0), "events:invited-talk-list"),
        ("Socials", kinds.get(Kind.SOCIAL, 0), "events:social-list"),
        ("Papers", Paper.objects.public().filter(conference=conference).count(), "events:paper-list"),
        ("Topics", topics.filter(conference=conference).count(), "events:topic-list"),
        ("People", Person.objects.public().filter(conference=conference).count(), "events:person-list"),
    ]
    return [(label, n, carried(reverse(name, args=[conference.slug]), clock)) for label, n, name in rows if n]
