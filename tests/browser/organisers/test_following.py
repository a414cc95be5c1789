"""From an address in the admin to a change on the public pages: the button, Apply, Not now."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.admin.following import FollowedSourceAdmin
from events.models import Event, FollowedSource
from tests.browser.looks import looks
from tests.browser.organisers.test_import import MOVED, SCHEDULE, log_in
from tests.browser.watching import Watch
from tests.factories import make_conference
from tests.https_server import HttpsServer, https_server

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HttpsServer]:
    with https_server(tmp_path) as found:
        monkeypatch.setattr(FollowedSourceAdmin, "internet", found.internet(seconds=20.0))
        yield found


def add_source(page: Page, server: HttpsServer) -> None:
    page.goto("/organise/events/followedsource/add/")
    page.get_by_label("Conference").select_option("ICLR 2025")
    page.get_by_label("Address").fill(server.url().replace(f":{server.port}", ""))
    page.get_by_role("button", name="Save and continue editing").first.click()


def look_now(page: Page) -> None:
    page.goto("/organise/events/followedsource/")
    page.get_by_role("link", name="schedule.example.org").click()
    page.get_by_role("button", name="Look now").click()


def point_at(server: HttpsServer) -> None:
    """The form takes port 443 alone; the server of the test has another."""

    FollowedSource.objects.update(url=server.url())


def test_programme_is_followed_from_the_form_to_the_pages(
    page: Page, live_server: LiveServer, server: HttpsServer, transactional_db: None
) -> None:
    make_conference(slug="small-2025")
    watch = Watch(page, live_server.url)
    log_in(page)
    server.serve(SCHEDULE)
    add_source(page, server)
    point_at(server)

    page.get_by_role("button", name="Look now").click()
    expect(page.get_by_role("list").filter(has_text="4 new")).to_be_visible()
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_text("Imported from schedule.xml: created 4")).to_be_visible()

    server.serve(MOVED)
    look_now(page)

    row = page.get_by_role("row").filter(has_text="Engines that learn")
    expect(row).to_contain_text("11:00")
    page.goto("/organise/")
    page.get_by_role("link", name="schedule.example.org").click()
    page.get_by_role("link", name="See what would change").click()
    page.get_by_label("Reason for attendees").fill("The speaker’s train is late.")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_text("changed 1, cancelled 0, unchanged 3").first).to_be_visible()
    page.goto("/small-2025/changes/")
    page.get_by_text("1 change").or_(page.get_by_text("2 changes")).first.click()
    expect(page.locator("#main")).to_contain_text("The speaker’s train is late.")

    server.serve(SCHEDULE)
    look_now(page)
    page.get_by_role("button", name="Not now").click()
    expect(page.get_by_text("Not now: schedule.xml is not applied.")).to_be_visible()
    assert Event.objects.get(title="Engines that learn").start.hour == 3  # type: ignore[union-attr]
    assert (watch.complaints, watch.foreign) == ([], [])


@looks()
def test_pages_of_a_followed_source_fit(
    browser: Browser, live_server: LiveServer, server: HttpsServer, transactional_db: None, width: int, scheme: str
) -> None:
    make_conference(slug="small-2025")
    page = browser.new_page(
        base_url=live_server.url,
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    watch = Watch(page, live_server.url)
    log_in(page)
    server.serve(SCHEDULE)
    add_source(page, server)
    point_at(server)
    page.get_by_role("button", name="Look now").click()
    waiting = page.url
    page.goto("/organise/events/followedsource/")
    page.get_by_role("link", name="schedule.example.org").click()
    its_page = page.url

    for address in ("/organise/", waiting, its_page):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0

    assert (watch.complaints, watch.foreign) == ([], [])
    page.close()
