"""The pages that a browser saves for times without network, and which of them changed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models.functions import MD5
from django.urls import reverse

from events.agenda.models.agenda import Agenda
from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import Clock
from events.pages.queries.info import info_links
from events.pages.queries.menu import menu_pages
from events.pages.queries.plans import floor_slugs, floor_url, plans_of
from events.programme.addresses import event_url
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.info_pages import PagePicture
from events.programme.queries.days import day_links, day_subjects
from events.programme.queries.revisions import known_revisions, still_holds
from events.programme.rules.subjects import event_page_subjects

MAX_SAVED_PAGES = 90
"""What a browser saves at most, with the pages that its visitor opened."""
MAX_SAVED_EVENT_PAGES = 40
PLACE_PAGES = ("venue", "directions", "service-list", "sponsor-list")
MAX_SAVED_PICTURES = 20
"""Of the organisers' own pages. A browser keeps 40 files besides the styles and scripts."""

NEVER_ALONE: frozenset[str] = frozenset()
"""The subjects of pages that change with the whole programme only, as far as they are shown without network."""


@dataclass(frozen=True, slots=True)
class SavedPage:
    url: str
    # As in ``request.subjects``: None for everything.
    subjects: Collection[str] | None = NEVER_ALONE


def saved_pages(conference: Conference, agenda: Agenda | None, clock: Clock) -> list[SavedPage]:
    """The most important first."""
    # This process knows from now on what changes.
    known_revisions(conference.pk).begin(conference.revision)
    own = SavedPage(reverse("events:agenda-detail", args=[conference.slug]), None)
    overview = SavedPage(conference.get_absolute_url(), None)
    links = day_links(conference, clock)
    days = [SavedPage(link.day.get_absolute_url(), day_subjects(link, links)) for link in links]
    pages = [own, overview, *_place_pages(conference, clock), *days, *(_event_pages(agenda, clock) if agenda else ())]
    return pages[:MAX_SAVED_PAGES]


def changed_pages(conference: Conference, pages: Collection[SavedPage], since: int) -> list[str]:
    """The addresses of pages that look different after the revision ``since``."""
    return [page.url for page in pages if not still_holds(conference, since, page.subjects)]


def saved_files(conference: Conference) -> list[str]:
    """The conference's colours, the drawings of its floor plans, its logo and header picture, the pictures of its own pages."""

    def read() -> list[str]:
        plans = conference.plans.public().exclude(drawing="").annotate(version=MD5("drawing"))
        versions = plans.order_by("pk").values_list("version", flat=True)
        looks = [picture.url for picture in (conference.logo, conference.header_picture) if picture]
        pictures = PagePicture.objects.filter(page__in=conference.info_pages.public())
        shown = pictures.order_by("page__position", "page", "position", "pk")[:MAX_SAVED_PICTURES]
        own = [picture.photo.url for picture in shown]
        return [*(reverse("events:plan-drawing", args=[conference.slug, version]) for version in versions), *looks, *own]

    drawings = PROCESS_CACHE.get_or_build(("saved drawings", conference.pk), read, version=conference.revision)
    return [reverse("events:colours", args=[conference.slug]), *drawings]


def _place_pages(conference: Conference, clock: Clock) -> list[SavedPage]:
    def read() -> list[str]:
        plans = list(plans_of(conference))
        shown = menu_pages(conference, clock, clock.today)
        names = ["offline", *(name for name in PLACE_PAGES if name in shown)]
        floors = [floor_url(conference, slug, clock) for slug in floor_slugs(plans).values()] if len(plans) > 1 else []
        infos = [link.url for link in info_links(conference)]
        return [*(reverse(f"events:{name}", args=[conference.slug]) for name in names), *floors, *infos]

    urls = PROCESS_CACHE.get_or_build(("saved places", conference.pk), read, version=conference.revision)
    return [SavedPage(url) for url in urls]


def _event_pages(agenda: Agenda, clock: Clock) -> list[SavedPage]:
    """Of the next events in the agenda; those without a time last."""
    coming = [row.pk for row in agenda.bookmarked_events.values() if row.end is None or not clock.has_come(row.end)]
    events = Event.objects.in_bulk(coming[:MAX_SAVED_EVENT_PAGES])
    rows = [events[key] for key in coming[:MAX_SAVED_EVENT_PAGES] if key in events]
    slug = agenda.conference.slug
    return [SavedPage(event_url(slug, row.pk, row.title), event_page_subjects(str(row.guid), row.announced)) for row in rows]
