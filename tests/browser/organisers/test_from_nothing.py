"""From an empty database to a published conference of six events, without a shell, in few clicks and fields."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.models import ChangeGroup, Conference, Event
from tests.browser.organisers.test_import import log_in
from tests.browser.watching import Watch

pytestmark = pytest.mark.django_db(transaction=True)

MAX_CLICKS = 45
MAX_FIELDS = 20


class Walk:
    """Counts what an organiser presses, chooses and types."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks, self.fields = page, 0, 0

    def click(self, target: Locator) -> None:
        target.first.click()
        self.clicks += 1

    def link(self, name: str | re.Pattern[str]) -> None:
        self.click(self.page.get_by_role("link", name=name, exact=isinstance(name, str)))

    def press(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=name, exact=True))

    def choose(self, name: str, label: str) -> None:
        self.page.locator(f"select[name={name}]").first.select_option(label=label)
        self.clicks += 1

    def type(self, name: str, text: str) -> None:
        self.page.locator(f"[name={name}]").fill(text)
        self.fields += 1

    def add(self, model: str) -> None:
        """By the link of the sidebar, or of the first page where the list needs the width."""
        target = self.page.locator(f"a[href*='/organise/events/{model}/add/']:visible")
        if not target.count():
            self.link("Home")
        self.click(target)

    def choose_room(self, name: str) -> None:
        self.click(self.page.locator(".field-room .select2-selection"))
        self.click(self.page.get_by_role("option", name=name))


def six_events(walk: Walk) -> None:
    walk.add("session")
    walk.choose("type", "Talk")
    walk.choose("day", "Wed 10 March 2027")
    walk.choose_room("Aula")
    for title, hour, button in [
        ("Opening", "09:00", "Save and add another"),
        ("Weather models that forget", "09:30", "Save and add another"),
        ("Ice and data", "10:00", "Save"),
    ]:
        walk.type("title", title)
        walk.type("start_1", hour)
        walk.press(button)
    walk.add("invitedtalk")
    walk.type("title", "Keynote: Northern lights")
    walk.choose("day", "Wed 10 March 2027")
    walk.type("start_1", "11:00")
    walk.choose_room("Aula")
    walk.press("Save")
    walk.add("social")
    walk.choose("day", "Wed 10 March 2027")
    for title, hour, button in [("Dinner", "19:00", "Save and add another"), ("Karaoke", "22:00", "Save")]:
        walk.type("title", title)
        walk.type("start_1", hour)
        walk.press(button)


def conference_with_a_room(walk: Walk) -> None:
    page = walk.page
    walk.add("conference")
    expect(page.locator("#id_name")).to_be_focused()
    for name, text in [("name", "NordML 2027"), ("start", "2027-03-10"), ("end", "2027-03-12"), ("city", "Oslo")]:
        walk.type(name, text)
    walk.press("Save")
    expect(page.get_by_text("Made: Wed 10 March 2027, Thu 11 March 2027, Fri 12 March 2027.")).to_be_visible()
    walk.add("venue")
    walk.type("name", "University of Oslo")
    walk.press("Save")
    walk.add("room")
    expect(page.get_by_role("heading", name="Add a room")).to_be_visible()
    walk.type("name", "Aula")
    walk.press("Save")


def look_and_publish(walk: Walk) -> None:
    page = walk.page
    walk.link("Home")
    walk.link("Edit it")
    walk.link("on its pages")
    expect(page.get_by_text("Draft", exact=False).first).to_be_visible()
    page.go_back()
    walk.link(re.compile("^Publish NordML 2027"))
    walk.press("Publish NordML 2027")
    expect(page.get_by_text("NordML 2027 is published.")).to_be_visible()


def hide_and_take_back(walk: Walk) -> None:
    page = walk.page
    walk.link("Home")
    walk.link("Socials")
    walk.click(page.locator("#action-toggle"))
    walk.choose("action", "Back to draft …")
    walk.press("Go")
    walk.press("Take them back to draft")
    expect(page.get_by_text("Taken back to draft: ")).to_be_visible()
    assert Event.objects.public().count() == 4
    walk.link("Undo …")
    walk.press("Take it back")
    expect(page.get_by_text("Taken back: Taken back to draft.")).to_be_visible()


def test_six_events_are_public_after_few_clicks_and_fields(
    page: Page, browser: Browser, live_server: LiveServer, transactional_db: None
) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    watch, walk = Watch(page, live_server.url), Walk(page)
    log_in(page)

    conference_with_a_room(walk)
    six_events(walk)
    assert (Conference.objects.get().is_draft, list(Event.objects.values_list("status", flat=True))) == (True, ["confirmed"] * 6)
    look_and_publish(walk)
    visitor = browser.new_page(base_url=live_server.url)
    visitor.goto("/nordml-2027/schedule/2027-03-10/")
    expect(visitor.locator("#main")).to_contain_text("Ice and data")
    hide_and_take_back(walk)

    assert (Event.objects.public().count(), ChangeGroup.objects.count()) == (6, 3)
    assert walk.clicks <= MAX_CLICKS, walk.clicks
    assert walk.fields <= MAX_FIELDS, walk.fields
    assert (watch.complaints, watch.foreign) == ([], [])
