"""Organisers sign in with two factors: an app and a printed code without JavaScript, a passkey with it."""

from __future__ import annotations

import re
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from tests.browser.looks import NARROWEST, looks
from tests.staff.signing_in import PASSWORD, app_code, give_app, make_staff

pytestmark = pytest.mark.django_db(transaction=True)
PHONE: Any = {"width": 390, "height": 844}


@pytest.fixture(autouse=True)
def _required(settings: Settings) -> None:
    settings.REQUIRE_SECOND_FACTOR = True


def log_in(page: Page, name: str = "Grace", password: str = PASSWORD) -> None:
    page.goto("/organise/login/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def confirm(page: Page) -> None:
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()


def test_app_is_set_up_and_signs_in_on_a_phone_without_javascript(browser: Browser, live_server: LiveServer) -> None:
    make_staff()
    page = browser.new_context(base_url=live_server.url, viewport=PHONE, java_script_enabled=False).new_page()
    log_in(page)
    page.get_by_role("link", name="Set up an app").click()
    confirm(page)
    secret = page.locator("code").inner_text()
    page.get_by_label("Authenticator code").fill(app_code(secret))
    page.get_by_role("button", name="Set up").click()
    codes = page.locator(".hallway-codes code").all_inner_texts()
    page.get_by_role("link", name="I have saved them").click()
    expect(page.get_by_role("link", name="All lists")).to_be_visible()
    page.get_by_role("button", name="Log out").click()

    log_in(page)
    page.get_by_label("Code").fill(app_code(secret, steps=1))
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("link", name="All lists")).to_be_visible()
    expect(page.locator(".messagelist")).to_contain_text("Your last sign-in was on")
    page.get_by_role("button", name="Log out").click()

    log_in(page)
    page.get_by_label("Code").fill(codes[0])
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("link", name="All lists")).to_be_visible()


def test_passkey_is_added_and_signs_in(browser: Browser, live_server: LiveServer) -> None:
    make_staff()
    # A passkey belongs to a name; an address of numbers has none.
    context = browser.new_context(base_url=live_server.url.replace("127.0.0.1", "localhost"), viewport=PHONE)
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    device = context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    key = {"protocol": "ctap2", "transport": "internal", "hasUserVerification": True, "isUserVerified": True}
    device.send("WebAuthn.addVirtualAuthenticator", {"options": {**key, "hasResidentKey": True}})

    log_in(page)
    page.get_by_role("link", name="Add a passkey").click()
    confirm(page)
    page.get_by_label("Name").fill("My laptop")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.goto("/organise/")
    page.get_by_role("button", name="Log out").click()
    log_in(page)
    page.get_by_role("button", name="Use a passkey").click()

    expect(page.get_by_role("link", name="All lists")).to_be_visible()
    page.goto("/organise/account/")
    expect(page.locator(".module strong")).to_have_text("My laptop")
    page.get_by_role("link", name="Remove My laptop").click()
    page.get_by_role("link", name="Use a passkey").click()
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_role("button", name="Remove the passkey").click()
    expect(page.get_by_text("This site asks organisers for a second factor")).to_be_visible()
    assert problems == []


@looks(NARROWEST)
def test_pages_of_the_sign_in_fit_and_can_be_read_by_all(
    browser: Browser, live_server: LiveServer, width: int, scheme: Literal["light", "dark"]
) -> None:
    give_app(make_staff())
    size: Any = {"width": width, "height": 900}
    page = browser.new_context(base_url=live_server.url, viewport=size, color_scheme=scheme).new_page()
    found: dict[str, list[str]] = {}

    def look(name: str) -> None:
        found[name] = wrong(page)

    log_in(page, password="guess")
    look("login")
    log_in(page)
    look("code")
    page.get_by_label("Code").fill(app_code())
    page.get_by_role("button", name="Continue").click()
    page.goto("/organise/account/recovery-codes/")
    look("password")
    confirm(page)
    look("recovery-codes")
    for name, path in [
        ("factors", ""),
        ("remove", "app/remove/"),
        ("replace", "recovery-codes/replace/"),
        ("passkey", "passkeys/add/"),
    ]:
        page.goto(f"/organise/account/{path}")
        look(name)
    page.goto("/organise/account/app/remove/")
    page.get_by_role("button", name="Remove the app").click()
    look("none")
    page.get_by_role("link", name="Set up an app").click()
    look("app")
    page.context.clear_cookies()
    for _ in range(11):
        log_in(page, name="Ada", password="guess")
    look("too-many")

    assert {name: it for name, it in found.items() if it} == {}


def wrong(page: Page) -> list[str]:
    """What axe finds, and by how much the page is too wide."""
    violations = Axe().run(page, context="#content").response["violations"]
    excess = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    found = [f"{it['id']}: {re.sub(' +', ' ', node['html'])[:200]}" for it in violations for node in it["nodes"]]
    return found + [f"{excess} px too wide"] * bool(excess)
