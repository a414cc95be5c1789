"""Social chairs at their queue: on a phone, in a hurry, by keyboard and with nothing but forms."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Conference, Event, Proposal
from tests.browser.looks import NARROWEST, looks
from tests.browser.organisers.test_desk import sign_in
from tests.factories import at, make_conference, make_event, make_room
from tests.proposals.proposing import chair, make_correction, make_note, make_proposal

pytestmark = pytest.mark.django_db(transaction=True)
PHONE: Any = {"width": 390, "height": 844}
LONG = "W" * 60 + " Donaudampfschifffahrtsgesellschaftskapitänsabschlussfest"


def phone(browser: Browser, live_server: LiveServer, *, scripts: bool = False) -> Page:
    context = browser.new_context(base_url=live_server.url, viewport=PHONE, java_script_enabled=scripts)
    page = context.new_page()
    sign_in(page)
    return page


def test_social_is_published_in_three_taps_without_javascript(browser: Browser, live_server: LiveServer) -> None:
    make_proposal(make_conference())
    page = phone(browser, live_server)

    page.get_by_role("link", name="1 proposal waiting").click()
    page.get_by_role("link", name="Board games").click()
    page.get_by_role("button", name="Publish", exact=True).click()

    expect(page.locator(".messagelist")).to_contain_text("Published as “Board games”. No other proposals are waiting.")
    assert list(Event.objects.values_list("title", "status")) == [("Board games", "confirmed")]
    page.context.close()


def test_words_are_typed_and_sent_by_keyboard_alone(browser: Browser, live_server: LiveServer) -> None:
    proposal = make_proposal(make_conference())
    page = phone(browser, live_server)
    page.goto(f"/organise/events/proposal/{proposal.pk}/change/")

    page.get_by_text("Ask back …").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("Which hall?")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.locator(".messagelist")).to_contain_text("Asked back: Which hall?")
    assert list(Proposal.objects.values_list("status", "answer")) == [("asked", "Which hall?")]
    page.context.close()


@looks(NARROWEST)
def test_pages_of_the_chairs_fit_and_can_be_read_by_all(
    browser: Browser, live_server: LiveServer, width: int, scheme: Literal["light", "dark"]
) -> None:
    addresses = [f"/organise/events/proposal/{it.pk}/change/" for it in one_of_each(make_conference())]
    size: Any = {"width": width, "height": 900}
    page = browser.new_context(base_url=live_server.url, viewport=size, color_scheme=scheme).new_page()
    sign_in(page)

    found = {}
    for url in ["/organise/", "/organise/events/proposal/", "/organise/events/proposal/?q=nothing", *addresses]:
        page.goto(url)
        page.evaluate("document.querySelectorAll('#content details').forEach(it => { it.open = true; })")
        found[url] = wrong(page)

    assert {url: it for url, it in found.items() if it} == {}
    page.context.close()


def one_of_each(conference: Conference) -> list[Proposal]:
    garnet = make_room(conference, "Garnet")
    social = make_event(conference, kind="social", title="Runners", cost="Free", start="19:00", end="21:00", room=garnet)
    both = make_correction(social, title=LONG, cost="5 dollars", start=at("18:00"))
    social.cost = "10 dollars"
    social.revise()
    return [
        make_proposal(
            conference, LONG, place="Garnet", host=LONG, about=f"{LONG}\n\n" * 9, message=LONG, signup_url=f"https://{LONG[:60]}"
        ),
        make_proposal(conference, "Runners"),
        both,
        make_note(conference, LONG * 5, event=social),
        make_proposal(conference, status="declined", answer=LONG, decided_by=chair()),
    ]


def wrong(page: Page) -> list[str]:
    """What axe finds where our own templates write, and by how much the page is too wide."""
    violations = Axe().run(page, context="#content").response["violations"]
    # The label of Django's search is a picture with a text, which axe does not count.
    found = [
        f"{it['id']}: {node['html'][:200]}" for it in violations for node in it["nodes"] if 'id="searchbar"' not in node["html"]
    ]
    excess = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return found + [f"{excess} px too wide"] * bool(excess)
