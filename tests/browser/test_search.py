"""Search as somebody types, from the keyboard, and without JavaScript."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.pages import AT
from tests.browser.watching import Watch
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)

SEARCH = f"/iclr-2025/search/{AT}"


def titles(page: Page) -> list[str]:
    return page.locator("#found .event-title a").all_inner_texts()


def test_results_come_while_somebody_types_and_the_field_keeps_the_focus(page: Page, world: World) -> None:
    page.goto(SEARCH)
    page.evaluate("window.stillHere = true")
    expect(page.locator("#q")).to_be_focused()

    page.keyboard.type("open sci", delay=20)

    expect(page.locator("#announcer")).to_have_text("1 found")
    assert titles(page) == ["Open science for all"]
    assert page.locator("mark").all_inner_texts() == ["Open", "science"]
    expect(page.locator("#q")).to_be_focused()
    expect(page.locator("#q")).to_have_value("open sci")
    assert "q=open%20sci" in page.url
    assert page.evaluate("window.stillHere") is True


def test_typing_leaves_one_step_back_and_a_choice_another(page: Page, world: World) -> None:
    page.goto(f"/iclr-2025/{AT}")
    page.goto(SEARCH)
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("open", delay=20)
    expect(page.locator("#announcer")).to_have_text("2 found")
    page.locator("#found").get_by_role("link", name="Invited talks").click()
    expect(page.locator("#found [aria-current]")).to_have_count(1)

    page.go_back()
    expect(page.locator("#found [aria-current]")).to_have_count(0)
    expect(page.locator("#q")).to_have_value("open")
    page.go_back()

    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.url.endswith(f"/iclr-2025/{AT}")


def test_choice_stays_while_somebody_types_on(page: Page, world: World) -> None:
    page.goto(f"{SEARCH}&q=open&kind=invited-talk")

    page.locator("#q").press("End")
    page.locator("#q").press_sequentially(" we", delay=20)

    expect(page.locator("#found .event-title")).to_have_text(["Open weights"])
    assert "kind=invited-talk" in page.url


def test_slash_goes_to_the_field_and_is_a_letter_inside_it(page: Page, world: World) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"/iclr-2025/{AT}")

    page.keyboard.press("/")
    page.keyboard.type("a/b")
    expect(page.locator("#sign-q")).to_have_value("a/b")
    page.locator("#sign-q").fill("runners")
    page.keyboard.press("Enter")

    expect(page.locator("#found .event-title")).to_have_text(["Runners"])
    assert "at=2025-04-24" in page.url


def test_slash_on_a_phone_opens_the_page_with_the_field(page: Page, world: World) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/iclr-2025/{AT}")

    page.keyboard.press("/")

    expect(page.locator("#q")).to_be_focused()


def test_panel_in_the_header_is_walked_through_by_the_keyboard(page: Page, live_server: LiveServer, world: World) -> None:
    watch = Watch(page, live_server.url)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"/iclr-2025/{AT}")
    field, panel = page.locator("#sign-q"), page.locator("#sign-found")

    field.press_sequentially("open", delay=20)
    expect(page.locator("#announcer")).to_have_text("2 found")
    expect(panel.locator(".search-panel-title")).to_have_text(["Open weights", "Open science for all"])
    expect(panel.get_by_role("link").last).to_have_text("All 2 results")
    expect(field).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(panel.get_by_role("link").last).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(field).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    expect(panel.get_by_role("link").nth(1)).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(field).to_be_focused()
    expect(field).to_have_value("open")
    field.press_sequentially(" sci", delay=20)
    panel.get_by_role("link", name="Open science for all").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Open science for all")
    assert "at=2025-04-24" in page.url
    assert (watch.complaints, watch.foreign) == ([], [])


@pytest.mark.parametrize("path", [f"/iclr-2025/{AT}", f"/iclr-2025/schedule/2025-04-24/{AT}"])
def test_panel_in_the_header_covers_the_page(page: Page, world: World, path: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(path)

    page.locator("#sign-q").press_sequentially("talk", delay=20)
    links = page.locator("#sign-found a")
    expect(links.last).to_contain_text("results")

    # In the middle and where a card has its star.
    covered = """all => all.filter((it) => {
        const { left, top, width, height } = it.getBoundingClientRect();
        return [0.1, 0.5, 0.9].some((part) => !it.contains(document.elementFromPoint(left + part * width, top + height / 2)));
    }).map((it) => it.textContent.trim())"""
    assert links.count() == 4
    assert links.evaluate_all(covered) == []


def test_panel_closes_when_the_focus_leaves_and_enter_opens_the_page_of_results(page: Page, world: World) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"/iclr-2025/{AT}")
    field, panel = page.locator("#sign-q"), page.locator("#sign-found")

    field.press_sequentially("opne", delay=20)
    expect(panel).to_contain_text("Showing results for Open. Nothing matches “opne”.")
    page.locator("main").click(position={"x": 5, "y": 5})
    expect(panel).to_be_hidden()
    field.focus()
    expect(panel).to_be_visible()
    page.keyboard.press("Enter")

    expect(page.locator("#q")).to_have_value("opne")
    expect(page.locator("#found .event-title")).to_have_count(2)
    expect(page.locator("main")).to_have_count(1)


def test_what_was_found_is_bookmarked_on_the_spot(page: Page, world: World) -> None:
    page.goto(f"{SEARCH}&q=open")
    button = page.get_by_role("main").get_by_role("button", name="Bookmark Open weights")

    button.click()

    expect(button).to_have_attribute("aria-pressed", "true")
    assert len(titles(page)) == 2


@pytest.mark.parametrize("width", [320, 390])
def test_chosen_kind_comes_first_and_the_page_stays_as_wide_as_the_phone(page: Page, world: World, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{SEARCH}&q=hall")
    kinds = page.locator("#found .filter-bar > .chips .chip")

    kinds.last.click()

    chosen = page.locator("#found .filter-bar [aria-current]")
    expect(chosen).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_search_works_without_javascript(browser: Browser, live_server: LiveServer, world: World) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=live_server.url, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"/iclr-2025/{AT}")

    page.get_by_role("link", name="Search").click()
    page.locator("#q").fill("open")
    page.keyboard.press("Enter")
    expect(page.locator("#found .event-title")).to_have_count(2)
    page.locator("#found").get_by_role("link", name="Invited talks").click()
    expect(page.locator("#found [aria-current]")).to_have_count(1)
    page.locator("#q").fill("open wei")
    page.get_by_role("button", name="Search").click()

    expect(page.locator("#found .event-title")).to_have_text(["Open weights"])
    assert "kind=invited-talk" in page.url
    assert "at=2025-04-24" in page.url
    context.close()
