"""Two devices of one person, and somebody they show their agenda to, each in a browser of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
import time_machine
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Handover, ReadLink
from tests.browser.looks import looks
from tests.factories import at, make_agenda, visitor_of
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)

PHONE, DESK = 390, 1280
Device = Callable[..., Page]


@pytest.fixture
def device(browser: Browser, live_server: LiveServer, world: World) -> Iterator[Device]:
    """A browser with nothing in it but, if given, a visitor's cookie."""
    contexts: list[BrowserContext] = []

    def open_device(token: str = "", width: int = PHONE, **options: Any) -> Page:
        context = browser.new_context(base_url=live_server.url, viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        if token:
            context.add_cookies([{"name": VISITOR_COOKIE, "value": token, "url": live_server.url}])
        return context.new_page()

    yield open_device
    for context in contexts:
        context.close()


def shared_by(world: World) -> str:
    """The token of a link to somebody else's agenda."""
    agenda, _ = make_agenda(world.conference, world.keynote, world.next_keynote)
    link = ReadLink.begin(agenda)
    return link.token if link else ""


def bookmarked_titles(page: Page) -> list[str]:
    page.goto("/iclr-2025/agenda/")
    return page.locator(".stop .event-title a").all_inner_texts()


def test_page_of_a_code_can_be_left_by_its_footer_and_come_back_to(device: Device, world: World) -> None:
    page = device(world.token)
    page.goto("/iclr-2025/agenda/devices/")
    page.get_by_role("button", name="Make a code").click()
    expect(page.get_by_role("main")).to_contain_text("ten minutes")

    page.get_by_role("link", name="Choose another time zone").click()
    page.get_by_role("button", name="Apply").click()

    expect(page.get_by_role("button", name="Make a code")).to_be_visible()


@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without"])
def test_agenda_moves_to_a_second_device_and_both_stay_one(device: Device, world: World, script: bool) -> None:
    first, second = device(world.token, java_script_enabled=script), device(java_script_enabled=script)
    first.goto("/iclr-2025/agenda/")
    first.get_by_role("link", name="Use on another device").click()
    first.get_by_role("button", name="Make a code").click()
    code = first.locator(".code-sign b").inner_text()

    second.goto("/iclr-2025/agenda/")
    second.get_by_role("link", name="I have a code").click()
    second.get_by_label("Code, twelve letters and digits").fill(code.lower().replace("-", " "))
    second.keyboard.press("Enter")
    expect(second.get_by_role("heading", level=1)).to_have_text("Open this agenda here?")
    expect(second.locator(".meetings dd")).to_have_text("5 new, 1 private entry")
    second.get_by_role("button", name="Open it here").click()

    expect(second.locator("#status")).to_contain_text("Your agenda is now on this device too.")
    assert bookmarked_titles(second) == bookmarked_titles(first) != []
    second.goto("/iclr-2025/talks/")
    second.get_by_role("main").get_by_role("button", name="Bookmark Open weights").click()
    expect(second.locator("#status")).to_contain_text("Open weights")
    assert "Open weights" in bookmarked_titles(first)


def test_two_agendas_come_together_and_what_was_removed_stays_so(device: Device, world: World) -> None:
    other, token = make_agenda(world.conference, world.workshop, world.lunch)
    other.bookmark(world.lunch, on=False)
    page = device(token)

    page.goto(f"/iclr-2025/agenda/take/{Handover.begin(visitor_of(world.token))}/")
    page.get_by_role("button", name="Continue").click()
    expect(page.locator(".meetings dd")).to_contain_text("1 you removed here: it stays removed")
    page.get_by_role("button", name="Bring both together").click()

    shown = bookmarked_titles(page)
    assert ("Workshop" in shown, "Coffee" in shown, "Open science for all" in shown) == (True, False, True)
    assert bookmarked_titles(device(world.token)) == shown


def test_reader_of_a_link_sees_and_copies_and_then_sees_nothing(device: Device, world: World) -> None:
    owner, reader = device(world.token, width=DESK), device()
    owner.goto("/iclr-2025/agenda/sharing/")
    owner.get_by_label("Label (only you see it)").fill("Reading group")
    owner.get_by_role("button", name="Create a link").click()
    link = urlsplit(owner.get_by_label("Reading group").input_value()).path

    reader.goto(link)
    expect(reader.locator(".shared-row").first).to_be_visible()
    assert reader.locator("main button").count() == 0
    reader.get_by_role("link", name="Copy these picks into mine").click()
    reader.get_by_role("button", name="Copy 5 picks").click()
    expect(reader.locator("#status")).to_contain_text("5 new picks in your agenda.")
    owner.get_by_role("button", name=re.compile("Withdraw.*Reading group")).click()
    expect(owner.locator("#status")).to_contain_text("Link withdrawn.")
    reader.goto(link)

    expect(reader.get_by_role("heading", level=1)).to_have_text("This link shows nothing")


@looks()
def test_axe_finds_nothing_on_what_only_a_link_or_a_button_opens(
    device: Device, world: World, scheme: Literal["light", "dark"], width: int
) -> None:
    world.agenda.private_entries.create(title="Lunch", start=world.lunch.start, end=world.lunch.end)
    _, token = make_agenda(world.conference, world.workshop)
    page = device(token, width, color_scheme=scheme, reduced_motion="reduce")
    code = Handover.begin(visitor_of(world.token))
    found = []

    def look(name: str) -> None:
        violations = Axe().run(page).response["violations"]
        excess = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        found.extend(f"{name}: {it['id']}: {node['html'][:200]}" for it in violations for node in it["nodes"])
        found.extend([f"{name}: {excess} px too wide"] if excess else [])

    pressed = {
        "preview": (f"agenda/take/{code}/", "Continue", page.get_by_role("heading", name="Bring both together?")),
        "unknown code": ("agenda/take/000000000000/", "Continue", page.get_by_role("alert")),
        "code": ("agenda/devices/", "Make a code", page.get_by_role("heading", name="Code for the other device")),
    }
    for name, (address, button, shown) in pressed.items():
        page.goto(f"/iclr-2025/{address}")
        page.get_by_role("button", name=button).click()
        expect(shown).to_be_visible()
        look(name)
    shared = f"shared/{world.read_token}/"
    together = f"together/?a={world.read_token}&n=Ada&a={shared_by(world)}&n=Bob&a=gone&day=2025-04-24"
    for address in (shared, f"{shared}copy/", "shared/nothing/", together):
        page.goto(f"/iclr-2025/{address}")
        look(address)

    assert found == []


def test_group_pastes_links_and_sees_when_all_are_free(device: Device, world: World) -> None:
    page = device(java_script_enabled=False)
    links = shared_by(world)

    with time_machine.travel(at("07:00"), tick=True):
        page.goto("/iclr-2025/together/")
        page.get_by_label("Link 1").fill(f"https://hallway.example/iclr-2025/shared/{world.read_token}/")
        page.get_by_label("Name 1").fill("Ada")
        page.get_by_label("Link 2").fill(links)
        page.get_by_label("Day", exact=True).select_option("2025-04-24")
        page.get_by_role("button", name="Show").click()
        # Hidden words have other blanks around them before the styles have come.
        page.wait_for_load_state()

    heads = page.locator("thead th").all_inner_texts()
    assert heads == ["When", "What", "Ada", "Link 2"]
    row = page.locator("tbody tr").filter(has_text="Open science for all")
    assert row.locator("td").all_inner_texts()[1:] == ["attending", "attending"]
    expect(page.get_by_role("region", name="Thursday 24 April")).to_be_visible()
    expect(page.locator("section[aria-labelledby=free]")).to_contain_text("08:00–09:00")


def test_what_is_wrong_with_a_long_note_is_in_view(device: Device, world: World) -> None:
    page = device(world.token)
    page.goto(world.keynote.get_absolute_url())
    page.locator(".my-note > summary").click()
    page.get_by_role("textbox", name="My note").fill("A long note. " * 500)

    page.get_by_role("button", name="Save note").click()

    expect(page.locator("#note-problem")).to_be_in_viewport()
    expect(page.locator("#note-problem")).to_contain_text("at most 4,000")
    expect(page.locator("#note-text")).to_be_focused()
    assert len(page.locator("#note-text").input_value()) > 6_000
