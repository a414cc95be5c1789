"""What a phone on roaming downloads for a page, never more than 100 kB, and how many elements it lays out."""

from __future__ import annotations

import gzip
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client

from events.models import Conference, Event
from tests.benchmarks.prepare import agenda_with_bookmarks
from tests.browser.pages import page_addresses

pytestmark = pytest.mark.django_db

HEAVIEST = 100_000
MAX_ELEMENTS = 1_264
REFERENCE = re.compile(r'(?:href|src)="/static/([^"#]+)')


def weight(html: str, sheet: bytes) -> int:
    """The page and everything it names, compressed; fonts and other files that are compressed already as they are."""
    files = [finders.find(name) for name in sorted(set(REFERENCE.findall(html)))]
    named = [Path(str(file)).read_bytes() for file in files]
    return sum(len(gzip.compress(it)) for it in [html.encode(), sheet, *named])


class Elements(HTMLParser):
    """Counts the elements of a page, without what is inside a <template>."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.count = self.templates = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.count += not self.templates
        self.templates += tag == "template"

    def handle_endtag(self, tag: str) -> None:
        self.templates -= tag == "template"


@pytest.mark.slow
def test_no_page_is_heavier_at_the_size_of_iclr(client: Client) -> None:
    call_command("seed_scale", slug="demo", verbosity=0)
    conference = Conference.objects.get(slug="demo")
    session = conference.events.get(title="Poster Session 1").get_absolute_url()
    addresses = page_addresses(conference) | {
        "poster-session": session,
        "poster-session-by-topic": f"{session}?sort=topic&page=3",
        "day-posters": "/demo/schedule/2025-04-24/?type=poster",
        "people-letter": "/demo/people/?letter=s",
        "area": f"/demo/topics/{conference.topics.earliest('pk').slug}/?whole=1",
    }
    sheet = client.get("/demo/colours.css").content

    weights = {name: weight(client.get(address, follow=True).text, sheet) for name, address in addresses.items()}

    assert min(weights.values()) > 10_000
    assert {name: it for name, it in weights.items() if it > HEAVIEST} == {}

    timed = list(Event.objects.public().filter(conference=conference, start__isnull=False).in_order())
    client.cookies["hallway"], _ = agenda_with_bookmarks(conference, timed, 0, picks=20)
    day = client.get("/demo/schedule/2025-04-24/")

    assert "7 picks" in day.text
    assert MAX_ELEMENTS // 2 < Elements(day.text).count <= MAX_ELEMENTS


def test_no_page_is_heavier_than_a_phone_can_carry(client: Client) -> None:
    call_command("seed", verbosity=0)
    conference = Conference.objects.get(slug="iclr-2025")
    sheet = client.get("/iclr-2025/colours.css").content

    weights = {name: weight(client.get(address, follow=True).text, sheet) for name, address in page_addresses(conference).items()}

    assert min(weights.values()) > 10_000
    assert {name: it for name, it in weights.items() if it > HEAVIEST} == {}
