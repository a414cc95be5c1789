"""Public papers with their events and awards, filtered by the query string."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Lower
from django.http import QueryDict

from events.core.db.fields import sort_key
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.papers import Authorship, Award, Paper

MAX_PAPER_SEARCH_CHARS = 100
MAX_PAPER_SEARCH_WORDS = 8


def public_papers(conference: Conference, query: QueryDict) -> QuerySet[Paper]:
    return for_paper_rows(_filtered_papers(conference, query))


def papers_with_links(conference: Conference) -> QuerySet[Paper]:
    """All public papers, with what the page of a paper shows besides its row."""
    return for_paper_rows(Paper.objects.public().filter(conference=conference)).prefetch_related("links")


def paper_filter_values(query: QueryDict) -> dict[str, tuple[str, ...]]:
    """Return the filters in a canonical form, without values that no column could contain."""
    wanted = {name: tuple(sorted({it for it in query.getlist(name) if it and it.isprintable()})) for name in ("topic", "type")}
    wanted["q"] = (paper_question(query),) if paper_question(query).isprintable() else ()
    wanted["award"] = ("1",) if query.get("award") else ()
    return {name: values for name, values in wanted.items() if any(values)}


def paper_question(query: QueryDict) -> str:
    return " ".join(query.get("q", "")[:MAX_PAPER_SEARCH_CHARS].split()[:MAX_PAPER_SEARCH_WORDS])


def _filtered_papers(conference: Conference, query: QueryDict) -> QuerySet[Paper]:
    papers, wanted = Paper.objects.public().filter(conference=conference), paper_filter_values(query)
    if "topic" in wanted:
        papers = papers.filter(topic__slug__in=wanted["topic"])
    if "type" in wanted:
        papers = papers.filter(pk__in=_paper_events(conference).filter(type__slug__in=wanted["type"]).values("paper"))
    for word in wanted.get("q", ("",))[0].split():
        # Names without accents, as they are sorted.
        authors = Authorship.objects.filter(paper=OuterRef("pk"), person__sort_key__contains=sort_key(word))
        papers = papers.filter(Q(title__icontains=word) | Exists(authors))
    if "award" in wanted:
        papers = papers.filter(pk__in=Award.objects.filter(conference=conference, paper__isnull=False).values("paper"))
    return papers


def _paper_events(conference: Conference) -> EventQuerySet:
    return Event.objects.public().filter(conference=conference, paper__is_public=True).order_by()


def for_paper_rows(papers: QuerySet[Paper]) -> QuerySet[Paper]:
    slots = Event.objects.public().select_related("conference", "type", "day", "room__zone").in_order()
    # Joined: SQLite accepts no list of more than a thousand keys to look up.
    authors = Prefetch("authorships", queryset=Authorship.objects.select_related("person"))
    shown = papers.select_related("conference", "topic").prefetch_related(authors, "awards")
    return shown.prefetch_related(Prefetch("events", queryset=slots)).order_by(Lower("title"), "title", "pk")
