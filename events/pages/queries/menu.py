"""The pages of a conference that have something to show, and whether its styles have."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Iterable
from typing import Any

from django.db.models import BooleanField, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet, Subquery

from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import Clock
from events.core.db.prepared_query import prepared
from events.programme.models.changes import Announcement, Change
from events.programme.models.conference import Conference, Fact, PastEdition
from events.programme.models.event import Event
from events.programme.models.info_pages import InfoPage
from events.programme.models.labels import EventType, Kind, Topic, Track
from events.programme.models.papers import Award, Paper
from events.programme.models.people import Person
from events.programme.models.sponsors import Sponsor
from events.programme.models.venue import Service, Venue
from events.programme.queries.public_names import only_public
from events.programme.queries.revisions import last_change_of_everything
from events.proposals.models import accepts_socials
from events.venue.queries.ways import rows_of_directions

SECTIONS = {
    "agenda-calendar": "agenda-detail",
    "agenda-changes": "agenda-detail",
    "agenda-gap": "agenda-detail",
    "paper-detail": "paper-list",
    "person-detail": "person-list",
    "schedule-day": "schedule",
    "social-propose": "social-list",
    "topic-detail": "topic-list",
}
"""The entry of the menu that a page belongs to, by their names in the URLconf; other pages are their own."""


def menu_pages(conference: Conference, clock: Clock, today: dt.date) -> frozenset[str]:
    """The names of pages in the URLconf, and of the stylesheet; those that always have something are not among them."""

    def read() -> tuple[frozenset[str], dt.datetime | None]:
        [(announced_at, *filled)] = _filled_pages(conference.pk)
        return frozenset(name for name, is_filled in zip(_page_names(), filled, strict=True) if is_filled), announced_at

    # Cached, because every page has the menu. What adds or empties a page changes everything.
    everything = last_change_of_everything(conference)
    pages, announced_at = PROCESS_CACHE.get_or_build(("menu", conference.pk), read, version=everything)
    by_time = {
        "announcement-list": announced_at is not None and clock.has_come(announced_at),
        "social-list": accepts_socials(conference, clock, today),
    }
    return pages | {name for name, is_filled in by_time.items() if is_filled}


@prepared
def _filled_pages(conference: int) -> QuerySet[Conference, tuple[Any, ...]]:
    """When the first announcement begins, and for each of ``_page_names`` whether it has something to show."""
    announced = Announcement.objects.filter(conference=OuterRef("pk")).order_by("starts_at").values("starts_at")[:1]
    return Conference.objects.filter(pk=conference).values_list(Subquery(announced), *_conditions().values())


@functools.cache
def _page_names() -> tuple[str, ...]:
    return tuple(_conditions())


def _conditions() -> dict[str, Exists | ExpressionWrapper[Q]]:
    return {
        **{name: Exists(rows) for name, rows in _rows_of_pages().items()},
        "about": _has_about(),
        "colours": _has_colours(),
        "directions": _has_any(rows_of_directions(OuterRef("pk"))),
    }


def _rows_of_pages() -> dict[str, QuerySet[Any]]:
    events = Event.objects.public().filter(conference=OuterRef("pk"))
    papers = Paper.objects.public().filter(conference=OuterRef("pk"))
    topics = only_public(Topic.objects.filter(conference=OuterRef("pk")))
    return {
        "invited-talk-list": events.of_kind(Kind.INVITED_TALK),
        "social-list": events.of_kind(Kind.SOCIAL),
        "person-list": Person.objects.public().filter(conference=OuterRef("pk")),
        "paper-list": papers,
        "topic-list": topics,
        "award-list": Award.objects.public().filter(conference=OuterRef("pk")),
        "venue": only_public(Venue.objects.filter(conference=OuterRef("pk"))),
        "service-list": Service.objects.filter(conference=OuterRef("pk")),
        "change-list": Change.objects.public().filter(event__conference=OuterRef("pk")),
        "info-page": InfoPage.objects.public().filter(conference=OuterRef("pk")),
        "sponsor-list": Sponsor.objects.filter(conference=OuterRef("pk")),
    }


def _has_any(some: Iterable[QuerySet[Any]]) -> ExpressionWrapper[Q]:
    return ExpressionWrapper(Q(*map(Exists, some), _connector=Q.OR), BooleanField())


def _has_about() -> ExpressionWrapper[Q]:
    """Whether the page about the conference says more than its name."""
    rows = [model.objects.filter(conference=OuterRef("pk")) for model in (Fact, PastEdition)]
    # Not whether the series has other editions: their publication changes no page of this one.
    words = ~Q(about="") | ~Q(url="") | ~Q(series="") | (~Q(title="") & ~Q(title=F("name")))
    return ExpressionWrapper(words | Q(_has_any(rows)), BooleanField())


def _has_colours() -> ExpressionWrapper[Q]:
    """Whether ``colours.css`` says anything."""
    types = only_public(EventType.objects.filter(conference=OuterRef("pk"), colour__startswith="#"))
    tracks = only_public(Track.objects.filter(conference=OuterRef("pk")).exclude(colour=""))
    return ExpressionWrapper(~Q(colour="") | Exists(types) | Exists(tracks), BooleanField())
