"""People and what they appear in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Substr
from django.http import QueryDict

from events.models import Appearance, Authorship, Award, Conference, Event, Paper, Person
from events.models.event import EventQuerySet, public_within
from events.models.fields import sort_key
from events.queries.cards import Card, for_cards, make_cards
from events.queries.filters import Choice, replaced
from events.queries.papers import PaperRow, paper_rows, with_rows
from events.schedule.clock import Clock

PER_PAGE = 60
T = TypeVar("T")


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
    """Everybody a public event or paper names, by name; whose name begins with one letter, or with two."""
    people = Person.objects.public().filter(conference=conference).select_related("conference")
    if letters:
        asked = sort_key(letters)[:2]
        people = people.annotate(begins=Substr("sort_key", 1, len(asked))).filter(begins=asked)
    return people.order_by("sort_key", "pk")


def person_rows(people: Iterable[Person]) -> list[PersonRow]:
    """How much each of a page of people is in."""
    people = list(people)
    events = Appearance.objects.filter(public_within("event"), person__in=people).order_by()
    papers = Authorship.objects.filter(person__in=people, paper__is_public=True).order_by()
    n_events = dict(events.values_list("person").annotate(n=Count("event", distinct=True)))
    n_papers = dict(papers.values_list("person").annotate(n=Count("pk")))
    return [PersonRow(it, n_events.get(it.pk, 0), n_papers.get(it.pk, 0)) for it in people]


def letters(conference: Conference, query: QueryDict, length: int = 1) -> list[Choice]:
    """The first letters there are; the first two of those that begin with the chosen one."""
    chosen = sort_key(query.get("letter", ""))[:2]
    people = public_people(conference, chosen[:1] if length > 1 else "").annotate(head=Substr("sort_key", 1, length))
    counted = people.order_by("head").values_list("head").annotate(n=Count("pk"))
    here = chosen[:length]
    above = "" if length == 1 else chosen[:1]
    return [
        Choice(it.title(), it, replaced(query, "letter", above if it == here else it), it == here, n)
        for it, n in counted
        if it.strip()
    ]


def events_of(person: Person) -> EventQuerySet:
    """Where somebody appears, and where a paper of theirs is shown."""
    events = Event.objects.public().filter(conference=person.conference)
    named = Q(appearances__person=person) | Q(paper__authorships__person=person, paper__is_public=True)
    return events.filter(pk__in=events.filter(named).values("pk"))


def person_page(person: Person, clock: Clock, query: QueryDict | None = None) -> PersonPage:
    """Every event and paper of one person; a paper's events are under the paper's authors too."""
    mine = events_of(person)
    papers = with_rows(Paper.objects.public().filter(conference=person.conference, authorships__person=person))
    awards = Award.objects.public().filter(Q(paper__in=papers.values("pk")) | Q(event__in=mine.values("pk"))).distinct()
    number = (query or QueryDict()).get("page", "1")
    shown = Paginator(for_cards(mine).in_order(), PER_PAGE)
    works = Paginator(papers, PER_PAGE)
    # One number turns both lists; the shorter one stays away when it is through.
    turns = Paginator(range(max(shown.count, works.count)), PER_PAGE).get_page(number)
    return PersonPage(
        make_cards(_page_of(shown, turns.number), clock),
        paper_rows(_page_of(works, turns.number), clock),
        list(awards),
        turns,
    )


def _page_of(pages: Paginator[T], number: int) -> Iterable[T]:
    return pages.page(number) if number <= pages.num_pages else []
