"""A server that hangs or is gone while the network is there."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from events.agenda.visitor import VISITOR_COOKIE
from tests.browser.saving import SAVED_IN_TIME, line, save_pages
from tests.trust.served import GUID, Site, serving_site

pytestmark = [pytest.mark.slow, pytest.mark.service_worker]
STAR = f'main .bookmark[formaction*="{GUID}"]'


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with serving_site(tmp_path) as served:
        yield served


@pytest.fixture
def phone(browser: Browser, site: Site) -> Page:
    url = f"http://127.0.0.1:{site.port}"
    context = browser.new_context(base_url=url, viewport={"width": 390, "height": 844})
    context.add_cookies([{"name": VISITOR_COOKIE, "value": site.tokens[0], "url": url}])
    return context.new_page()


@contextlib.contextmanager
def hanging(site: Site) -> Iterator[None]:
    processes = [site.pid, *site.workers()]
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


def test_hanging_server_is_not_waited_for(phone: Page, site: Site) -> None:
    star = phone.locator(STAR)
    phone.set_viewport_size({"width": 390, "height": 200})
    save_pages(phone)
    with hanging(site):
        began = time.monotonic()
        phone.goto("/demo/schedule/2025-04-24/")
        took = time.monotonic() - began
        expect(line(phone)).to_contain_text("The site does not answer. This page is as of")
        star.click()
        expect(star).to_have_attribute("data-waiting", "", timeout=SAVED_IN_TIME)
        expect(star).to_have_attribute("aria-pressed", "false")
        # Its picture for paper is not saved, so that the page never ends loading.
        phone.goto("/demo/agenda/", wait_until="domcontentloaded")
        expect(line(phone)).to_contain_text("1 bookmark waits to be sent.")
        expect(star).to_have_attribute("data-waiting", "")
        expect(star).to_have_attribute("aria-pressed", "false")
        phone.evaluate("scrollTo(0, 50)")

    assert 2.5 < took < 15
    expect(line(phone)).to_contain_text("A newer one is here", timeout=SAVED_IN_TIME)
    expect(line(phone)).not_to_contain_text("does not answer")
    expect(line(phone)).not_to_contain_text("waits to be sent", timeout=SAVED_IN_TIME)
    line(phone).get_by_role("link", name="A newer one is here").click()
    expect(line(phone)).to_have_count(0, timeout=SAVED_IN_TIME)
    expect(phone.locator(f"{STAR}[aria-pressed='true']")).to_have_count(0)
    assert site.bookmarks()[0][0] == 0


def test_star_no_longer_waits_on_any_page_once_it_is_sent(phone: Page, site: Site) -> None:
    save_pages(phone)
    with hanging(site):
        phone.goto("/demo/schedule/2025-04-24/")
        phone.locator(STAR).click()
        expect(line(phone)).to_contain_text("1 bookmark waits to be sent.", timeout=SAVED_IN_TIME)
        phone.goto("/demo/")
        expect(line(phone)).to_contain_text("1 bookmark waits to be sent.")
        # Somebody reads: the page stays.
        phone.evaluate("document.body.append(Object.assign(document.createElement('details'), { open: true }))")

    expect(line(phone)).to_contain_text("A newer one is here", timeout=SAVED_IN_TIME)
    expect(line(phone)).not_to_contain_text("waits to be sent", timeout=SAVED_IN_TIME)
    expect(phone.locator("[data-waiting]")).to_have_count(0)
    assert site.bookmarks()[0][0] == 0


def test_newer_page_is_shown_to_whoever_has_not_begun_to_read(phone: Page, site: Site) -> None:
    save_pages(phone)
    with hanging(site):
        phone.goto("/demo/schedule/2025-04-24/")
        expect(line(phone)).to_contain_text("The site does not answer. This page is as of")

    expect(phone.locator("body[data-arrived]")).to_have_count(1, timeout=SAVED_IN_TIME)
    expect(line(phone)).to_have_count(0)


def test_server_that_is_gone_loses_nothing_that_was_typed(phone: Page, site: Site) -> None:
    save_pages(phone)
    phone.goto("/demo/agenda/private/")
    phone.locator("#title").fill("Lunch with Ada")
    site.stop(signal.SIGKILL)

    phone.locator("#title").evaluate("it => { it.form.noValidate = true; it.form.requestSubmit(); }")

    expect(phone.locator("#status")).to_contain_text("Nothing was sent; what you typed is still here.")
    expect(phone.locator("#title")).to_have_value("Lunch with Ada")
    phone.goto("/demo/agenda/")
    expect(line(phone)).to_contain_text("The site cannot be reached. This page is as of")
