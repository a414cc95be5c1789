"""Papers, all the times each is shown, and what they won."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from string import ascii_uppercase

from django.db.models import Count, Prefetch, QuerySet
from django.db.models.functions import Lower, Substr, Upper
from django.http import QueryDict

from events.models import Authorship, Award, Conference, Event, EventType, Paper, Topic
from events.models.event import EventQuerySet
from events.queries.cards import (
    FIRST_PEOPLE,
    Card,
    PersonTag,
    Plate,
    author_tags,
    for_cards,
    make_cards,
    plate_of,
)
from events.queries.filters import Choice, replaced, toggled
from events.queries.pinned import carried
from events.schedule.clock import Clock

# A set of single letters: "AB" is in a text of the alphabet, too.
ALPHABET = frozenset(ascii_uppercase)
OTHER = "#"
LETTER = Upper(Substr("title", 1, 1))


@dataclass(frozen=True)
class Slotline:
    """One time a paper is shown, as a line."""

    type_name: str
    line: str
    start: dt.datetime | None
    day: dt.date | None
    plate: Plate | None
    board: str
    url: str


@dataclass(frozen=True)
class PaperRow:
    paper: Paper
    url: str
    authors: list[PersonTag]
    authors_more: int
    awards: list[str]
    slots: list[Slotline]

    @property
    def title(self) -> str:
        return self.paper.title

    @property
    def tldr(self) -> str:
        return self.paper.tldr


@dataclass(frozen=True)
class PaperFilters:
    topics: list[Choice]
    kinds: list[Choice]
    letters: list[Choice]
    award: Choice | None
    clear_url: str

    @property
    def any(self) -> bool:
        return any(it.active for it in [*self.topics, *self.kinds, *self.letters, *([self.award] if self.award else [])])


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


def public_papers(conference: Conference, query: QueryDict) -> QuerySet[Paper]:
    """By title; of these topics, shown as these types of event, with an award, and of this first letter."""
    papers = _narrowed(conference, query)
    for letter in asked(query).get("letter", ()):
        papers = papers.annotate(letter=LETTER)
        papers = papers.exclude(letter__in=ALPHABET) if letter == OTHER else papers.filter(letter=letter)
    return with_rows(papers)


def asked(query: QueryDict) -> dict[str, tuple[str, ...]]:
    """Everything that tells one choice of papers from another, without what no column could hold."""
    letter = query.get("letter", "")[:1].upper()
    wanted = {name: tuple(sorted({it for it in query.getlist(name) if it and it.isprintable()})) for name in ("topic", "type")}
    wanted["letter"] = (letter,) if letter in ALPHABET or letter == OTHER else ()
    wanted["award"] = ("1",) if query.get("award") else ()
    return {name: values for name, values in wanted.items() if values}


def _narrowed(conference: Conference, query: QueryDict) -> QuerySet[Paper]:
    """All but the letter."""
    papers, wanted = Paper.objects.public().filter(conference=conference), asked(query)
    if "topic" in wanted:
        papers = papers.filter(topic__slug__in=wanted["topic"])
    if "type" in wanted:
        papers = papers.filter(pk__in=_shown(conference).filter(type__slug__in=wanted["type"]).values("paper"))
    if "award" in wanted:
        papers = papers.filter(pk__in=Award.objects.filter(conference=conference, paper__isnull=False).values("paper"))
    return papers


def _shown(conference: Conference) -> EventQuerySet:
    return Event.objects.public().filter(conference=conference, paper__is_public=True).order_by()


def with_rows(papers: QuerySet[Paper]) -> QuerySet[Paper]:
    """All that a row shows, in a constant number of queries."""
    slots = Event.objects.public().select_related("conference", "type", "day", "room__zone").in_order()
    # Joined: SQLite takes no list of more than a thousand people to look up.
    authors = Prefetch("authorships", queryset=Authorship.objects.select_related("person"))
    shown = papers.select_related("conference", "topic").prefetch_related(authors, "awards")
    return shown.prefetch_related(Prefetch("events", queryset=slots)).order_by(Lower("title"), "title", "pk")


def paper_rows(papers: Iterable[Paper], clock: Clock) -> list[PaperRow]:
    return [paper_row(paper, clock) for paper in papers]


def paper_row(paper: Paper, clock: Clock) -> PaperRow:
    authors = author_tags(paper, paper.conference.slug)
    return PaperRow(
        paper=paper,
        url=carried(paper.get_absolute_url(), clock),
        authors=authors[:FIRST_PEOPLE],
        authors_more=max(0, len(authors) - FIRST_PEOPLE),
        awards=[f"{award.name}, {award.get_level_display().lower()}" for award in paper.awards.all()],
        slots=[_slotline(event, clock) for event in paper.events.all()],
    )


def _slotline(event: Event, clock: Clock) -> Slotline:
    return Slotline(
        event.type.name,
        event.type.line,
        event.start,
        event.day.date if event.day else None,
        plate_of(event.room, event.conference.slug) if event.room else None,
        event.board,
        carried(event.get_absolute_url(), clock),
    )


def paper_filters(conference: Conference, query: QueryDict) -> PaperFilters:
    """The topics there are, and "award winners" if anybody won."""
    shown = Topic.objects.filter(conference=conference, papers__is_public=True)
    counted = shown.annotate(n=Count("papers")).order_by("area", "subarea")
    taken = set(query.getlist("topic"))
    winners = Award.objects.filter(conference=conference, paper__is_public=True).values("paper").distinct().count()
    on = bool(query.get("award"))
    clear = query.copy()
    for name in ("topic", "type", "letter", "award", "page"):
        clear.pop(name, None)
    return PaperFilters(
        topics=[Choice(str(it), it.slug, toggled(query, "topic", it.slug), it.slug in taken, it.n) for it in counted],
        kinds=_kinds(conference, query),
        letters=_letters(conference, query),
        award=Choice("Award winners", "1", replaced(query, "award", "" if on else "1"), on, winners) if winners or on else None,
        clear_url=f"?{clear.urlencode()}",
    )


def _kinds(conference: Conference, query: QueryDict) -> list[Choice]:
    """As what papers are shown: orals, posters, in workshops."""
    counts = dict(_shown(conference).values_list("type").annotate(n=Count("paper", distinct=True)))
    types, taken = EventType.objects.filter(pk__in=counts), query.getlist("type")
    return [Choice(it.name, it.slug, toggled(query, "type", it.slug), it.slug in taken, counts[it.pk], it.line) for it in types]


def _letters(conference: Conference, query: QueryDict) -> list[Choice]:
    """The first letters of the titles there are under the other filters; digits and what is no Latin letter together."""
    counts: Counter[str] = Counter()
    rows = _narrowed(conference, query).annotate(letter=LETTER).order_by().values_list("letter")
    for letter, n in rows.annotate(n=Count("pk", distinct=True)):
        counts[letter if letter in ALPHABET else OTHER] += n
    chosen = query.get("letter", "")[:1].upper()
    return [
        Choice(it, it, replaced(query, "letter", "" if it == chosen else it), it == chosen, counts[it])
        for it in [*sorted(ALPHABET), OTHER]
        if counts[it]
    ]


def paper_page(paper: Paper, clock: Clock) -> PaperPage:
    slots = for_cards(Event.objects.public().filter(paper=paper)).in_order()
    return PaperPage(author_tags(paper, paper.conference.slug), make_cards(slots, clock))


def award_groups(conference: Conference, clock: Clock) -> list[AwardGroup]:
    """Awards by name and year; what belongs to a hidden paper or talk stays hidden with it."""
    awards = list(Award.objects.public().filter(conference=conference))
    papers = {it.pk: it for it in with_rows(Paper.objects.public().filter(awards__in=awards).distinct())}
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
