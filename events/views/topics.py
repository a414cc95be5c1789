"""Topics, across all sessions and days."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from events.http import Request, in_conference
from events.models import Conference, Topic
from events.pages.page_cache import page_cache
from events.queries import topics as topic_queries


@require_safe
@page_cache
@in_conference
def topic_list(request: Request, conference: Conference) -> HttpResponse:
    return render(request, "events/topic_list.html", {"areas": topic_queries.areas(conference, request.clock)})


@require_safe
@page_cache
@in_conference
def topic_detail(request: Request, conference: Conference, slug: str) -> HttpResponse:
    topic = get_object_or_404(Topic.objects.select_related("conference"), conference=conference, slug=slug)
    page = topic_queries.topic_page(topic, request.clock, request.GET)
    return render(request, "events/topic_detail.html", {"page_of": page.page, "about": page})
