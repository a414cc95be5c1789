"""Topics, and the events about one of them in all sessions and days."""

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

from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import SLOT_COLUMNS, SlotRow
from events.agenda.queries.conflicts import slots_of, slots_with_breaks, walks_of
from events.core.clock import Clock, with_pinned_time
from events.pages.cards import Card, for_cards, make_cards
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind, Status, Topic
from events.programme.models.papers import Paper
from events.programme.queries.filters import EFFECTIVE_TOPIC, FilterOption, filter_events, filters_for, replaced_query
from events.programme.queries.public_names import only_public
from events.programme.rules.days import board_key
from events.programme.rules.overlaps import count_fitting
from events.programme.rules.slots import TimeSlot

TOPIC_EVENTS_PER_PAGE = 60


@dataclass(frozen=True)
class TopicRow:
    name: str
    url: str
    papers: int
    events: int

    @property
    def amount(self) -> str:
        papers = f"{self.papers} paper{'' if self.papers == 1 else 's'}" if self.papers else ""
        events = f"{self.events} event{'' if self.events == 1 else 's'}" if self.events else ""
        return " · ".join(filter(None, [papers, events]))


@dataclass(frozen=True)
class TopicArea(TopicRow):
    """An area with its topics. The numbers are sums, and the address shows the whole area."""

    topics: list[TopicRow]


@dataclass(frozen=True)
class TopicSession:
    """The events about a topic in one session; ``session`` is None for those without one."""

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
    kinds: list[FilterOption]
    siblings: list[FilterOption]
    clear_url: str


@dataclass(frozen=True)
class TopicFit:
    """How many events about a topic fit the agenda, and how many are in it."""

    fits: int
    total: int
    bookmarked: int


def topic_areas(conference: Conference, clock: Clock) -> list[TopicArea]:
    papers = dict(_papers_with_topic(conference).order_by().values_list("topic").annotate(n=Count("pk")))
    about = _conference_events(conference).order_by().annotate(about=EFFECTIVE_TOPIC).values_list("about")
    events = dict(about.annotate(n=Count("pk")))
    topics = Topic.objects.filter(conference=conference).order_by("area", "subarea", "slug")
    filled = [it for it in topics if it.pk in papers or it.pk in events]
    found = []
    for area, some in groupby(filled, key=lambda it: it.area):
        within = list(some)
        rows = [
            TopicRow(
                topic.subarea or topic.area,
                _topic_url(conference, topic, clock),
                papers.get(topic.pk, 0),
                events.get(topic.pk, 0),
            )
            for topic in within
        ]
        url = _topic_url(conference, within[0], clock, whole=bool(within[0].subarea) and len(within) > 1)
        sums = sum(it.papers for it in rows), sum(it.events for it in rows)
        found.append(TopicArea(area, url, *sums, [] if len(rows) == 1 and not within[0].subarea else rows))
    return found


def topic_page(topic: Topic, clock: Clock, query: QueryDict) -> TopicPage:
    """A page of the events about the topic, or with ``?whole=1`` about its area."""
    conference = topic.conference
    siblings = list(only_public(Topic.objects.filter(conference=conference, area=topic.area)).order_by("subarea", "slug"))
    whole = bool(query.get("whole")) or not topic.subarea
    shown = siblings if whole else [topic]
    everything = events_about(_conference_events(conference), [it.pk for it in shown])
    page = Paginator(_ordered_rows(filter_events(everything, query)), TOPIC_EVENTS_PER_PAGE).get_page(query.get("page"))
    list_url = reverse("events:paper-list", args=[conference.slug])
    found = for_cards(Event.objects.filter(pk__in=[row[0] for row in page]))
    cards = {card.event.pk: card for card in make_cards(found, clock)}
    return TopicPage(
        topic=topic,
        name=topic.area if whole else str(topic),
        whole=whole,
        ids=",".join(str(it.pk) for it in shown),
        papers=_papers_with_topic(conference).filter(topic__in=shown).count(),
        papers_url=with_pinned_time(f"{list_url}?{urlencode([('topic', it.slug) for it in shown])}", clock),
        count=everything.count(),
        page=page,
        days=_sessions_by_day([cards[row[0]] for row in page]),
        kinds=filters_for(everything, query, conference).kinds,
        siblings=_sibling_choices(siblings, topic, whole, clock),
        clear_url=replaced_query(query, "type", ""),
    )


def topic_fit(conference: Conference, agenda: Agenda, topics: Iterable[int]) -> TopicFit:
    events = events_about(_conference_events(conference), topics).filter(start__isnull=False).exclude(status=Status.CANCELLED)
    mine = slots_of(agenda.events.select_related("type", "room").order_by("pk"), agenda.levels())
    bookmarked = {it.key for it in mine}
    slots = _event_ids_by_slot(events)
    found = [key for keys in slots.values() for key in keys]
    return TopicFit(count_fitting(slots, mine, walks_of(conference)), len(found), sum(key in bookmarked for key in found))


def _event_ids_by_slot(events: EventQuerySet) -> dict[TimeSlot, list[int]]:
    """Event ids by slot. Events with the same time, place and session share one, as posters of a session do."""
    sessions = events.of_kind(Kind.SESSION).select_related("type", "room").order_by("pk")
    slots = {slot: [event.pk] for event, slot in zip(sessions, slots_of(sessions), strict=True)}
    rows = events.exclude(type__kind=Kind.SESSION).order_by("pk").values_list(*SLOT_COLUMNS)
    groups: dict[tuple[Any, ...], list[int]] = {}
    for pk, *shared in rows:
        groups.setdefault(tuple(shared), []).append(pk)
    alike = [SlotRow(pks[0], *shared) for shared, pks in groups.items()]
    return slots | dict(zip(slots_with_breaks(alike, ()), groups.values(), strict=True))


def events_about(events: EventQuerySet, topics: Iterable[int]) -> EventQuerySet:
    topics = list(topics)
    return events.filter(Q(topic__in=topics) | Q(topic=None, paper__is_public=True, paper__topic__in=topics))


def _conference_events(conference: Conference) -> EventQuerySet:
    return Event.objects.public().filter(conference=conference)


def _papers_with_topic(conference: Conference) -> Any:
    return Paper.objects.public().filter(conference=conference, topic__isnull=False)


def _topic_url(conference: Conference, topic: Topic, clock: Clock, *, whole: bool = False) -> str:
    return with_pinned_time(
        reverse("events:topic-detail", args=[conference.slug, topic.slug], query={"whole": 1} if whole else None), clock
    )


def _ordered_rows(events: EventQuerySet) -> list[tuple[Any, ...]]:
    """Rows by day, hour and session, within a session by hour and board; the first column is the id."""
    rows = events.order_by("pk").values_list("pk", "day__date", "start", "session__start", "session__title", "board", "title")
    late, last = dt.datetime.max.replace(tzinfo=dt.UTC), dt.date.max

    def key(row: tuple[Any, ...]) -> tuple[Any, ...]:
        pk, day, start, opens, session, board, title = row
        start = start or late
        return day or last, opens or start, session or "", start, board_key(board), title, pk

    return sorted(rows, key=key)


def _sessions_by_day(cards: Sequence[Card]) -> list[tuple[dt.date | None, list[TopicSession]]]:
    days = []
    for day, some in groupby(cards, key=lambda it: it.day):
        sessions = []
        for _, inside in groupby(some, key=lambda it: it.event.session_id):
            found = list(inside)
            session = found[0].event.session
            sessions.append(TopicSession(session, found[0].session[1] if found[0].session else "", found))
        days.append((day, sessions))
    return days


def _sibling_choices(siblings: Sequence[Topic], topic: Topic, whole: bool, clock: Clock) -> list[FilterOption]:
    if len(siblings) < 2:
        return []
    first = next((it for it in siblings if not it.subarea), topic)
    url = _topic_url(topic.conference, first, clock, whole=bool(first.subarea))
    parts = [
        FilterOption(
            sibling.subarea, sibling.slug, _topic_url(topic.conference, sibling, clock), not whole and sibling.pk == topic.pk
        )
        for sibling in siblings
        if sibling.subarea
    ]
    return [FilterOption(f"All of {topic.area}", "all", url, whole), *parts]
