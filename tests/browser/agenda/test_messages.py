"""Messages after an action: how long they stay, what they undo, and what is drawn again with them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest
import time_machine
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Agenda, Event, Poll, PrivateEntry
from tests.browser.watching import Watch
from tests.factories import at, make_agenda, make_conference, make_event

pytestmark = pytest.mark.django_db(transaction=True)

MORNING = dt.datetime(2025, 4, 24, 0, 30, tzinfo=dt.UTC)
DAY, AGENDA = "/demo/schedule/2025-04-24/?at=2025-04-24T08:30", "/demo/agenda/?at=2025-04-24T08:30"


class Morning:
    """Two bookmarked talks that clash, and a third one alone."""

    def __init__(self) -> None:
        self.conference = make_conference(slug="demo")
        self.adam, self.eve = self.talk("Adam", "09:00", "10:00"), self.talk("Eve", "09:30", "10:30")
        self.alone = self.talk("Alone", "14:00", "15:00")
        self.agenda, self.token = make_agenda(self.conference, self.eve)
        self.agenda.bookmark(self.adam, on=True, level="maybe")

    def talk(self, title: str, start: str, end: str) -> Event:
        return make_event(self.conference, kind="talk", title=title, start=start, end=end)

    def level(self, event: Event) -> str:
        return Agenda.objects.get().bookmark_state(event).level


@pytest.fixture
def morning(transactional_db: None) -> Morning:
    return Morning()


def open_page(browser: Browser, live_server: LiveServer, token: str, *, scripts: bool, width: int = 390) -> Page:
    context = browser.new_context(java_script_enabled=scripts, viewport={"width": width, "height": 844}, base_url=live_server.url)
    context.add_cookies([{"name": VISITOR_COOKIE, "value": token, "url": live_server.url}])
    return context.new_page()


@pytest.fixture
def phone(browser: Browser, live_server: LiveServer, morning: Morning) -> Iterator[Page]:
    page = open_page(browser, live_server, morning.token, scripts=True)
    watch = Watch(page, live_server.url)
    yield page
    assert watch.complaints == []


def star(page: Page, title: str) -> None:
    page.get_by_role("main").get_by_role("button", name=f"Bookmark {title}").first.click()


def test_star_in_the_agenda_redraws_what_depended_on_it_and_undo_brings_it_back(phone: Page, morning: Morning) -> None:
    phone.goto(AGENDA)
    phone.evaluate("window.stillHere = true")
    main, message = phone.get_by_role("main"), phone.locator("#status .message")
    expect(main).to_contain_text("2 picks")
    expect(main.locator("[data-verdict=quiet]").first).to_be_attached()

    star(phone, "Adam")

    expect(message).to_contain_text("Removed: Adam.")
    expect(main).to_contain_text("1 pick")
    expect(main.get_by_role("button", name="Bookmark Adam")).to_have_count(0)
    expect(main.locator("[data-verdict=quiet]")).to_have_count(0)
    expect(phone.locator("#agenda-count-bar")).to_have_text("1")
    expect(main.get_by_role("button", name="Bookmark Eve")).to_be_focused()

    message.get_by_role("button", name="Undo").click()

    expect(message).to_contain_text("Back in your agenda: Adam.")
    expect(main).to_contain_text("2 picks")
    expect(main.get_by_role("button", name="Bookmark Adam")).to_be_focused()
    expect(message.get_by_role("button", name="Undo")).to_have_count(0)
    assert morning.level(morning.adam) == "maybe"
    assert phone.evaluate("window.stillHere") is True


def test_message_of_the_agenda_comes_into_the_same_live_region(phone: Page, morning: Morning) -> None:
    """A screen reader may not speak what comes with a new region."""
    phone.goto(AGENDA)
    phone.evaluate("window.region = document.getElementById('status')")
    said = phone.locator("#status .message")
    same = "document.getElementById('status') === window.region"

    star(phone, "Adam")
    expect(said).to_contain_text("Removed: Adam.")
    after_removal = phone.evaluate(same)
    said.get_by_role("button", name="Undo").click()
    expect(said).to_contain_text("Back in your agenda: Adam.")
    after_undo = phone.evaluate(same)
    phone.locator(".conflict-choices button").first.click()
    expect(said).to_contain_text("Removed:")

    assert [after_removal, after_undo, phone.evaluate(same)] == [True, True, True]


def test_undo_without_javascript_is_in_the_message_on_the_next_page(
    browser: Browser, live_server: LiveServer, morning: Morning
) -> None:
    page = open_page(browser, live_server, morning.token, scripts=False)
    page.goto("/demo/agenda/")
    star(page, "Adam")
    expect(page.locator("#status")).to_contain_text("Removed: Adam.")
    expect(page.get_by_role("main")).to_contain_text("1 pick")

    page.locator("#status").get_by_role("button", name="Undo").click()

    expect(page.locator("#status")).to_contain_text("Back in your agenda: Adam.")
    expect(page.get_by_role("main")).to_contain_text("2 picks")
    assert page.url.startswith(f"{live_server.url}/demo/agenda/")
    assert morning.level(morning.adam) == "maybe"


def test_message_leaves_after_six_seconds_unless_somebody_is_at_it(phone: Page, morning: Morning) -> None:
    phone.clock.install(time=MORNING)
    phone.goto(DAY)
    # From here on the page's clock moves by `run_for` alone.
    phone.clock.pause_at(MORNING + dt.timedelta(minutes=1))
    message = phone.locator("#status .message")

    star(phone, "Alone")
    expect(message).to_contain_text("In your agenda: Alone.")
    phone.clock.run_for(5_900)
    expect(message).to_be_visible()
    message.get_by_role("button", name="Undo").focus()
    phone.clock.run_for(20_000)
    expect(message).to_be_visible()
    phone.get_by_role("main").get_by_role("button", name="Bookmark Alone").focus()
    phone.mouse.move(1, 1)
    phone.clock.run_for(6_100)

    expect(message).to_have_count(0)
    expect(phone.get_by_role("button", name="Bookmark Alone")).to_have_attribute("aria-pressed", "true")


def test_message_with_a_clash_stays_until_it_is_closed(phone: Page, morning: Morning) -> None:
    morning.agenda.bookmark(morning.adam, on=False)
    phone.clock.install()
    phone.goto(DAY)
    message = phone.locator("#status .message")

    star(phone, "Adam")
    expect(message).to_contain_text("30 min")
    phone.clock.run_for(60_000)
    expect(message).to_be_visible()
    message.get_by_role("button", name="Dismiss").click()

    expect(message).to_have_count(0)


def test_undo_on_a_day_presses_the_star_again(phone: Page, morning: Morning) -> None:
    phone.goto(DAY)
    button = phone.get_by_role("main").get_by_role("button", name="Bookmark Adam").first
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")

    phone.locator("#status").get_by_role("button", name="Undo").click()

    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_be_focused()
    assert morning.level(morning.adam) == "maybe"


def test_message_covers_a_quarter_of_a_phone_and_stands_above_the_bar(phone: Page, morning: Morning) -> None:
    morning.agenda.bookmark(morning.adam, on=False)
    phone.goto(DAY)
    star(phone, "Adam")
    message = phone.locator("#status .message")
    expect(message).to_contain_text("30 min")

    box, bar = message.bounding_box(), phone.locator("nav.bar").bounding_box()

    assert box is not None
    assert bar is not None
    assert box["height"] <= 844 / 4
    assert box["y"] + box["height"] <= bar["y"]


def test_message_in_large_letters_shows_its_sentence_and_scrolls_to_undo(phone: Page, morning: Morning) -> None:
    morning.agenda.bookmark(morning.adam, on=False)
    phone.goto(DAY)
    phone.evaluate("document.documentElement.style.fontSize = '200%'")
    star(phone, "Adam")
    message = phone.locator("#status .message")
    expect(message).to_contain_text("In your agenda: Adam.")

    words, undo = message.locator(".message-text"), message.get_by_role("button", name="Undo")
    sentence = words.evaluate("(element) => [element.clientHeight, element.scrollHeight]")
    undo.scroll_into_view_if_needed()

    assert sentence[0] == sentence[1] > 0
    outer, inner = message.bounding_box(), undo.bounding_box()
    assert outer is not None
    assert inner is not None
    assert outer["y"] <= inner["y"]
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]


def test_bookmark_redraws_my_day_and_the_conflicts_of_the_page(
    browser: Browser, live_server: LiveServer, morning: Morning
) -> None:
    page = open_page(browser, live_server, morning.token, scripts=True, width=1280)
    page.goto(f"{morning.adam.get_absolute_url()}?at=2025-04-24T08:30")
    column = page.get_by_role("complementary", name="My day")
    expect(page.locator("#my-conflicts")).to_contain_text("Eve")
    expect(column).to_contain_text("Eve")

    star(page, "Eve")

    expect(page.locator("#my-conflicts")).to_have_text("")
    expect(column).not_to_contain_text("Eve")
    expect(column).to_contain_text("1 pick")


def test_note_is_saved_in_place_and_keeps_what_was_typed_on_an_error(phone: Page, morning: Morning) -> None:
    phone.goto(morning.adam.get_absolute_url())
    phone.evaluate("window.stillHere = true")
    note = phone.locator("#my-note")
    note.locator("summary").click()

    note.get_by_role("textbox").fill("Meet Ada")
    note.get_by_role("button", name="Save note").click()
    expect(phone.locator("#status")).to_contain_text("Note saved: Adam.")

    assert Agenda.objects.get().notes.get().text == "Meet Ada"
    assert phone.evaluate("window.stillHere") is True


def test_undo_that_failed_stays_to_be_tried_again(browser: Browser, live_server: LiveServer, morning: Morning) -> None:
    page = open_page(browser, live_server, morning.token, scripts=True)
    page.goto(DAY)
    star(page, "Adam")
    page.route("**/bookmark/", lambda route: route.abort())
    message = page.locator("#status .message")

    page.get_by_role("button", name="Undo").click()
    expect(message.filter(has_text="No connection. Nothing was changed")).to_be_visible()
    expect(message.filter(has_text="Removed: Adam.")).to_have_attribute("data-stays", "")
    page.unroute("**/bookmark/")
    page.get_by_role("button", name="Undo").click()

    expect(message).to_have_count(1)
    expect(message).to_contain_text("Back in your agenda: Adam.")
    assert morning.level(morning.adam) == "maybe"


def test_failure_is_no_longer_shown_once_something_worked(browser: Browser, live_server: LiveServer, morning: Morning) -> None:
    poll = Poll.objects.create(event=morning.adam, question="Open weights?", state="open")
    poll.answers.create(number=1, text="Yes")
    with time_machine.travel(at("09:30")):
        page = open_page(browser, live_server, morning.token, scripts=True)
        page.goto(f"/demo/events/{morning.adam.guid}/polls/")
        page.route("**/vote/", lambda route: route.abort())
        answer = page.get_by_role("button", name="Yes")

        answer.click()
        expect(page.locator("#status .message")).to_contain_text("Nothing was changed")
        page.unroute("**/vote/")
        answer.click()

        expect(answer).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#status .message")).to_have_count(0)


def test_search_that_failed_leaves_no_message_once_it_worked(browser: Browser, live_server: LiveServer, morning: Morning) -> None:
    page = open_page(browser, live_server, morning.token, scripts=True)
    page.goto("/demo/search/")
    page.route("**/search/?*", lambda route: route.abort())
    field, message = page.get_by_role("searchbox").first, page.locator("#status .message")

    field.press_sequentially("ada")
    expect(message).to_contain_text("No connection.")
    page.unroute("**/search/?*")
    field.press_sequentially("m")

    expect(page.get_by_role("main").get_by_role("link", name="Adam").first).to_be_visible()
    expect(message).to_have_count(0)


@pytest.mark.parametrize("menu", [".level-menu", ".more"])
def test_menu_over_the_page_closes_by_escape_and_by_a_tap_beside_it(phone: Page, menu: str) -> None:
    phone.goto(AGENDA)
    details, summary = phone.locator(menu).first, phone.locator(f"{menu} > summary").first

    summary.click()
    expect(details).to_have_attribute("open", "")
    phone.keyboard.press("Escape")
    expect(details).not_to_have_attribute("open", "")
    expect(summary).to_be_focused()
    summary.click()
    phone.locator("h1").click()

    expect(details).not_to_have_attribute("open", "")


def test_link_of_a_private_entry_wraps_and_can_be_tapped(browser: Browser, live_server: LiveServer, morning: Morning) -> None:
    call = f"https://calls.example/j/89234567890?pwd={'aGVsbG93b3JsZGhlbGxv' * 3}"
    PrivateEntry.add(morning.agenda, title="Call", start=at("16:00"), end=at("16:30"), place=call)
    page = open_page(browser, live_server, morning.token, scripts=False, width=320)

    page.goto("/demo/agenda/")

    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    expect(page.get_by_role("main").get_by_role("link", name=call)).to_have_attribute("href", call)
