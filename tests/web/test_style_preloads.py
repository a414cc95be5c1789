"""Each page names its styles in its header too, so that browsers need not read it before they ask for them."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.security.addresses import address, pages
from tests.security.world import World
from tests.visitors import browser

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def module_world(module_rows: Callable[..., Any]) -> World:
    world: World = module_rows(World)
    return world


class Styles(HTMLParser):
    """The addresses of the styles that a page waits for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str | None] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "link" and named.get("rel") == "stylesheet" and named.get("media") != "print":
            self.found.append(named["href"])


def preloaded(response: HttpResponse) -> list[str]:
    """As browsers read the header: each address in angle brackets, with what it is for."""
    found = re.findall(r"<([^>]+)>; rel=preload; as=style(?:, |$)", response.headers.get("Link", ""))
    assert ", ".join(f"<{it}>; rel=preload; as=style" for it in found) == response.headers.get("Link", "")
    return found


@pytest.mark.parametrize("with_agenda", [False, True], ids=["without an agenda", "with an agenda"])
def test_header_of_each_page_names_its_styles(module_world: World, with_agenda: bool) -> None:
    client = browser(token=module_world.token) if with_agenda else Client()
    answers = {name: client.get(address(name, module_world)) for name in pages()}
    shown = {name: it for name, it in answers.items() if it["Content-Type"].startswith("text/html") and not it.streaming}

    named = {name: preloaded(it) for name, it in shown.items()}

    assert named == {name: Styles(it.text).found for name, it in shown.items()}
    assert len([name for name, found in named.items() if found]) > 40


def test_cached_page_keeps_the_header(module_world: World, cached: None) -> None:
    url = module_world.day.get_absolute_url()
    first, again = Client().get(url), Client().get(url, headers={"Accept-Encoding": "gzip"})

    assert again["Content-Encoding"] == "gzip"
    assert preloaded(first) == preloaded(again) == Styles(first.text).found
    assert "core" in preloaded(again)[0]


def test_part_of_a_page_and_what_is_no_page_have_none(module_world: World) -> None:
    part = Client().get(f"{module_world.day.get_absolute_url()}?part=schedule")
    robots = Client().get(address("events:robots", module_world))

    assert (part.status_code, robots.status_code) == (200, 200)
    assert "Link" not in part
    assert "Link" not in robots
