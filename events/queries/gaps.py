"""What to do with free time: what is on in it, within reach, not full, and leaves something when one gets there."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Count
from django.http import QueryDict

from events.models import Agenda, Conference, Day, Event, Kind, Status
from events.models.event import EventQuerySet
from events.queries.cards import Card, PickButton, for_cards, make_cards, picked_ids
from events.queries.crowd import Crowds
from events.queries.filters import ABOUT
from events.queries.fit_words import time_left, way_and_time
from events.queries.likes import Likes
from events.queries.pinned import carried
from events.queries.private_entries import PrivateCard, private_cards
from events.queries.sign_up import without_a_place
from events.queries.slots import for_slots, slots_of, walks_of
from events.schedule.clock import Clock
from events.schedule.gaps import Fit, fits, free_gaps
from events.schedule.slots import Slot
from events.schedule.spans import Span
from events.schedule.walking import ANY_WAY, Needs, Walks

PER_PAGE = 12
MOST_INSIDE = 4
MOST_OPEN = 8
# How far back something that is still on may have begun.
ONE_DAY = dt.timedelta(days=1)


@dataclass(frozen=True)
class Part:
    """A talk of a proposed session that fits."""

    button: PickButton
    event: Event
    url: str
    sentence: str


@dataclass(frozen=True)
class Proposal:
    card: Card
    # How much of it one has, and the walk.
    sentence: str
    why: list[str]
    parts: list[Part]
    more_parts: int = 0


@dataclass(frozen=True)
class GapPage:
    span: Span
    over: bool
    mine: list[Card]
    count: int
    page: Page[int]
    proposals: list[Proposal]
    open: list[Card]
    private: list[PrivateCard]


@dataclass(frozen=True)
class Found:
    """All that fits, before a page of it is shown."""

    fits: dict[int, Fit]
    tops: list[Event]
    inside: dict[int, list[Event]]
    posters: dict[int, int]
    likes: Likes


def gap_page(
    conference: Conference, agenda: Agenda | None, span: Span, clock: Clock, query: QueryDict, needs: Needs = ANY_WAY
) -> GapPage:
    """One page of what fits, the nearest to the picks first."""
    picked = picked_ids(agenda)
    picks = _picks(agenda)
    busy = _busy(agenda, conference, span, clock)
    events = [it for it in _to_attend(conference, span, clock) if it.pk not in picked]
    mine_slots = [*slots_of(picks), *(it.slot for it in busy)]
    fitting = _fitting(span, mine_slots, slots_of(events), walks_of(conference, needs))
    found = _found(conference, events, fitting, Likes(picks, events))
    page = Paginator([it.pk for it in found.tops], PER_PAGE).get_page(query.get("page"))
    mine = [it.pk for it in picks if it.start and it.end and it.start < span.end and it.end > span.start]
    open_then = _open(conference, span)
    shown = for_cards(Event.objects.public().filter(pk__in=[*page, *mine, *open_then])).in_order()
    cards = {card.event.pk: card for card in make_cards(shown, clock, picked)}
    return GapPage(
        span=span,
        over=span.end <= clock.now,
        mine=[cards[pk] for pk in cards if pk in set(mine)],
        count=len(found.tops),
        page=page,
        proposals=[_proposal(cards[pk], found, clock) for pk in page if pk in cards],
        open=[cards[pk] for pk in open_then if pk in cards],
        private=[it for it in busy if it.start < span.end and it.end > span.start],
    )


def _picks(agenda: Agenda | None) -> list[Event]:
    """What the visitor means to come to."""
    if agenda is None:
        return []
    attended = Event.objects.public().attended_in(agenda.pk)
    return list(for_slots(attended, "track").annotate(about=ABOUT).in_order())


def _busy(agenda: Agenda | None, conference: Conference, span: Span, clock: Clock) -> list[PrivateCard]:
    """The visitor's own entries, and those near enough to be gone to or come from."""
    if agenda is None:
        return []
    agenda.conference = conference
    return private_cards(agenda, clock, span.start - ONE_DAY, span.end + ONE_DAY)


def _on(conference: Conference, span: Span) -> EventQuerySet:
    """Whatever has programme in this time; read from the index by day and hour."""
    days = Day.objects.filter(conference=conference, date__range=(span.start.date() - ONE_DAY, span.end.date() + ONE_DAY))
    then = Event.objects.public().filter(conference=conference, day__in=days.order_by().values("pk"))
    return then.filter(start__lt=span.end, end__gt=span.start).exclude(status=Status.CANCELLED)


def _to_attend(conference: Conference, span: Span, clock: Clock) -> list[Event]:
    """What is on and can be come to."""
    on = _on(conference, span).exclude(type__kind__in=[Kind.BREAK, Kind.SERVICE]).exclude(without_a_place(clock.now))
    # Hundreds hang at the same hours; their session stands for them.
    on = on.exclude(type__kind=Kind.POSTER, session__isnull=False)
    events = for_slots(on, "track", "service").annotate(about=ABOUT).order_by("start", "title", "pk")
    crowds = Crowds(clock)
    return [it for it in events if not crowds.of(it).is_full]


def _found(conference: Conference, events: Iterable[Event], fitting: dict[int, Fit], likes: Likes) -> Found:
    within: dict[int, list[Event]] = defaultdict(list)
    tops = []
    for event in events:
        if event.pk in fitting and event.session_id in fitting:
            within[event.session_id].append(event)
        elif event.pk in fitting:
            tops.append(event)
    found = Found(fitting, tops, within, _posters(conference, fitting, likes), likes)
    tops.sort(key=lambda it: (-_worth(it, found), fitting[it.pk].arrive, -fitting[it.pk].minutes, it.title, it.pk))
    return found


def _fitting(span: Span, mine: Sequence[Slot], others: Sequence[Slot], walks: Walks) -> dict[int, Fit]:
    """By its key, the longest that each can be had."""
    found = [fit for gap in free_gaps(span, mine) for fit in fits(gap, others, mine, walks)]
    return {fit.key: fit for fit in sorted(found, key=lambda it: it.minutes) if isinstance(fit.key, int)}


def _posters(conference: Conference, fitting: Mapping[int, Fit], likes: Likes) -> dict[int, int]:
    """How many posters of each session are about what the picks are about."""
    posters = Event.objects.public().filter(conference=conference, session__in=list(fitting)).of_kind(Kind.POSTER)
    alike = posters.exclude(status=Status.CANCELLED).annotate(topic_told=ABOUT).filter(topic_told__in=list(likes.topics))
    return dict(alike.order_by().values_list("session").annotate(n=Count("pk")))


def _worth(event: Event, found: Found) -> int:
    """A session is worth what the best of it is."""
    inside = [found.likes.score(it) for it in found.inside.get(event.pk, [])]
    return max([found.likes.score(event), *inside, min(found.posters.get(event.pk, 0), 10)])


def _open(conference: Conference, span: Span) -> list[int]:
    """Coffee first, then desks and services."""
    on = _on(conference, span).of_kind(Kind.BREAK, Kind.SERVICE).filter(session=None)
    return list(on.order_by("type__kind", "start", "title", "pk").values_list("pk", flat=True)[:MOST_OPEN])


def _proposal(card: Card, found: Found, clock: Clock) -> Proposal:
    event, likes = next(it for it in found.tops if it.pk == card.event.pk), found.likes
    inside = sorted(found.inside.get(event.pk, []), key=lambda it: -likes.score(it))[:MOST_INSIDE]
    parts = [
        _part(it, card.event.conference, found, clock)
        for it in sorted(inside, key=lambda it: (it.start or found.fits[it.pk].arrive, it.title))
    ]
    why = likes.why(event)
    if n := found.posters.get(event.pk, 0):
        why.append(f"{n} of its posters {'are' if n > 1 else 'is'} about topics you picked")
    return Proposal(card, way_and_time(found.fits[event.pk], event), why, parts, len(found.inside.get(event.pk, [])) - len(parts))


def _part(event: Event, conference: Conference, found: Found, clock: Clock) -> Part:
    event.conference = conference
    said = [time_left(found.fits[event.pk], event), *(["near your picks"] if found.likes.score(event) else [])]
    return Part(PickButton(event, bookmarked=False), event, carried(event.get_absolute_url(), clock), " · ".join(said))
