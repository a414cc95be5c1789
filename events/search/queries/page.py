"""The search page: results for a question, filtered by kind, day and topic."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast, overload
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q
from django.http import QueryDict
from django.urls import reverse

from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import Clock, with_pinned_time
from events.core.words import MAX_SEARCH_CHARS, SOFT_HYPHEN, Phrase, fold_text, folded_words, search_phrases
from events.programme.models.conference import Conference
from events.programme.models.labels import Topic
from events.programme.queries.filters import FilterOption, replaced_query
from events.programme.queries.public_names import only_public
from events.programme.queries.revisions import last_change_of_everything
from events.search.models import SearchEntry, SearchEntryType
from events.search.queries.day_pages import day_pages
from events.search.queries.fewer_words import NO_FEWER_WORDS, fewer_words
from events.search.queries.fulltext import (
    MAX_LISTED_MATCHES,
    SearchMatch,
    best_matches,
    count_matches,
    counts_by_labels,
    first_matches,
    places_called,
)
from events.search.queries.index import is_compared
from events.search.queries.results import SearchContext, SearchResult, search_results
from events.search.queries.spelling import Spelling, spellings
from events.search.rules import (
    SOME_TEXT,
    facet,
    facility_names,
    marked_phrases,
    question_subjects,
    with_initials,
    without_addresses,
)

RESULTS_PER_PAGE = 10
MAX_TOPIC_CHOICES = 12
MAX_TOPIC_PAGES, MAX_PLACES, MAX_SPELLINGS, MAX_PANEL_RESULTS = 3, 4, 3, 6
MIN_TOPIC_CHARS = 3
# So few results that a spelling with many more is offered beside them.
MAX_FEW_RESULTS, MIN_TIMES_MORE = 2, 5
PANEL_GROUPS = {"person": "People", "room": "Places", "service": "Places", "amenity": "Places", "page": "Information"}
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
    "page": "Information",
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
    """Matches, best first and read a page at a time, and the number of matches for each choice of a filter.

    Of a broad question only the first ``MAX_LISTED_MATCHES`` are listed, and the choices have no numbers.
    """

    def __init__(self, conference: Conference, phrases: list[Phrase], labels: Mapping[str, str]) -> None:
        self.conference, self.phrases, self.labels = conference, phrases, labels
        counts = counts_by_labels(conference, self.phrases)
        self.is_broad = counts is None
        self.counts_by_labels = counts or {}
        self._counts: dict[frozenset[str], Counter[str]] = {}

    def __len__(self) -> int:
        return min(self._count_with_labels, MAX_LISTED_MATCHES)

    @property
    def has_more(self) -> bool:
        return self._count_with_labels > MAX_LISTED_MATCHES

    @cached_property
    def _count_with_labels(self) -> int:
        if not self.is_broad:
            return sum(count for labels, count in self.counts_by_labels.items() if labels.issuperset(self.labels.values()))
        if not self.labels:
            return MAX_LISTED_MATCHES + 1
        return count_matches(self.conference, self.phrases, MAX_LISTED_MATCHES + 1, self.labels.values())

    @overload
    def __getitem__(self, index: int) -> SearchMatch: ...

    @overload
    def __getitem__(self, index: slice) -> list[SearchMatch]: ...

    def __getitem__(self, index: int | slice) -> SearchMatch | list[SearchMatch]:
        if isinstance(index, int):
            return self[index : index + 1][0]
        start, stop, _ = index.indices(len(self))
        read = first_matches if self.has_more else best_matches
        return read(self.conference, self.phrases, self.labels.values(), start, stop)

    @property
    def count_without_filters(self) -> int:
        return MAX_LISTED_MATCHES if self.is_broad else sum(self.counts_by_labels.values())

    def counts(self, name: str) -> Counter[str]:
        """Count matches by label, with the filters other than this one applied; of a broad question, all that there is."""
        if self.is_broad:
            return self._everything
        return self._counts_with(frozenset(label for other, label in self.labels.items() if other != name))

    @cached_property
    def _everything(self) -> Counter[str]:
        return everything_by_label(self.conference)

    def _counts_with(self, others: frozenset[str]) -> Counter[str]:
        if others not in self._counts:
            counts = ((labels, count) for labels, count in self.counts_by_labels.items() if labels.issuperset(others))
            self._counts[others] = _count_by_label(counts)
        return self._counts[others]


def _count_by_label(counts_by_labels: Iterable[tuple[Iterable[str], int]]) -> Counter[str]:
    counts = Counter[str]()
    for labels, count in counts_by_labels:
        for label in labels:
            counts[label] += count
    return counts


def everything_by_label(conference: Conference) -> Counter[str]:
    """Count all entries of the conference by label."""

    def read() -> Counter[str]:
        counted = SearchEntry.objects.filter(conference=conference).values_list("facets").annotate(n=Count("pk")).order_by()
        return _count_by_label((facets.split(), count) for facets, count in counted)

    version = last_change_of_everything(conference), is_compared(conference)
    return PROCESS_CACHE.get_or_build(("facets", conference.pk), read, version=version)


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
    all_url: str
    filters: SearchFilters
    # Named like the facility that is asked for, and not among the results.
    places: list[SearchResult]
    asks_for_facility: bool
    topic_pages: list[FilterOption]
    day_pages: list[FilterOption]
    # What the results are for, if nothing has the words of the question; else "".
    corrected: str
    # The words that the results do not have, if nothing has all of them.
    without: list[str]
    # Of the texts with the words of the question, or of any, where other spellings were looked for.
    matched_subjects: frozenset[str]
    other_spellings: list[FilterOption]

    @property
    def count(self) -> int:
        return self.page.paginator.count + len(self.places)

    @property
    def subjects(self) -> frozenset[str] | None:
        """What the page is about (events.programme.rules.subjects); None for everything."""
        if self.asks_for_facility or any(result.thing == SearchEntryType.AMENITY for result in self.results):
            return None
        if not self.phrases:
            return frozenset()
        shown = frozenset(it for result in self.results for time in result.times for it in time.subjects)
        return shown | self.matched_subjects

    @property
    def count_text(self) -> str:
        return f"{MAX_LISTED_MATCHES:,}+" if self.has_more else f"{self.count:,}"

    @property
    def has_more(self) -> bool:
        """Whether more is found than is listed."""
        return cast(SearchMatches, self.page.paginator.object_list).has_more

    @property
    def all_results(self) -> list[SearchResult]:
        return [*self.places, *self.results]

    @property
    def active(self) -> list[FilterOption]:
        return [it for it in [*self.kinds, *self.days, *self.topics] if it.active]

    @property
    def is_filtered(self) -> bool:
        return self.filters != NO_SEARCH_FILTERS

    @property
    def panel_groups(self) -> list[tuple[str, list[SearchResult]]]:
        """The first results by what they are, in the order of the best of each."""
        groups: dict[str, list[SearchResult]] = {}
        for result in self.all_results[:MAX_PANEL_RESULTS]:
            groups.setdefault(PANEL_GROUPS.get(result.thing, "Programme"), []).append(result)
        return list(groups.items())


def search(
    conference: Conference, text: str, filters: SearchFilters = NO_SEARCH_FILTERS, topics: Iterable[Topic] = ()
) -> SearchMatches:
    phrases = with_initials(search_phrases(without_addresses(text)))
    return SearchMatches(conference, phrases, filters.labels(topics))


def public_topics(conference: Conference) -> list[Topic]:
    def read() -> list[Topic]:
        return list(only_public(Topic.objects.filter(conference=conference)).only("slug", "area", "subarea"))

    # Cached, because each letter of a search as you type needs them.
    return PROCESS_CACHE.get_or_build(("topics", conference.pk), read, version=last_change_of_everything(conference))


def search_page(conference: Conference, clock: Clock, query: QueryDict) -> SearchPage:
    question = question_text(query.get("q", ""))
    filters = SearchFilters(*(question_text(query.get(name, ""))[:60] for name in ("kind", "day", "topic")))
    topics = public_topics(conference)
    asked = matches = search(conference, question, filters, topics)
    clear = query.copy()
    for name in ("kind", "day", "topic", "page"):
        clear.pop(name, None)
    facility = facility_names(asked.phrases)
    place_matches = places_called(conference, facility, MAX_PLACES) if facility and not filters.kind else []
    days = [] if filters.day else day_pages(conference, question, clear, clock)
    near = [] if facility or days else _other_spellings(asked)
    is_missed = not asked.count_without_filters
    corrected = near[0] if near and is_missed else None
    fewer = fewer_words(conference, asked.phrases) if is_missed and not (near or facility or days) else NO_FEWER_WORDS
    if phrases := corrected.phrases if corrected else fewer.phrases:
        matches = SearchMatches(conference, list(phrases), asked.labels)
    spelled = fewer.near if fewer.phrases else [it.text for it in near[:MAX_SPELLINGS] if it is not corrected]
    page = Paginator(matches, RESULTS_PER_PAGE).get_page(query.get("page"))
    context = SearchContext(conference, marked_phrases(matches.phrases), clock)
    results = search_results(page, context)
    first_places = [match for match in place_matches if match not in page.object_list] if page.number == 1 else []
    return SearchPage(
        question=question,
        phrases=matches.phrases,
        results=results,
        page=page,
        kinds=_facet_choices("kind", list(SEARCH_KINDS.items()), matches, query, filters.kind),
        days=_facet_choices("day", _day_values(matches), matches, query, filters.day),
        topics=_topic_choices(topics, matches, query, filters.topic)
        if matches.phrases
        else _topic_suggestions(conference, clear),
        fewer_words=[] if fewer.phrases else _as_searches([*fewer.known, *fewer.near], clear),
        clear_url=f"?{clear.urlencode()}",
        all_url=f"{reverse('events:search', args=[conference.slug])}?{clear.urlencode()}",
        filters=filters,
        places=search_results(first_places, context) if first_places else [],
        asks_for_facility=bool(facility),
        topic_pages=[] if filters.topic else _topic_pages(topics, matches.phrases, context),
        day_pages=days,
        corrected=_as_written(corrected.text, results) if corrected else "",
        without=fewer.without,
        matched_subjects=_matched_subjects(asked),
        other_spellings=_as_searches(spelled, clear),
    )


def _as_searches(questions: Iterable[str], query: QueryDict) -> list[FilterOption]:
    return [FilterOption(it, it, replaced_query(query, "q", it), active=False) for it in dict.fromkeys(questions)]


def _matched_subjects(asked: SearchMatches) -> frozenset[str]:
    spells = {SOME_TEXT} if asked.count_without_filters <= MAX_FEW_RESULTS else set()
    return frozenset(question_subjects(asked.phrases) | spells)


def _other_spellings(matches: SearchMatches) -> list[Spelling]:
    """Return spellings that find something, if the question finds nothing; if it finds little, those that find much more."""
    count = matches.count_without_filters
    if not matches.phrases or count > MAX_FEW_RESULTS:
        return []
    near = spellings(matches.conference, matches.phrases)
    return [it for it in near if it.matches >= count * MIN_TIMES_MORE] if count else near


def _as_written(text: str, results: Sequence[SearchResult]) -> str:
    """Return the words as the first results write them: "Kolter" for "kolter"."""
    written = {
        fold_text(part.text): part.text
        for result in reversed(results)
        for parts in [*result.people, result.title]
        for part in parts
        if part.is_match
    }
    return " ".join(written.get(word, word) for word in text.split())


def _topic_pages(topics: list[Topic], phrases: Sequence[Phrase], context: SearchContext) -> list[FilterOption]:
    """Return the pages of topics whose names have all words of the question, the shortest names first."""
    if sum(len(str(phrase)) for phrase in phrases) < MIN_TOPIC_CHARS:
        return []
    named = []
    for topic in topics:
        name = f" {' '.join(folded_words(str(topic)))} "
        if all(f" {phrase}{'' if phrase.is_prefix else ' '}" in name for phrase in phrases):
            url = reverse("events:topic-detail", args=[context.conference.slug, topic.slug])
            named.append(FilterOption(str(topic), topic.slug, with_pinned_time(url, context.clock), active=False))
    return sorted(named, key=lambda it: (len(it.label), it.label))[:MAX_TOPIC_PAGES]


def question_text(text: str) -> str:
    text = text[:MAX_SEARCH_CHARS].replace(SOFT_HYPHEN, "")
    printable = "".join(character if character.isprintable() else " " for character in text)
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
    without = replaced_query(query, name, "")
    start = without if without == "?" else f"{without}&"
    choices = []
    for value, label in values:
        count, active = counts[facet(name, key(value))], value == chosen
        if count or active:
            url = without if active or not value else f"{start}{urlencode({name: value})}"
            choices.append(FilterOption(label, value, url, active, None if matches.is_broad else count))
    return choices


def _day_values(matches: SearchMatches) -> list[tuple[str, str]]:
    dates = [dt.date.fromisoformat(label[1:]) for label in sorted(matches.counts("day")) if label[0] == facet("day", "")]
    return [(date.isoformat(), f"{date:%a} {date.day} {date:%b}") for date in dates]


def _topic_choices(topics: list[Topic], matches: SearchMatches, query: QueryDict, chosen: str) -> list[FilterOption]:
    keys = {topic.slug: str(topic.pk) for topic in topics}
    counts = matches.counts("topic")
    values = [(topic.slug, str(topic)) for topic in topics]
    values.sort(key=lambda value: (value[0] != chosen, -counts[facet("topic", keys[value[0]])], value[1]))
    return _facet_choices("topic", values[:MAX_TOPIC_CHOICES], matches, query, chosen, key=keys.__getitem__)


def _topic_suggestions(conference: Conference, query: QueryDict) -> list[FilterOption]:
    counted = Topic.objects.filter(conference=conference).annotate(n=Count("papers", filter=Q(papers__is_public=True)))
    first = counted.filter(n__gt=0).order_by("-n", "area", "subarea", "pk")[:MAX_TOPIC_CHOICES]
    return [FilterOption(str(topic), topic.slug, _topic_search_url(topic, query), active=False, count=topic.n) for topic in first]


def _topic_search_url(topic: Topic, query: QueryDict) -> str:
    changed = query.copy()
    changed["q"], changed["topic"] = f'"{topic.subarea or topic.area}"', topic.slug
    return f"?{changed.urlencode()}"
