"""Sponsors by level, with their booths on the plan, and the line of logos on the overview."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from events.models import Conference, Sponsor, SponsorLevel
from tests.caches import clear_caches
from tests.factories import make_conference
from tests.pictures import drawn_on_nothing
from tests.venue.drawn import make_plan

pytestmark = pytest.mark.django_db


def make_level(conference: Conference, name: str = "Gold", **fields: Any) -> SponsorLevel:
    return SponsorLevel.objects.create(conference=conference, name=name, **fields)


def make_sponsor(level: SponsorLevel, name: str = "Acme", **fields: Any) -> Sponsor:
    return Sponsor.objects.create(conference=level.conference, level=level, name=name, **fields)


def headings(html: str) -> list[str]:
    return [
        re.sub(r"<[^>]+>", "", text).strip()
        for text in re.findall(r"<h[23][^>]*>(.*?)</h[23]>", html.rsplit("</nav>", maxsplit=1)[-1])
    ]


def test_sponsors_are_grouped_by_level_in_the_order_of_the_organisers(client: Client) -> None:
    conference = make_conference(slug="demo")
    silver, gold = make_level(conference, "Silver", position=2), make_level(conference, position=1)
    make_sponsor(silver, "Zeta")
    make_sponsor(gold, "Beta", position=2)
    make_sponsor(gold, "Acme", position=1)

    html = client.get("/demo/sponsors/").text.partition("<main")[2].partition("</main>")[0]

    assert headings(html) == ["Gold", "Acme", "Beta", "Silver", "Zeta"]


def test_sponsor_has_a_logo_that_keeps_its_place_and_a_link_that_says_what_it_is(client: Client) -> None:
    level = make_level(make_conference(slug="demo"))
    sponsor = make_sponsor(level, url="https://acme.example/?a=1&b=2", logo=drawn_on_nothing("#16181d"))

    html = client.get("/demo/sponsors/").text

    assert '<a href="https://acme.example/?a=1&amp;b=2" rel="sponsored noopener">Acme</a>' in html
    image = re.search(r'<img class="logo"[^>]+>', html)
    assert image
    assert f'src="/media/{sponsor.logo.name}"' in image[0]
    assert (f'width="{sponsor.logo_width}" height="{sponsor.logo_height}"' in image[0], sponsor.logo_width) == (True, 321)
    assert 'data-ground="light"' in image[0]


def test_booth_leads_to_the_plan_and_back(client: Client) -> None:
    level = make_level(make_conference(slug="demo"))
    sponsor = make_sponsor(level, booth="B12")
    make_plan(level.conference, "Level 1", sponsor)

    page, plan = client.get("/demo/sponsors/").text, client.get("/demo/venue/").text

    assert f'href="/demo/venue/?floor=level-1#area-sponsor-{sponsor.pk}"' in page
    assert f'id="area-sponsor-{sponsor.pk}"' in plan
    assert f'href="/demo/sponsors/#sponsor-{sponsor.pk}"' in plan


def test_overview_has_the_logos_of_the_chosen_levels(client: Client) -> None:
    conference = make_conference(slug="demo")
    make_sponsor(make_level(conference, in_overview=True), "Acme", logo="sponsors/acme.webp")
    make_sponsor(make_level(conference, "Silver"), "Zeta", logo="sponsors/zeta.webp")

    html = client.get("/demo/").text

    assert ('alt="Acme"' in html, "zeta" in html.lower()) == (True, False)


def test_conference_without_sponsors_says_nothing_of_them(client: Client) -> None:
    make_conference(slug="demo")

    assert "ponsor" not in client.get("/demo/").text.partition("<body>")[2]
    assert "No sponsors or exhibitors have been announced yet." in client.get("/demo/sponsors/").text


@pytest.mark.parametrize("size", [1, 3])
def test_pages_take_as_many_queries_for_three_sponsors(client: Client, size: int, django_assert_num_queries: Any) -> None:
    conference = make_conference(slug="demo")
    for number in range(size):
        level = make_level(conference, f"Level {number}", in_overview=True)
        make_plan(conference, f"Floor {number}", make_sponsor(level, logo="sponsors/x.webp"))
    clear_caches()

    with django_assert_num_queries(6):
        client.get("/demo/sponsors/")
