"""How much a pick is wanted, by finger and by keyboard, on the agenda, on an event's page and in the message."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterator
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Bookmark, Event
from tests.browser.looks import looks
from tests.factories import THURSDAY, make_agenda, make_conference, make_event, make_room, make_walk, make_zone

pytestmark = pytest.mark.django_db(transaction=True)

AT = "?at=2025-04-25T09:30"
AGENDA = f"/demo/agenda/{AT}"


class Thursday:
    """Two talks that clash, one across the stairs, and two recordings of which one is open."""

    def __init__(self) -> None:
        self.conference = make_conference(slug="demo")
        zones = [make_zone(self.conference, name) for name in ("Hall 1", "Garnet")]
        make_walk(self.conference, *zones, 8, covered=False, step_free=False)
        hall, garnet = [make_room(self.conference, zone.name, zone) for zone in zones]
        url = "https://example.org/v"
        self.adam = self.talk("Adam", "09:00", "10:00", room=hall)
        self.eve = self.talk("Eve", "09:30", "10:30", room=hall)
        self.far = self.talk("Across the stairs", "11:00", "12:00", room=garnet)
        self.open = self.talk("Recorded", "13:00", "14:00", recording_from=THURSDAY, recording_url=url)
        self.coming = self.talk("To come", "13:00", "14:00", recording_from=dt.date(2025, 5, 20), recording_url=url)
        self.agenda, self.token = make_agenda(self.conference, self.adam, self.eve, self.far)
        for event in (self.open, self.coming):
            self.agenda.bookmark(event, on=True, level="later")

    def talk(self, title: str, start: str, end: str, **fields: object) -> Event:
        return make_event(self.conference, kind="talk", title=title, start=start, end=end, **fields)

    def level(self, event: Event) -> str:
        return Bookmark.objects.get(event=event).level


@pytest.fixture
def thursday(transactional_db: None) -> Thursday:
    return Thursday()


@pytest.fixture
def visitor(browser: Browser, live_server: LiveServer, thursday: Thursday) -> Iterator[Page]:
    context = browser.new_context(base_url=live_server.url, viewport={"width": 390, "height": 900}, reduced_motion="reduce")
    context.add_cookies([{"name": VISITOR_COOKIE, "value": thursday.token, "url": live_server.url}])
    yield context.new_page()
    context.close()


def level_of(page: Page, event: Event, name: str) -> Locator:
    group = page.get_by_role("main").get_by_role("group", name=f"How much you want it: {event.title}")
    return group.get_by_role("button", name=name, exact=True)


def level_menu(page: Page, event: Event) -> Locator:
    """The small button of a card that opens the three levels."""
    return page.locator(".stop-card", has=page.get_by_role("link", name=event.title)).locator(".level-now")


def open_more(page: Page) -> None:
    page.locator(".more > summary").click()


def test_level_on_the_agenda_quiets_the_clash_and_keeps_the_focus(visitor: Page, thursday: Thursday) -> None:
    visitor.goto(AGENDA)
    expect(visitor.locator(".lead")).to_contain_text("1 clash")
    level_menu(visitor, thursday.eve).press("Enter")
    button = level_of(visitor, thursday.eve, "Maybe")

    button.focus()
    visitor.keyboard.press("Enter")

    expect(visitor.locator(".lead")).to_contain_text("1 with a maybe")
    expect(visitor.locator('.verdict[data-verdict="clash"]')).to_have_count(0)
    expect(level_menu(visitor, thursday.eve)).to_be_focused()
    expect(level_menu(visitor, thursday.eve)).to_contain_text("Maybe")
    assert thursday.level(thursday.eve) == "maybe"


def test_pick_moves_to_watch_later_and_the_count_follows(visitor: Page, thursday: Thursday) -> None:
    visitor.goto(AGENDA)

    level_menu(visitor, thursday.adam).click()
    level_of(visitor, thursday.adam, "Watch later").click()

    expect(visitor.locator("#agenda-count-bar")).to_have_text("2")
    expect(visitor.locator(".later-list > li")).to_have_count(2)
    expect(visitor.locator(".ready-list").get_by_role("link", name="Watch now")).to_have_count(1)
    expect(level_of(visitor, thursday.adam, "Watch later")).to_be_focused()


def test_levels_work_without_javascript(browser: Browser, live_server: LiveServer, thursday: Thursday) -> None:
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    context.add_cookies([{"name": VISITOR_COOKIE, "value": thursday.token, "url": live_server.url}])
    page = context.new_page()
    page.goto(AGENDA)

    level_menu(page, thursday.adam).click()
    level_of(page, thursday.adam, "Maybe").click()

    expect(page.locator("#status")).to_contain_text("Marked as maybe: Adam.")
    expect(level_menu(page, thursday.adam)).to_contain_text("Maybe")
    open_more(page)
    page.get_by_role("button", name="Step-free").click()
    expect(page.get_by_text("no step-free way known to Garnet")).to_be_visible()
    context.close()


def test_star_of_an_events_page_brings_the_levels(visitor: Page, thursday: Thursday) -> None:
    other = thursday.talk("Other", "16:00", "17:00")
    visitor.goto(other.get_absolute_url())
    expect(visitor.locator("#my-level .level")).to_have_count(0)

    visitor.locator(f"#wide-e-{other.guid}").click()
    level_of(visitor, other, "Watch later").click()

    expect(level_of(visitor, other, "Watch later")).to_be_focused()
    expect(visitor.locator("#status")).to_contain_text("Saved for later: Other.")
    assert thursday.level(other) == "later"


def test_message_of_a_star_asks_how_much_in_one_tap(visitor: Page, thursday: Thursday) -> None:
    other = thursday.talk("Other", "09:15", "10:00")
    visitor.goto("/demo/schedule/2025-04-24/")
    visitor.get_by_role("main").get_by_role("button", name="Bookmark Other").click()
    message = visitor.locator("#status")
    expect(message).to_contain_text("It clashes with")

    message.get_by_role("button", name="Maybe", exact=True).click()

    expect(message).to_contain_text("Marked as maybe: Other.")
    expect(message).to_contain_text("by 45 min.")
    expect(message.get_by_role("button", name="Maybe", exact=True)).to_be_focused()
    assert thursday.level(other) == "maybe"


def test_ways_are_chosen_on_the_agenda_with_the_focus_kept(visitor: Page, thursday: Thursday) -> None:
    visitor.goto(AGENDA)

    open_more(visitor)
    visitor.get_by_role("button", name="Step-free").press("Enter")

    expect(visitor.get_by_text("no step-free way known to Garnet")).to_be_visible()
    expect(visitor.get_by_role("button", name="Step-free")).to_be_focused()
    expect(visitor.get_by_role("button", name="Step-free")).to_have_attribute("aria-pressed", "true")


@looks()
def test_axe_finds_nothing_where_levels_are(
    browser: Browser, live_server: LiveServer, thursday: Thursday, scheme: Literal["light", "dark"], width: int
) -> None:
    thursday.agenda.bookmark(thursday.eve, on=True, level="maybe")
    context = browser.new_context(
        base_url=live_server.url, viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    context.add_cookies([{"name": VISITOR_COOKIE, "value": thursday.token, "url": live_server.url}])
    page = context.new_page()
    found = []

    for name, address in {"agenda": AGENDA, "event": thursday.eve.get_absolute_url()}.items():
        page.goto(address)
        if name == "agenda":
            open_more(page)
            page.get_by_role("button", name="Step-free").click()
            expect(page.get_by_text("no step-free way known to Garnet")).to_be_visible()
            level_menu(page, thursday.far).click()
            level_of(page, thursday.far, "Must").click()
            expect(page.locator("#status")).to_contain_text("Marked as must")
            level_menu(page, thursday.far).click()
            open_more(page)
        found += [f"{name}: {it['id']}: {node['html']}" for it in Axe().run(page).response["violations"] for node in it["nodes"]]
        if os.environ.get("SHOTS"):
            page.screenshot(path=f"{os.environ['SHOTS']}/{name}-{width}-{scheme}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")

    context.close()
    assert found == []
