"""The programme in a frame of another site, as its readers meet it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.templatetags.static import static
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from tests.browser.looks import PHONE
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)
NOW = "view=now&at=2025-04-24T09:30"


@pytest.fixture
def reader(browser: Browser, live_server: LiveServer, world: World) -> Iterator[Page]:
    """Somebody with an agenda here, on a page of another site."""
    context = browser.new_context(viewport={"width": PHONE, "height": 900})
    context.add_cookies([{"name": VISITOR_COOKIE, "value": world.token, "url": live_server.url}])
    yield context.new_page()
    context.close()


def other_site(live_server: LiveServer) -> str:
    """A file at another name of this machine: Chromium lets no page of the internet frame one of this machine."""
    return f"{live_server.url.replace('localhost', '127.0.0.1')}{static('events/css/venue/plan.css')}"


def show(reader: Page, live_server: LiveServer, address: str) -> None:
    reader.goto(other_site(live_server))
    frame = f'<iframe id="frame" title="Programme" src="{address}" width="380" height="700"></iframe>'
    reader.set_content(f"<!doctype html><title>Other</title>{frame}")


def test_frame_shows_a_day_and_its_links_open_the_whole_window(reader: Page, live_server: LiveServer, world: World) -> None:
    show(reader, live_server, f"{live_server.url}/iclr-2025/embed/?day=2025-04-24")
    before = reader.context.cookies()
    link = reader.frame_locator("#frame").get_by_role("link", name=world.keynote.title)

    expect(link).to_be_visible()
    link.click()

    expect(reader).to_have_url(f"{live_server.url}{world.keynote.get_absolute_url()}")
    assert [cookie["name"] for cookie in before] == [VISITOR_COOKIE]


def test_days_are_turned_inside_the_frame(reader: Page, live_server: LiveServer, world: World) -> None:
    show(reader, live_server, f"{live_server.url}/iclr-2025/embed/?{NOW}")
    frame = reader.frame_locator("#frame")

    expect(frame.get_by_role("heading", name="On now", exact=True)).to_be_visible()
    frame.get_by_role("link", name="Update").click()

    expect(frame.get_by_role("heading", name="On now", exact=True)).to_be_visible()
    expect(reader).to_have_url(other_site(live_server))


def test_other_pages_stay_out_of_frames(reader: Page, live_server: LiveServer, world: World) -> None:
    show(reader, live_server, f"{live_server.url}/iclr-2025/agenda/")

    expect(reader.frame_locator("#frame").get_by_role("heading", name="Agenda")).to_have_count(0)


@pytest.mark.parametrize("query", [NOW, "theme=dark", "theme=light&day=1999-01-01"])
def test_frame_is_sound(reader: Page, live_server: LiveServer, world: World, query: str) -> None:
    reader.emulate_media(color_scheme="light" if "dark" in query else "dark")

    reader.goto(f"{live_server.url}/iclr-2025/embed/?{query}")

    assert [it["id"] for it in Axe().run(reader).response["violations"]] == []
    assert reader.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
