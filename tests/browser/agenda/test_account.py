"""An account on two devices, by keyboard, with and without scripts; its pages as a screen reader and a phone meet them."""

from __future__ import annotations

import os
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from tests.browser.looks import looks
from tests.mail.reading import newest_code
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)

PHONE, DESK = 390, 1280
SHOTS = os.environ.get("SHOTS", "")


def ask_for_code(page: Page) -> None:
    page.goto("/account/")
    page.get_by_label("Your mail address").fill("ada@example.org")
    page.keyboard.press("Enter")
    page.get_by_label("The code from the mail").wait_for()


def enter(page: Page) -> None:
    ask_for_code(page)
    page.get_by_label("The code from the mail").fill(newest_code().lower())
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("My account")


def faults(page: Page, name: str) -> list[str]:
    """What axe finds on the page as it is, and whether it scrolls sideways."""
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)
    wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return [f"{name}: {it['id']}" for it in Axe().run(page).response["violations"]] + ([f"{name}: wide"] if wide else [])


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_agenda_is_on_the_other_device_too(browser: Browser, live_server: LiveServer, world: World, *, scripts: bool) -> None:
    phone, laptop = (browser.new_context(base_url=live_server.url, java_script_enabled=scripts) for _ in range(2))
    phone.add_cookies([{"name": VISITOR_COOKIE, "value": world.token, "url": live_server.url}])
    count = world.agenda.count

    for context in (phone, laptop):
        enter(context.new_page())

    page = laptop.pages[0]
    expect(page.get_by_text(f"{count} picks")).to_be_visible()
    page.get_by_role("link", name=world.conference.name).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("My agenda")
    assert {it["name"] for it in laptop.cookies()} & {"sessionid"} == set()
    for context in (phone, laptop):
        context.close()


@looks()
def test_axe_finds_nothing_on_the_way_in_and_out(
    browser: Browser, live_server: LiveServer, world: World, scheme: Literal["light", "dark"], width: int
) -> None:
    context = browser.new_context(
        base_url=live_server.url, viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    context.add_cookies([{"name": VISITOR_COOKIE, "value": world.token, "url": live_server.url}])
    page, found = context.new_page(), []

    page.goto("/account/")
    found += faults(page, f"sign-in-{width}-{scheme}")
    ask_for_code(page)
    found += faults(page, f"code-{width}-{scheme}")
    page.get_by_label("The code from the mail").fill("wrong")
    page.keyboard.press("Enter")
    page.get_by_role("alert").wait_for()
    found += faults(page, f"wrong-{width}-{scheme}")
    page.get_by_label("The code from the mail").fill(newest_code())
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="My account").wait_for()
    found += faults(page, f"account-{width}-{scheme}")
    page.get_by_role("link", name="Delete my account").click()
    page.get_by_role("heading", name="Delete your account?").wait_for()
    found += faults(page, f"delete-{width}-{scheme}")

    assert found == []
    context.close()
