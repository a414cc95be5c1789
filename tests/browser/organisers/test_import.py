"""From a file in an organiser's hands to the agenda of somebody who picked what moved."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Conference
from events.programme.models.publication import publish_conference
from tests.browser.looks import looks
from tests.browser.watching import Watch
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)

SCHEDULE = (Path(__file__).parents[2] / "data" / "upload" / "schedule.xml").read_text()
MOVED = SCHEDULE.replace("2025-04-24T10:30:00", "2025-04-24T11:00:00").replace("<start>10:30</start>", "<start>11:00</start>")
FORM = "/organise/events/conference/programme/"


def log_in(page: Page) -> None:
    World.staff("organiser")
    page.goto("/organise/login/")
    page.get_by_label("Username").fill("organiser")
    page.get_by_label("Password").fill("a long enough password")
    page.get_by_role("button", name="Log in").click()


def hand_in(page: Page, content: str) -> None:
    page.locator("input[type=file]").set_input_files({"name": "schedule.xml", "mimeType": "text/xml", "buffer": content.encode()})
    page.get_by_role("button", name="Show what would change").click()


def test_moved_event_reaches_the_agenda_of_whoever_picked_it(
    page: Page, browser: Browser, live_server: LiveServer, transactional_db: None
) -> None:
    watch = Watch(page, live_server.url)
    log_in(page)
    page.get_by_role("link", name="Import a programme").click()
    page.get_by_label("Address of a new conference").fill("small-2025")
    hand_in(page, SCHEDULE)
    expect(page.get_by_role("list").filter(has_text="4 new")).to_be_visible()
    page.get_by_role("button", name="Import it").click()
    expect(page.get_by_text("Imported from schedule.xml: created 4")).to_be_visible()

    publish_conference(Conference.objects.get())
    visitor = browser.new_page(base_url=live_server.url)
    visitor.goto("/small-2025/schedule/2025-04-24/?at=2025-04-24T08:00")
    card = visitor.locator(".event-card").filter(has_text="Engines that learn").first
    card.get_by_role("button").click()
    expect(card.get_by_role("button")).to_have_attribute("aria-pressed", "true")

    page.goto(f"{FORM}?conference={Conference.objects.get().pk}")
    hand_in(page, MOVED)
    row = page.get_by_role("row").filter(has_text="Engines that learn")
    expect(row).to_contain_text("10:30")
    expect(row).to_contain_text("11:00")
    page.get_by_role("button", name="Import it").click()
    expect(page.get_by_text("changed 1, cancelled 0, unchanged 3")).to_be_visible()

    visitor.goto("/small-2025/agenda/?at=2025-04-24T08:00")
    expect(visitor.locator("#main")).to_contain_text("Engines that learn")
    expect(visitor.locator("#main")).to_contain_text("11:00")
    expect(visitor.locator("#main")).to_contain_text("10:30")
    visitor.goto("/small-2025/changes/")
    # What an import changed is one entry.
    visitor.get_by_text("2 changes").or_(visitor.get_by_text("1 change")).first.click()
    expect(visitor.locator("#main del").filter(has_text="10:30")).to_be_visible()
    expect(visitor.locator("#main ins").filter(has_text="11:00")).to_be_visible()
    assert (watch.complaints, watch.foreign) == ([], [])


@looks()
def test_pages_of_an_import_fit_and_keep_to_the_policy(
    browser: Browser, live_server: LiveServer, world: World, width: int, scheme: str
) -> None:
    page = browser.new_page(
        base_url=live_server.url,
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    watch = Watch(page, live_server.url)
    log_in(page)

    for address in (FORM, "/organise/events/session/import/"):
        page.goto(address)
        if address == FORM:
            page.get_by_label("Address of a new conference").fill(f"small-{width}-{scheme}")
            hand_in(page, SCHEDULE)
        else:
            page.get_by_label("Conference").select_option("ICLR 2025")
            hand_in(page, "title,type,place\nA new session,Session,By the sea\n")
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        expect(page.get_by_role("button", name="Import it")).to_be_visible()

    assert (watch.complaints, watch.foreign) == ([], [])
    page.close()
