"""People and what they appear in."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Substr
from django.http import QueryDict

from events.models import Agenda, Award, Conference, Event, Paper, Person
from events.models.fields import sort_key
from events.queries.cards import Card, for_cards, make_cards, picked_ids
from events.queries.filters import Choice, replaced
from events.queries.papers import PaperRow, paper_rows, with_rows
from events.schedule.clock import Clock

# Keys are folded already; no database is asked to know every script's capitals.
LETTER = Substr("sort_key", 1, 1)


@dataclass(frozen=True)
class PersonPage:
    cards: list[Card]
    papers: list[PaperRow]
    awards: list[Award]


def public_people(conference: Conference, letter: str = "") -> QuerySet[Person]:
    """Everybody a public event or paper names, by name, with how many events they are in."""
    visible = Q(appearances__event__in=Event.objects.public())
    people = Person.objects.public().filter(conference=conference).select_related("conference")
    if letter:
        people = people.annotate(letter=LETTER).filter(letter=sort_key(letter)[:1])
    counted = people.annotate(n_events=Count("appearances__event", filter=visible, distinct=True))
    return counted.order_by("sort_key", "pk")


def letters(conference: Conference, query: QueryDict) -> list[Choice]:
    """The first letters there are."""
    people = Person.objects.public().filter(conference=conference).annotate(letter=LETTER)
    counted = people.order_by("letter").values_list("letter").annotate(n=Count("pk"))
    chosen = sort_key(query.get("letter", ""))[:1]
    return [
        Choice(it.title(), it, replaced(query, "letter", "" if it == chosen else it), it == chosen, n) for it, n in counted if it
    ]


def person_page(person: Person, clock: Clock, agenda: Agenda | None) -> PersonPage:
    """Every event and paper of one person; a paper's events are under the paper's authors too."""
    events = Event.objects.public().filter(conference=person.conference)
    named = Q(appearances__person=person) | Q(paper__authorships__person=person, paper__is_public=True)
    mine = events.filter(pk__in=events.filter(named).values("pk"))
    papers = with_rows(Paper.objects.public().filter(conference=person.conference, authorships__person=person))
    awards = Award.objects.public().filter(Q(paper__in=papers.values("pk")) | Q(event__in=mine.values("pk"))).distinct()
    return PersonPage(
        make_cards(for_cards(mine).in_order(), clock, picked_ids(agenda)),
        paper_rows(papers, clock),
        list(awards),
    )
