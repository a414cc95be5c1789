"""Browsers of 2022, which know neither light-dark() nor popovers: readable colours, the same layout, and a menu."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from tests.browser.looks import DESK, PHONE, Scheme
from tests.browser.old_browsers import STYLES, UNKNOWN, make_old
from tests.browser.pages import AT, page_addresses
from tests.browser.watching import Watch
from tests.factories import make_event
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)

Opened = Callable[..., Page]
browsers = pytest.mark.parametrize("name", STYLES)


@pytest.fixture
def opened(browser: Browser, live_server: LiveServer, world: World) -> Iterator[Opened]:
    """Opens a page as the holder of the world's agenda, in an old browser."""

    def open_page(name: str, width: int, scheme: Scheme = "light", *, scripts: bool = True) -> Page:
        context = browser.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": 844},
            color_scheme=scheme,
            java_script_enabled=scripts,
            reduced_motion="reduce",
        )
        context.add_cookies([{"name": VISITOR_COOKIE, "value": world.token, "url": live_server.url}])
        make_old(context, name)
        return context.new_page()

    yield open_page
    for context in browser.contexts:
        context.close()


def weak_texts(page: Page) -> list[str]:
    """Text that axe finds too weak on its ground, and the number of texts that it could judge if there was none."""
    found = Axe().run(page, options={"runOnly": {"type": "rule", "values": ["color-contrast"]}}).response
    judged = sum(len(rule["nodes"]) for rule in found["passes"])
    return [node["html"][:200] for rule in found["violations"] for node in rule["nodes"]] or (
        [] if judged else ["nothing was judged"]
    )


MAIN_PAGES = {
    *("conference-detail", "schedule-day", "schedule-day-grid", "event-detail", "agenda-detail", "search", "paper-list", "venue"),
    *("directions", "question-list", "social-propose", "nothing-there"),
}


EACH_LOOK = [(PHONE, "light"), (PHONE, "dark"), (DESK, "light"), (DESK, "dark")]


@pytest.mark.parametrize(
    ("name", "width", "scheme", "all_pages"),
    [
        ("Safari 15", PHONE, "light", False),
        ("Chrome 99 and Firefox 97", DESK, "dark", False),
        *(pytest.param(name, *look, True, marks=pytest.mark.exhaustive) for name in STYLES for look in EACH_LOOK),
    ],
)
def test_pages_can_be_read_and_scroll_one_way(
    opened: Opened, world: World, name: str, width: int, scheme: Scheme, all_pages: bool
) -> None:
    page = opened(name, width, scheme)
    watch = Watch(page, "http")
    found = {}

    addresses = {it: address for it, address in page_addresses(world.conference).items() if not it.startswith("screen")}
    assert addresses.keys() > MAIN_PAGES
    for address_name, address in addresses.items():
        if not all_pages and address_name not in MAIN_PAGES:
            continue
        page.goto(address)
        faults = weak_texts(page)
        excess = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        heading = page.locator("h1").bounding_box()
        faults += [f"{excess} px too wide"] if excess else []
        faults += ["the heading is below the first screen"] if heading is None or heading["y"] > 500 else []
        found[address_name] = faults

    assert {it: faults for it, faults in found.items() if faults} == {}
    assert [it for it in watch.complaints if UNKNOWN not in it and "404" not in it] == []


@browsers
def test_dark_page_is_dark(opened: Opened, name: str) -> None:
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light, dark = opened(name, PHONE), opened(name, PHONE, "dark")
    for page in (light, dark):
        page.goto(f"/iclr-2025/{AT}")

    assert [page.evaluate(ground) for page in (light, dark)] == ["rgb(251, 250, 246)", "rgb(20, 21, 26)"]


@browsers
def test_columns_stand_beside_each_other_on_a_desk(opened: Opened, name: str) -> None:
    page = opened(name, DESK)
    page.goto(f"/iclr-2025/{AT}")
    rail, main, day = (page.locator(it).bounding_box() for it in (".rail", "main", ".my-day"))

    assert rail
    assert main
    assert day
    assert rail["x"] + rail["width"] <= main["x"] < main["x"] + main["width"] <= day["x"]
    assert rail["y"] == main["y"] == day["y"]


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
@browsers
def test_menu_opens_over_the_page_and_closes(opened: Opened, name: str, scripts: bool) -> None:
    page = opened(name, PHONE, scripts=scripts)
    page.goto(f"/iclr-2025/{AT}")
    menu = page.locator("#pages")
    expect(menu).to_be_hidden()

    page.get_by_role("link", name="Menu").click()
    expect(menu).to_be_in_viewport()
    assert menu.bounding_box() == {"x": 0, "y": 0, "width": PHONE, "height": 844}
    expect(page.get_by_role("button", name="Close")).to_have_count(0)
    page.get_by_role("link", name="Close").click()
    expect(menu).to_be_hidden()
    page.get_by_role("link", name="Menu").click()
    menu.get_by_role("link", name="Venue").click()

    page.wait_for_url("**/venue/*")
    expect(menu).to_be_hidden()


@browsers
def test_menu_closes_when_the_focus_leaves_it(opened: Opened, name: str) -> None:
    page = opened(name, PHONE)
    page.goto(f"/iclr-2025/{AT}")
    menu, door = page.locator("#pages"), page.get_by_role("link", name="Menu")

    door.click()
    menu.get_by_role("link", name="Account").focus()
    page.keyboard.press("Tab")
    expect(menu).to_be_hidden()
    door.click()
    menu.get_by_role("link", name="Venue").focus()
    page.keyboard.press("Escape")

    expect(menu).to_be_hidden()
    expect(door).to_be_focused()


@browsers
def test_star_works_and_its_message_can_be_read(opened: Opened, world: World, name: str) -> None:
    world.agenda.bookmark(make_event(world.conference, title="Rival", start="10:45", end="11:15"), on=True)
    page = opened(name, PHONE)
    watch = Watch(page, "http")
    page.goto(f"/iclr-2025/talks/{AT}")
    star = page.get_by_role("main").get_by_role("button", name="Bookmark Open weights")

    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#status .verdict").first).to_be_visible()

    assert weak_texts(page) == []
    page.keyboard.press("/")
    page.wait_for_url("**/search/*")
    page.keyboard.type("kolter")
    page.keyboard.press("ArrowDown")
    assert [it for it in watch.complaints if UNKNOWN not in it] == []
