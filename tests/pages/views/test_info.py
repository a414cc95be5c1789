"""Pages that organisers write: what they show, where they are listed, and to whom."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.test import Client

from events.models import Conference, InfoPage
from tests.admin.conftest import logged_in, staff
from tests.caches import clear_caches
from tests.factories import make_conference

pytestmark = pytest.mark.django_db
ADDRESS = "/demo/pages/wi-fi/"


def make_info(conference: Conference, **fields: Any) -> InfoPage:
    values = {"title": "Wi-Fi", "slug": "wi-fi", "text": "## Network\n\nJoin *expo*.", "is_public": True}
    return InfoPage.objects.create(conference=conference, **values | fields)


def demo(**fields: Any) -> Conference:
    return make_conference(slug="demo", **fields)


def test_page_shows_its_text_its_pictures_and_when_it_was_changed(client: Client) -> None:
    with time_machine.travel(dt.datetime(2025, 3, 2, tzinfo=dt.UTC), tick=False):
        page = make_info(demo(), text="Here: ![](map)")
        page.pictures.create(name="map", photo="pages/map.webp", alt="Exits & lifts", photo_width=80, photo_height=40)
        page.pictures.create(name="hall", photo="pages/hall.webp", alt="The hall", photo_width=9, photo_height=9, position=1)

    html = client.get(ADDRESS).text

    assert '<p>Here: <img src="/media/pages/map.webp" alt="Exits &amp; lifts" width="80" height="40" loading="lazy"></p>' in html
    assert html.index("Here:") < html.index("/media/pages/hall.webp") < html.index("Last changed")
    assert (html.count("/media/pages/map.webp"), "2 March 2025" in html) == (1, True)


def test_page_shows_nothing_hostile(client: Client) -> None:
    hostile = (
        "<script>alert(1)</script>\n\n![x](https://evil.example/x.png) [y](javascript:alert(1)) <img src=x onerror=alert(1)>"
    )
    page = make_info(demo(), text=hostile, title="<b>Wi-Fi")
    page.pictures.create(name="x", photo="pages/x.webp", alt='"><script>alert(2)</script>', photo_width=1, photo_height=1)

    html = client.get(ADDRESS).text

    assert [it for it in ("<script>alert", "evil.example", 'href="javascript', "<b>Wi", "onerror=alert(1)>") if it in html] == []


def test_menu_lists_public_pages_in_the_order_of_the_organisers(client: Client) -> None:
    conference = demo()
    make_info(conference, position=2)
    make_info(conference, title="Visa", slug="visa", position=1)
    make_info(conference, title="Secret", slug="secret", is_public=False)

    html = client.get(ADDRESS).text

    assert html.index('href="/demo/pages/visa/"') < html.index('href="/demo/pages/wi-fi/" aria-current="page"')
    assert ("Secret" in html, 'aria-current="page"' in client.get("/demo/pages/visa/").text) == (False, True)


def test_change_of_a_page_is_on_every_page_at_once(client: Client) -> None:
    page = make_info(demo())
    client.get(ADDRESS)

    page.title, page.text = "Internet", "Join guest."
    page.revise()

    html = client.get(ADDRESS).text
    assert ("Internet" in html, "Join guest." in html, "Wi-Fi" in client.get("/demo/").text) == (True, True, False)


def test_only_new_words_and_pictures_change_the_date() -> None:
    with time_machine.travel(dt.datetime(2025, 3, 2, tzinfo=dt.UTC), tick=False):
        page = make_info(demo())
    first = page.changed_at

    page.position = 7
    page.revise()
    moved = InfoPage.objects.get().changed_at
    page.pictures.create(name="map", photo="pages/map.webp", alt="Exits")

    assert (moved, InfoPage.objects.get().changed_at > first) == (first, True)


@pytest.mark.parametrize("fields", [{"is_public": False}, {"conference": "draft"}], ids=["draft", "page of a draft conference"])
def test_draft_is_shown_to_organisers_only_and_kept_by_nobody(client: Client, fields: dict[str, Any]) -> None:
    conference = demo(status=fields.pop("conference", "published"))
    make_info(conference, title="Canary", **fields)

    stranger = client.get(ADDRESS)
    seen = logged_in(staff("Grace", "Organisers")).get(ADDRESS)
    again = client.get(ADDRESS)

    assert (stranger.status_code, seen.status_code, again.status_code) == (404, 200, 404)
    assert ("Canary" in seen.text, seen["Cache-Control"]) == (True, "private, no-store")


def test_sitemap_and_saved_pages_have_public_pages_only(client: Client) -> None:
    conference = demo()
    page = make_info(conference)
    page.pictures.create(name="map", photo="pages/map.webp", alt="Exits")
    make_info(conference, slug="secret", is_public=False).pictures.create(name="x", photo="pages/secret.webp", alt="Secret")

    sitemap = client.get("/demo/sitemap.xml").text
    saved = client.get("/demo/offline.json").json()

    assert f"{ADDRESS}</loc><lastmod>{page.changed_at:%Y-%m-%d}" in sitemap
    assert (ADDRESS in saved["pages"], "/media/pages/map.webp" in saved["files"]) == (True, True)
    assert [text for text in (sitemap, str(saved)) if "secret" in text] == []


@pytest.mark.parametrize("size", [1, 3])
def test_page_takes_as_many_queries_for_three_pictures(client: Client, size: int, django_assert_num_queries: Any) -> None:
    page = make_info(demo())
    for number in range(size):
        page.pictures.create(name=f"p{number}", photo=f"pages/{number}.webp", alt="Exits", position=number)
        make_info(page.conference, slug=f"more-{number}")
    clear_caches()

    with django_assert_num_queries(6):
        client.get(ADDRESS)
