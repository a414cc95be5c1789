"""What a session holds: talks by time, then posters by board or topic, a page of them at a time."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import QueryDict

from events.models import Agenda, Event, Kind, Topic
from events.models.event import EventQuerySet
from events.queries.cards import Card
from events.queries.filters import ABOUT, Choice, replaced, toggled
from events.queries.pinned import carried
from events.schedule.boards import board_key, share
from events.schedule.clock import Clock

PER_PAGE = 60
BY_TOPIC = "topic"


@dataclass(frozen=True, slots=True)
class Part:
    """What is read of everything in a session, so that a page of it can be cut."""

    pk: int
    kind: str
    start: dt.datetime | None
    position: int
    title: str
    board: str
    topic: int | None
    status: str

    @property
    def is_poster(self) -> bool:
        return self.kind == Kind.POSTER


@dataclass(frozen=True)
class Held:
    """One page of what a session holds, and the ways to the rest."""

    parts: list[Part]
    page: Page[Part]
    posters: int
    sentence: str
    sorts: list[Choice]
    topics: list[Choice]
    boards: list[Choice]
    clear_url: str
    names: Mapping[int, str]

    @property
    def talks(self) -> int:
        return sum(not it.is_poster for it in self.parts)

    @property
    def chosen(self) -> bool:
        return any(it.active for it in self.topics)

    @property
    def by_topic(self) -> bool:
        return any(it.active and it.value == BY_TOPIC for it in self.sorts)

    def talks_of(self, cards: Mapping[int, Card]) -> list[Card]:
        return [cards[it.pk] for it in self.page if not it.is_poster and it.pk in cards]

    def posters_of(self, cards: Mapping[int, Card]) -> list[tuple[str, list[Card]]]:
        """Under a heading for each topic when they are sorted so, else under none."""
        found = [it for it in self.page if it.is_poster and it.pk in cards]
        named = groupby(found, key=lambda it: self._name(it) if self.by_topic else "")
        return [(name, [cards[it.pk] for it in some]) for name, some in named]

    def _name(self, part: Part) -> str:
        return self.names.get(part.topic or 0, "Other topics")


def held_by(event: Event, around: EventQuerySet, query: QueryDict) -> Held:
    parts = _parts(around.filter(session=event))
    topics = {it.pk: it for it in Topic.objects.filter(pk__in={it.topic for it in parts if it.topic})}
    wanted = {pk for pk, it in topics.items() if it.slug in query.getlist("topic")}
    names = {pk: str(it) for pk, it in topics.items()}
    by_topic = query.get("sort") == BY_TOPIC
    chosen = sorted((it for it in parts if not wanted or it.topic in wanted), key=lambda it: _order(it, names, by_topic))
    pages = Paginator(chosen, PER_PAGE)
    hanging = sum(it.is_poster and it.status != "cancelled" for it in parts)
    return Held(
        parts=parts,
        page=pages.get_page(query.get("page")),
        posters=sum(it.is_poster for it in parts),
        sentence=_sentence(hanging, event),
        sorts=_sorts(query, by_topic),
        topics=_topics(parts, topics, query),
        boards=[] if by_topic else _boards(pages, query),
        clear_url=replaced(query, "topic", ""),
        names=names,
    )


def _parts(events: EventQuerySet) -> list[Part]:
    names = ("pk", "type__kind", "start", "position", "title", "board", "about", "status")
    return [Part(*row) for row in events.order_by("pk").annotate(about=ABOUT).values_list(*names)]


def _order(part: Part, names: Mapping[int, str], by_topic: bool) -> tuple[Any, ...]:
    """Talks by time, then posters by board: 9 before 10 before 100."""
    start = part.start or dt.datetime.max.replace(tzinfo=dt.UTC)
    if not part.is_poster:
        return (False, start, part.position, part.title, part.pk)
    topic = names.get(part.topic or 0, "\U0010ffff") if by_topic else ""
    return (True, topic, board_key(part.board), start, part.title, part.pk)


def _sentence(posters: int, event: Event) -> str:
    """How long one poster can have: all of them, in the time that there is."""
    if posters < 2 or not event.start or not event.end:
        return ""
    return share(event.end - event.start, posters)


def _sorts(query: QueryDict, by_topic: bool) -> list[Choice]:
    board, topic = replaced(query, "sort", ""), replaced(query, "sort", BY_TOPIC)
    return [Choice("By board", "board", board, not by_topic), Choice("By topic", BY_TOPIC, topic, by_topic)]


def _topics(parts: Sequence[Part], topics: Mapping[int, Topic], query: QueryDict) -> list[Choice]:
    counts = Counter(it.topic for it in parts)
    taken = query.getlist("topic")
    ordered = sorted(topics.values(), key=lambda it: (it.area, it.subarea, it.slug))
    return [Choice(str(it), it.slug, toggled(query, "topic", it.slug), it.slug in taken, counts[it.pk]) for it in ordered]


def _boards(pages: Paginator[Part], query: QueryDict) -> list[Choice]:
    """A door to each page, named by its first and its last board."""
    if pages.num_pages == 1:
        return []
    current = pages.get_page(query.get("page")).number
    doors = []
    for page in pages:
        boards = [it.board for it in page if it.is_poster and it.board]
        if boards:
            url = replaced(query, "page", "" if page.number == 1 else str(page.number))
            label = boards[0] if len(boards) == 1 else f"{boards[0]} – {boards[-1]}"
            doors.append(Choice(label, str(page.number), url, page.number == current))
    return doors


@dataclass(frozen=True)
class MyPosters:
    """The posters of one session that a visitor picked, in the order of a walk."""

    boards: list[tuple[str, str]]
    sentence: str

    @property
    def count(self) -> int:
        return len(self.boards)


def my_posters(agenda: Agenda, session: Event, clock: Clock) -> MyPosters:
    """Boards with their addresses."""
    mine = agenda.events.of_kind(Kind.POSTER).filter(session=session).exclude(status="cancelled").select_related("conference")
    found = sorted(mine.only("guid", "board", "title", "conference__slug"), key=lambda it: (board_key(it.board), it.title, it.pk))
    boards = [(it.board or it.title, carried(it.get_absolute_url(), clock)) for it in found]
    length = session.end - session.start if session.start and session.end else None
    return MyPosters(boards, share(length, len(boards)) if length and boards else "")
