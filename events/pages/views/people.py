"""People, papers and awards."""

from __future__ import annotations

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from events.agenda.page_cache import page_cache
from events.calendars.links import offer_of_person
from events.pages.link_previews import paper_preview, person_preview
from events.pages.queries import people as people_queries
from events.pages.queries import topics as topics_queries
from events.programme.models.conference import Conference
from events.programme.models.labels import Topic
from events.programme.models.people import Person
from events.programme.queries import papers as papers_queries
from events.programme.queries.filters import with_room_numbers
from events.programme.queries.public_names import only_public
from events.web.drafts import shows_drafts
from events.web.request import Request, conference_view

PEOPLE_PER_PAGE = 100
PAPERS_PER_PAGE = 40


@require_safe
@shows_drafts
@page_cache
@conference_view
def person_list(request: Request, conference: Conference) -> HttpResponse:
    letter = request.GET.get("letter", "")[:2]
    letter = letter if letter.isprintable() else ""
    people = Paginator(people_queries.public_people(conference, letter), PEOPLE_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "people": people,
        "letter": letter,
        "rows": people_queries.person_rows(people),
        "letters": people_queries.name_letter_choices(conference, request.GET),
        "pairs": people_queries.name_letter_choices(conference, request.GET, 2)
        if letter and people.paginator.num_pages > 1
        else [],
    }
    return render(request, "events/pages/person_list.html", context)


@require_safe
@shows_drafts
@page_cache
@conference_view
def person_detail(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    person = get_object_or_404(Person.objects.public().select_related("conference"), conference=conference, guid=guid)
    page = people_queries.person_page(person, request.clock, request.GET)
    context = {
        "person": person,
        "preview": person_preview(person),
        "offer": offer_of_person(person),
        "cards": page.cards,
        "papers": page.papers,
        "awards": page.awards,
        "page_of": page.page,
    }
    return render(request, "events/pages/person_detail.html", context)


@require_safe
@shows_drafts
@page_cache
@conference_view
def paper_list(request: Request, conference: Conference) -> HttpResponse:
    page = Paginator(papers_queries.public_papers(conference, request.GET), PAPERS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "papers": page,
        "rows": people_queries.paper_rows(page, request.clock),
        "filters": people_queries.paper_filters(conference, request.GET),
    }
    return render(request, "events/pages/paper_list.html", context)


@require_safe
@shows_drafts
@page_cache
@conference_view
def paper_detail(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    paper = get_object_or_404(papers_queries.papers_with_links(conference), guid=guid)
    page = people_queries.paper_page(paper, request.clock)
    if len(page.slots) == 1:
        # The page of its event has everything. Another event may be added, so the address stays.
        return redirect(page.slots[0].url)
    context = {
        "paper": paper,
        "preview": paper_preview(paper, [author.name for author in page.authors], conference),
        "authors": page.authors,
        "slots": page.slots,
        "links": paper.links.all(),
        "awards": paper.awards.all(),
    }
    return render(request, "events/pages/paper_detail.html", context)


@require_safe
@shows_drafts
@page_cache
@conference_view
def award_list(request: Request, conference: Conference) -> HttpResponse:
    groups = people_queries.award_groups(conference, request.clock)
    return render(request, "events/pages/award_list.html", {"groups": groups})


@require_safe
@shows_drafts
@page_cache
@conference_view
def topic_list(request: Request, conference: Conference) -> HttpResponse:
    return render(request, "events/pages/topic_list.html", {"areas": topics_queries.topic_areas(conference, request.clock)})


@require_safe
@shows_drafts
@page_cache
@conference_view
def topic_detail(request: Request, conference: Conference, slug: str) -> HttpResponse:
    topic = get_object_or_404(only_public(Topic.objects.select_related("conference")), conference=conference, slug=slug)
    page = topics_queries.topic_page(topic, request.clock, with_room_numbers(conference, request.GET))
    return render(request, "events/pages/topic_detail.html", {"page_of": page.page, "about": page})
