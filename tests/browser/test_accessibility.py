"""Every page as a screen reader, a keyboard and a narrow phone meet it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.db.models import Model, Value
from django.db.models.functions import Concat
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from events.models import (
    Announcement,
    Event,
    EventType,
    InfoPage,
    Paper,
    Person,
    Poll,
    PollAnswer,
    Question,
    Room,
    Sponsor,
    Track,
    Zone,
)
from tests.browser.looks import DESK, NARROWEST, PHONE, Scheme, looks
from tests.browser.pages import AT, page_addresses
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)

Opened = Callable[..., Page]

# What stands too near or too far: above a section's rule, and between a sentence and its controls.
RHYTHM = """() => {
  const measured = (selector, least, most) => [...document.querySelectorAll(selector)].flatMap(it => {
    const [before, box] = [it.previousElementSibling, it].map(one => one?.getBoundingClientRect());
    if (!before?.height || !box.height || box.top < before.bottom) return [];
    const gap = Math.round(box.top - before.bottom);
    return least <= gap && gap <= most ? [] : [`${gap} px above ${it.outerHTML.slice(0, 100)}`];
  });
  return [
    ...measured("main .block:has(> :is(h2, .section-head))", 12, 32),
    ...measured("main p + :is(.actions, .chips, .inline-form)", 8, 24),
  ];
}"""

# What belongs to no conference has no foot of one.
OUTSIDE = {"conference-list", "nothing-there", "sign-in", "account", "account-code", "account-delete"}


@pytest.fixture
def opened(browser: Browser, live_server: LiveServer, world: World) -> Iterator[Opened]:
    """Opens a page as the holder of the world's agenda."""
    contexts: list[BrowserContext] = []

    def open_page(width: int, scheme: Scheme = "light") -> Page:
        context = browser.new_context(
            base_url=live_server.url, viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
        )
        context.add_cookies([{"name": VISITOR_COOKIE, "value": world.token, "url": live_server.url}])
        contexts.append(context)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()


@looks()
def test_every_page_is_sound(opened: Opened, world: World, width: int, scheme: Scheme) -> None:
    """One visit of each page: nothing for axe to find, nothing that scrolls sideways, one heading, the landmarks, one rhythm."""
    page = opened(width, scheme)
    found = {}

    for name, address in page_addresses(world.conference).items():
        page.goto(address)
        violations = Axe().run(page).response["violations"]
        faults = [f"{it['id']}: {node['html'][:200]}" for it in violations for node in it["nodes"]]
        faults += landmarks(page, name) + page.evaluate(RHYTHM)
        for viewport in [PHONE, NARROWEST] if width == PHONE else [width]:
            page.set_viewport_size({"width": viewport, "height": 900})
            excess = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            faults += [f"{excess} px wider than {viewport}"] if excess else []
        page.set_viewport_size({"width": width, "height": 900})
        found[name] = faults

    assert {name: faults for name, faults in found.items() if faults} == {}


def landmarks(page: Page, name: str) -> list[str]:
    """What is not there once, or at all."""
    counted = {it: page.locator(it).count() for it in ("h1", "main", "header", "footer")}
    wrong = [it for it in ("h1", "main") if counted[it] != 1]
    wrong += [it for it in ("header", "footer") if not counted[it] and name not in OUTSIDE]
    return [f"{counted[it]} of {it}" for it in wrong]


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


def test_search_for_one_long_word_stays_in_view(opened: Opened, world: World) -> None:
    page = opened(NARROWEST)

    page.goto(f"/iclr-2025/search/?q={'a' * 300}")

    expect(page.get_by_role("heading", name="No results")).to_be_visible()
    assert page.evaluate(WIDE_OR_BROKEN) == []


LONG_NAME = "39th Chaos Communications Congress"
LONG_WORD = "https://conference.example.org/2026/keynote/slides-final.pdf"
LONG_TEXTS: list[tuple[type[Model], str]] = [
    (Event, "title"),
    (Event, "abstract"),
    (Paper, "title"),
    (Person, "name"),
    (Announcement, "title"),
    (Announcement, "text"),
    (Poll, "question"),
    (PollAnswer, "text"),
    (Question, "text"),
    (InfoPage, "title"),
    (InfoPage, "text"),
    (Sponsor, "name"),
    (EventType, "name"),
    (Room, "name"),
    (Track, "name"),
    (Zone, "name"),
]
# What sticks out on the right and does not scroll by itself, and words of the frame that stand on two lines.
WIDE_OR_BROKEN = """() => {
  const root = document.documentElement
  const sticksOut = it => it.getBoundingClientRect().right > root.clientWidth + 1
  const scrolls = it => it !== root && (getComputedStyle(it).overflowX !== "visible" || scrolls(it.parentElement))
  const wide = root.scrollWidth <= root.clientWidth ? [] : [...document.querySelectorAll("body *")].filter(it =>
    it.checkVisibility() && sticksOut(it) && !scrolls(it) && ![...it.children].some(sticksOut))
  const found = wide.map(it => `${it.localName}.${it.className} “${it.textContent.trim().slice(0, 40)}” sticks out`)
  if (root.scrollWidth > root.clientWidth) found.push(`${root.scrollWidth} px wide`)
  for (const part of document.querySelectorAll(".sign, .bar")) {
    const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode
      for (const word of text.data.matchAll(/\\S+/g)) {
        const range = document.createRange()
        range.setStart(text, word.index)
        range.setEnd(text, word.index + word[0].length)
        const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top)))
        if (lines.size > 1 && text.parentElement.offsetWidth > 1) found.push(`${word[0]} is broken`)
      }
    }
  }
  return found
}"""


def write_long_words(world: World) -> None:
    world.conference.name = LONG_NAME
    world.conference.save()
    for kind, name in LONG_TEXTS:
        kind._base_manager.update(**{name: Concat(name, Value(f" {LONG_WORD}"))})


def test_letters_of_twice_the_size_fit_the_narrowest_phone(opened: Opened, world: World) -> None:
    """Every page, under a name as long as conferences have, and with long words wherever organisers write."""
    write_long_words(world)
    page = opened(NARROWEST)
    found = {}

    for name, address in page_addresses(world.conference).items():
        page.goto(address)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        page.locator(".filters").evaluate_all("all => all.forEach(it => { it.open = true })")
        found[name] = page.evaluate(WIDE_OR_BROKEN)

    assert {name: faults for name, faults in found.items() if faults} == {}
