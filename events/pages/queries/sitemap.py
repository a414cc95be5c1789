"""Addresses of public pages for search engines, with the date of their last change where that is known."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from django.conf import settings
from django.db.models import Count, Max
from django.urls import reverse

from events.core.clock import Clock
from events.pages.queries.menu import menu_pages
from events.programme.display import person_url
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Topic
from events.programme.models.papers import Paper
from events.programme.models.people import Person
from events.programme.queries.public_names import only_public

# More are not allowed in one file.
MAX_ADDRESSES = 50_000
PAGES_WITHOUT_SITEMAP = frozenset({"change-list", "colours", "info-page"})


class SitemapAddress(NamedTuple):
    url: str
    changed_at: dt.datetime | None = None


def sitemap_addresses() -> list[SitemapAddress]:
    """Those of the sitemaps of all conferences."""
    conferences = Conference.objects.public().annotate(newest=Max("events__revised_at")).values_list("slug", "newest")
    return [SitemapAddress(_absolute(reverse("events:sitemap", args=[slug])), newest) for slug, newest in conferences]


def sitemap_xml(conference: Conference, clock: Clock) -> str:
    """Joined by hand: a template takes ten times as long for the twenty thousand addresses of a large conference."""
    lines = [_line(address) for address, _ in zip(_addresses(conference, clock), range(MAX_ADDRESSES), strict=False)]
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    return f"{head}{''.join(lines)}</urlset>\n"


def _line(address: SitemapAddress) -> str:
    changed = f"<lastmod>{address.changed_at.astimezone(dt.UTC):%Y-%m-%dT%H:%M:%SZ}</lastmod>" if address.changed_at else ""
    return f"<url><loc>{escape(address.url)}</loc>{changed}</url>\n"


def _addresses(conference: Conference, clock: Clock) -> Iterator[SitemapAddress]:
    yield SitemapAddress(_absolute(conference.get_absolute_url()))
    menu = menu_pages(conference, clock, clock.today)
    for name in sorted(menu - PAGES_WITHOUT_SITEMAP):
        yield SitemapAddress(_absolute(reverse(f"events:{name}", args=[conference.slug])))
    infos = conference.info_pages.public() if "info-page" in menu else conference.info_pages.none()
    for info in infos.select_related("conference").defer("text"):
        yield SitemapAddress(_absolute(info.get_absolute_url()), info.changed_at)
    for day in conference.days.all():
        yield SitemapAddress(_absolute(day.get_absolute_url()))
    topics = only_public(Topic.objects.filter(conference=conference)).order_by("pk")
    for slug in topics.values_list("slug", flat=True):
        yield SitemapAddress(_absolute(reverse("events:topic-detail", args=[conference.slug, slug])))
    events = Event.objects.public().filter(conference=conference).order_by("pk")
    for event in events.only("title", "revised_at", "conference__slug").select_related("conference"):
        yield SitemapAddress(_absolute(event.get_absolute_url()), event.revised_at)
    for guid in Person.objects.public().filter(conference=conference).order_by("pk").values_list("guid", flat=True):
        yield SitemapAddress(_absolute(person_url(conference.slug, guid)))
    # The address of a paper with one event leads to that event.
    papers = Paper.objects.public().filter(conference=conference).annotate(count=Count("events")).exclude(count=1).order_by("pk")
    for guid in papers.values_list("guid", flat=True):
        yield SitemapAddress(_absolute(reverse("events:paper-detail", args=[conference.slug, guid])))


def _absolute(path: str) -> str:
    return f"{settings.SITE_URL}{path}"
