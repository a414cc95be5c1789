"""An organiser switches the conference in the header and adds an event: with and without JavaScript, on a phone."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Event
from tests.browser.looks import NARROWEST, looks
from tests.browser.organisers.test_chairs import wrong
from tests.browser.organisers.test_import import log_in
from tests.factories import make_conference, make_day, make_event, make_room, make_type

pytestmark = pytest.mark.django_db(transaction=True)
PHONE: Any = {"width": 390, "height": 844}


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_event_is_added_to_the_conference_that_was_switched_to(browser: Browser, live_server: LiveServer, scripts: bool) -> None:
    make_event(make_conference(name="ICLR 2024", start=dt.date(2024, 5, 7), end=dt.date(2024, 5, 11)), title="Old session")
    conference = make_conference(name="NordML 2027", start=dt.date(2027, 3, 10), end=dt.date(2027, 3, 12))
    make_type(conference, name="Workshop")
    make_day(conference, dt.date(2027, 3, 11))
    other = make_conference(name="ICLR 2027", start=dt.date(2027, 3, 1), end=dt.date(2027, 3, 2))
    page = browser.new_context(base_url=live_server.url, viewport=PHONE, java_script_enabled=scripts).new_page()
    log_in(page)

    page.get_by_label("Organising:").select_option(label=conference.name)
    page.get_by_role("button", name="Switch").click()
    expect(page.locator(".messagelist")).to_contain_text("You organise NordML 2027 now.")
    expect(page.get_by_role("heading", level=1)).to_have_text("NordML 2027")
    page.get_by_role("navigation", name="Add and open").get_by_role("link", name="Session", exact=True).click()
    expect(page.locator("#id_conference")).to_have_value(str(conference.pk))
    page.locator("#id_type").select_option(label="Workshop")
    page.locator("#id_title").fill("Weather models")
    page.locator("#id_day").select_option(index=1)
    page.get_by_role("button", name="Save", exact=True).first.click()

    expect(page.locator(".hallway-scope")).to_contain_text("Only NordML 2027.")
    expect(page.locator("#result_list")).to_contain_text("Weather models")
    assert list(Event.objects.filter(title="Weather models").values_list("conference__name", flat=True)) == ["NordML 2027"]
    assert not other.events.exists()
    page.context.close()


@looks(NARROWEST)
def test_first_page_fits_and_can_be_read_by_all(
    browser: Browser, live_server: LiveServer, width: int, scheme: Literal["light", "dark"]
) -> None:
    conference = make_conference(name="W" * 40)
    make_conference(name="Another conference")
    room = make_room(conference, "Garnet")
    for _ in range(2):
        make_event(conference, room=room, start="09:00", end="10:00")
    size: Any = {"width": width, "height": 900}
    page = browser.new_context(base_url=live_server.url, viewport=size, color_scheme=scheme).new_page()
    log_in(page)

    found = {}
    for url in ["/organise/", "/organise/lists/", "/organise/events/session/"]:
        page.goto(url)
        page.evaluate("document.querySelectorAll('#content details').forEach(it => { it.open = true; })")
        found[url] = wrong(page)

    assert {url: it for url, it in found.items() if it} == {}
    page.context.close()
