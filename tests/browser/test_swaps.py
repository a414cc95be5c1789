"""What htmx saves a reload for: filters, the way back, and what is said when the network is gone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.pages import AT
from tests.browser.watching import Watch
from tests.factories import make_event, make_type
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)

DAY = f"/iclr-2025/schedule/2025-04-24/{AT}"


def titles(page: Page) -> list[str]:
    return page.locator("#schedule .event-title a").all_inner_texts()


def chip(page: Page) -> Locator:
    return page.locator("#schedule").get_by_role("link", name="Social")


def test_filter_swaps_the_list_and_goes_into_the_address(page: Page, world: World) -> None:
    page.goto(DAY)
    page.evaluate("window.stillHere = true")

    chip(page).click()

    expect(page.locator("#schedule .event-title")).to_have_count(1)
    assert titles(page) == ["Karaoke"]
    assert page.url.endswith(f"{AT}&type=social".replace(":", "%3A"))
    expect(page.locator("#announcer")).to_have_text("1 of 8 events")
    expect(chip(page)).to_be_focused()
    assert page.evaluate("window.stillHere") is True


@pytest.mark.parametrize(
    ("path", "link", "left"),
    [
        pytest.param(f"{DAY}&type=social", "Clear filters", "#schedule", id="filters"),
        pytest.param(f"/iclr-2025/search/{AT}&q=open&kind=invited-talk", "search everything", "#found", id="search"),
    ],
)
def test_focus_of_a_link_that_goes_is_at_the_first_filter(page: Page, world: World, path: str, link: str, left: str) -> None:
    page.goto(path)

    page.locator(left).get_by_role("link", name=link).press("Enter")

    expect(page.locator(left).get_by_role("link", name=link)).to_have_count(0)
    expect(page.locator(f"{left} .filter-bar .chip").first).to_be_focused()


def test_filter_link_without_a_part_to_swap_loads_its_page(page: Page, world: World) -> None:
    make_event(world.conference, kind="social", type=make_type(world.conference, "social", name="Affinity event"))
    page.goto(f"/iclr-2025/socials/{AT}")

    page.get_by_role("main").get_by_role("link", name="Affinity event").first.click()

    page.wait_for_url("**/*type=affinity-event*")
    expect(page.get_by_role("main")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)


def test_swap_copies_no_style_that_a_browser_extension_left(page: Page, world: World, live_server: LiveServer) -> None:
    watch = Watch(page, live_server.url)
    page.goto(DAY)
    page.evaluate("document.querySelectorAll('#schedule [id]').forEach((it) => { it.style.top = '0'; it.style.top = ''; })")

    chip(page).click()

    expect(page.locator("#announcer")).to_have_text("1 of 8 events")
    assert watch.complaints == []


def test_way_back_from_a_filter_is_the_whole_day(page: Page, world: World) -> None:
    page.goto(DAY)
    whole = titles(page)
    chip(page).click()
    expect(page.locator("#schedule .event-title")).to_have_count(1)

    page.go_back()

    expect(page.locator("#schedule .event-title")).to_have_count(len(whole))
    assert titles(page) == whole
    expect(page.get_by_role("contentinfo")).to_be_visible()


def test_filtered_address_opened_anew_is_the_same_page(page: Page, world: World) -> None:
    page.goto(f"{DAY}&type=social")

    assert titles(page) == ["Karaoke"]
    expect(chip(page)).to_have_attribute("aria-current", "true")


@pytest.mark.parametrize("failure", ["offline", "500"])
def test_bookmark_that_did_not_work_says_so_and_stays_as_it_was(page: Page, world: World, failure: str) -> None:
    page.goto(DAY)
    page.route("**/bookmark/", lambda route: route.abort() if failure == "offline" else route.fulfill(status=500, body=""))
    button = page.get_by_role("main").get_by_role("button", name="Bookmark Open weights").first

    button.click()

    said = {"offline": "No connection. Nothing was changed; try again in a moment.", "500": "That did not work."}[failure]
    expect(page.get_by_role("status").filter(has_text=said)).to_be_visible()
    expect(button).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize(("zone", "hour"), [("Europe/Vienna", "03:00"), ("UTC", "01:00")])
def test_own_time_is_offered_remembered_and_given_back(
    browser: Browser, live_server: LiveServer, world: World, zone: str, hour: str
) -> None:
    page = browser.new_page(base_url=live_server.url, timezone_id=zone)
    page.goto(DAY)

    page.get_by_role("button", name=f"Show {zone.rpartition('/')[2]} time").click()
    expect(page.get_by_role("button", name="Show Singapore time")).to_be_visible()
    page.goto(world.keynote.get_absolute_url())
    start = page.locator(".event-clock time").first
    expect(start).to_have_text(hour)
    page.get_by_role("button", name="Show Singapore time").click()

    expect(start).to_have_text("09:00")
    page.context.close()


def test_zone_of_the_device_is_chosen_and_others_are_found_by_their_city(
    browser: Browser, live_server: LiveServer, world: World
) -> None:
    page = browser.new_page(base_url=live_server.url, timezone_id="Asia/Kolkata")
    page.goto("/iclr-2025/time-zone/")
    zones = page.get_by_label("Show all times in")

    # Chromium reports the former name, Asia/Calcutta.
    expect(zones).to_have_value("Asia/Kolkata")
    zones.focus()
    page.keyboard.type("Berlin")

    expect(zones).to_have_value("Europe/Berlin")
    page.context.close()


# Each frame of the page takes longer than the screen shows it.
NEVER_IDLE = """
  const work = () => {
    const end = performance.now() + 50;
    while (performance.now() < end);
    requestAnimationFrame(work);
  };
  work();
"""


def test_zone_of_the_device_is_chosen_where_the_processor_is_never_idle(
    browser: Browser, live_server: LiveServer, world: World
) -> None:
    page = browser.new_page(base_url=live_server.url, timezone_id="Asia/Kolkata")
    page.add_init_script(NEVER_IDLE)

    page.goto("/iclr-2025/time-zone/")

    expect(page.get_by_label("Show all times in")).to_have_value("Asia/Kolkata")
    page.context.close()


def test_message_can_be_put_away(page: Page, world: World) -> None:
    page.goto(DAY)
    page.get_by_role("main").get_by_role("button", name="Bookmark Open weights").first.click()
    expect(page.locator("#status .message")).to_have_count(1)

    page.get_by_role("button", name="Dismiss", exact=True).click()

    expect(page.locator("#status .message")).to_have_count(0)
