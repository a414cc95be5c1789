"""A spreadsheet from an organiser's hands to its preview, with and without JavaScript."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Event
from tests.browser.organisers.test_import import FORM, log_in
from tests.imports.formats.spreadsheets.sheet_files import content_of

pytestmark = pytest.mark.django_db(transaction=True)


def hand_in(page: Page) -> None:
    log_in(page)
    page.goto(FORM)
    page.get_by_label("Address of a new conference").fill("meadow-2026")
    page.get_by_label("Time zone").fill("Vienna")
    sent = {"name": "talks.csv", "mimeType": "text/csv", "buffer": content_of("google.csv")}
    page.locator("input[type=file]").set_input_files(sent)
    page.get_by_role("button", name="Show what would change").click()
    expect(page.get_by_role("heading", name="Columns of talks.csv")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_columns_are_chosen_and_the_programme_is_imported(browser: Browser, live_server: LiveServer, scripts: bool) -> None:
    context = browser.new_context(base_url=live_server.url, java_script_enabled=scripts)
    page = context.new_page()
    hand_in(page)
    row = page.locator("#read").get_by_role("row").filter(has_text="Grass that sings")
    expect(row).to_contain_text("Great Hall")

    for chosen, shown in (("", False), ("room", True)):
        page.get_by_label("Where").select_option(chosen)
        if not scripts:
            page.get_by_role("button", name="Show what is read").click()
        expect(row).to_contain_text("Great Hall") if shown else expect(row).not_to_contain_text("Great Hall")
    page.get_by_role("button", name="Show what would change").click()
    expect(page.get_by_text("4 new rooms")).to_be_visible()
    page.get_by_role("button", name="Import it").click()

    expect(page.get_by_text("Imported from talks.csv: created 5")).to_be_visible()
    assert Event.objects.filter(room__name="Great Hall").count() == 1
    context.close()


def test_page_of_columns_fits_a_phone(page: Page, live_server: LiveServer, transactional_db: None) -> None:
    page.set_viewport_size({"width": 320, "height": 800})
    hand_in(page)

    assert page.evaluate("document.documentElement.scrollWidth") <= 320
