"""Firefox on the walk that most visitors take: overview, day, bookmark, agenda, search."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.browser.looks import PHONE
from tests.browser.marionette import FIREFOX, HOW_TO_HAVE_FIREFOX, Firefox, firefox
from tests.browser.pages import AT
from tests.security.world import World

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not FIREFOX, reason=f"It needs Firefox: {HOW_TO_HAVE_FIREFOX}"),
]

STAR = "main .bookmark[aria-label='Bookmark Open weights']"
EXCESS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def phone() -> Iterator[Firefox]:
    with firefox() as browser:
        browser.set_width(PHONE)
        yield browser


def test_errors_of_the_console_are_heard(phone: Firefox, live_server: LiveServer, world: World) -> None:
    """The next test is worth something."""
    phone.goto(f"{live_server.url}/iclr-2025/talks/{AT}")
    phone.evaluate(f"document.querySelector(\"{STAR}\").setAttribute('hx-target', '#nothing')")
    phone.evaluate("void document.body.append(Object.assign(new Image(), { src: 'https://elsewhere.example/' }))")
    phone.evaluate("void setTimeout(() => nothingLikeThis(), 0)")

    phone.click(STAR)
    errors = phone.errors()

    expected = ("htmx:targetError", "elsewhere.example", "nothingLikeThis")
    assert {part: sum(part in error for error in errors) for part in expected} == dict.fromkeys(expected, 1)
    assert phone.errors() == []


def test_main_walk_on_a_phone(phone: Firefox, live_server: LiveServer, world: World) -> None:
    phone.errors()
    faults: dict[str, list[str]] = {}

    def look(name: str) -> None:
        excess = phone.evaluate(EXCESS)
        faults[name] = [*([f"{excess} px too wide"] if excess else []), *phone.errors()]

    phone.goto(f"{live_server.url}/iclr-2025/{AT}")
    assert phone.evaluate("innerWidth") == PHONE
    look("overview")
    open_and_close_the_menu(phone)
    look("menu")
    follow(phone, ".bar a[href*='/schedule/']", "/schedule/2025-04-24/")
    look("day")

    phone.click(STAR)
    phone.wait_for(f"document.querySelector(\"{STAR}\").ariaPressed === 'true'")
    phone.wait_for("document.querySelector('#status').textContent.includes('In your agenda: Open weights.')")
    look("bookmark")

    follow(phone, ".bar a[href*='/agenda/']", "/agenda/")
    assert phone.evaluate("document.querySelector('main').textContent.includes('Open weights')")
    look("agenda")

    follow(phone, ".sign-find", "/search/")
    phone.type("#q", "weights")
    phone.wait_for("document.querySelector('#found')?.textContent.includes('Open weights')")
    phone.wait_for("location.search.includes('q=weights') && document.title.includes('weights')")
    look("search")

    assert {name: found for name, found in faults.items() if found} == {}
    assert list(faults) == ["overview", "menu", "day", "bookmark", "agenda", "search"]


def open_and_close_the_menu(phone: Firefox) -> None:
    phone.click("button.sign-menu")
    phone.wait_for("document.querySelector('#pages').matches(':popover-open') && document.querySelector('main').inert")
    phone.click("button.rail-shut")
    phone.wait_for("document.activeElement.matches('button.sign-menu') && !document.querySelector('main').inert")


def follow(phone: Firefox, link: str, path: str) -> None:
    phone.click(link)
    phone.wait_for(f"location.pathname.endsWith('{path}') && document.readyState === 'complete'")
