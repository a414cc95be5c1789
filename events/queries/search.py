"""The search page: everything of a conference that fits some words, narrowed by kind, day and topic."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q
from django.http import QueryDict

from events.models import Conference, Topic
from events.models.search_texts import facet
from events.queries.filters import Choice, replaced
from events.queries.hits import Hit, Reader, hits_of
from events.queries.matches import Match, best, tally
from events.schedule.clock import Clock
from events.words import LONGEST_QUESTION, Phrase, phrases

PER_PAGE = 10
MOST_TOPICS = 12
KINDS = {
    "invited-talk": "Invited talks",
    "talk": "Talks",
    "poster": "Posters",
    "session": "Sessions",
    "paper": "Papers",
    "person": "People",
    "social": "Socials",
    "service": "Services",
    "amenity": "Small comforts",
    "room": "Rooms",
    "break": "Breaks",
}


@dataclass(frozen=True)
class Narrowing:
    """What a visitor limits their search to; empty means everything."""

    kind: str = ""
    day: str = ""
    topic: str = ""

    def labels(self, topics: Iterable[Topic]) -> dict[str, str]:
        """The words of the index that say so, by name; a value nothing has finds nothing."""
        known = {topic.slug: topic.pk for topic in topics}
        asked = {"kind": self.kind, "day": self.day, "topic": known.get(self.topic, "unknown") if self.topic else ""}
        return {name: facet(name, value) for name, value in asked.items() if value}


EVERYTHING = Narrowing()


class Found(Sequence[Match]):
    """What fits, best first, read a stretch at a time; and how much each choice would leave of it."""

    def __init__(self, conference: Conference, text: str, labels: Mapping[str, str]) -> None:
        self.conference, self.wanted, self.labels = conference, phrases(text), labels
        self.tally = tally(conference, self.wanted)

    def __len__(self) -> int:
        return sum(n for carried, n in self.tally.items() if carried.issuperset(self.labels.values()))

    @overload
    def __getitem__(self, index: int) -> Match: ...

    @overload
    def __getitem__(self, index: slice) -> list[Match]: ...

    def __getitem__(self, index: int | slice) -> Match | list[Match]:
        if isinstance(index, int):
            return self[index : index + 1][0]
        start, stop, _ = index.indices(len(self))
        return best(self.conference, self.wanted, self.labels.values(), start, stop)

    def counts(self, name: str) -> Counter[str]:
        """By label, what this choice would leave of what the other choices leave."""
        others = {label for other, label in self.labels.items() if other != name}
        counted = Counter[str]()
        for carried, n in self.tally.items():
            if carried.issuperset(others):
                counted.update({label: n for label in carried if label[0] == name[0]})
        return counted


@dataclass(frozen=True)
class SearchPage:
    question: str
    wanted: list[Phrase]
    hits: list[Hit]
    page: Page[Match]
    kinds: list[Choice]
    days: list[Choice]
    topics: list[Choice]
    fewer_words: list[Choice]
    clear_url: str
    narrowed: Narrowing

    @property
    def count(self) -> int:
        return self.page.paginator.count

    @property
    def is_narrowed(self) -> bool:
        return self.narrowed != EVERYTHING


def search(conference: Conference, text: str, narrowing: Narrowing = EVERYTHING, topics: Iterable[Topic] = ()) -> Found:
    """Ids of what fits the words, narrowed; nothing when there is no word in the text."""
    return Found(conference, text, narrowing.labels(topics))


def search_page(conference: Conference, clock: Clock, query: QueryDict) -> SearchPage:
    question = asked_text(query.get("q", ""))
    narrowing = Narrowing(*(asked_text(query.get(name, ""))[:60] for name in ("kind", "day", "topic")))
    topics = list(Topic.objects.filter(conference=conference).only("slug", "area", "subarea"))
    found = search(conference, question, narrowing, topics)
    page = Paginator(found, PER_PAGE).get_page(query.get("page"))
    clear = query.copy()
    for name in ("kind", "day", "topic", "page"):
        clear.pop(name, None)
    return SearchPage(
        question=question,
        wanted=found.wanted,
        hits=hits_of(page, Reader(conference, found.wanted, clock)),
        page=page,
        kinds=_choices("kind", list(KINDS.items()), found, query, narrowing.kind),
        days=_choices("day", _days(found), found, query, narrowing.day),
        topics=_topics(topics, found, query, narrowing.topic) if found.wanted else _ideas(conference, clear),
        fewer_words=_fewer_words(found, clear),
        clear_url=f"?{clear.urlencode()}",
        narrowed=narrowing,
    )


def asked_text(text: str) -> str:
    """What was typed, without what no page can show."""
    return " ".join("".join(it if it.isprintable() else " " for it in text[:LONGEST_QUESTION]).split())


def _choices(
    name: str, values: Iterable[tuple[str, str]], found: Found, query: QueryDict, taken: str, key: Callable[[str], str] = str
) -> list[Choice]:
    """The values something was found under, and the one that is taken even if nothing was."""
    counts = found.counts(name)
    choices = []
    for value, label in values:
        n, active = counts[facet(name, key(value))], value == taken
        if n or active:
            choices.append(Choice(label, value, replaced(query, name, "" if active else value), active, n))
    return choices


def _days(found: Found) -> list[tuple[str, str]]:
    dates = [dt.date.fromisoformat(label[1:]) for label in sorted(found.counts("day"))]
    return [(date.isoformat(), f"{date:%a} {date.day} {date:%b}") for date in dates]


def _topics(topics: list[Topic], found: Found, query: QueryDict, taken: str) -> list[Choice]:
    """The topics most of it is about."""
    keys = {topic.slug: str(topic.pk) for topic in topics}
    values = [(topic.slug, str(topic)) for topic in topics]
    choices = _choices("topic", values, found, query, taken, key=keys.__getitem__)
    return sorted(choices, key=lambda it: (not it.active, -(it.count or 0), it.label))[:MOST_TOPICS]


def _ideas(conference: Conference, query: QueryDict) -> list[Choice]:
    """Where to begin: what most papers are about."""
    counted = Topic.objects.filter(conference=conference).annotate(n=Count("papers", filter=Q(papers__is_public=True)))
    first = counted.filter(n__gt=0).order_by("-n", "area", "subarea", "pk")[:MOST_TOPICS]
    return [Choice(str(it), it.slug, _about(it, query), active=False, count=it.n) for it in first]


def _about(topic: Topic, query: QueryDict) -> str:
    asked = query.copy()
    asked["q"], asked["topic"] = f'"{topic.subarea or topic.area}"', topic.slug
    return f"?{asked.urlencode()}"


def _fewer_words(found: Found, query: QueryDict) -> list[Choice]:
    """Each of several words by itself, for when all of them together find nothing."""
    if found or len(found.wanted) < 2:
        return []
    return [Choice(str(it), str(it), replaced(query, "q", str(it)), active=False) for it in found.wanted]
