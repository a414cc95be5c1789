"""The day page of a conference that is running: it opens at now, by the server's clock."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

import pytest
import time_machine
from django.core.cache import cache
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Conference, Event
from tests.browser.watching import Watch
from tests.factories import at, make_appearance, make_conference, make_day, make_event, make_person, make_room, make_type

pytestmark = pytest.mark.django_db(transaction=True)

DAY = "/demo/schedule/2025-04-24/"
# A phone of 844 px without its bar of pages.
IN_SIGHT = 779


@pytest.fixture(autouse=True)
def _running() -> Iterator[None]:
    cache.clear()
    with time_machine.travel(at("11:10")):
        yield


@pytest.fixture(params=[True, False], ids=["script", "no-script"])
def visitor(request: pytest.FixtureRequest, browser: Browser, live_server: LiveServer) -> Page:
    size = {"width": 390, "height": 844}
    return browser.new_context(java_script_enabled=request.param, viewport=size, base_url=live_server.url).new_page()


@pytest.fixture
def crowded() -> Conference:
    """484 talks from 8 to 19, eleven beside each other."""
    conference = make_conference(slug="demo")
    values = {"conference": conference, "day": make_day(conference), "type": make_type(conference, "talk"), "status": "confirmed"}
    quarters = [at("08:00") + number * dt.timedelta(minutes=15) for number in range(44)]
    length = dt.timedelta(minutes=14)
    starts = [(start, room) for start in quarters for room in "ABCDEFGHIJK"]
    Event.objects.bulk_create(
        [Event(title=f"{start:%H:%M} {room}", start=start, end=start + length, **values) for start, room in starts]
    )
    return conference


@pytest.fixture
def workshops() -> Conference:
    """Two workshops from 9 to 17, and one that is over."""
    conference = make_conference(slug="demo")
    for name in ("Proofs", "Genomes"):
        session = make_event(conference, title=name, start="09:00", end="17:00", room=make_room(conference, f"Hall {name}"))
        for hour in (9, 10, 11, 14, 16):
            title = f"{name} at {hour}"
            talk = make_event(conference, kind="talk", title=title, session=session, start=f"{hour:02}:05", end=f"{hour:02}:50")
            make_appearance(talk, make_person(conference, f"Speaker of {title}"))
    tutorial = make_event(conference, title="Tutorial", start="08:00", end="09:00")
    make_event(conference, kind="talk", title="Warm-up", session=tutorial, start="08:15", end="08:45")
    return conference


def top(page: Page, selector: str) -> float:
    """How far below the upper edge of the window."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["y"]


def open_schedule(page: Page) -> None:
    page.goto("/demo/")
    link = page.get_by_role("navigation", name="Main").get_by_role("link", name="Schedule")
    expect(link).to_have_attribute("href", f"{DAY}#now")
    link.click()
    page.wait_for_url(f"**{DAY}#now")


def test_schedule_of_a_crowded_day_opens_at_now(visitor: Page, live_server: LiveServer, crowded: Conference) -> None:
    watch = Watch(visitor, live_server.url)

    open_schedule(visitor)

    assert 0 <= top(visitor, "#now") < IN_SIGHT / 3
    expect(visitor.locator("#now")).to_have_text("Now 11:10")
    expect(visitor.get_by_role("heading", name="11:00 A")).to_be_in_viewport()
    expect(visitor.locator(".earlier > summary")).to_have_text("Earlier today (132)")
    assert watch.complaints == []


def test_now_is_near_the_top_of_the_page_itself(visitor: Page, live_server: LiveServer, crowded: Conference) -> None:
    watch = Watch(visitor, live_server.url)

    visitor.goto(DAY)

    assert top(visitor, "#now") < IN_SIGHT
    assert watch.complaints == []


def test_way_back_to_now_and_the_hours_stay_in_view(visitor: Page, crowded: Conference) -> None:
    visitor.goto(DAY)
    visitor.locator(".spine .event-card").last.scroll_into_view_if_needed()
    expect(visitor.locator("#now")).not_to_be_in_viewport()
    strip = visitor.get_by_role("navigation", name="Hours")
    expect(strip.locator("[aria-current]")).to_have_text("11")

    strip.get_by_role("link", name="Now 11:10").click()

    expect(visitor.locator("#now")).to_be_in_viewport()
    assert 0 <= top(visitor, "#now") < IN_SIGHT / 3


def test_hour_follows_the_strip_as_soon_as_it_was_tapped(visitor: Page, crowded: Conference) -> None:
    visitor.goto(DAY)
    hours = visitor.get_by_role("navigation", name="Hours")

    # What is between is laid out on the way, for the first time.
    hours.get_by_role("link", name="12:00").click()

    expect(visitor.get_by_role("heading", name="12:00 A")).to_be_in_viewport()
    strip = hours.bounding_box()
    assert strip is not None
    assert abs(top(visitor, "#h12") - (strip["y"] + strip["height"])) <= 2


def test_hours_lead_to_what_is_folded_and_to_other_pages(visitor: Page, crowded: Conference) -> None:
    visitor.goto(DAY)
    hours = visitor.get_by_role("navigation", name="Hours")

    hours.get_by_role("link", name="08:00").click()
    expect(visitor.get_by_role("heading", name="08:00 A")).to_be_in_viewport()
    hours.get_by_role("link", name="15:00").click()
    expect(visitor.get_by_role("heading", name="15:00 A")).to_be_in_viewport()
    hours.get_by_role("link", name="Now 11:10").click()

    expect(visitor.get_by_role("heading", name="11:00 A")).to_be_in_viewport()


def test_pages_of_a_day_are_named_by_their_hours(visitor: Page, crowded: Conference) -> None:
    visitor.goto(DAY)
    pages = visitor.get_by_role("navigation", name="Events of this day: pages")
    assert pages.get_by_role("link").all_inner_texts() == ["08–10", "10–12", "12–14", "14–16", "16–18", "18–19"]
    expect(pages.locator("[aria-current]")).to_have_text("10–12")

    pages.get_by_role("link", name="16–18").click()

    expect(visitor.get_by_role("heading", name="16:00 A")).to_be_attached()
    expect(pages.locator("[aria-current]")).to_have_text("16–18")


def test_running_talk_is_under_its_session_and_later_ones_at_their_hour(visitor: Page, workshops: Conference) -> None:
    open_schedule(visitor)
    main = visitor.get_by_role("main")

    for name in ("Proofs", "Genomes"):
        rows = main.get_by_role("list", name=f"In {name}").filter(visible=True)
        expect(rows).to_have_count(3)
        for words in ("11:05–11:50", "On now", f"Speaker of {name} at 11"):
            expect(rows.first).to_contain_text(words)
    later = visitor.locator("#h14")
    expect(later.get_by_role("heading", name="14:05")).to_be_visible()
    expect(later.locator(".session-head").first.locator(".plate")).to_be_visible()
    expect(later.get_by_role("link", name="Proofs at 14", exact=True)).to_be_visible()


def test_what_is_over_is_folded_and_its_session_again(visitor: Page, workshops: Conference) -> None:
    visitor.goto(DAY)
    over = visitor.get_by_role("link", name="Proofs at 9", exact=True)
    expect(over).to_be_hidden()

    visitor.get_by_text("Earlier today").click()

    expect(over).to_be_visible()
    expect(visitor.get_by_role("link", name="Warm-up", exact=True)).to_be_hidden()
    visitor.get_by_text("1 inside").click()
    expect(visitor.get_by_role("link", name="Warm-up", exact=True)).to_be_visible()


def test_hour_of_a_folded_part_opens_it(visitor: Page, workshops: Conference) -> None:
    visitor.goto(DAY)

    visitor.get_by_role("navigation", name="Hours").get_by_role("link", name="09:00").click()

    expect(visitor.get_by_role("link", name="Proofs at 9", exact=True)).to_be_in_viewport()


def test_day_ends_in_one_row(visitor: Page, workshops: Conference) -> None:
    visitor.goto(DAY)
    row = visitor.get_by_role("region", name="Subscribe and download")
    box = row.bounding_box()
    assert box is not None
    assert box["height"] < 80

    row.get_by_text("Subscribe", exact=True).click()

    of_day, of_all_days = row.get_by_role("link", name="Google Calendar").all()
    expect(of_day).to_be_visible()
    expect(of_all_days).to_be_visible()
    expect(row.get_by_role("link", name="Spreadsheet")).to_be_hidden()


def test_chosen_day_stands_out_in_the_strip_of_days(browser: Browser, live_server: LiveServer, workshops: Conference) -> None:
    for scheme in ("light", "dark"):
        page = browser.new_context(color_scheme=scheme, base_url=live_server.url).new_page()
        page.goto(DAY)
        ground = "element => getComputedStyle(element).backgroundColor"
        assert page.locator(".day-strip [aria-current]").evaluate(ground) == "rgb(251, 250, 246)"


def test_link_to_now_is_quiet_while_now_is_in_view(page: Page, crowded: Conference) -> None:
    page.goto(f"{DAY}#now")
    link = page.get_by_role("link", name="Now 11:10")
    expect(link).to_have_attribute("data-here", "")

    page.locator(".spine .event-card").last.scroll_into_view_if_needed()

    expect(link).not_to_have_attribute("data-here", "")


def test_filter_says_how_many_are_left(page: Page, workshops: Conference) -> None:
    page.goto(DAY)

    page.locator("#schedule").get_by_role("link", name="Talk (11)").click()

    expect(page.locator("#announcer")).to_have_text("11 of 14 events")
    expect(page.locator(".view-bar")).to_contain_text("11 of 14 events · Clear filters")


def test_printed_day_has_what_is_over_its_conference_and_its_time_zone(page: Page, workshops: Conference) -> None:
    make_event(workshops, title="Early birds", start="07:00", end="07:30")
    page.goto(DAY)
    early = page.get_by_text("Early birds").first
    expect(early).not_to_be_visible()

    page.emulate_media(media="print")

    expect(early).to_be_visible()
    expect(page.locator(".print-foot")).to_contain_text("ICLR 2025 · Singapore time (UTC+8)")
    assert page.locator(".earlier > summary:visible, .now-rule:visible, .take-along:visible").count() == 0


def test_printed_day_has_hours_in_place_of_now(page: Page, workshops: Conference) -> None:
    page.goto(f"{DAY}?at=2025-04-24T10:10")
    heading = page.locator(".hour-mark", has_text="On now")
    expect(heading).to_have_text("On now", use_inner_text=True)

    page.emulate_media(media="print")

    hours = page.locator(".hour-mark", has=page.locator("[data-then]"))
    assert re.fullmatch(r"\d\d:\d\d–\d\d:\d\d", hours.inner_text().strip())
    assert page.get_by_text("On now").filter(visible=True).count() == 0


# The width of A4 without its margins, at 96 pixels an inch.
PAPER = 703


@pytest.mark.parametrize("view", ["", "?view=grid"], ids=["list", "grid"])
def test_printed_day_fits_its_paper_and_gives_titles_their_room(page: Page, workshops: Conference, view: str) -> None:
    for number in range(4):
        room = make_room(workshops, f"A room with a rather long name {number}")
        make_event(workshops, title="A talk with a rather long title", start="09:00", end="10:00", room=room)
    page.set_viewport_size({"width": PAPER, "height": 1000})

    page.goto(DAY + view)
    page.emulate_media(media="print")

    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER
    titles = page.locator(".grid li a" if view else ".session-rows h4").filter(visible=True)
    assert titles.count() > 4
    assert titles.evaluate_all("all => all.filter((it) => it.scrollWidth > it.clientWidth + 1).length") == 0
    if not view:
        assert titles.evaluate_all("all => Math.min(...all.map((it) => it.getBoundingClientRect().width))") > PAPER / 2
