"""Topics, and what there is about one of them over all sessions and days."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q
from django.http import QueryDict
from django.urls import reverse

from events.models import Agenda, Conference, Event, Kind, Paper, Status, Topic
from events.models.event import EventQuerySet
from events.models.picks import SLOT_COLUMNS
from events.queries.cards import Card, for_cards, make_cards
from events.queries.filters import ABOUT, Choice, filters_for, narrowed, replaced
from events.queries.pinned import carried
from events.queries.slots import SlotRow, slots_around, slots_of, walks_of
from events.schedule.boards import board_key
from events.schedule.clock import Clock
from events.schedule.overlaps import fitting
from events.schedule.slots import Slot

PER_PAGE = 60


@dataclass(frozen=True)
class TopicRow:
    name: str
    url: str
    papers: int
    events: int


@dataclass(frozen=True)
class Area:
    """What topics have in common, with all that they hold; its address shows the whole of it."""

    name: str
    url: str
    papers: int
    events: int
    topics: list[TopicRow]


@dataclass(frozen=True)
class TopicSession:
    """What of a topic stands in one session, or in none."""

    session: Event | None
    url: str
    cards: list[Card]


@dataclass(frozen=True)
class TopicPage:
    topic: Topic
    name: str
    whole: bool
    ids: str
    papers: int
    papers_url: str
    count: int
    page: Page[tuple[Any, ...]]
    days: list[tuple[dt.date | None, list[TopicSession]]]
    kinds: list[Choice]
    siblings: list[Choice]
    clear_url: str


@dataclass(frozen=True)
class Fit:
    """How much of a topic goes with what the visitor picked."""

    fits: int
    of: int
    picked: int


def areas(conference: Conference, clock: Clock) -> list[Area]:
    """Every topic there is something about, under its area."""
    papers = dict(_papers(conference).order_by().values_list("topic").annotate(n=Count("pk")))
    about = _events(conference).order_by().annotate(about=ABOUT).values_list("about")
    events = dict(about.annotate(n=Count("pk")))
    topics = Topic.objects.filter(conference=conference).order_by("area", "subarea", "slug")
    filled = [it for it in topics if it.pk in papers or it.pk in events]
    found = []
    for area, some in groupby(filled, key=lambda it: it.area):
        within = list(some)
        rows = [
            TopicRow(it.subarea or it.area, _address(conference, it, clock), papers.get(it.pk, 0), events.get(it.pk, 0))
            for it in within
        ]
        url = _address(conference, within[0], clock, whole=bool(within[0].subarea) and len(within) > 1)
        sums = sum(it.papers for it in rows), sum(it.events for it in rows)
        found.append(Area(area, url, *sums, [] if len(rows) == 1 and not within[0].subarea else rows))
    return found


def topic_page(topic: Topic, clock: Clock, query: QueryDict) -> TopicPage:
    """A page of everything about the topic, or about its whole area."""
    conference = topic.conference
    siblings = list(Topic.objects.filter(conference=conference, area=topic.area).order_by("subarea", "slug"))
    whole = bool(query.get("whole")) or not topic.subarea
    shown = siblings if whole else [topic]
    everything = about_any(_events(conference), [it.pk for it in shown])
    page = Paginator(_in_order(narrowed(everything, query)), PER_PAGE).get_page(query.get("page"))
    list_url = reverse("events:paper-list", args=[conference.slug])
    found = for_cards(Event.objects.filter(pk__in=[row[0] for row in page]))
    cards = {card.event.pk: card for card in make_cards(found, clock)}
    return TopicPage(
        topic=topic,
        name=topic.area if whole else str(topic),
        whole=whole,
        ids=",".join(str(it.pk) for it in shown),
        papers=_papers(conference).filter(topic__in=shown).count(),
        papers_url=carried(f"{list_url}?{urlencode([('topic', it.slug) for it in shown])}", clock),
        count=everything.count(),
        page=page,
        days=_by_day([cards[row[0]] for row in page]),
        kinds=filters_for(everything, query).kinds,
        siblings=_siblings(siblings, topic, whole, clock),
        clear_url=replaced(query, "type", ""),
    )


def fit(conference: Conference, agenda: Agenda, topics: Iterable[int]) -> Fit:
    """Of all that is about these topics, how much clashes with no pick."""
    events = about_any(_events(conference), topics).filter(start__isnull=False).exclude(status=Status.CANCELLED)
    picks = slots_of(agenda.events.select_related("type", "room").order_by("pk"), agenda.levels())
    picked = {it.key for it in picks}
    slots = _alike(events)
    found = [key for keys in slots.values() for key in keys]
    return Fit(fitting(slots, picks, walks_of(conference)), len(found), sum(key in picked for key in found))


def _alike(events: EventQuerySet) -> dict[Slot, list[int]]:
    """The events by slot; those at the same time, place and session, as the posters of one session are, share one."""
    sessions = events.of_kind(Kind.SESSION).select_related("type", "room").order_by("pk")
    slots = {slot: [event.pk] for event, slot in zip(sessions, slots_of(sessions), strict=True)}
    rows = events.exclude(type__kind=Kind.SESSION).order_by("pk").values_list(*SLOT_COLUMNS)
    groups: dict[tuple[Any, ...], list[int]] = {}
    for pk, *shared in rows:
        groups.setdefault(tuple(shared), []).append(pk)
    alike = [SlotRow(pks[0], *shared) for shared, pks in groups.items()]
    return slots | dict(zip(slots_around(alike, ()), groups.values(), strict=True))


def about_any(events: EventQuerySet, topics: Iterable[int]) -> EventQuerySet:
    topics = list(topics)
    return events.filter(Q(topic__in=topics) | Q(topic=None, paper__is_public=True, paper__topic__in=topics))


def _events(conference: Conference) -> EventQuerySet:
    return Event.objects.public().filter(conference=conference)


def _papers(conference: Conference) -> Any:
    return Paper.objects.public().filter(conference=conference, topic__isnull=False)


def _address(conference: Conference, topic: Topic, clock: Clock, *, whole: bool = False) -> str:
    return carried(
        reverse("events:topic-detail", args=[conference.slug, topic.slug], query={"whole": 1} if whole else None), clock
    )


def _in_order(events: EventQuerySet) -> list[tuple[Any, ...]]:
    """By day, hour and session, and there by hour and board; its id first."""
    rows = events.order_by("pk").values_list("pk", "day__date", "start", "session__start", "session__title", "board", "title")
    late, last = dt.datetime.max.replace(tzinfo=dt.UTC), dt.date.max

    def key(row: tuple[Any, ...]) -> tuple[Any, ...]:
        pk, day, start, opens, session, board, title = row
        start = start or late
        return day or last, opens or start, session or "", start, board_key(board), title, pk

    return sorted(rows, key=key)


def _by_day(cards: Sequence[Card]) -> list[tuple[dt.date | None, list[TopicSession]]]:
    days = []
    for day, some in groupby(cards, key=lambda it: it.day):
        sessions = []
        for _, inside in groupby(some, key=lambda it: it.event.session_id):
            found = list(inside)
            session = found[0].event.session
            sessions.append(TopicSession(session, found[0].session[1] if found[0].session else "", found))
        days.append((day, sessions))
    return days


def _siblings(siblings: Sequence[Topic], topic: Topic, whole: bool, clock: Clock) -> list[Choice]:
    """The whole area, and each part of it."""
    if len(siblings) < 2:
        return []
    first = next((it for it in siblings if not it.subarea), topic)
    url = _address(topic.conference, first, clock, whole=bool(first.subarea))
    parts = [
        Choice(it.subarea, it.slug, _address(topic.conference, it, clock), not whole and it.pk == topic.pk)
        for it in siblings
        if it.subarea
    ]
    return [Choice(f"All of {topic.area}", "all", url, whole), *parts]
