"""A network that loses, delays or replaces answers: what was done stays true, and nothing is said that nobody asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, Route, expect

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Agenda, Event
from tests.browser.pages import AT
from tests.factories import make_agenda, make_conference, make_event, make_room
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)

DAY = f"/iclr-2025/schedule/2025-04-24/{AT}"
MINUTE = 61_000
POLLED = ("**/agenda/news/*", "**/crowd/?part=badges")
PORTAL = "<!doctype html><title>Guest Wi-Fi</title><h1>Sign in to the Wi-Fi</h1>"

Failure = Callable[[Route], None]
LOST: dict[str, Failure] = {
    "timed out": lambda route: route.abort("timedout"),
    "refused": lambda route: route.abort("connectionrefused"),
    "disconnected": lambda route: route.abort("internetdisconnected"),
    "portal": lambda route: route.fulfill(status=200, content_type="text/html", body=PORTAL),
}


@pytest.fixture
def talk(transactional_db: None) -> Event:
    """It is on now, so its page and its day ask every minute."""
    now = timezone.now()
    conference = make_conference(slug="demo", start=now.date(), end=now.date())
    times: dict[str, Any] = {"start": now - timezone.timedelta(minutes=30), "end": now + timezone.timedelta(hours=3)}
    return make_event(conference, title="Adam", room=make_room(conference, "Hall 1"), **times)


@pytest.fixture
def asking(page: Page, talk: Event, base_url: str) -> Page:
    """The page of a running day, which asks every minute for news and for full rooms."""
    _, token = make_agenda(talk.conference, talk)
    page.context.add_cookies([{"name": VISITOR_COOKIE, "value": token, "url": base_url}])
    page.clock.install()
    assert talk.day
    page.goto(talk.day.get_absolute_url())
    return page


def fail(page: Page | BrowserContext, *addresses: str, by: Failure) -> None:
    for address in addresses:
        page.route(address, by)


def held(page: Page, address: str) -> list[Route]:
    """Requests to the address, as they come: none is answered."""
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route(address, hold)
    return waiting


def poll(page: Page) -> None:
    """A minute later, until both parts have been asked for."""
    with (
        page.expect_event("request", lambda it: "/agenda/news/" in it.url),
        page.expect_event("request", lambda it: "badges" in it.url),
    ):
        page.clock.run_for(MINUTE)


def settled(page: Page) -> str:
    """The main part, once nothing is being asked for."""
    expect(page.locator("main .htmx-request")).to_have_count(0)
    return page.locator("main").inner_html()


def connection(page: Page) -> Any:
    return page.locator("#connection")


@pytest.mark.parametrize("failure", LOST)
def test_parts_that_ask_by_themselves_say_one_line_until_the_network_is_back(asking: Page, failure: str) -> None:
    before = settled(asking)
    fail(asking, *POLLED, by=LOST[failure])

    poll(asking)
    expect(connection(asking)).to_have_text(
        r"Offline since "
        + asking.evaluate(
            "clock => new Intl.DateTimeFormat('en-GB', clock).format(new Date())",
            {"hour": "2-digit", "minute": "2-digit", "timeZone": "Asia/Singapore"},
        )
    )
    since = connection(asking).inner_text()
    for _ in range(2):
        poll(asking)
    expect(connection(asking)).to_have_text(since)
    expect(connection(asking)).to_be_in_viewport()
    expect(asking.locator("#status .message")).to_have_count(0)
    assert settled(asking) == before

    for address in POLLED:
        asking.unroute(address)
    poll(asking)
    expect(connection(asking)).to_have_text("")


@pytest.mark.parametrize("status", [500, 502, 503, 429])
def test_error_of_a_part_that_asks_by_itself_is_silent(asking: Page, status: int) -> None:
    before = settled(asking)
    fail(asking, *POLLED, by=lambda route: route.fulfill(status=status, body="<h1>Bad gateway</h1>", content_type="text/html"))

    poll(asking)
    poll(asking)

    expect(connection(asking)).to_have_text("")
    expect(asking.locator("#status .message")).to_have_count(0)
    assert settled(asking) == before


def test_line_follows_what_the_browser_knows_of_the_network(asking: Page) -> None:
    asking.context.set_offline(True)
    expect(connection(asking)).to_contain_text("Offline since")

    asking.context.set_offline(False)
    expect(connection(asking)).to_have_text("")


SAID = {
    "timed out": "No answer, so it may not have worked. Try again in a moment.",
    "refused": "No connection. Nothing was changed; try again in a moment.",
    "disconnected": "No connection. Nothing was changed; try again in a moment.",
    "portal": "This network answered with a page of its own. Nothing was changed: sign in to the network, then try again.",
}


@pytest.mark.parametrize("failure", LOST)
def test_star_that_was_not_answered_says_so_and_works_later(page: Page, world: World, failure: str) -> None:
    page.goto(DAY)
    star = page.get_by_role("main").get_by_role("button", name="Bookmark Open weights").first
    fail(page, "**/bookmark/", by=LOST[failure])

    star.click()
    expect(page.locator("#status .message p")).to_have_text([SAID[failure]])
    expect(star).to_have_attribute("aria-pressed", "false")
    expect(connection(page)).to_contain_text("Offline since")
    expect(page.get_by_text("Sign in to the Wi-Fi")).to_have_count(0)
    page.unroute("**/bookmark/")
    star.click()

    expect(star).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#status")).to_contain_text("In your agenda: Open weights.")
    expect(page.locator("#status")).not_to_contain_text("try again")
    expect(connection(page)).to_have_text("")


@pytest.mark.parametrize("failure", ["timed out", "portal"])
def test_search_that_was_not_answered_keeps_its_page(page: Page, world: World, failure: str) -> None:
    page.goto(f"/iclr-2025/search/{AT}&q=open")
    found = page.locator("#found").inner_html()
    address, title = page.url, page.title()
    fail(page, "**/search/?*part=results*", by=LOST[failure])

    page.locator("#q").press_sequentially(" we")

    expect(page.locator("#status .message")).to_contain_text("again")
    assert page.locator("#found").inner_html() == found
    assert (page.url, page.title()) == (address, title)


def test_second_tap_on_a_star_that_waits_is_answered_and_does_no_harm(page: Page, world: World) -> None:
    page.goto(DAY)
    assert page.evaluate("htmx.config.timeout") == 15_000
    star = page.get_by_role("main").get_by_role("button", name="Bookmark Open weights").first
    waiting = held(page, "**/bookmark/")

    star.click()
    expect(star).to_have_class("bookmark htmx-request")
    star.click()
    expect(page.locator("#status .message p")).to_have_text("Still waiting for an answer to your first tap.")
    waiting[0].continue_()

    expect(star).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#status")).to_contain_text("In your agenda: Open weights.")
    assert len(waiting) == 1
    assert Agenda.objects.latest("pk").bookmark_state(world.next_keynote).level


def test_server_that_hangs_is_given_up(page: Page, world: World) -> None:
    agendas = Agenda.objects.latest("pk").pk
    page.goto(DAY)
    page.evaluate("htmx.config.timeout = 400")
    star = page.get_by_role("main").get_by_role("button", name="Bookmark Open weights").first
    held(page, "**/bookmark/")

    star.click()

    expect(page.locator("#status .message p")).to_have_text([SAID["timed out"]])
    expect(star).not_to_have_class("bookmark htmx-request")
    expect(connection(page)).to_contain_text("Offline since")
    assert Agenda.objects.latest("pk").pk == agendas
