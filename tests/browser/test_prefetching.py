"""Chromium fetches the page behind a link that somebody points at, and never shows one from before the last form."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from events.web.prefetching import PREFETCHED_PATHS
from tests.browser.pages import AT
from tests.security.test_prefetching import is_named
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)
DAY = f"/iclr-2025/schedule/2025-04-24/{AT}"
DELIVERY = "performance.getEntriesByType('navigation')[0].deliveryType"
MATCHES = """async (urls) => {
  const rules = await (await fetch("/speculation.json")).json();
  const patterns = rules.prefetch[0].where.and[0].href_matches.map((path) => new URLPattern(path, location.origin));
  return urls.map((url) => patterns.some((pattern) => pattern.test(url, location.origin)));
}"""


def is_prefetch(response: Response) -> bool:
    return response.request.headers.get("sec-purpose") == "prefetch"


@pytest.fixture
def wide(page: Page, world: World) -> Page:
    page.set_viewport_size({"width": 1280, "height": 900})
    return page


def test_page_behind_a_link_is_there_before_the_click(wide: Page) -> None:
    wide.goto(DAY)
    link = wide.locator(".rail").get_by_role("link", name="Venue")

    with wide.context.expect_event("response", is_prefetch) as fetched:
        link.hover()
    fetched.value.finished()
    link.click()

    expect(wide.get_by_role("heading", level=1)).to_be_visible()
    assert "/venue/" in wide.url
    assert wide.evaluate(DELIVERY) == "navigational-prefetch"


def test_page_from_before_a_bookmark_is_not_shown_after_it(wide: Page) -> None:
    wide.goto(DAY)
    agenda = wide.locator(".rail").get_by_role("link", name="Agenda")
    button = wide.get_by_role("main").get_by_role("button", name="Bookmark Open weights").first

    with wide.context.expect_event("response", is_prefetch) as fetched:
        agenda.hover()
    fetched.value.finished()
    with wide.expect_response("**/bookmark/"):
        button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    agenda.click()

    expect(wide.get_by_role("main")).to_contain_text("Open weights")
    expect(wide.locator("#agenda-count-rail")).to_have_text("1")


def test_filters_and_links_within_the_page_are_not_prefetched(wide: Page) -> None:
    fetched: list[str] = []
    wide.context.on("response", lambda it: fetched.append(it.url) if is_prefetch(it) else None)
    wide.goto(DAY)

    wide.locator("#schedule").get_by_role("link", name="Social").hover()
    wide.wait_for_timeout(800)
    wide.locator(".rail").get_by_role("link", name="Account").hover()
    wide.wait_for_timeout(800)

    assert fetched == []


def test_browser_reads_the_patterns_as_the_tests_do(page: Page, world: World) -> None:
    urls = [
        *("/iclr-2025/", f"/iclr-2025/{AT}", DAY, "/iclr-2025/search/?q=a", "/iclr-2025/venue/#level-2", "/"),
        *("/iclr-2025/venue/directions/", "/iclr-2025/venue/plan/"),
        *(
            "/iclr-2025/agenda/calendar/",
            "/iclr-2025/agenda.ics",
            "/iclr-2025/events/some/bookmark/",
            "/iclr-2025/events/some.ics",
        ),
        *(
            "/iclr-2025/agenda/qr.svg",
            "/account/sign-in/",
            "/organise/events/event/",
            "/feeds/secret.ics",
            "/iclr-2025/shared/secret/",
        ),
    ]
    page.goto(f"/iclr-2025/{AT}")

    found: list[Any] = page.evaluate(MATCHES, urls)

    expected = [is_named(url.partition("?")[0].partition("#")[0], PREFETCHED_PATHS) for url in urls]
    assert dict(zip(urls, found, strict=True)) == dict(zip(urls, expected, strict=True))
    assert expected.count(True) == 7
