"""Pages in the few colours that a visitor has chosen for everything (high contrast): every text can be read."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from tests.browser.looks import DESK, PHONE, Scheme
from tests.browser.pages import AT, page_addresses
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)

Opened = Callable[[int, Scheme], Page]
MAIN_PAGES = {
    *("conference-detail", "schedule-day", "schedule-day-grid", "event-detail", "agenda-detail", "venue", "directions", "search"),
    *("paper-list", "topic-list", "private-entry-add", "nothing-there"),
}

# Texts below 4.5:1 on the colours behind them; a colour with transparency is laid over what is behind it.
WEAK_TEXTS = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })
  const seen = new Map()
  const parsed = colour => {
    if (!seen.has(colour)) {
      canvas.clearRect(0, 0, 1, 1)
      canvas.fillStyle = colour
      canvas.fillRect(0, 0, 1, 1)
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data
      seen.set(colour, [r, g, b, a / 255])
    }
    return seen.get(colour)
  }
  const over = ([r, g, b, a], under) => [r, g, b].map((it, place) => it * a + under[place] * (1 - a))
  const ground = element => {
    if (!element) return over(parsed("Canvas"), [255, 255, 255])
    const colour = parsed(getComputedStyle(element).backgroundColor)
    return colour[3] === 1 ? colour : over(colour, ground(element.parentElement))
  }
  const linear = it => it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4
  const light = colour => colour.slice(0, 3).map(it => linear(it / 255))
    .reduce((sum, it, place) => sum + it * [0.2126, 0.7152, 0.0722][place], 0)
  const found = []
  let count = 0
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement
    const text = texts.currentNode.data.trim()
    const isSeen = element.checkVisibility({ opacityProperty: true }) && element.offsetWidth > 1
    if (!text || !isSeen || element.closest("script, template, svg")) continue
    const under = ground(element)
    const [one, other] = [light(over(parsed(getComputedStyle(element).color), under)), light(under)]
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    count += 1
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${element.localName}.${element.className} “${text.slice(0, 40)}”`)
  }
  return count ? found : ["no text"]
}"""


@pytest.fixture
def opened(browser: Browser, live_server: LiveServer, world: World) -> Opened:
    """Opens a page as the holder of the world's agenda."""

    def open_page(width: int, scheme: Scheme) -> Page:
        context = browser.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": 844},
            color_scheme=scheme,
            forced_colors="active",
            reduced_motion="reduce",
        )
        context.add_cookies([{"name": VISITOR_COOKIE, "value": world.token, "url": live_server.url}])
        return context.new_page()

    return open_page


@pytest.mark.parametrize(
    ("width", "scheme", "all_pages"),
    [
        (PHONE, "dark", False),
        (DESK, "light", False),
        *(
            pytest.param(width, scheme, True, marks=pytest.mark.exhaustive)
            for width in (PHONE, DESK)
            for scheme in ("light", "dark")
        ),
    ],
)
def test_every_text_can_be_read(opened: Opened, world: World, width: int, scheme: Scheme, all_pages: bool) -> None:
    page = opened(width, scheme)
    addresses = page_addresses(world.conference) | {"search": f"/iclr-2025/search/{AT}&q=open"}
    assert addresses.keys() > MAIN_PAGES
    found = {}

    for name, address in addresses.items():
        if not name.startswith("screen") and (all_pages or name in MAIN_PAGES):
            page.goto(address)
            found[name] = page.evaluate(WEAK_TEXTS)

    assert {name: weak for name, weak in found.items() if weak} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_that_were_searched_for_are_marked(opened: Opened, scheme: Scheme) -> None:
    page = opened(PHONE, scheme)
    page.goto(f"/iclr-2025/search/{AT}&q=open")
    word = page.locator("#found mark").first
    expect(word).to_have_text("Open")

    ground = "it => getComputedStyle(it).backgroundColor"

    assert word.evaluate(ground) != page.locator("html").evaluate(ground)
    assert word.evaluate("it => getComputedStyle(it).color") != word.evaluate(ground)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_current_item_stands_out(opened: Opened, scheme: Scheme) -> None:
    page = opened(PHONE, scheme)
    page.goto(f"/iclr-2025/agenda/{AT}")
    current, other = page.locator(".bar [aria-current]"), page.locator(".bar a:not([aria-current])").first

    ground = "it => getComputedStyle(it).backgroundColor"

    assert current.evaluate(ground) != other.evaluate(ground)
