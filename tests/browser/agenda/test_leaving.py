"""The line about the next room while a page stays open: it changes its words and goes, and is read aloud once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Conference
from tests.browser.watching import Watch
from tests.factories import at, make_agenda, make_conference, make_event, make_room, make_walk

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE = "Next: Hall 2, 6 min walk, leave 10:24"
DUE = "Leave now for Hall 2: 6 min walk, starts 10:30"
PAGES = ["/demo/", "/demo/agenda/", "/demo/schedule/2025-04-24/"]


@pytest.fixture
def conference(transactional_db: None) -> Conference:
    found = make_conference(slug="demo")
    hall, second = make_room(found, "Hall 1"), make_room(found, "Hall 2")
    make_walk(found, hall.zone, second.zone, 6)
    make_event(found, title="Keynote", start="09:00", end="10:20", room=hall)
    make_event(found, title="A panel with a title that is longer than a phone is wide", start="10:30", end="11:00", room=second)
    return found


@pytest.fixture(name="now")
def _now() -> Iterator[Any]:
    """The clock of the server; the test moves that of the browser with it."""
    with time_machine.travel(at("10:10"), tick=True) as traveller:
        yield traveller


@pytest.fixture
def phone(browser: Browser, live_server: LiveServer, conference: Conference, now: Any) -> Callable[..., Page]:
    token = make_agenda(conference, *conference.events.all())[1]

    def opened(**options: Any) -> Page:
        context = browser.new_context(base_url=live_server.url, viewport={"width": 390, "height": 800}, **options)
        context.add_cookies([{"name": VISITOR_COOKIE, "value": token, "url": live_server.url}])
        page = context.new_page()
        page.clock.install(time=at("10:10"))
        return page

    return opened


def listen(page: Page) -> None:
    """Note what a screen reader would say."""
    page.evaluate(
        """() => {
          window.said = [];
          const region = document.getElementById("announcer");
          const note = () => said.push(region.textContent);
          new MutationObserver(note).observe(region, {childList: true, characterData: true, subtree: true});
        }"""
    )


def pass_time(page: Page, now: Any, *, minutes: int) -> None:
    for _ in range(minutes):
        now.shift(dt.timedelta(minutes=1))
        page.clock.run_for(60_000)
        page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("address", PAGES)
def test_line_says_when_to_leave_once_and_goes_when_it_begins(
    phone: Callable[..., Page], live_server: LiveServer, now: Any, address: str
) -> None:
    page = phone()
    watch = Watch(page, live_server.url)
    page.goto(address)
    listen(page)
    line = page.locator(".leave-line a")

    expect(line).to_have_text(BEFORE, use_inner_text=True)
    pass_time(page, now, minutes=15)
    expect(line).to_have_text(DUE, use_inner_text=True)
    pass_time(page, now, minutes=4)
    said = page.evaluate("said")
    pass_time(page, now, minutes=2)

    expect(page.locator(".leave-line")).to_be_hidden()
    assert said == [DUE]
    assert (page.evaluate("said"), watch.complaints) == ([DUE], [])


def test_line_of_an_open_page_follows_a_move(phone: Callable[..., Page], conference: Conference, now: Any) -> None:
    page = phone()
    page.goto("/demo/")
    expect(page.locator(".leave-line a")).to_have_text(BEFORE, use_inner_text=True)
    page.locator(".leave-line a").focus()
    panel = conference.events.get(start=at("10:30"))
    panel.start, panel.end = at("10:50"), at("11:20")
    panel.revise()

    pass_time(page, now, minutes=2)

    expect(page.locator(".leave-line a")).to_have_text("Next: Hall 2, 6 min walk, leave 10:44", use_inner_text=True)
    expect(page.locator(".leave-line a")).to_be_focused()


def test_removed_bookmark_takes_its_line_along(phone: Callable[..., Page], conference: Conference) -> None:
    page = phone()
    page.goto("/demo/schedule/2025-04-24/")
    expect(page.locator(".leave-line")).to_be_visible()

    page.get_by_role("button", name="Bookmark A panel").click()

    expect(page.locator(".leave-line")).to_have_count(0)


@pytest.mark.parametrize("moment", ["10:10", "10:26"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_line_fits_a_phone_without_javascript(phone: Callable[..., Page], now: Any, moment: str, scheme: Any) -> None:
    now.move_to(at(moment))
    page = phone(java_script_enabled=False, color_scheme=scheme)
    page.goto("/demo/")

    expect(page.locator(".leave-line a")).to_have_text(BEFORE if moment == "10:10" else DUE, use_inner_text=True)
    box = page.locator(".leave-line").bounding_box()
    assert box is not None
    assert (box["width"] <= 390, box["height"] <= 70) == (True, True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_where_it_is_time_to_leave(phone: Callable[..., Page], now: Any, scheme: Any) -> None:
    now.move_to(at("10:26"))
    page = phone(color_scheme=scheme, reduced_motion="reduce")
    page.goto("/demo/?at=2025-04-24T10:26")

    violations = Axe().run(page, context=".leave-line").response["violations"]

    assert [f"{it['id']}: {node['html'][:200]}" for it in violations for node in it["nodes"]] == []
