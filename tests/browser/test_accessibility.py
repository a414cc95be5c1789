"""Every page as a screen reader, a keyboard and a narrow phone meet it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.http import VISITOR_COOKIE
from tests.browser.pages import AT, page_addresses
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)

PHONE, DESK = 390, 1280
Opened = Callable[..., Page]

# What belongs to no conference has no foot of one.
OUTSIDE = {"conference-list", "nothing-there", "sign-in", "account", "account-code", "account-delete"}


@pytest.fixture
def opened(browser: Browser, live_server: LiveServer, world: World) -> Iterator[Opened]:
    """Opens a page as the holder of the world's agenda."""
    contexts: list[BrowserContext] = []

    def open_page(width: int, scheme: Literal["light", "dark"] = "light") -> Page:
        context = browser.new_context(
            base_url=live_server.url, viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
        )
        context.add_cookies([{"name": VISITOR_COOKIE, "value": world.token, "url": live_server.url}])
        contexts.append(context)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(opened: Opened, world: World, scheme: Literal["light", "dark"], width: int) -> None:
    page = opened(width, scheme)
    found = []

    for name, address in page_addresses(world.conference).items():
        page.goto(address)
        violations = Axe().run(page).response["violations"]
        found += [f"{name}: {it['id']}: {node['html'][:200]}" for it in violations for node in it["nodes"]]

    assert found == []


@pytest.mark.parametrize("width", [320, PHONE, DESK])
def test_no_page_scrolls_sideways(opened: Opened, world: World, width: int) -> None:
    page = opened(width)
    wide = {}

    for name, address in page_addresses(world.conference).items():
        page.goto(address)
        excess = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        wide |= {name: excess} if excess else {}

    assert wide == {}


def test_every_page_has_one_main_heading_and_the_landmarks(opened: Opened, world: World) -> None:
    page = opened(DESK)
    wrong = {}

    for name, address in page_addresses(world.conference).items():
        page.goto(address)
        counted = [page.locator(it).count() for it in ("h1", "main", "header", "footer")]
        expected = counted[:2] == [1, 1] and (name in OUTSIDE or min(counted[2:]) >= 1)
        wrong |= {} if expected else {name: counted}

    assert wrong == {}


def test_bookmarks_are_large_enough_for_a_thumb(opened: Opened, world: World) -> None:
    page = opened(PHONE)
    page.goto(f"/iclr-2025/schedule/2025-04-24/{AT}")
    page.locator("main details").evaluate_all("all => all.forEach(it => { it.open = true })")
    buttons = page.locator("main .bookmark")

    sizes = [buttons.nth(place).bounding_box() for place in range(buttons.count())]

    assert sizes
    assert [size for size in sizes if size is None or size["width"] < 44 or size["height"] < 44] == []


def test_skip_link_leads_past_the_frame(opened: Opened) -> None:
    page = opened(DESK)
    page.goto("/iclr-2025/")

    page.keyboard.press("Tab")
    skip = page.locator(":focus")
    expect(skip).to_have_text("Skip to the page")
    page.keyboard.press("Enter")

    expect(page.locator("main")).to_be_focused()


def test_keyboard_alone_reaches_and_sets_a_bookmark(opened: Opened, world: World) -> None:
    page = opened(DESK)
    page.goto(f"/iclr-2025/talks/{AT}")
    wanted = page.get_by_role("main").get_by_role("button", name="Bookmark Open weights")
    page.locator("main").focus()

    for _ in range(30):
        page.keyboard.press("Tab")
        if wanted.evaluate("it => it === document.activeElement"):
            break
    page.keyboard.press("Space")

    expect(wanted).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#status")).to_contain_text("Open weights")
