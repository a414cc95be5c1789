"""What a proxy may keep for everybody: pages without a cookie of ours and without anything personal; why not the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from events.core.byte_cache import PROCESS_CACHE
from events.web.caching import OWN_COOKIES, shared_cache_control
from events.web.middleware import private_by_default
from tests.agenda.test_page_headers import COOKIE_VALUES, read_cookies
from tests.security.addresses import address, names
from tests.security.world import World
from tests.visitors import browser

pytestmark = pytest.mark.django_db
OPERATIONS = (Path(__file__).parents[2] / "docs" / "operations.md").read_text()
FILES = {
    f"events:{name}"
    for name in (
        *("robots", "speculation-rules", "announcements-feed", "changes-feed", "colours"),
        *("plan-drawing", "manifest", "icon", "favicon", "preview-picture", "event-preview-picture", "sitemap", "sitemap-index"),
    )
}
FILES |= {f"events:{name}-calendar" for name in ("schedule", "day", "event", "person", "sign-up")}
FILES |= {f"events:{name}" for name in ("schedule-xml", "schedule-json", "schedule-csv", "papers-csv")}
REASONS = {
    "about this process": ["healthz", "readyz", "service-worker"],
    "a redirect that may lead elsewhere in a moment": ["event-by-guid"],
    "not there in this world, and perhaps in a moment": ["security-txt", "media", "metrics"],
    "of one visitor": [
        *("agenda-gap", "agenda-changes", "agenda-banner", "agenda-calendar", "agenda-download", "agenda-qr", "offline-list"),
        *("account", "account-code", "account-delete", "data-export", "devices", "digests-off", "event-round", "feed-qr"),
        *("handover-code", "forget-me", "private-entry", "question-withdraw", "sharing", "together"),
    ],
    "behind an address that is a secret": [
        *("feed", "recordings-feed", "proposal", "proposal-change", "shared-agenda", "shared-copy", "sign-up-list"),
        *("sign-up-table", "take-code", "preview-open"),
    ],
    "a form, most of them with a token that is a cookie": [
        *("announcements-dismiss", "attendance-set", "bookmark-exchange", "bookmark-set", "crowd-set", "missing", "note"),
        *("poll-vote", "present-set", "private-entry-add", "question-ask", "question-vote", "sign-in", "sign-up"),
        *("social-propose", "start-set", "take", "time-zone", "walking-set"),
    ],
    "only written to": [
        *("account-code-again", "digests-set", "feed-alarm", "feed-options", "feed-reset"),
        *("link-take-back", "others-sign-out", "device-sign-out", "preview-leave", "place-seen", "sign-out", "visit-set"),
    ],
    "names the start that was asked for, and is printed by it": ["directions-qr", "event-round-qr"],
}
PRIVATE = {f"events:{name}" for found in REASONS.values() for name in found}
PART = {"schedule-day": "schedule", "search": "results", "crowd-list": "badges", "question-list": "list", "poll-list": "list"}
# Kept by us, kept by proxies alone, and a redirect.
ONE_OF_EACH = ["schedule-day", "directions", "schedule"]
# What is only on pages for one visitor: a token, a filled star, a number of bookmarks.
PERSONAL = re.compile(r'csrfmiddlewaretoken|class="bookmark"[^>]*aria-pressed="true"|id="agenda-count-\w+" class="count">\d')


@pytest.fixture(autouse=True)
def _cache() -> Iterator[None]:
    PROCESS_CACHE.max_bytes = 2**25
    with time_machine.travel("2025-04-24T01:30:00+00:00", tick=False):
        yield


@pytest.fixture(scope="module")
def module_world(module_rows: Callable[..., Any]) -> World:
    world: World = module_rows(World)
    return world


def shared_urls(world: World) -> list[str]:
    urls = {name: address(name, world) for name in names() if name not in PRIVATE | FILES}
    parts = [f"{urls[f'events:{name}']}?part={part}" for name, part in PART.items()]
    return [*urls.values(), *parts, f"{address('events:crowd-set', world)}?part=block"]


def is_shared(response: HttpResponse) -> bool:
    return response["Cache-Control"].startswith("public, max-age=0, s-maxage=15, ")


def test_every_address_may_be_kept_or_has_a_reason(module_world: World) -> None:
    answers = {name: Client().get(address(name, module_world)) for name in names()}

    assert {name for name, it in answers.items() if "public" not in it["Cache-Control"]} == PRIVATE
    assert {name for name, it in answers.items() if "public" in it["Cache-Control"] and not is_shared(it)} == FILES


def test_what_is_kept_sets_no_cookie_varies_by_no_script_and_has_nothing_personal(module_world: World) -> None:
    world, urls = module_world, shared_urls(module_world)
    for url in urls:
        browser(token=world.token).get(url)

    answers = {url: Client().get(url) for url in urls}

    assert len(urls) > 25
    assert [url for url, it in answers.items() if not is_shared(it)] == []
    assert [url for url, it in answers.items() if it.cookies] == []
    assert {name.strip() for it in answers.values() for name in it["Vary"].split(",")} == {"Cookie", "Accept-Encoding"}
    assert {url: found for url, it in answers.items() if (found := PERSONAL.findall(it.text))} == {}
    assert PERSONAL.search(browser(token=world.token).get(world.day.get_absolute_url()).text)


@pytest.mark.parametrize("cookie", sorted({*read_cookies(), "hallway_staff", "hallway_desk"}))
@pytest.mark.parametrize("prefix", ["", "__Host-"])
def test_who_has_a_cookie_of_ours_gets_a_page_that_nobody_keeps(module_world: World, cookie: str, prefix: str) -> None:
    client = Client()
    client.cookies[prefix + cookie] = COOKIE_VALUES.get(cookie, "odd")

    answers = {url: client.get(url) for url in ("/", *(address(f"events:{name}", module_world) for name in ONE_OF_EACH))}

    assert cookie.startswith(OWN_COOKIES)
    assert {url: it["Cache-Control"] for url, it in answers.items()} == dict.fromkeys(answers, "private, no-cache")
    assert [url for url, it in answers.items() if "Cookie" not in it["Vary"]] == []


def test_cookies_of_others_make_no_page_private(module_world: World) -> None:
    client = Client()
    client.cookies.load({"_ga": "GA1.1", "consent": "hallway"})

    assert is_shared(client.get(module_world.day.get_absolute_url()))


@pytest.mark.parametrize("second", [0, 30, 46, 59])
def test_page_is_kept_no_longer_than_it_lasts(module_world: World, second: int) -> None:
    with time_machine.travel(f"2025-04-24T01:30:{second:02}+00:00", tick=False):
        page = Client().get(module_world.day.get_absolute_url())

    assert page["Cache-Control"] == shared_cache_control(60 - second)
    assert f"s-maxage={min(15, 60 - second)}," in page["Cache-Control"]


def test_part_is_never_shown_while_it_is_fetched_again(module_world: World) -> None:
    """In a browser that does so too, a list that asks every half minute would always be half a minute late."""
    part = Client().get(f"{module_world.day.get_absolute_url()}?part=schedule")

    assert part["Cache-Control"] == "public, max-age=0, s-maxage=15, stale-if-error=600"


def test_not_changed_says_so_too(module_world: World) -> None:
    for url in ("/", module_world.day.get_absolute_url()):
        etag = Client().get(url)["ETag"]

        again = Client().get(url, headers={"If-None-Match": etag})

        assert (again.status_code, is_shared(again), again["ETag"]) == (304, True, etag)


def test_answer_that_sets_a_cookie_is_for_one_visitor() -> None:
    def view(request: HttpRequest) -> HttpResponse:
        response = HttpResponse(headers={"Cache-Control": shared_cache_control()})
        response.set_cookie("any", "thing")
        return response

    response = private_by_default(view)(RequestFactory().get("/"))

    assert (response["Cache-Control"], response["Vary"]) == ("private, no-cache", "Cookie")


def test_rules_for_proxies_name_every_cookie() -> None:
    blocks = dict(re.findall(r"```(nginx|vcl|text)\n(.*?)```", OPERATIONS.partition("## A cache for pages")[2], re.DOTALL))
    pattern = f"(__Host-)?({'|'.join(OWN_COOKIES)})"

    assert pattern in OPERATIONS.partition("```nginx")[2].partition("```")[0]
    assert pattern in blocks["vcl"]
    assert re.findall(r'http\.cookie contains "(\w+)"', blocks["text"]) == list(OWN_COOKIES)
