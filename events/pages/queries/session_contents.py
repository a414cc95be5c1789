"""The events of a session: talks by time, then posters by board or topic, searched and in pages; and the first on a card."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import QueryDict

from events.core.words import folded_words
from events.pages.cards import Card
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind, Topic
from events.programme.models.papers import Authorship
from events.programme.models.people import Appearance
from events.programme.queries.filters import EFFECTIVE_TOPIC, FilterOption, replaced_query, toggled_query
from events.programme.rules.days import board_key, board_text, share_text

CONTENTS_PER_PAGE = 60
SORT_BY_TOPIC = "topic"
MAX_SESSION_SEARCH_CHARS = 100


@dataclass(frozen=True, slots=True)
class SessionPart:
    """The columns that sort all parts of a session, before a page of them is read in full."""

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
class SessionContents:
    """One page of the parts of a session, with the choices that lead to the rest."""

    parts: list[SessionPart]
    page: Page[SessionPart]
    posters: int
    sentence: str
    question: str
    # An unknown topic is a choice too, of which there is nothing.
    chosen: bool
    by_topic: bool
    topics: list[FilterOption]
    boards: list[FilterOption]
    clear_url: str
    names: Mapping[int, str]

    @property
    def heading(self) -> str:
        """Breaks and panels of a workshop are no talks."""
        talks = sum(it.kind in {Kind.TALK, Kind.INVITED_TALK} for it in self.parts)
        others = len(self.parts) - self.posters - talks
        counts = [(talks, "talk"), (self.posters, "poster"), (others, "other" if talks or self.posters else "part")]
        return ", ".join(f"{count:,} {word}{'' if count == 1 else 's'}" for count, word in counts if count)

    @property
    def is_poster_session(self) -> bool:
        return 2 * self.posters > len(self.parts)

    @property
    def has_search(self) -> bool:
        return self.posters > 0 or len(self.parts) > CONTENTS_PER_PAGE

    @property
    def active(self) -> list[FilterOption]:
        return [it for it in self.topics if it.active]

    def talks_of(self, cards: Mapping[int, Card]) -> list[Card]:
        return [cards[it.pk] for it in self.page if not it.is_poster and it.pk in cards]

    def posters_of(self, cards: Mapping[int, Card]) -> list[tuple[str, list[Card]]]:
        """With a heading for each topic if sorted by topic, else with an empty one."""
        found = [it for it in self.page if it.is_poster and it.pk in cards]
        named = groupby(found, key=lambda it: self._name(it) if self.by_topic else "")
        return [(name, [cards[it.pk] for it in some]) for name, some in named]

    def _name(self, part: SessionPart) -> str:
        return self.names.get(part.topic or 0, "Other topics")


def session_contents(event: Event, query: QueryDict, *, has_parts: bool = True) -> SessionContents:
    parts = _session_parts(Event.objects.public().filter(conference=event.conference, session=event)) if has_parts else []
    about = {it.topic for it in parts if it.topic}
    topics = {it.pk: it for it in Topic.objects.filter(pk__in=about)} if about else {}
    asked = [slug for slug in query.getlist("topic") if slug.strip()]
    wanted = {pk for pk, it in topics.items() if it.slug in asked}
    names = {pk: str(it) for pk, it in topics.items()}
    by_topic = query.get("sort") == SORT_BY_TOPIC
    question = " ".join(query.get("q", "")[:MAX_SESSION_SEARCH_CHARS].split())
    found = [it for it in _searched(parts, event, question) if not asked or it.topic in wanted]
    chosen = sorted(found, key=lambda it: _part_order(it, names, by_topic))
    pages = Paginator(chosen, CONTENTS_PER_PAGE)
    hanging = sum(it.is_poster and it.status != "cancelled" for it in parts)
    return SessionContents(
        parts=parts,
        page=pages.get_page(query.get("page")),
        posters=sum(it.is_poster for it in parts),
        sentence=_poster_share_text(hanging, event),
        question=question,
        chosen=bool(question or asked),
        by_topic=by_topic,
        topics=_topic_choices(parts, topics, query),
        boards=[] if by_topic else _board_choices(pages, query),
        clear_url=_clear_url(query),
        names=names,
    )


def _session_parts(events: EventQuerySet) -> list[SessionPart]:
    names = ("pk", "type__kind", "start", "position", "title", "board", "about", "status")
    return [SessionPart(*row) for row in events.order_by("pk").annotate(about=EFFECTIVE_TOPIC).values_list(*names)]


def _searched(parts: list[SessionPart], event: Event, question: str) -> list[SessionPart]:
    """The parts of which title, board and people have words that begin with those of the question."""
    wanted = folded_words(question)
    if not wanted:
        return parts
    names = defaultdict(list)
    appearing = Appearance.objects.filter(event__session=event).values_list("event", "person__name")
    authors = Authorship.objects.filter(paper__is_public=True, paper__events__session=event)
    for pk, name in [*appearing, *authors.values_list("paper__events", "person__name")]:
        names[pk].append(name)
    found = []
    for part in parts:
        words = folded_words(" ".join([part.title, board_text(part.board), *names[part.pk]]))
        if all(any(word.startswith(beginning) for word in words) for beginning in wanted):
            found.append(part)
    return found


def _clear_url(query: QueryDict) -> str:
    kept = query.copy()
    for name in ("q", "topic", "page"):
        kept.pop(name, None)
    return f"?{kept.urlencode()}"


def _part_order(part: SessionPart, names: Mapping[int, str], by_topic: bool) -> tuple[Any, ...]:
    """Talks by time, then posters by board: 9 before 10 before 100."""
    start = part.start or dt.datetime.max.replace(tzinfo=dt.UTC)
    if not part.is_poster:
        return (False, start, part.position, part.title, part.pk)
    topic = names.get(part.topic or 0, "\U0010ffff") if by_topic else ""
    return (True, topic, board_key(part.board), start, part.title, part.pk)


def _poster_share_text(posters: int, event: Event) -> str:
    """The time for each poster, if a visitor wants to see all."""
    if posters < 2 or not event.start or not event.end:
        return ""
    return share_text(event.end - event.start, posters)


def _topic_choices(parts: Sequence[SessionPart], topics: Mapping[int, Topic], query: QueryDict) -> list[FilterOption]:
    counts = Counter(it.topic for it in parts)
    taken = query.getlist("topic")
    ordered = sorted(topics.values(), key=lambda it: (it.area, it.subarea, it.slug))
    return [
        FilterOption(str(topic), topic.slug, toggled_query(query, "topic", topic.slug), topic.slug in taken, counts[topic.pk])
        for topic in ordered
    ]


def _board_choices(pages: Paginator[SessionPart], query: QueryDict) -> list[FilterOption]:
    if pages.num_pages == 1:
        return []
    current = pages.get_page(query.get("page")).number
    links = []
    for page in pages:
        boards = [it.board for it in page if it.is_poster and it.board]
        if boards:
            url = replaced_query(query, "page", "" if page.number == 1 else str(page.number))
            first, last = (it.lstrip("# ") for it in (boards[0], boards[-1]))
            label = first if len(boards) == 1 else f"{first} – {last}"
            links.append(FilterOption(label, str(page.number), url, page.number == current))
    return links
