"""The calendar page with visits on it, as it is seen, and set by keyboard alone."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "/iclr-2025/agenda/calendar/"
AGO = {"google": dt.timedelta(hours=3), "iphone": dt.timedelta(minutes=12), "thunderbird": dt.timedelta(days=5)}


@pytest.fixture
def world(transactional_db: None) -> World:
    """Whose agenda three calendars came for, and a browser."""
    found = World()
    for kind, ago in (AGO | {"browser": dt.timedelta()}).items():
        found.agenda.fetches.create(client=kind, at=timezone.now() - ago, agenda_revision=1, conference_revision=0)
    return found


def opened(browser: Browser, live_server: LiveServer, world: World, **options: Any) -> Page:
    context = browser.new_context(base_url=live_server.url, viewport={"width": 390, "height": 900}, **options)
    context.add_cookies([{"name": VISITOR_COOKIE, "value": world.token, "url": live_server.url}])
    page = context.new_page()
    page.goto(PAGE)
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_where_calendars_came(
    browser: Browser, live_server: LiveServer, world: World, scheme: Literal["light", "dark"]
) -> None:
    page = opened(browser, live_server, world, color_scheme=scheme, reduced_motion="reduce")

    violations = Axe().run(page).response["violations"]

    assert page.locator(".visits > li").count() == 4
    assert [f"{it['id']}: {node['html'][:200]}" for it in violations for node in it["nodes"]] == []
    page.context.close()


def test_keyboard_alone_sets_what_the_calendar_holds_also_without_javascript(
    browser: Browser, live_server: LiveServer, world: World
) -> None:
    page = opened(browser, live_server, world, java_script_enabled=False)
    page.get_by_role("checkbox", name="Remind me 10 minutes before").focus()

    for key in ["Space", "Tab", "ArrowDown", "Tab", "Enter"]:
        page.keyboard.press(key)

    expect(page.locator("#status")).to_contain_text("Saved. Your calendar changes when it next refreshes.")
    expect(page.get_by_role("checkbox", name="Remind me 10 minutes before")).to_be_checked()
    expect(page.get_by_role("radio", name="Kept as an entry titled")).to_be_checked()
    page.context.close()
