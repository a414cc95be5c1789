"""A first visit: nothing moves when the letters come, and Chromium loads what the benchmark counts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, Route
from pytest_django.live_server_helper import LiveServer

from tests.benchmarks.phone import OBSERVE, Loads, Phone
from tests.browser.pages import AT, page_addresses
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)
# A line that wraps elsewhere moves what is below it by a twentieth of the screen at least.
MOST_MOVEMENT = 0.005
NAMES = ["conference-detail", "schedule-day", "event-detail", "agenda-detail", "venue", "directions", "paper-list"]


def test_nothing_moves_when_the_letters_come(page: Page, world: World) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.add_init_script(OBSERVE)
    addresses = page_addresses(world.conference)

    moved = {name: movement(page, addresses[name]) for name in NAMES}

    assert {name: value for name, value in moved.items() if value > MOST_MOVEMENT} == {}


def movement(page: Page, address: str) -> float:
    """How much moves on a page that is shown in letters of the device, and then gets its own."""
    waiting: list[Route] = []

    def wait(route: Route) -> None:
        waiting.append(route)

    page.route("**/*.woff2", wait)
    page.goto(address, wait_until="domcontentloaded")
    page.wait_for_timeout(500)
    assert waiting
    for route in waiting:
        route.continue_()
    page.unroute("**/*.woff2", wait)
    page.evaluate("document.fonts.ready.then(() => null)")
    page.wait_for_timeout(300)
    assert page.evaluate("document.fonts.check('16px Overpass')")
    return float(page.evaluate("measured.cls"))


def test_benchmark_measures_a_first_and_a_second_visit(browser: Browser, live_server: LiveServer, world: World) -> None:
    phone, loads = Phone(browser, live_server.url, None, world.token), Loads()

    phone.visits(f"/iclr-2025/schedule/2025-04-24/{AT}", loads)
    phone.context.close()

    (cold,), (warm,) = loads.cold, loads.warm
    assert 0 < cold.fcp <= cold.lcp
    assert 0 < warm.bytes < cold.bytes / 3
    assert cold.requests > cold.blocking > 1
    assert cold.nodes == warm.nodes > 200


def test_stars_are_letters_of_the_face(page: Page, world: World) -> None:
    page.goto(page_addresses(world.conference)["schedule-day"])
    page.evaluate("document.fonts.ready.then(() => null)")

    # The face's own stars are as wide as they are high, those of devices are not.
    widths = """() => {
      const context = document.createElement("canvas").getContext("2d");
      context.font = "20px Overpass";
      return ["☆", "★"].map((star) => Math.round(context.measureText(star).width));
    }"""
    assert page.evaluate(widths) == [20, 20]
    star = "(star) => getComputedStyle(star, '::before').content"
    button = page.locator("main button.bookmark:visible").first
    assert button.evaluate(star) == '"☆" / ""'
    button.click()
    page.wait_for_selector("main button.bookmark[aria-pressed=true]")
    assert page.locator("main button.bookmark[aria-pressed=true]").first.evaluate(star) == '"★" / ""'
