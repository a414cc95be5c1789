"""No page skips a level of headings: people with screen readers jump along them."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command
from django.test import Client

from events.models import Conference
from tests.browser.pages import page_addresses
from tests.security.world import World

pytestmark = pytest.mark.django_db


def skipped(page: str) -> list[str]:
    """The headings that are more than one level below the one before."""
    found = [
        (int(level), " ".join(re.sub("<[^>]+>", "", text).split()))
        for level, text in re.findall(r"<h([1-6])[^>]*>(.*?)</h\1>", page, re.DOTALL)
    ]
    pairs = zip([(0, ""), *found], found, strict=False)
    return [f"h{level} “{text}” after h{before}" for (before, _), (level, text) in pairs if level > before + 1]


def main_of(page: str) -> str:
    return page[page.index("<main") : page.index("</main>")]


@pytest.mark.parametrize("conference", ["world", "iclr-2025"])
def test_no_page_skips_a_level_of_headings(conference: str) -> None:
    if conference == "world":
        world = World()
        client, addresses = world.client("agenda holder"), page_addresses(world.conference)
    else:
        call_command("seed", verbosity=0)
        client, addresses = Client(), page_addresses(Conference.objects.get(slug=conference))
    pages = {name: client.get(address, follow=True).text for name, address in addresses.items() if not name.startswith("screen")}

    assert {name: skipped(main_of(page)) for name, page in pages.items() if skipped(main_of(page))} == {}


@pytest.mark.parametrize("query", ["", "?q=nothing-has-this"])
def test_papers_have_a_heading_between_title_and_rows(query: str) -> None:
    world = World()

    page = world.client("anonymous").get(f"/iclr-2025/papers/{query}").text

    assert skipped(main_of(page)) == []
    assert re.findall(r"<h([23])", main_of(page))[:1] == ["2"]
