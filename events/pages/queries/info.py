"""Pages that organisers write, and the sponsors by level."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Prefetch
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import Clock
from events.core.markup import with_headings_from
from events.core.text import markdown_to_html, picture_names
from events.pages.queries.plans import floor_slugs, floor_url, plans_of
from events.programme.models.conference import Conference
from events.programme.models.info_pages import InfoPage, PagePicture
from events.programme.models.sponsors import Sponsor, SponsorLevel
from events.programme.queries.revisions import last_change_of_everything
from events.venue.models import PlanArea


@dataclass(frozen=True)
class InfoLink:
    """An entry of the menu."""

    title: str
    slug: str
    url: str


def info_links(conference: Conference) -> tuple[InfoLink, ...]:
    def read() -> tuple[InfoLink, ...]:
        pages = conference.info_pages.public().select_related("conference").defer("text")
        return tuple(InfoLink(page.title, page.slug, page.get_absolute_url()) for page in pages)

    return PROCESS_CACHE.get_or_build(("info links", conference.pk), read, version=last_change_of_everything(conference))


@dataclass(frozen=True)
class ShownInfo:
    """``pictures`` are those that the text does not mention."""

    page: InfoPage
    html: SafeString
    pictures: list[SafeString]


def info_page(conference: Conference, slug: str) -> ShownInfo | None:
    page = conference.info_pages.public().select_related("conference").filter(slug=slug).first()
    if page is None:
        return None
    pictures = {picture.name: _picture_html(picture) for picture in page.pictures.all()}
    mentioned = picture_names(page.text) if pictures else set()
    below = [html for name, html in pictures.items() if name not in mentioned]
    return ShownInfo(page, mark_safe(with_headings_from(2, markdown_to_html(page.text, pictures))), below)


def _picture_html(picture: PagePicture) -> SafeString:
    """With its size, so that nothing moves when it arrives."""
    size = format_html(' width="{}" height="{}"', picture.photo_width, picture.photo_height) if picture.photo_width else ""
    return format_html('<img src="{}" alt="{}"{} loading="lazy">', picture.photo.url, picture.alt, size)


@dataclass(frozen=True)
class SponsorRow:
    """``plan_url`` leads to the booth on its floor plan; empty if it is not drawn."""

    sponsor: Sponsor
    plan_url: str


def sponsors_by_level(conference: Conference, clock: Clock) -> list[tuple[SponsorLevel, list[SponsorRow]]]:
    drawn = Prefetch("areas", PlanArea.objects.order_by("position", "pk"))
    sponsors = conference.sponsors.select_related("level").order_by("level__position", "level__name", "position", "name", "pk")
    found = list(sponsors.prefetch_related(drawn))
    floors = floor_slugs(plans_of(conference)) if any(sponsor.areas.all() for sponsor in found) else {}
    rows = [SponsorRow(sponsor, _plan_url(conference, sponsor.areas.all(), floors, clock)) for sponsor in found]
    return [(level, list(of_level)) for level, of_level in groupby(rows, key=lambda row: row.sponsor.level)]


def _plan_url(conference: Conference, areas: Iterable[PlanArea], floors: dict[int, str], clock: Clock) -> str:
    area = next((area for area in areas if area.plan_id in floors and area.shape), None)
    return f"{floor_url(conference, floors[area.plan_id], clock)}#{area.element_id}" if area else ""


def sponsors_of_overview(conference: Conference) -> list[Sponsor]:
    """Those with a logo, of the levels that organisers chose for the overview."""
    sponsors = conference.sponsors.filter(level__in_overview=True).exclude(logo="").select_related("conference", "level")
    return list(sponsors.order_by("level__position", "level__name", "position", "name", "pk"))
