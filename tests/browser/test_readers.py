"""What people with a keyboard, a screen reader or large thumbs meet: the menu, messages, links in sessions, titles."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.looks import PHONE
from tests.browser.pages import AT
from tests.browser.watching import Watch
from tests.factories import make_event, make_paper
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)

OVERVIEW, DAY = f"/iclr-2025/{AT}", f"/iclr-2025/schedule/2025-04-24/{AT}"
COVERED = """Object.fromEntries(["main", ".sign", ".foot", ".bar", "#status", "#pages"].map(
  it => [it, document.querySelector(it).closest("[inert]") !== null]))"""


@pytest.fixture
def phone(browser: Browser, live_server: LiveServer, world: World) -> Page:
    page = browser.new_page(base_url=live_server.url, viewport={"width": PHONE, "height": 844})
    page.set_default_timeout(10_000)
    return page


def test_menu_holds_the_focus_and_gives_it_back_on_escape(phone: Page) -> None:
    phone.goto(OVERVIEW)
    door, menu = phone.get_by_role("button", name="Menu"), phone.get_by_role("navigation", name="All pages")
    door.focus()

    phone.keyboard.press("Enter")
    expect(phone.get_by_role("button", name="Close")).to_be_focused()
    links = menu.get_by_role("link").count()
    places = []
    for _ in range(links + 4):
        phone.keyboard.press("Tab")
        places.append(phone.evaluate("document.activeElement.closest('#pages') ? 'menu' : document.activeElement.localName"))
    phone.keyboard.press("Escape")

    # Past the last link the focus is on the browser's own controls, of which the page sees its body.
    assert set(places) <= {"menu", "body"}
    assert places.count("menu") >= links
    expect(menu).to_be_hidden()
    expect(door).to_be_focused()
    assert phone.locator("[inert]").count() == 0


def test_menu_hides_the_page_from_screen_readers_while_it_is_open(phone: Page) -> None:
    phone.goto(OVERVIEW)

    phone.get_by_role("button", name="Menu").click()
    expect(phone.get_by_role("button", name="Close")).to_be_focused()
    assert phone.evaluate(COVERED) == {"main": True, ".sign": True, ".foot": True, ".bar": True, "#status": True, "#pages": False}
    phone.get_by_role("button", name="Close").click()

    expect(phone.get_by_role("button", name="Menu")).to_be_focused()
    assert not any(phone.evaluate(COVERED).values())


def test_menu_closes_where_a_turned_tablet_has_room_for_it(phone: Page) -> None:
    phone.goto(OVERVIEW)
    phone.get_by_role("button", name="Menu").click()
    expect(phone.locator("main")).to_have_attribute("inert", "")

    phone.set_viewport_size({"width": 1024, "height": 700})

    expect(phone.locator("main")).not_to_have_attribute("inert", "")
    expect(phone.locator("#pages")).to_be_visible()
    phone.get_by_role("main").get_by_role("link").first.focus()


def test_menu_of_a_grid_can_be_closed(browser: Browser, live_server: LiveServer, world: World) -> None:
    page = browser.new_page(base_url=live_server.url, viewport={"width": 1280, "height": 900})
    page.goto(f"{DAY}&view=grid")

    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("button", name="Close")).to_be_focused()
    page.get_by_role("button", name="Close").click()

    expect(page.locator("#pages")).to_be_hidden()
    expect(page.get_by_role("button", name="Menu")).to_be_focused()


def test_dismissed_message_gives_the_focus_back(phone: Page) -> None:
    phone.goto(DAY)
    star = phone.get_by_role("main").get_by_role("button", name="Bookmark Open weights").first
    star.focus()
    phone.keyboard.press("Enter")
    expect(phone.locator("#status .message")).to_have_count(1)

    phone.get_by_role("button", name="Dismiss", exact=True).focus()
    phone.keyboard.press("Enter")

    expect(phone.locator("#status .message")).to_have_count(0)
    expect(star).to_be_focused()


def test_dismissed_message_of_a_new_page_gives_the_focus_to_the_page(phone: Page) -> None:
    phone.goto("/iclr-2025/agenda/private/")
    for label, value in {"What": "Lunch", "From": "12:00", "To": "13:00"}.items():
        phone.get_by_label(label, exact=True).fill(value)
    phone.get_by_role("button", name="Add it").click()
    expect(phone.locator("#status .message")).to_have_count(1)

    phone.get_by_role("button", name="Dismiss", exact=True).focus()
    phone.keyboard.press("Enter")

    expect(phone.locator("main")).to_be_focused()


def test_links_inside_sessions_are_large_enough_for_a_thumb(phone: Page, world: World) -> None:
    for number in range(12):
        make_event(world.conference, kind="talk", title=f"Talk {number}", start="09:45", end="10:00", session=world.session)
        # At a later hour than its session: a row under the session's name.
        make_event(world.conference, kind="talk", title=f"Late {number}", start="11:45", end="12:00", session=world.workshop)
    phone.goto(DAY)
    phone.locator("main details").evaluate_all("all => all.forEach(it => { it.open = true })")
    small = """selector => [...document.querySelectorAll(selector)].map(it => [it.textContent.trim(), it.getBoundingClientRect()])
      .filter(([, box]) => box.height && Math.min(box.height, box.width) < 44).map(([text, box]) => `${text} ${box.height} px`)"""

    # Its link covers the whole of a row.
    assert phone.locator(".session-rows li").count() > 10
    assert phone.locator(".session-head > a:first-child").count() > 0
    assert phone.evaluate(small, ".session-head > a:first-child, .session-rows li") == []
    for row in phone.locator(".session-rows li").all():
        box = row.bounding_box()
        assert box
        row.scroll_into_view_if_needed()
        assert row.evaluate(
            "it => { const box = it.getBoundingClientRect(); "
            "return document.elementFromPoint(box.left + 60, box.top + 3) === it.querySelector('h4 a') }"
        )


def test_title_follows_search_and_its_filters(phone: Page, live_server: LiveServer) -> None:
    watch = Watch(phone, live_server.url)
    phone.goto(f"/iclr-2025/search/{AT}")
    assert phone.title() == "Search · ICLR 2025"

    phone.locator("#q").press_sequentially("open", delay=20)
    expect(phone).to_have_title("“open” · Search · ICLR 2025")
    phone.locator("#found").get_by_role("link", name="Invited talks").click()
    expect(phone).to_have_title("“open” · Invited talks · Search · ICLR 2025")
    typed = phone.title()
    phone.reload()
    assert phone.title() == typed
    phone.go_back()

    expect(phone).to_have_title("“open” · Search · ICLR 2025")
    assert phone.locator("body title").count() == 0
    assert watch.complaints == []


def test_title_follows_the_filters_of_a_day(phone: Page) -> None:
    phone.goto(DAY)
    assert phone.title() == "Thursday 24 April · ICLR 2025"

    phone.locator("#schedule").get_by_role("link", name="Social").click()

    expect(phone).to_have_title("Social · Thursday 24 April · ICLR 2025")
    phone.go_back()
    expect(phone).to_have_title("Thursday 24 April · ICLR 2025")


def test_title_follows_the_search_in_papers_and_in_a_session(phone: Page, world: World) -> None:
    for number in range(3):
        paper = make_paper(world.conference, title=f"Marzipan {number}")
        make_event(world.conference, kind="poster", title=f"Marzipan {number}", session=world.session, paper=paper)
    phone.goto(f"/iclr-2025/papers/{AT}")
    phone.locator("#papers-q").press_sequentially("marzipan", delay=20)
    expect(phone).to_have_title("“marzipan” · Papers · ICLR 2025")

    phone.goto(f"{world.session.get_absolute_url()}{AT}")
    assert phone.title() == "Oral session · ICLR 2025"
    phone.locator("#contents-q").press_sequentially("marzipan", delay=20)

    expect(phone).to_have_title("“marzipan” · Oral session · ICLR 2025")
