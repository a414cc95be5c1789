"""Saying that a room is full, by one tap and without a script, and what others see of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from events.crowd.models import KNOWN_AGENDA_AGE
from events.crowd.rules import REPORT_TTL
from events.models import Agenda, CrowdReport, Event
from tests.factories import make_agenda, make_conference, make_event, make_report, make_room

pytestmark = pytest.mark.django_db(transaction=True)

Opened = Callable[..., Page]


@pytest.fixture
def talk(transactional_db: None) -> Event:
    conference = make_conference(slug="demo", start=timezone.now().date(), end=timezone.now().date())
    times: dict[str, Any] = {"start": timezone.now() - REPORT_TTL, "end": timezone.now() + 4 * REPORT_TTL}
    make_event(conference, title="Next door", room=make_room(conference, "Hall 2"), **times)
    return make_event(conference, title="Adam", room=make_room(conference, "Hall 1"), **times)


@pytest.fixture
def opened(browser: Browser, live_server: LiveServer, talk: Event) -> Iterator[Opened]:
    """Opens the talk as somebody who has had an agenda for a while."""
    contexts: list[BrowserContext] = []

    def open_page(**options: Any) -> Page:
        _, token = make_agenda(talk.conference)
        Agenda.objects.update(created_at=timezone.now() - KNOWN_AGENDA_AGE)
        context = browser.new_context(base_url=live_server.url, reduced_motion="reduce", **options)
        context.add_cookies([{"name": VISITOR_COOKIE, "value": token, "url": live_server.url}])
        contexts.append(context)
        page = context.new_page()
        page.goto(talk.get_absolute_url())
        return page

    yield open_page
    for context in contexts:
        context.close()


def test_two_taps_of_two_people_make_a_room_full(opened: Opened) -> None:
    one, other = opened(viewport={"width": 390, "height": 900}), opened(java_script_enabled=False)

    one.get_by_role("button", name="It’s full").click()
    expect(one.locator("#crowd .crowd-message")).to_contain_text("It will show once others confirm.")
    expect(one.locator("#crowd .crowd-now")).to_contain_text("not confirmed")
    expect(one.locator("#crowd .instead-own")).to_contain_text("Next door")
    expect(one.locator("#crowd-full")).to_be_focused()
    other.get_by_role("button", name="It’s full").click()

    expect(other.locator("#status")).to_contain_text("Everybody sees it now.")
    expect(other.locator("#crowd .crowd-now")).to_contain_text("Full")
    expect(other.locator("#crowd .instead-own")).to_contain_text("Next door")
    # What is for everybody gives way to what goes with one's own agenda.
    expect(other.locator("#crowd .instead:not(.instead-own)")).to_be_hidden()


def test_refusal_is_said_where_the_tap_was(opened: Opened) -> None:
    page = opened()
    for name in ["It’s full", "Seats left", "Nearly full", "Seats left"]:
        page.get_by_role("button", name=name).click()
        expect(page.locator("#crowd .crowd-message")).to_contain_text(name)
    page.get_by_role("button", name="It’s full").click()

    expect(page.locator("#crowd .crowd-message")).to_contain_text("You reported another place a moment ago")


def test_open_day_learns_that_a_room_is_full_and_that_it_is_not(opened: Opened, talk: Event) -> None:
    page = opened(viewport={"width": 390, "height": 900})
    page.clock.install()
    page.goto(talk.day.get_absolute_url() if talk.day else "/")
    card = page.locator(".event-card", has=page.get_by_role("link", name="Adam", exact=True))
    button = card.locator("button")
    button.focus()
    expect(card.locator(".live")).to_be_empty()

    make_report(talk, "full", agenda=None, at=timezone.now())
    page.clock.fast_forward(61_000)
    expect(card.locator(".live .flag")).to_contain_text("Room: full")
    CrowdReport.objects.all().delete()
    page.clock.fast_forward(61_000)

    expect(card.locator(".live")).to_be_empty()
    expect(button).to_be_focused()


def test_part_that_asks_leaves_alone_who_reads_it(opened: Opened, talk: Event) -> None:
    make_report(talk, "full", at=timezone.now())
    page = opened(viewport={"width": 390, "height": 900})
    page.clock.install()
    page.goto(talk.get_absolute_url())
    link = page.locator("#crowd .instead-own a", has_text="Next door")
    link.focus()
    for _ in range(2):
        with page.expect_response(lambda it: it.url.endswith("/crowd/?part=block")):
            page.clock.fast_forward(61_000)
        expect(link).to_be_focused()
        page.locator("#crowd").evaluate("it => { it.dataset.read = 'here' }")

    with page.expect_response(lambda it: it.url.endswith("/crowd/?part=block")):
        page.clock.fast_forward(61_000)
    expect(page.locator("#crowd[data-read]")).to_be_visible()
    make_report(talk, "open", at=timezone.now())
    page.clock.fast_forward(61_000)
    expect(page.locator("#crowd .crowd-now")).to_contain_text("Seats left")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_where_a_room_is_full(opened: Opened, scheme: str) -> None:
    opened(java_script_enabled=False).get_by_role("button", name="It’s full").click()
    page = opened(viewport={"width": 390, "height": 900}, color_scheme=scheme)
    page.get_by_role("button", name="It’s full").click()
    expect(page.locator("#crowd .crowd-message")).to_be_visible()

    violations = Axe().run(page).response["violations"]

    assert [f"{it['id']}: {node['html'][:200]}" for it in violations for node in it["nodes"]] == []
