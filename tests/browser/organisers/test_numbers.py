"""The page with numbers, as an organiser meets it on a phone and on a desk."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from events.models import MissedSearch
from tests.browser.looks import DESK, PHONE
from tests.factories import make_agenda
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(("width", "scheme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
def test_numbers_can_be_read_and_their_charts_are_tables_too(
    browser: Browser, live_server: LiveServer, world: World, width: int, scheme: str
) -> None:
    for _ in range(6):
        make_agenda(world.conference, world.keynote)
    MissedSearch.objects.create(conference=world.conference, words="swimming pool", askers=5, last_on=world.day.date)
    session = world.client("organiser").cookies[settings.SESSION_COOKIE_NAME].value
    context = browser.new_context(base_url=live_server.url, viewport={"width": width, "height": 900}, color_scheme=scheme)
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
    page = context.new_page()

    page.goto(f"/organise/events/conference/numbers/?conference={world.conference.pk}")

    expect(page.get_by_role("row", name=world.keynote.title)).to_contain_text(str(7))
    expect(page.get_by_role("row", name="swimming pool")).to_be_visible()
    chart = page.get_by_role("img", name="Agendas begun")
    expect(chart).to_be_visible()
    page.locator("summary").last.focus()
    page.keyboard.press("Enter")
    expect(page.locator("details[open] table")).to_be_visible()
    assert [it["id"] for it in Axe().run(page, context="#content").response["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    context.close()
