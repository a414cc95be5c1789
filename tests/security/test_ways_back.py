"""Where a form leads back to is never another site."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urljoin

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.security import strings
from tests.security.addresses import address
from tests.security.markup import elements
from tests.security.world import World


def by_form(client: Client, url: str, sent: dict[str, str], back: str) -> HttpResponse:
    return client.post(url, sent | {"next": back})


def by_address(client: Client, url: str, sent: dict[str, str], back: str) -> HttpResponse:
    return client.post(url, sent, query_params={"next": back})


@pytest.mark.parametrize(
    "name",
    [
        "events:time-zone",
        "events:bookmark-set",
        "events:bookmark-exchange",
        "events:start-set",
        "events:walking-set",
        "events:feed-reset",
        "events:announcements-dismiss",
        "events:note",
        "events:present-set",
    ],
)
@pytest.mark.parametrize("way", [by_form, by_address])
def test_way_back_never_leaves_the_site(world: World, name: str, way: Callable[..., HttpResponse]) -> None:
    client, url = world.client("agenda holder", raise_request_exception=False), address(name, world)
    sent = {"on": "1", "zone": "Europe/Vienna", "start": "expo", "dry": "1", "text": "Ask.", "announcement": "0" * 12}

    answers = {back: way(client, url, sent, back) for back in strings.NEXTS}

    assert {back: it.status_code for back, it in answers.items()} == dict.fromkeys(strings.NEXTS, 302)
    assert [it["Location"] for it in answers.values() if leaves(it["Location"])] == []
    assert [back for back, it in answers.items() if "planted" in it.cookies] == []


def leaves(url: str) -> bool:
    """Whether a browser that reads this, backslashes as slashes, goes to another site."""
    return (
        not url.startswith("/") or urljoin("https://hallway.example/", url.replace("\\", "/")) != f"https://hallway.example{url}"
    )


@pytest.mark.parametrize("name", ["events:time-zone", "events:bookmark-set", "events:bookmark-exchange", "events:directions"])
def test_page_that_asks_keeps_no_foreign_way_back(world: World, name: str) -> None:
    asked = {back: elements(Client().get(address(name, world), {"next": back}).text) for back in strings.NEXTS}

    kept = [it.attributes["value"] for found in asked.values() for it in found if it.attributes.get("name") == "next"]
    assert [back for back in kept if leaves(back)] == []
    assert len(kept) >= len(strings.NEXTS)
