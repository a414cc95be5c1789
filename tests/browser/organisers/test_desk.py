"""From a social that somebody proposes to the agenda of somebody else, and back again when it is moved."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Conference, Event, Proposal
from events.proposals.forms import FORM_STAMP_SIGNER
from tests.browser.looks import NARROWEST, looks
from tests.browser.watching import Watch
from tests.factories import SINGAPORE, make_conference, make_day, make_event, make_type
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)
Opened = Callable[[], Page]


@pytest.fixture
def opened(browser: Browser, live_server: LiveServer) -> Iterator[Opened]:
    """A page in a browser of its own, on a phone."""
    contexts: list[BrowserContext] = []

    def open_page() -> Page:
        size = {"width": 390, "height": 900}
        contexts.append(browser.new_context(base_url=live_server.url, viewport=size, reduced_motion="reduce"))  # type: ignore[arg-type]
        return contexts[-1].new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def tomorrow(transactional_db: None) -> dt.date:
    """The first day of a conference that is about to begin."""
    date = timezone.now().astimezone(SINGAPORE).date() + dt.timedelta(days=1)
    make_type(make_conference(slug="demo", start=date, end=date + dt.timedelta(days=4)), "social")
    return date


def as_if_typed(page: Page) -> None:
    """Have the form be a minute old, as it would be if a person had filled it in."""
    field = page.locator("[name=stamp]")
    guid, at = FORM_STAMP_SIGNER.unsign_object(field.input_value())
    field.evaluate("(it, value) => { it.value = value; }", FORM_STAMP_SIGNER.sign_object([guid, at - 60]))


def propose(page: Page, date: dt.date, end: str = "21:00") -> None:
    page.goto("/demo/socials/")
    page.get_by_role("link", name="Propose a social").click()
    page.locator("#field-title").fill("Board games")
    page.locator("#field-date").select_option(date.isoformat())
    page.locator("#field-start").fill("19:00")
    page.locator("#field-end").fill(end)
    page.locator("#field-host").fill("Ada Lovelace")
    as_if_typed(page)
    page.get_by_role("button", name="Send it to the chairs").click()


def sign_in(page: Page) -> None:
    World.staff("social chair")
    page.goto("/organise/login/")
    page.get_by_label("Username").fill("social-chair")
    page.get_by_label("Password").fill("a long enough password")
    page.get_by_role("button", name="Log in").click()


def decide(page: Page, title: str, button: str, said: str) -> None:
    page.goto("/organise/events/proposal/")
    page.get_by_role("link", name=title).click()
    page.get_by_role("button", name=button, exact=True).first.click()
    expect(page.locator(".messagelist")).to_contain_text(said)


def stands(page: Page, heading: str) -> None:
    expect(page.get_by_role("heading", name=heading)).to_be_visible()


def move(page: Page, start: str, end: str) -> None:
    page.get_by_role("link", name="Edit").click()
    page.locator("#field-start").fill(start)
    page.locator("#field-end").fill(end)
    as_if_typed(page)
    page.get_by_role("button", name="Send it to the chairs").click()


def test_social_goes_from_its_sender_by_a_chair_to_an_agenda_and_so_does_its_change(
    opened: Opened, live_server: LiveServer, tomorrow: dt.date
) -> None:
    sender, chair, attendee = opened(), opened(), opened()
    watches = [Watch(page, live_server.url) for page in (sender, chair, attendee)]
    sign_in(chair)

    propose(sender, tomorrow)
    stands(sender, "Waiting for the chairs")
    address = sender.url
    attendee.goto("/demo/socials/")
    expect(attendee.get_by_text("None is announced yet.")).to_be_visible()
    decide(chair, "Board games", "Publish", "Published")

    sender.goto(address)
    stands(sender, "Published")
    attendee.goto("/demo/socials/")
    attendee.get_by_role("main").get_by_role("button", name="Bookmark Board games").click()
    expect(attendee.locator("#agenda-count-bar")).to_have_text("1")
    move(sender, "20:15", "22:15")
    stands(sender, "Your change is waiting for the chairs")
    attendee.goto("/demo/agenda/")
    expect(attendee.get_by_role("main")).to_contain_text("19:00")
    expect(attendee.get_by_role("main")).not_to_contain_text("20:15")

    decide(chair, "Board games", "Approve the change", "Approved")
    attendee.goto("/demo/agenda/")
    expect(attendee.get_by_role("main")).to_contain_text("20:15")
    attendee.goto("/demo/agenda/changes/")
    expect(attendee.get_by_role("main")).to_contain_text("20:15")
    sender.goto(address)
    stands(sender, "Published")
    assert [watch.complaints + watch.foreign for watch in watches] == [[], [], []]


def test_mistake_is_led_to_from_the_head_of_the_form(opened: Opened, tomorrow: dt.date) -> None:
    page = opened()

    propose(page, tomorrow, end="")
    expect(page.get_by_role("alert")).to_be_focused()
    page.get_by_role("link", name="Add when it ends, or leave both empty.").click()

    expect(page.locator("#field-end")).to_be_focused()
    expect(page.locator("#field-title")).to_have_value("Board games")
    assert Proposal.objects.count() == 0


@looks(NARROWEST)
def test_pages_of_the_desk_fit_and_can_be_read_by_all(
    browser: Browser, live_server: LiveServer, tomorrow: dt.date, width: int, scheme: Literal["light", "dark"]
) -> None:
    make_event(Conference.objects.get(), kind="social", title="Board games!", day=make_day(Conference.objects.get(), tomorrow))
    page = browser.new_page(base_url=live_server.url, viewport={"width": width, "height": 900}, color_scheme=scheme)
    found: list[str] = []

    propose(page, tomorrow, end="")
    expect(page.locator("#field-end[aria-invalid=true]")).to_be_visible()
    found += wrong(page, "mistakes")
    page.locator("#field-end").fill("21:00")
    page.get_by_role("button", name="Send it to the chairs").click()
    anyway = page.get_by_role("button", name="None of these: send it anyway")
    expect(anyway).to_be_visible()
    found += wrong(page, "hints")
    anyway.click()
    stands(page, "Waiting for the chairs")
    found += wrong(page, "sent")
    page.get_by_role("link", name="Edit").click()
    stands(page, "Change what you sent")
    found += wrong(page, "change")
    page.goto("/demo/missing/?where=/demo/venue/")
    page.get_by_text("Sent from this browser").click()
    found += wrong(page, "note")
    page.goto(f"/demo/missing/?where={Event.objects.get().get_absolute_url()}")
    found += wrong(page, "correction")

    assert found == []
    page.close()


def wrong(page: Page, name: str) -> list[str]:
    """What axe finds on the page, and by how much it is too wide."""
    violations = [f"{name}: {it['id']}: {node['html'][:200]}" for it in axe(page) for node in it["nodes"]]
    excess = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return violations + [f"{name}: {excess} px too wide"] * bool(excess)


def axe(page: Page) -> list[Any]:
    return list(Axe().run(page).response["violations"])


def test_word_on_a_page_is_sent_without_javascript(browser: Browser, live_server: LiveServer, tomorrow: dt.date) -> None:
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()

    page.goto("/demo/talks/")
    page.get_by_role("link", name="Something missing or wrong here?").click()
    expect(page.get_by_text("About: the list of invited talks")).to_be_visible()
    page.get_by_label("What is missing or wrong?").fill("One is missing.")
    page.wait_for_timeout(3100)
    page.get_by_role("button", name="Send it to the chairs").click()

    expect(page.get_by_role("heading", name="Waiting for the chairs")).to_be_visible()
    assert Proposal.objects.get().message == "One is missing."
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_role("heading", name="You withdrew it")).to_be_visible()
    context.close()


def test_double_click_sends_one(opened: Opened, tomorrow: dt.date) -> None:
    page = opened()
    page.goto("/demo/missing/?where=/demo/venue/")
    page.get_by_label("What is missing or wrong?").fill("No map.")
    as_if_typed(page)

    page.get_by_role("button", name="Send it to the chairs").dblclick()

    expect(page.get_by_role("heading", name="Waiting for the chairs")).to_be_visible()
    assert Proposal.objects.count() == 1
