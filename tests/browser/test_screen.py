"""A screen on a wall: it keeps itself up to date, keeps what it has without a network, and fits."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Announcement, Conference, CrowdReport, Event, Room
from tests.factories import (
    at,
    make_appearance,
    make_conference,
    make_day,
    make_event,
    make_person,
    make_room,
    make_walk,
    make_zone,
)

pytestmark = pytest.mark.django_db(transaction=True)

LANDSCAPE, PORTRAIT, SMALL = (1920, 1080), (1080, 1920), (1280, 720)
TITLES = [
    "Representation learning for people who are in a hurry and would nevertheless like to know everything about the bounds",
    "深層学習における表現の幾何学的構造について：理論と応用",
    "تعلم التمثيلات للنماذج اللغوية الكبيرة",
    "Pneumonoultramicroscopicsilicovolcanoconiosis" * 5,
]


@pytest.fixture
def hall() -> Room:
    """A hall in which something is on now, by the real clock, and something else soon."""
    now = timezone.now().replace(second=0, microsecond=0)
    date = (now - dt.timedelta(hours=4)).date()
    conference = make_conference(slug="demo", name="Demo", timezone="UTC", start=date, end=date + dt.timedelta(days=3))
    room = make_room(conference, "Hall 1", make_zone(conference, "Hall 1", letter="H"))
    day = make_day(conference, date)
    hour = dt.timedelta(hours=1)
    make_event(conference, title="Open science", day=day, start=now - hour, end=now + hour, room=room)
    make_event(conference, title="Orals", day=day, start=now + hour, end=now + 2 * hour, room=room)
    return room


@pytest.fixture
def screen(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    context = browser.new_context(base_url=live_server.url, viewport={"width": LANDSCAPE[0], "height": LANDSCAPE[1]})
    page = context.new_page()
    page.clock.install()
    yield page
    context.close()


def opened(screen: Page, asked: str) -> None:
    """The screen, once it has asked the server for the first time."""
    with screen.expect_response(lambda it: "hx-request" in it.request.headers):
        screen.goto(f"/demo/screen/?{asked}")
    screen.wait_for_timeout(200)


def test_screen_brings_itself_up_to_date(screen: Page, hall: Room) -> None:
    opened(screen, "room=hall-1")
    expect(screen.get_by_text("Open science")).to_be_visible()

    event = Event.objects.get(title="Open science")
    event.title = "Open weights"
    event.revise()
    screen.clock.run_for(21_000)

    expect(screen.get_by_text("Open weights")).to_be_visible()
    expect(screen.get_by_text("Open science")).to_have_count(0)


def test_screen_keeps_what_it_has_without_a_network_and_recovers(screen: Page, hall: Room) -> None:
    opened(screen, "room=hall-1")
    state = screen.locator("[data-state]")
    expect(state).not_to_contain_text("network")

    screen.context.set_offline(True)
    screen.clock.run_for(100_000)
    expect(state).not_to_contain_text("network")
    screen.clock.run_for(60_000)

    expect(state).to_have_text("As of " + str(state.locator("time").text_content()) + ", no network")
    expect(screen.get_by_text("Open science")).to_be_visible()

    event = Event.objects.get(title="Open science")
    event.title = "Open weights"
    event.revise()
    screen.context.set_offline(False)
    screen.clock.run_for(21_000)

    expect(screen.get_by_text("Open weights")).to_be_visible()
    expect(screen.locator("[data-state]")).not_to_contain_text("network")


def test_screen_keeps_what_it_has_when_the_server_fails(screen: Page, hall: Room) -> None:
    opened(screen, "room=hall-1")
    Conference.objects.update(status="draft")
    screen.clock.run_for(180_000)

    expect(screen.locator("[data-state]")).to_contain_text(", no answer")
    expect(screen.get_by_text("Open science")).to_be_visible()


def test_hour_goes_on_by_itself_and_by_the_servers_clock(screen: Page, hall: Room) -> None:
    opened(screen, "room=hall-1")
    hour = screen.locator("[data-clock]")
    screen.context.set_offline(True)
    before = hour.text_content()

    screen.clock.run_for(61_000)

    expect(hour).not_to_have_text(str(before))
    expect(screen.locator("[data-starts]")).to_have_text("in 58 min")


def test_screen_for_another_moment_stands_still(screen: Page, hall: Room) -> None:
    opened(screen, "room=hall-1&at=2025-04-24T09:40")

    screen.clock.run_for(120_000)

    expect(screen.locator("[data-clock]")).to_have_text("09:40")


def test_page_is_loaded_anew_when_its_files_changed(screen: Page, hall: Room) -> None:
    opened(screen, "room=hall-1")
    screen.evaluate("document.querySelector('#screen').dataset.version = 'old'; window.old = true")
    Event.objects.get(title="Open science").conference.bump()
    make_event(hall.conference, title="Something else", start="09:00", end="10:00")

    with screen.expect_navigation():
        screen.clock.run_for(41_000)

    assert screen.evaluate("window.old") is None


def test_rooms_and_announcements_take_turns(screen: Page) -> None:
    conference = make_conference(slug="demo")
    for number in range(9):
        room = make_room(conference, f"Garnet {number}", make_zone(conference, "Garnet"), position=number)
        make_event(conference, title=f"In {number}", start="09:00", end="11:00", room=room)
    for number in range(3):
        Announcement.objects.create(conference=conference, title=f"News {number}", starts_at=at("08:00"))
    opened(screen, "zone=garnet&at=2025-04-24T09:40")
    seen: set[str] = set()

    for _ in range(3):
        assert screen.locator(".wall-rows:visible").count() == screen.locator(".wall-notice:visible").count() == 1
        seen |= set(screen.locator(".wall-row:visible h2, .wall-notice:visible b").all_inner_texts())
        screen.clock.run_for(15_000)

    assert seen == {f"Garnet {number}" for number in range(9)} | {f"News {number}" for number in range(3)}


def hard(conference: Conference) -> None:
    """All that is hard to fit: long names of many people, other scripts, full rooms, something cancelled, something urgent."""
    zone = make_zone(conference, "Garnet", letter="G")
    make_walk(conference, zone, make_zone(conference, "Hall 1", letter="H"))
    for number, title in enumerate(TITLES):
        room = make_room(conference, f"Garnet {211 + number}–{212 + number}, the large one", zone, position=number)
        session = make_event(conference, title=title, start="09:00", end="10:30", room=room)
        talk = make_event(conference, kind="talk", title=f"Talk: {title}", start="09:30", end="10:00", session=session)
        for person in range(6):
            make_appearance(talk, make_person(conference, f"Maximiliane von und zu Musterhausen the {person}th"))
        for hour in (11, 12, 13):
            make_event(conference, title=title, status="cancelled", start=f"{hour}:00", end=f"{hour}:30", room=room)
        CrowdReport.objects.create(
            conference=conference, room=room, by_staff=True, state="full" if number < 3 else "filling", at=at("09:38")
        )
    Announcement.objects.create(conference=conference, title="Leave " * 30, text="Now. " * 50, urgent=True, starts_at=at("08:00"))


OVERLAPPING = """() => {
  const boxes = [...document.querySelectorAll(".wall-head, .wall-main, .wall-foot")].map((it) => it.getBoundingClientRect());
  return boxes[0].bottom > boxes[1].top + 1 || boxes[1].bottom > boxes[2].top + 1;
}"""
CUT = """() => [...document.querySelectorAll(".wall-row")]
  .filter((it) => it.checkVisibility() && it.scrollHeight > it.clientHeight + 2)
  .map((it) => `${it.innerText}: ${it.scrollHeight} of ${it.clientHeight}`)"""


@pytest.mark.parametrize("size", [LANDSCAPE, PORTRAIT, SMALL], ids=["landscape", "portrait", "small"])
@pytest.mark.parametrize("place", ["zone=garnet", "room=garnet-211212-the-large-one", "room=garnet-214215-the-large-one"])
def test_everything_fits_and_nothing_scrolls(screen: Page, place: str, size: tuple[int, int]) -> None:
    hard(make_conference(slug="demo", name="Demo"))
    screen.set_viewport_size({"width": size[0], "height": size[1]})
    opened(screen, f"{place}&at=2025-04-24T09:40")

    scrolls = screen.evaluate(
        "document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth"
    )

    assert (scrolls, screen.evaluate(OVERLAPPING), screen.evaluate(CUT)) == (False, False, [])
    assert screen.locator(".wall-row:visible, .wall-piece:visible").count() in {2, 4}
    assert screen.evaluate("getComputedStyle(document.documentElement).cursor") == "none"
    # What five metres away can be read: the hour a tenth of the screen's height, titles a fortieth at least.
    height = min(size)
    assert screen.locator("[data-clock]").evaluate("it => parseFloat(getComputedStyle(it).fontSize)") > height / 8
    smallest = screen.locator(".wall-title, .wall-name").evaluate_all(
        "all => Math.min(...all.filter(it => it.checkVisibility()).map(it => parseFloat(getComputedStyle(it).fontSize)))"
    )
    assert smallest > height / 30
