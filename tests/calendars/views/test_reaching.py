"""On the way to a feed: robots, redirects, and programs that ask in their own ways."""

from __future__ import annotations

from typing import Any
from urllib.robotparser import RobotFileParser

import pytest
from django.test import Client

from tests.calendars.reading import read
from tests.calendars.world import World

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("program", ["Google-Calendar-Importer", "Googlebot", "curl"])
def test_robots_allow_feeds_and_keep_to_themselves_what_is_personal(world: World, program: str) -> None:
    rules = RobotFileParser()
    rules.parse(Client().get("/robots.txt").text.splitlines())

    assert rules.can_fetch(program, f"https://hallway.example{world.feed}")
    assert rules.can_fetch(program, "https://hallway.example/iclr-2025/schedule.ics")
    assert "Disallow: /*/agenda/" in Client().get("/robots.txt").text.splitlines()


def test_http_leads_to_https_once_at_the_same_address(world: World, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True

    plain, secure = Client().get(f"{world.feed}?x=1"), Client().get(f"{world.feed}?x=1", secure=True)

    assert (plain.status_code, plain["Location"]) == (301, f"https://testserver{world.feed}?x=1")
    assert [it.summary for it in read(secure.content)] == [world.event.title]


def test_feed_has_one_address(world: World) -> None:
    """Neither with a slash nor without its end: nothing redirects, so nothing is guessed."""
    others = [f"{world.feed}/", world.feed.removesuffix(".ics"), world.feed.swapcase()]

    answers = [Client().get(other) for other in others]

    assert [(it.status_code, it.get("Location")) for it in answers] == [(404, None)] * 3


@pytest.mark.parametrize("form", ['"{}"', 'W/"{}"', '"x", "{}"', 'W/"x", W/"{}"', '"{}-gzip"', 'W/"{};gzip"', '"{}-br"', "*"])
@pytest.mark.parametrize("method", ["get", "head"])
def test_every_form_of_a_known_version_is_304_and_costs_one_query(
    world: World, django_assert_num_queries: Any, form: str, method: str
) -> None:
    url = world.feed
    etag = Client().get(url)["ETag"].strip('"')

    with django_assert_num_queries(1):
        response = getattr(Client(), method)(url, headers={"if-none-match": form.format(etag)})

    assert (response.status_code, response.content) == (304, b"")


@pytest.mark.parametrize("form", ['"{}x"', "{}", "garbage", '"', ""])
def test_version_that_is_another_is_answered_whole(world: World, form: str) -> None:
    url = world.feed
    etag = Client().get(url)["ETag"].strip('"')

    response = Client().get(world.feed, headers={"if-none-match": form.format(etag)})

    assert (response.status_code, len(read(response.content))) == (200, 1)


def test_answers_to_a_feed_carry_what_tells_others_to_forget_it(world: World) -> None:
    etag = Client().get(world.feed)["ETag"]
    asked = [
        Client().get(world.feed),
        Client().head(world.feed),
        Client().get(world.feed, headers={"if-none-match": etag}),
        Client().post(world.feed),
    ]

    assert [it.status_code for it in asked] == [200, 200, 304, 405]
    assert [(it["Referrer-Policy"], it["X-Robots-Tag"], dict(it.cookies)) for it in asked[:3]] == [
        ("no-referrer", "noindex", {})
    ] * 3
    assert (asked[3]["Referrer-Policy"], dict(asked[3].cookies)) == ("no-referrer", {})
