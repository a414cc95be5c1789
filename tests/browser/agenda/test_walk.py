"""From the front page to a calendar on a phone, with and without JavaScript."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import vobject
from django.conf import settings
from playwright.sync_api import Browser, Download, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Conference
from tests.browser.watching import Watch
from tests.factories import at, make_appearance, make_conference, make_event, make_person, make_room, make_walk

pytestmark = pytest.mark.django_db(transaction=True)

AT = "?at=2025-04-24T08:30"


@pytest.fixture
def conference() -> Conference:
    """Thursday: a keynote, a panel 15 minutes before its end, and a talk five minutes' walk away right after it."""
    conference = make_conference(slug="iclr-2025", title="Learning Representations")
    hall, garnet = make_room(conference, "Hall 1"), make_room(conference, "Garnet 213")
    make_walk(conference, hall.zone, garnet.zone, 5, covered=True)
    keynote = make_event(conference, kind="invited-talk", title="The keynote", start="10:00", end="11:00", room=hall)
    make_appearance(keynote, make_person(conference, "Zico Kolter"))
    make_event(conference, kind="talk", title="The panel", start="10:45", end="11:30", room=hall)
    make_event(conference, kind="talk", title="The late talk", start="11:00", end="11:15", room=garnet)
    return conference


@pytest.fixture(params=[(True, 1280), (True, 390), (False, 390)], ids=["desk", "phone", "phone-without-javascript"])
def visitor(request: pytest.FixtureRequest, browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    scripts, width = request.param
    context = browser.new_context(java_script_enabled=scripts, viewport={"width": width, "height": 800}, base_url=live_server.url)
    yield context.new_page()
    context.close()


def bookmark(page: Page, title: str) -> None:
    page.get_by_role("main").get_by_role("button", name=f"Bookmark {title}").first.click()


def message(page: Page) -> Any:
    return page.locator("#status")


def test_walk_ends_with_the_picks_in_a_calendar_file(
    visitor: Page, live_server: LiveServer, conference: Conference, tmp_path: Path
) -> None:
    watch = Watch(visitor, live_server.url)

    visitor.goto("/")
    visitor.get_by_role("link", name="ICLR 2025").first.click()
    expect(visitor.get_by_role("heading", level=1)).to_contain_text("Learning Representations")

    visitor.goto(f"/iclr-2025/{AT}")
    visitor.locator("a.door").click()
    expect(visitor.get_by_role("heading", level=1)).to_have_text("Thursday 24 April")
    bookmark(visitor, "The keynote")
    expect(message(visitor)).to_contain_text("In your agenda: The keynote.")

    bookmark(visitor, "The panel")
    expect(message(visitor)).to_contain_text("15 min overlap.")
    expect(message(visitor)).to_contain_text("The keynote")

    bookmark(visitor, "The late talk")
    expect(message(visitor)).to_contain_text("5 min on foot: you arrive 11:05, 5 min late")

    visitor.get_by_role("navigation").get_by_role("link", name="Agenda").filter(visible=True).first.click()
    main = visitor.get_by_role("main")
    expect(main).to_contain_text("3 picks")
    expect(main).to_contain_text("These two clash: 15 min overlap")
    expect(main.get_by_role("heading", name="The keynote")).to_be_visible()

    main.get_by_role("link", name="To my calendar").click()
    expect(visitor.get_by_role("heading", level=1)).to_have_text("To my calendar")
    with visitor.expect_download() as downloading:
        main.get_by_role("button", name="Download .ics").click()
    assert read(downloading.value, tmp_path) == {
        "The keynote": (at("10:00"), at("11:00")),
        "The panel": (at("10:45"), at("11:30")),
        "The late talk": (at("11:00"), at("11:15")),
    }
    assert watch.complaints == []
    assert watch.foreign == []


def read(download: Download, folder: Path) -> dict[str, tuple[Any, Any]]:
    """Summary to start and end, as a parser that is not ours sees them."""
    path = folder / "agenda.ics"
    download.save_as(path)
    calendar = vobject.readOne(path.read_text(encoding="utf-8"))
    return {it.summary.value: (it.dtstart.value, it.dtend.value) for it in calendar.vevent_list}


def test_pick_taken_back_leaves_the_agenda(visitor: Page, conference: Conference) -> None:
    visitor.goto(f"/iclr-2025/schedule/2025-04-24/{AT}")
    bookmark(visitor, "The keynote")
    expect(message(visitor)).to_contain_text("In your agenda")

    visitor.goto(f"/iclr-2025/agenda/{AT}")
    bookmark(visitor, "The keynote")
    expect(message(visitor)).to_contain_text("Removed: The keynote.")
    visitor.goto("/iclr-2025/agenda/")

    expect(visitor.get_by_role("main")).not_to_contain_text("1 pick")


def test_bookmark_by_htmx_keeps_the_page_and_the_focus(page: Page, conference: Conference) -> None:
    page.goto(f"/iclr-2025/schedule/2025-04-24/{AT}")
    page.evaluate("window.stillHere = true")
    button = page.get_by_role("main").get_by_role("button", name="Bookmark The keynote").first
    button.focus()

    page.keyboard.press("Enter")

    expect(message(page)).to_contain_text("In your agenda: The keynote.")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_be_focused()
    expect(page.locator("#agenda-count-rail")).to_have_text("1")
    assert page.evaluate("window.stillHere") is True


def test_subscription_page_hands_out_an_address_that_works(page: Page, conference: Conference) -> None:
    page.goto(f"/iclr-2025/schedule/2025-04-24/{AT}")
    bookmark(page, "The keynote")
    expect(message(page)).to_contain_text("In your agenda")
    page.goto("/iclr-2025/agenda/calendar/")
    address = page.get_by_label("Any other calendar").input_value()
    feed = address.removeprefix(settings.SITE_URL)
    before = page.request.get(feed)

    page.get_by_role("button", name="Replace the address").click()
    after = page.request.get(feed)

    assert vobject.readOne(before.text()).vevent.summary.value == "The keynote"
    assert vobject.readOne(after.text()).vevent.summary.value == "This calendar link was replaced"
