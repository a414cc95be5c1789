"""The search page: results for a question, filtered by kind, day and topic."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q
from django.http import QueryDict

from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import Clock
from events.core.words import MAX_SEARCH_CHARS, Phrase, search_phrases
from events.programme.models.conference import Conference
from events.programme.models.labels import Topic
from events.programme.queries.filters import FilterOption, replaced_query
from events.programme.queries.public_names import only_public
from events.search.models import facet
from events.search.queries.fulltext import SearchMatch, best_matches, counts_by_labels
from events.search.queries.results import SearchContext, SearchResult, search_results

RESULTS_PER_PAGE = 10
MAX_TOPIC_CHOICES = 12
SEARCH_KINDS = {
    "invited-talk": "Invited talks",
    "talk": "Talks",
    "poster": "Posters",
    "session": "Sessions",
    "paper": "Papers",
    "person": "People",
    "social": "Socials",
    "service": "Services",
    "amenity": "Amenities",
    "room": "Rooms",
    "break": "Breaks",
}


@dataclass(frozen=True)
class SearchFilters:
    """Empty means everything."""

    kind: str = ""
    day: str = ""
    topic: str = ""

    def labels(self, topics: Iterable[Topic]) -> dict[str, str]:
        """Return the facets in the index, by name; an unknown topic becomes a facet that matches nothing."""
        pk_by_slug = {topic.slug: topic.pk for topic in topics}
        values = {"kind": self.kind, "day": self.day, "topic": pk_by_slug.get(self.topic, "unknown") if self.topic else ""}
        return {name: facet(name, value) for name, value in values.items() if value}


NO_SEARCH_FILTERS = SearchFilters()


class SearchMatches(Sequence[SearchMatch]):
    """Matches, best first and read a page at a time, and the number of matches for each choice of a filter."""

    def __init__(self, conference: Conference, text: str, labels: Mapping[str, str]) -> None:
        self.conference, self.phrases, self.labels = conference, search_phrases(text), labels
        self.counts_by_labels = counts_by_labels(conference, self.phrases)

    def __len__(self) -> int:
        return sum(count for labels, count in self.counts_by_labels.items() if labels.issuperset(self.labels.values()))

    @overload
    def __getitem__(self, index: int) -> SearchMatch: ...

    @overload
    def __getitem__(self, index: slice) -> list[SearchMatch]: ...

    def __getitem__(self, index: int | slice) -> SearchMatch | list[SearchMatch]:
        if isinstance(index, int):
            return self[index : index + 1][0]
        start, stop, _ = index.indices(len(self))
        return best_matches(self.conference, self.phrases, self.labels.values(), start, stop)

    def counts(self, name: str) -> Counter[str]:
        """Count matches by label of this filter, with the other filters applied."""
        others = {label for other, label in self.labels.items() if other != name}
        counts = Counter[str]()
        for labels, count in self.counts_by_labels.items():
            if labels.issuperset(others):
                counts.update({label: count for label in labels if label[0] == name[0]})
        return counts


@dataclass(frozen=True)
class SearchPage:
    question: str
    phrases: list[Phrase]
    results: list[SearchResult]
    page: Page[SearchMatch]
    kinds: list[FilterOption]
    days: list[FilterOption]
    topics: list[FilterOption]
    fewer_words: list[FilterOption]
    clear_url: str
    filters: SearchFilters

    @property
    def count(self) -> int:
        return self.page.paginator.count

    @property
    def is_filtered(self) -> bool:
        return self.filters != NO_SEARCH_FILTERS


def search(
    conference: Conference, text: str, filters: SearchFilters = NO_SEARCH_FILTERS, topics: Iterable[Topic] = ()
) -> SearchMatches:
    return SearchMatches(conference, text, filters.labels(topics))


def public_topics(conference: Conference) -> list[Topic]:
    rows = only_public(Topic.objects.filter(conference=conference)).only("slug", "area", "subarea")
    # Cached, because each letter of a search as you type needs them.
    return PROCESS_CACHE.get_or_build(("topics", conference.pk), lambda: list(rows), version=conference.revision)


def search_page(conference: Conference, clock: Clock, query: QueryDict) -> SearchPage:
    question = question_text(query.get("q", ""))
    filters = SearchFilters(*(question_text(query.get(name, ""))[:60] for name in ("kind", "day", "topic")))
    topics = public_topics(conference)
    matches = search(conference, question, filters, topics)
    page = Paginator(matches, RESULTS_PER_PAGE).get_page(query.get("page"))
    clear = query.copy()
    for name in ("kind", "day", "topic", "page"):
        clear.pop(name, None)
    return SearchPage(
        question=question,
        phrases=matches.phrases,
        results=search_results(page, SearchContext(conference, matches.phrases, clock)),
        page=page,
        kinds=_facet_choices("kind", list(SEARCH_KINDS.items()), matches, query, filters.kind),
        days=_facet_choices("day", _day_values(matches), matches, query, filters.day),
        topics=_topic_choices(topics, matches, query, filters.topic)
        if matches.phrases
        else _topic_suggestions(conference, clear),
        fewer_words=_fewer_words(matches, clear),
        clear_url=f"?{clear.urlencode()}",
        filters=filters,
    )


def question_text(text: str) -> str:
    printable = "".join(character if character.isprintable() else " " for character in text[:MAX_SEARCH_CHARS])
    return " ".join(printable.split())


def _facet_choices(
    name: str,
    values: Iterable[tuple[str, str]],
    matches: SearchMatches,
    query: QueryDict,
    chosen: str,
    key: Callable[[str], str] = str,
) -> list[FilterOption]:
    """Return the values with matches, and the chosen one even without matches."""
    counts = matches.counts(name)
    choices = []
    for value, label in values:
        count, active = counts[facet(name, key(value))], value == chosen
        if count or active:
            choices.append(FilterOption(label, value, replaced_query(query, name, "" if active else value), active, count))
    return choices


def _day_values(matches: SearchMatches) -> list[tuple[str, str]]:
    dates = [dt.date.fromisoformat(label[1:]) for label in sorted(matches.counts("day"))]
    return [(date.isoformat(), f"{date:%a} {date.day} {date:%b}") for date in dates]


def _topic_choices(topics: list[Topic], matches: SearchMatches, query: QueryDict, chosen: str) -> list[FilterOption]:
    keys = {topic.slug: str(topic.pk) for topic in topics}
    values = [(topic.slug, str(topic)) for topic in topics]
    choices = _facet_choices("topic", values, matches, query, chosen, key=keys.__getitem__)
    return sorted(choices, key=lambda choice: (not choice.active, -(choice.count or 0), choice.label))[:MAX_TOPIC_CHOICES]


def _topic_suggestions(conference: Conference, query: QueryDict) -> list[FilterOption]:
    counted = Topic.objects.filter(conference=conference).annotate(n=Count("papers", filter=Q(papers__is_public=True)))
    first = counted.filter(n__gt=0).order_by("-n", "area", "subarea", "pk")[:MAX_TOPIC_CHOICES]
    return [FilterOption(str(topic), topic.slug, _topic_search_url(topic, query), active=False, count=topic.n) for topic in first]


def _topic_search_url(topic: Topic, query: QueryDict) -> str:
    changed = query.copy()
    changed["q"], changed["topic"] = f'"{topic.subarea or topic.area}"', topic.slug
    return f"?{changed.urlencode()}"


def _fewer_words(matches: SearchMatches, query: QueryDict) -> list[FilterOption]:
    """Return each of several phrases as a search, if no result matches all of them."""
    if matches or len(matches.phrases) < 2:
        return []
    texts = map(str, matches.phrases)
    return [FilterOption(text, text, replaced_query(query, "q", text), active=False) for text in texts]
