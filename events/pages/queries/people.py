"""Papers, awards and people."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Substr
from django.http import QueryDict

from events.core.clock import Clock, with_pinned_time
from events.core.db.fields import sort_key
from events.pages.cards import MAX_CARD_PEOPLE, Card, for_cards, make_cards
from events.programme.display import Bookmarkable, PersonTag, RoomSign, author_tags, room_sign
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import EventType, Topic, public_within
from events.programme.models.papers import Authorship, Award, Paper
from events.programme.models.people import Appearance, Person
from events.programme.queries.events import events_of_person
from events.programme.queries.filters import FilterOption, replaced_query, toggled_query
from events.programme.queries.papers import (
    _paper_events,
    for_paper_rows,
    paper_filter_values,
    paper_question,
)

PERSON_ITEMS_PER_PAGE = 60
T = TypeVar("T")


@dataclass(frozen=True)
class PaperTime(Bookmarkable):
    event: Event
    plate: RoomSign | None
    url: str
    # It can be bookmarked: neither over nor cancelled.
    is_ahead: bool

    @property
    def type_name(self) -> str:
        return self.event.type.name

    @property
    def line(self) -> str:
        return self.event.type.line

    @property
    def day(self) -> dt.date | None:
        return self.event.day.date if self.event.day else None

    @property
    def board(self) -> str:
        return self.event.board


@dataclass(frozen=True)
class PaperRow:
    paper: Paper
    url: str
    authors: list[PersonTag]
    authors_more: int
    awards: list[str]
    slots: list[PaperTime]

    @property
    def title(self) -> str:
        return self.paper.title

    @property
    def tldr(self) -> str:
        return self.paper.tldr


@dataclass(frozen=True)
class PaperFilters:
    topics: list[FilterOption]
    kinds: list[FilterOption]
    award: FilterOption | None
    question: str
    clear_url: str
    # Also by a value that no paper has.
    any: bool

    @property
    def active(self) -> list[FilterOption]:
        return [it for it in [*self.topics, *self.kinds, *([self.award] if self.award else [])] if it.active]


@dataclass(frozen=True)
class PaperPage:
    authors: list[PersonTag]
    slots: list[Card]


@dataclass(frozen=True)
class AwardEntry:
    level: str
    paper: PaperRow | None
    talk: Card | None
    citation: str


@dataclass(frozen=True)
class AwardGroup:
    name: str
    year: int
    entries: list[AwardEntry]


def paper_rows(papers: Iterable[Paper], clock: Clock) -> list[PaperRow]:
    return [paper_row(paper, clock) for paper in papers]


def paper_row(paper: Paper, clock: Clock) -> PaperRow:
    authors, events = author_tags(paper, paper.conference.slug), paper.events.all()
    page = events[0] if len(events) == 1 else paper
    return PaperRow(
        paper=paper,
        url=with_pinned_time(page.get_absolute_url(), clock),
        authors=authors[:MAX_CARD_PEOPLE],
        authors_more=max(0, len(authors) - MAX_CARD_PEOPLE),
        awards=[f"{award.name}, {award.get_level_display().lower()}" for award in paper.awards.all()],
        slots=[_paper_time(event, clock) for event in events],
    )


def _paper_time(event: Event, clock: Clock) -> PaperTime:
    return PaperTime(
        event=event,
        plate=room_sign(event.room, event.conference.slug) if event.room else None,
        url=with_pinned_time(event.get_absolute_url(), clock),
        is_ahead=(event.end is None or event.end > clock.now) and not event.is_cancelled,
    )


def paper_filters(conference: Conference, query: QueryDict) -> PaperFilters:
    """Filters without results are left out, among them "Award winners"."""
    shown = Topic.objects.filter(conference=conference, papers__is_public=True)
    counted = shown.annotate(n=Count("papers")).order_by("area", "subarea")
    taken = set(query.getlist("topic"))
    winners = Award.objects.filter(conference=conference, paper__is_public=True).values("paper").distinct().count()
    on = bool(query.get("award"))
    clear = query.copy()
    for name in ("topic", "type", "q", "award", "page"):
        clear.pop(name, None)
    return PaperFilters(
        topics=[FilterOption(str(it), it.slug, toggled_query(query, "topic", it.slug), it.slug in taken, it.n) for it in counted],
        kinds=_paper_kind_choices(conference, query),
        award=FilterOption("Award winners", "1", replaced_query(query, "award", "" if on else "1"), on, winners)
        if winners or on
        else None,
        question=paper_question(query),
        clear_url=f"?{clear.urlencode()}",
        any=bool(paper_filter_values(query)),
    )


def _paper_kind_choices(conference: Conference, query: QueryDict) -> list[FilterOption]:
    counts = dict(_paper_events(conference).values_list("type").annotate(n=Count("paper", distinct=True)))
    types, taken = EventType.objects.filter(pk__in=counts), query.getlist("type")
    return [
        FilterOption(
            event_type.name,
            event_type.slug,
            toggled_query(query, "type", event_type.slug),
            event_type.slug in taken,
            counts[event_type.pk],
            event_type.line,
        )
        for event_type in types
    ]


def paper_page(paper: Paper, clock: Clock) -> PaperPage:
    slots = for_cards(Event.objects.public().filter(paper=paper)).in_order()
    return PaperPage(author_tags(paper, paper.conference.slug), make_cards(slots, clock))


def award_groups(conference: Conference, clock: Clock) -> list[AwardGroup]:
    """Awards by name and year, without those of hidden papers or talks."""
    awards = list(Award.objects.public().filter(conference=conference))
    papers = {it.pk: it for it in for_paper_rows(Paper.objects.public().filter(awards__in=awards).distinct())}
    talks = for_cards(Event.objects.public().filter(awards__in=awards).distinct()).in_order()
    cards = {card.event.pk: card for card in make_cards(talks, clock)}
    groups: dict[tuple[str, int], list[AwardEntry]] = {}
    for award in awards:
        paper, talk = papers.get(award.paper_id or 0), cards.get(award.event_id or 0)
        if paper or talk:
            row = paper_row(paper, clock) if paper else None
            entry = AwardEntry(award.get_level_display(), row, talk, award.citation)
            groups.setdefault((award.name, award.year), []).append(entry)
    return [AwardGroup(name, year, entries) for (name, year), entries in groups.items()]


@dataclass(frozen=True)
class PersonRow:
    person: Person
    events: int
    papers: int


@dataclass(frozen=True)
class PersonPage:
    cards: list[Card]
    papers: list[PaperRow]
    awards: list[Award]
    page: Page[int]


def public_people(conference: Conference, letters: str = "") -> QuerySet[Person]:
    """People of public events and papers, by name; ``letters`` are the first one or two of the name."""
    people = Person.objects.public().filter(conference=conference).select_related("conference")
    if letters:
        asked = sort_key(letters)[:2]
        people = people.annotate(begins=Substr("sort_key", 1, len(asked))).filter(begins=asked)
    return people.order_by("sort_key", "pk")


def person_rows(people: Iterable[Person]) -> list[PersonRow]:
    people = list(people)
    events = Appearance.objects.filter(public_within("event"), person__in=people).order_by()
    papers = Authorship.objects.filter(person__in=people, paper__is_public=True).order_by()
    n_events = dict(events.values_list("person").annotate(n=Count("event", distinct=True)))
    n_papers = dict(papers.values_list("person").annotate(n=Count("pk")))
    return [PersonRow(it, n_events.get(it.pk, 0), n_papers.get(it.pk, 0)) for it in people]


def name_letter_choices(conference: Conference, query: QueryDict, length: int = 1) -> list[FilterOption]:
    """First letters of names; with ``length`` 2 the first two of those with the chosen first letter."""
    chosen = sort_key(query.get("letter", ""))[:2]
    people = public_people(conference, chosen[:1] if length > 1 else "").annotate(head=Substr("sort_key", 1, length))
    counted = people.order_by("head").values_list("head").annotate(n=Count("pk"))
    here = chosen[:length]
    above = "" if length == 1 else chosen[:1]
    return [
        FilterOption(it.title(), it, replaced_query(query, "letter", above if it == here else it), it == here, n)
        for it, n in counted
        if it.strip()
    ]


def person_page(person: Person, clock: Clock, query: QueryDict | None = None) -> PersonPage:
    """Events and papers of one person; the events of a paper are its authors' too."""
    mine = events_of_person(person)
    papers = for_paper_rows(Paper.objects.public().filter(conference=person.conference, authorships__person=person))
    awards = Award.objects.public().filter(Q(paper__in=papers.values("pk")) | Q(event__in=mine.values("pk"))).distinct()
    number = (query or QueryDict()).get("page", "1")
    shown = Paginator(for_cards(mine).in_order(), PERSON_ITEMS_PER_PAGE)
    works = Paginator(papers, PERSON_ITEMS_PER_PAGE)
    # One page number for both lists; the shorter one is empty after its last page.
    turns = Paginator(range(max(shown.count, works.count)), PERSON_ITEMS_PER_PAGE).get_page(number)
    return PersonPage(
        make_cards(_page_items(shown, turns.number), clock),
        paper_rows(_page_items(works, turns.number), clock),
        list(awards),
        turns,
    )


def _page_items(pages: Paginator[T], number: int) -> Iterable[T]:
    return pages.page(number) if number <= pages.num_pages else []
