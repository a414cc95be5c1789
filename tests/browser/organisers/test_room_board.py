"""A helper at the doors, with a phone: one press says how full a room is."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import Group, User
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.core.clock import programme_date
from events.models import CrowdReport, Room
from tests.browser.organisers.test_import import log_in
from tests.browser.watching import Watch
from tests.factories import SINGAPORE, make_conference, make_day, make_event, make_room

pytestmark = pytest.mark.django_db(transaction=True)

BOARD = "/organise/events/room/board/"
FULL = re.compile(r"^(✓ )?Full")
PHONE: Any = {"width": 390, "height": 844}


@pytest.fixture
def _running_conference(transactional_db: None) -> None:
    """Two rooms with something on, whenever the test runs."""
    now = timezone.now()
    date = programme_date(now, SINGAPORE)
    conference = make_conference(start=date, end=date + dt.timedelta(days=1))
    hour = dt.timedelta(hours=1)
    for name in ("Hall 1", "Garnet"):
        room = make_room(conference, name)
        make_event(
            conference, title=f"Talk in {name}", day=make_day(conference, date), start=now - hour, end=now + hour, room=room
        )


def opened(browser: Browser, live_server: LiveServer, **options: Any) -> Page:
    user = User.objects.create_user("hedy", password="a long enough password", is_staff=True)
    user.groups.add(Group.objects.get(name="Room helpers"))
    page = browser.new_context(base_url=live_server.url, viewport=PHONE, **options).new_page()
    page.goto("/organise/login/")
    page.get_by_label("Username").fill("hedy")
    page.get_by_label("Password").fill("a long enough password")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="Room board").click()
    expect(page).to_have_url(f"{live_server.url}{BOARD}")
    return page


def card(page: Page, room: str) -> Locator:
    return page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=room))


def states() -> list[tuple[str, str, str]]:
    return list(CrowdReport.objects.order_by("pk").values_list("room__name", "state", "staff_name"))


@pytest.mark.usefixtures("_running_conference")
def test_room_pressure_is_as_wide_as_a_phone(browser: Browser, live_server: LiveServer) -> None:
    page = browser.new_context(base_url=live_server.url, viewport=PHONE).new_page()
    log_in(page)
    page.goto("/organise/events/room/pressure/")

    expect(page.get_by_role("button", name=re.compile("Nearly full.*Hall 1"))).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.usefixtures("_running_conference")
@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_room_is_reported_with_one_press(browser: Browser, live_server: LiveServer, scripts: bool) -> None:
    page = opened(browser, live_server, java_script_enabled=scripts, has_touch=True)
    full = card(page, "Hall 1").get_by_role("button", name=FULL)

    full.tap()
    expect(full).to_have_attribute("aria-pressed", "true")
    expect(card(page, "Hall 1")).to_contain_text("by hedy, counts until")
    full.tap()
    expect(full).to_have_attribute("aria-pressed", "true")
    card(page, "Garnet").get_by_role("button", name="Nearly full").tap()
    expect(card(page, "Garnet").get_by_role("button", name="Nearly full")).to_have_attribute("aria-pressed", "true")

    assert sorted(set(states())) == [("Garnet", "filling", "hedy"), ("Hall 1", "full", "hedy")]


@pytest.mark.usefixtures("_running_conference")
def test_press_without_network_says_that_it_was_not_sent(browser: Browser, live_server: LiveServer) -> None:
    page = opened(browser, live_server)
    full = card(page, "Hall 1").get_by_role("button", name=FULL)

    page.context.set_offline(True)
    full.click()
    expect(page.locator("[data-board-said]")).to_have_text("Not sent: no connection. Hall 1 is as it was; press again.")
    expect(full).to_have_attribute("aria-pressed", "false")
    assert states() == []
    page.context.set_offline(False)
    full.click()

    expect(page.locator("[data-board-said]")).to_contain_text("Hall 1: Full: reported at")
    assert states() == [("Hall 1", "full", "hedy")]


@pytest.mark.usefixtures("_running_conference")
def test_board_shows_after_a_minute_what_others_report(browser: Browser, live_server: LiveServer) -> None:
    page = opened(browser, live_server)
    page.clock.install()
    page.reload()

    CrowdReport.record_as_staff(Room.objects.get(name="Garnet"), "full", by="grace")
    page.clock.fast_forward(61_000)

    expect(card(page, "Garnet")).to_contain_text("by grace, counts until")
    expect(card(page, "Hall 1")).to_contain_text("Not reported yet.")


@pytest.mark.usefixtures("_running_conference")
def test_press_after_a_logout_says_that_it_was_not_sent(browser: Browser, live_server: LiveServer) -> None:
    page = opened(browser, live_server)
    page.context.clear_cookies(name="sessionid")

    card(page, "Hall 1").get_by_role("button", name=FULL).click()

    expect(page.locator("[data-board-said]")).to_contain_text("Not sent:")
    expect(card(page, "Hall 1")).to_be_visible()
    assert states() == []


@pytest.mark.usefixtures("_running_conference")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_board_fits_a_thumb_and_can_be_read_by_all(browser: Browser, live_server: LiveServer, scheme: str) -> None:
    page = opened(browser, live_server, color_scheme=scheme)
    card(page, "Hall 1").get_by_role("button", name=FULL).click()
    expect(card(page, "Hall 1")).to_contain_text("by hedy")
    watch = Watch(page, live_server.url)
    page.reload()

    excess = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    heights = page.evaluate("[...document.querySelectorAll('#board button')].map(it => it.getBoundingClientRect().height)")
    complaints = list(watch.complaints)
    axe = Axe().run(page, context="#content").response["violations"]

    assert (excess, min(heights) >= 44) == (0, True)
    assert [f"{it['id']}: {node['html'][:200]}" for it in axe for node in it["nodes"]] == []
    assert complaints == []
