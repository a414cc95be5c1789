"""People, papers and awards."""

from __future__ import annotations

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from events.http import Request, in_conference
from events.models import Conference, Paper, Person
from events.pages.page_cache import page_cache
from events.queries import papers as paper_queries
from events.queries import people as people_queries
from events.views.subscriptions import offer_of_person

PEOPLE_PER_PAGE = 100
PAPERS_PER_PAGE = 60


@require_safe
@page_cache
@in_conference
def person_list(request: Request, conference: Conference) -> HttpResponse:
    letter = request.GET.get("letter", "")[:2]
    letter = letter if letter.isprintable() else ""
    people = Paginator(people_queries.public_people(conference, letter), PEOPLE_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "people": people,
        "rows": people_queries.person_rows(people),
        "letters": people_queries.letters(conference, request.GET),
        "pairs": people_queries.letters(conference, request.GET, 2) if letter and people.paginator.num_pages > 1 else [],
    }
    return render(request, "events/person_list.html", context)


@require_safe
@page_cache
@in_conference
def person_detail(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    person = get_object_or_404(Person.objects.public().select_related("conference"), conference=conference, guid=guid)
    page = people_queries.person_page(person, request.clock, request.GET)
    context = {
        "person": person,
        "offer": offer_of_person(person),
        "cards": page.cards,
        "papers": page.papers,
        "awards": page.awards,
        "page_of": page.page,
    }
    return render(request, "events/person_detail.html", context)


@require_safe
@page_cache
@in_conference
def paper_list(request: Request, conference: Conference) -> HttpResponse:
    page = Paginator(paper_queries.public_papers(conference, request.GET), PAPERS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "papers": page,
        "rows": paper_queries.paper_rows(page, request.clock),
        "filters": paper_queries.paper_filters(conference, request.GET),
    }
    return render(request, "events/paper_list.html", context)


@require_safe
@page_cache
@in_conference
def paper_detail(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    papers = paper_queries.with_rows(Paper.objects.public().filter(conference=conference)).prefetch_related("links")
    paper = get_object_or_404(papers, guid=guid)
    page = paper_queries.paper_page(paper, request.clock)
    context = {
        "paper": paper,
        "authors": page.authors,
        "slots": page.slots,
        "links": paper.links.all(),
        "awards": paper.awards.all(),
    }
    return render(request, "events/paper_detail.html", context)


@require_safe
@page_cache
@in_conference
def award_list(request: Request, conference: Conference) -> HttpResponse:
    groups = paper_queries.award_groups(conference, request.clock)
    return render(request, "events/award_list.html", {"groups": groups})
