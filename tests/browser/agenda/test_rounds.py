"""A round past posters, private entries and what one presents, as they are met with a browser."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Event, PrivateEntry
from tests.browser.looks import looks
from tests.factories import at, forms_url, make_event
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)
Opened = Callable[..., Page]
# Where to leave pictures to be looked at, if anywhere.
SHOTS = os.environ.get("SHOTS", "")


@pytest.fixture
def session(world: World) -> Event:
    """Nine posters in three rows, picked; one is presented, and a meeting takes half an hour."""
    made = make_event(world.conference, title="Poster session 1", start="10:00", end="12:00", room=world.hall_room)
    boards = ["#7", "#9", "#10", "#101", "#102", "A9", "A10", "B1", "B2"]
    posters = [
        make_event(world.conference, kind="poster", title=f"Poster on {board}", board=board, session=made, paper=world.paper)
        for board in boards[:2]
    ] + [make_event(world.conference, kind="poster", title=f"Poster {board}", board=board, session=made) for board in boards[2:]]
    for poster in posters:
        world.agenda.bookmark(poster, on=True)
    world.agenda.visit(posters[0], on=True)
    PrivateEntry.add(world.agenda, title="Call with the lab", place="Lobby", start=at("11:00"), end=at("11:30"))
    world.agenda.present(world.poster, on=True)
    return made


@pytest.fixture
def opened(browser: Browser, live_server: LiveServer, world: World) -> Iterator[Opened]:
    contexts: list[BrowserContext] = []

    def open_page(width: int = 390, scheme: Literal["light", "dark"] = "light", script: bool = True) -> Page:
        context = browser.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            reduced_motion="reduce",
            java_script_enabled=script,
        )
        context.add_cookies([{"name": VISITOR_COOKIE, "value": world.token, "url": live_server.url}])
        contexts.append(context)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()


def round_of(session: Event) -> str:
    return f"{forms_url(session)}round/"


@looks()
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    opened: Opened, session: Event, world: World, width: int, scheme: Literal["light", "dark"]
) -> None:
    page = opened(width, scheme)
    entry = PrivateEntry.objects.get(title="Call with the lab")
    agenda = f"/{world.conference.slug}/agenda/"
    addresses = {
        "round": round_of(session),
        "round-then": round_of(session) + "?at=2025-04-24T10:30",
        "session": session.get_absolute_url(),
        "agenda": agenda,
        "private": f"{agenda}private/{entry.guid}/",
        "private-add": f"{agenda}private/",
        "poster": world.poster.get_absolute_url(),
        "present": f"{forms_url(world.poster)}present/",
    }

    found = []
    for name, address in addresses.items():
        page.goto(address)
        if SHOTS:
            page.screenshot(path=Path(SHOTS) / f"{name}-{width}-{scheme}.png", full_page=True)
            page.emulate_media(media="print")
            page.screenshot(path=Path(SHOTS) / f"{name}-{width}-print.png", full_page=True)
            page.emulate_media(media="screen")
        found += [
            f"{name}: {it['id']}: {node['html'][:200]}" for it in Axe().run(page).response["violations"] for node in it["nodes"]
        ]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{name} scrolls sideways")

    assert found == []


def test_tick_keeps_the_focus_and_is_on_the_other_device(opened: Opened, session: Event) -> None:
    page, other = opened(), opened(1280)
    page.goto(round_of(session))
    tick = page.get_by_role("button", name="Seen: #9,")

    tick.focus()
    page.keyboard.press("Space")

    expect(tick).to_have_attribute("aria-pressed", "true")
    expect(tick).to_be_focused()
    expect(page.locator("#announcer")).to_contain_text("2 of 9 seen")
    other.goto(round_of(session))
    expect(other.get_by_role("button", name="Seen: #9,")).to_have_attribute("aria-pressed", "true")


def test_round_entry_and_presenting_work_without_a_script(opened: Opened, session: Event, world: World) -> None:
    page = opened(script=False)
    page.goto(round_of(session))

    page.get_by_role("button", name="Seen: #9,").click()
    expect(page.get_by_role("button", name="Seen: #9,")).to_have_attribute("aria-pressed", "true")
    page.goto(f"/{world.conference.slug}/agenda/private/")
    for label, value in [("What", "Lunch"), ("Day", "2025-04-24"), ("From", "12:00"), ("To", "13:00")]:
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_role("link", name="Lunch")).to_be_visible()
    page.goto(world.keynote.get_absolute_url())
    page.get_by_role("button", name="I present this").click()

    expect(page.get_by_role("button", name="I present this")).to_have_attribute("aria-pressed", "true")


def test_presenting_by_script_keeps_the_focus(opened: Opened, world: World) -> None:
    page = opened()
    page.goto(world.keynote.get_absolute_url())
    control = page.get_by_role("button", name="I present this")

    control.focus()
    page.keyboard.press("Enter")

    expect(control).to_have_attribute("aria-pressed", "true")
    expect(control).to_be_focused()
    expect(page.locator("#status")).to_contain_text("You present this")
