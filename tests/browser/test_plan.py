"""A floor's plan under fingers and keys, and one that somebody hostile drew."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from tests.browser.pages import AT
from tests.browser.watching import Watch
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)

VENUE = f"/iclr-2025/venue/{AT}"


def test_hostile_drawing_runs_and_fetches_nothing(page: Page, live_server: LiveServer, world: World) -> None:
    watch = Watch(page, live_server.url)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    page.goto(f"{VENUE}&floor=level-2")
    image = page.locator(".plan-drawing")
    assert image.evaluate("it => it.decode().then(() => it.naturalWidth > 0)")
    image.click(force=True, position={"x": 30, "y": 20})
    page.wait_for_timeout(300)

    assert (watch.complaints, watch.foreign) == ([], [])
    assert page.title().startswith("Venue")
    assert [url for url in asked if url.endswith(("/healthz", "/x"))] == []


def test_hostile_drawing_opened_by_itself_is_a_picture(page: Page, live_server: LiveServer, world: World) -> None:
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.goto(f"{VENUE}&floor=level-2")
    address = page.locator(".plan-drawing").evaluate("it => it.src")
    # What the policy stops is a request to the page, and none to this.
    sent: list[str] = []
    page.route("**/*", lambda route: (sent.append(route.request.url), route.continue_()))

    page.goto(address)
    page.locator("rect").click(force=True)
    page.locator("circle").click(force=True)
    page.wait_for_timeout(300)

    assert page.evaluate("document.querySelector('rect').getBoundingClientRect().width > 0")
    assert (page.url, page.title(), sent, dialogs) == (address, "", [address], [])


def test_room_on_the_plan_leads_to_its_line_and_back(page: Page, live_server: LiveServer, world: World) -> None:
    page.goto(VENUE)

    page.locator(f"#area-room-{world.hall_room.pk}").focus()
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile(f"#room-{world.hall_room.pk}$"))
    line = page.locator(f"#room-{world.hall_room.pk}")
    expect(line).to_be_in_viewport()
    assert line.evaluate("it => it.matches(':target') && getComputedStyle(it).outlineStyle") == "solid"

    page.locator(f"#room-{world.garnet_room.pk} .spot").click()

    expect(page).to_have_url(re.compile(rf"floor=level-2&at=.*#area-room-{world.garnet_room.pk}$"))
    area = page.locator(f"#area-room-{world.garnet_room.pk}")
    expect(area).to_be_in_viewport()
    assert area.locator("polygon").evaluate("it => getComputedStyle(it).fill") == "rgb(255, 198, 26)"


def test_every_area_is_reached_by_the_tab_key_and_named(page: Page, world: World) -> None:
    page.goto(VENUE)
    page.locator(".plan-scroll").focus()
    reached = []

    for _ in range(3):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))

    assert reached == ["Hall 1", "Hall 1. Now: Gradients, poster. Next: 10:30 Open weights", "Acme"]


def test_plan_works_without_javascript_and_fits_on_a_phone(browser: Browser, live_server: LiveServer, world: World) -> None:
    context = browser.new_context(
        base_url=live_server.url, java_script_enabled=False, viewport={"width": 390, "height": 800}, has_touch=True
    )
    context.add_cookies([{"name": VISITOR_COOKIE, "value": world.token, "url": live_server.url}])
    page = context.new_page()

    page.goto("/iclr-2025/venue/?at=2025-04-24T08:30")

    expect(page.locator(".next-room")).to_contain_text("09:00 Open science for all")
    assert page.locator(".plan-scroll").evaluate("it => it.scrollWidth === it.clientWidth")
    page.get_by_role("link", name="Level 2", exact=True).click()
    expect(page.locator("#plan-name")).to_have_text("Plan: Level 2")
    context.close()
