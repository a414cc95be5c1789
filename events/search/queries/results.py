"""Search results as shown: titles with marked matches, people, times and rooms."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from events.core.clock import Clock, with_pinned_time
from events.core.db.prepared_query import prepared
from events.core.rendered_text import cached_plain_text
from events.core.words import Phrase, TextPart, mark_matches, snippet
from events.programme.display import RoomSign, room_sign
from events.programme.models.conference import Conference
from events.programme.models.info_pages import InfoPage
from events.programme.models.papers import Authorship, Paper
from events.programme.models.people import Appearance, Person
from events.programme.models.venue import Room, Service
from events.search.models import SearchEntryType
from events.search.queries.fulltext import SearchMatch
from events.search.queries.result_times import ResultTime, ResultUrls, result_times
from events.venue.models import Amenity
from events.venue.queries.amenities import amenity_rows

MAX_RESULT_PEOPLE = 3
MAX_RESULT_TIMES = 4


@dataclass(frozen=True, slots=True)
class SearchResult:
    thing: str
    url: str
    title: list[TextPart]
    people: list[list[TextPart]] = field(default_factory=list)
    people_more: int = 0
    note: list[TextPart] = field(default_factory=list)
    times: list[ResultTime] = field(default_factory=list)
    plate: RoomSign | None = None
    schedule_url: str = ""
    # Of an event; that of a paper is unknown.
    language: str = ""

    @property
    def label(self) -> str:
        return "Amenity" if self.thing == SearchEntryType.AMENITY else SearchEntryType(self.thing).label

    @property
    def first_times(self) -> list[ResultTime]:
        return self.times[:MAX_RESULT_TIMES]

    @property
    def more_times_count(self) -> int:
        return max(0, len(self.times) - MAX_RESULT_TIMES)

    @property
    def only_time(self) -> ResultTime | None:
        return self.times[0] if len(self.times) == 1 and self.thing in {"event", "paper"} else None


@dataclass(frozen=True)
class SearchContext:
    conference: Conference
    phrases: Sequence[Phrase]
    clock: Clock

    @cached_property
    def urls(self) -> ResultUrls:
        return ResultUrls(self.conference, self.clock)


def search_results(matches: Iterable[SearchMatch], context: SearchContext) -> list[SearchResult]:
    """Return results in the order of the matches, without rows that have been hidden since they were indexed."""
    matches = list(matches)
    targets: dict[str, list[int]] = defaultdict(list)
    for match in matches:
        targets[match.thing].append(match.target)
    times = result_times(targets, context.conference, context.clock, context.urls)
    results: dict[tuple[str, int], SearchResult] = {}
    for results_of in RESULTS_OF:
        results |= results_of(targets, times, context)
    return [results[match.thing, match.target] for match in matches if (match.thing, match.target) in results]


def _event_results(
    targets: Mapping[str, list[int]], times: Mapping[tuple[str, int], list[ResultTime]], context: SearchContext
) -> dict[tuple[str, int], SearchResult]:
    keys = targets.get("event", [])
    if not keys:
        return {}
    names = _names_by_key(_appearance_names(*keys))
    results = {}
    for key in keys:
        for time in times.get(("event", key), []):
            people = names.get(key, [])
            title, note = mark_matches(time.title, context.phrases), _marked_note(["", *time.texts], context)
            results["event", key] = SearchResult(
                "event", time.url, title, *_marked_people(people, context), note, [time], language=time.language
            )
    return results


def _paper_results(
    targets: Mapping[str, list[int]], times: Mapping[tuple[str, int], list[ResultTime]], context: SearchContext
) -> dict[tuple[str, int], SearchResult]:
    keys = targets.get("paper", [])
    if not keys:
        return {}
    names = _names_by_key(_author_names(*keys))
    results = {}
    for pk, guid, title, *texts in _public_papers(context.conference.pk, *keys):
        paper_times = times.get(("paper", pk), [])
        url = paper_times[0].url if len(paper_times) == 1 else context.urls.paper(guid)
        people = _marked_people(names.get(pk, []), context)
        title_parts, note = mark_matches(title, context.phrases), _marked_note(texts, context)
        results["paper", pk] = SearchResult("paper", url, title_parts, *people, note, paper_times)
    return results


def _person_results(
    targets: Mapping[str, list[int]], times: Mapping[tuple[str, int], list[ResultTime]], context: SearchContext
) -> dict[tuple[str, int], SearchResult]:
    keys = targets.get("person", [])
    if not keys:
        return {}
    results = {}
    for person in Person.objects.public().filter(pk__in=keys, conference=context.conference).defer("imported"):
        person.conference = context.conference
        url = with_pinned_time(person.get_absolute_url(), context.clock)
        note = mark_matches(person.affiliation, context.phrases) or snippet(person.bio, context.phrases)
        results["person", person.pk] = SearchResult("person", url, mark_matches(person.name, context.phrases), note=note)
    return results


def _room_results(
    targets: Mapping[str, list[int]], times: Mapping[tuple[str, int], list[ResultTime]], context: SearchContext
) -> dict[tuple[str, int], SearchResult]:
    keys = targets.get("room", [])
    if not keys:
        return {}
    results = {}
    for room in Room.objects.filter(pk__in=keys, conference=context.conference).select_related("zone__venue"):
        room.conference = context.conference
        url = with_pinned_time(room.get_absolute_url(), context.clock)
        note = mark_matches(", ".join(room.zone.location_names), context.phrases)
        plate = room_sign(room, context.conference.slug)
        schedule_url = with_pinned_time(
            f"{reverse('events:schedule', args=[context.conference.slug])}?room={room.pk}", context.clock
        )
        results["room", room.pk] = SearchResult(
            "room", url, mark_matches(room.name, context.phrases), note=note, plate=plate, schedule_url=schedule_url
        )
    return results


def _service_results(
    targets: Mapping[str, list[int]], times: Mapping[tuple[str, int], list[ResultTime]], context: SearchContext
) -> dict[tuple[str, int], SearchResult]:
    keys = targets.get("service", [])
    if not keys:
        return {}
    related = ("zone__venue", "room__zone__venue")
    results = {}
    for service in Service.objects.filter(pk__in=keys, conference=context.conference).select_related(*related):
        service.conference = context.conference
        url = with_pinned_time(service.get_absolute_url(), context.clock)
        hours = times.get(("service", service.pk), [])
        coming = [time for time in hours if not time.is_past] or hours
        note = mark_matches(service.location, context.phrases) or snippet(service.description, context.phrases)
        results["service", service.pk] = SearchResult(
            "service", url, mark_matches(service.name, context.phrases), note=note, times=coming
        )
    return results


def _amenity_results(
    targets: Mapping[str, list[int]], times: Mapping[tuple[str, int], list[ResultTime]], context: SearchContext
) -> dict[tuple[str, int], SearchResult]:
    keys = targets.get("amenity", [])
    if not keys:
        return {}
    results = {}
    for row in amenity_rows(Amenity.objects.filter(pk__in=keys), context.conference, context.clock):
        note = mark_matches(row.where, context.phrases) if row.where else snippet(row.amenity.note, context.phrases)
        results["amenity", row.amenity.pk] = SearchResult(
            "amenity", row.page, mark_matches(row.amenity.name, context.phrases), note=note
        )
    return results


def _page_results(
    targets: Mapping[str, list[int]], times: Mapping[tuple[str, int], list[ResultTime]], context: SearchContext
) -> dict[tuple[str, int], SearchResult]:
    keys = targets.get("page", [])
    if not keys:
        return {}
    results = {}
    for page in InfoPage.objects.public().filter(pk__in=keys, conference=context.conference):
        page.conference = context.conference
        url = with_pinned_time(page.get_absolute_url(), context.clock)
        note = snippet(cached_plain_text(page.text), context.phrases)
        results["page", page.pk] = SearchResult("page", url, mark_matches(page.title, context.phrases), note=note)
    return results


RESULTS_OF = (
    *(_event_results, _paper_results, _person_results, _room_results, _service_results, _amenity_results, _page_results),
)


def _marked_people(people: Sequence[str], context: SearchContext) -> tuple[list[list[TextPart]], int]:
    """Return the first people and all that match, and the number of the others."""
    names = [mark_matches(name, context.phrases) for name in people]
    shown = [parts for index, parts in enumerate(names) if index < MAX_RESULT_PEOPLE or any(part.is_match for part in parts)]
    return shown, len(names) - len(shown)


def _marked_note(texts: Sequence[str], context: SearchContext) -> list[TextPart]:
    """Return a snippet of the first text with a match; else the first text, a one-sentence summary or ""."""
    first, *_ = texts
    return next(filter(None, (snippet(text, context.phrases) for text in texts if text)), [TextPart(first)] if first else [])


@prepared
def _appearance_names(*events: int) -> QuerySet[Appearance, Any]:
    appearances = Appearance.objects.filter(event__pk__in=events)
    return appearances.order_by("event", "position", "pk").values_list("event", "person__name")


@prepared
def _author_names(*papers: int) -> QuerySet[Authorship, Any]:
    authorships = Authorship.objects.filter(paper__pk__in=papers)
    return authorships.order_by("paper", "position", "pk").values_list("paper", "person__name")


@prepared
def _public_papers(conference: int, *keys: int) -> QuerySet[Paper, Any]:
    papers = Paper.objects.public().filter(pk__in=keys, conference=conference).order_by()
    return papers.values_list("pk", "guid", "title", "tldr", "abstract")


def _names_by_key(rows: Iterable[tuple[int, str]]) -> dict[int, list[str]]:
    names: dict[int, list[str]] = defaultdict(list)
    for key, name in rows:
        names[key].append(name)
    return names
