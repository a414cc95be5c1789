"""Pages that proxies and browsers may keep: a first bookmark is seen at once, and the address bar shows no parts of pages."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.pages import AT
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)
DAY = f"/iclr-2025/schedule/2025-04-24/{AT}"


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_first_bookmark_is_seen_on_pages_that_the_browser_may_show_stale(
    browser: Browser, live_server: LiveServer, world: World, scripts: bool
) -> None:
    page = browser.new_page(base_url=live_server.url, java_script_enabled=scripts, viewport={"width": 390, "height": 844})
    button = page.get_by_role("main").get_by_role("button", name="Bookmark Open weights").first
    shown = page.goto(DAY)
    assert shown
    assert "stale-while-revalidate=60" in shown.headers["cache-control"]
    page.goto(f"/iclr-2025/{AT}")
    page.goto(DAY)

    with page.expect_response("**/bookmark/"):
        button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    page.goto(f"/iclr-2025/{AT}")
    count = page.locator("#agenda-count-bar, #agenda-count-rail").filter(visible=True).first
    expect(count).to_have_text("1")
    page.goto(DAY)
    expect(button).to_have_attribute("aria-pressed", "true")
    page.context.close()


def test_address_of_a_part_goes_on_to_its_page(page: Page, world: World) -> None:
    page.goto(f"{DAY}&type=social&part=schedule")

    expect(page.get_by_role("contentinfo")).to_be_visible()
    assert "part=" not in page.url
    assert "type=social" in page.url


def test_filter_fetches_a_part_and_the_address_is_the_pages(page: Page, world: World) -> None:
    page.goto(DAY)

    with page.expect_response("**part=schedule**") as answer:
        page.locator("#schedule").get_by_role("link", name="Social").click()

    expect(page.locator("#schedule .event-title")).to_have_count(1)
    assert "<html" not in answer.value.text()
    assert "part=" not in page.url
    assert page.locator("#schedule a[href*='part=']").count() == 0
    page.reload()
    expect(page.get_by_role("contentinfo")).to_be_visible()
    expect(page.locator("#schedule .event-title")).to_have_count(1)
