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

LANDSCAPE, PORTRAIT, SMALL, LARGE, OLD = (1920, 1080), (1080, 1920), (1280, 720), (3840, 2160), (1024, 768)
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
    with screen.expect_response(lambda it: "part=screen" in it.url):
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


def test_screen_keeps_what_it_has_when_its_room_is_called_otherwise(screen: Page, hall: Room) -> None:
    opened(screen, "room=hall-1")
    Room.objects.update(name="Hall one")
    Conference.objects.get().bump_revision()
    screen.clock.run_for(180_000)

    expect(screen.locator("[data-state]")).to_contain_text(", page not found")
    expect(screen.get_by_text("Open science")).to_be_visible()


@pytest.mark.parametrize("status", [200, 502], ids=["a page of the network's", "a server that is being started"])
def test_screen_keeps_what_it_has_when_others_answer_and_recovers(screen: Page, hall: Room, status: int) -> None:
    opened(screen, "room=hall-1")
    screen.route("**/screen/**", lambda route: route.fulfill(status=status, body="<h1>Sign in</h1>", content_type="text/html"))
    screen.clock.run_for(180_000)

    expect(screen.locator("[data-state]")).to_contain_text(", no answer")
    expect(screen.get_by_text("Open science")).to_be_visible()

    screen.unroute_all()
    screen.clock.run_for(21_000)

    expect(screen.locator("[data-state]")).not_to_contain_text("no answer")


def test_what_nobody_knows_any_more_is_not_said(screen: Page, hall: Room) -> None:
    CrowdReport.objects.create(conference=hall.conference, room=hall, by_staff=True, state="full", at=timezone.now())
    opened(screen, "room=hall-1")
    now, full = screen.locator(".wall-now"), screen.locator(".wall-crowd")
    screen.context.set_offline(True)

    screen.clock.run_for(10 * 60_000)
    expect(full).to_be_visible()
    screen.clock.run_for(6 * 60_000)
    expect(full).to_be_hidden()
    expect(now).to_be_visible()
    screen.clock.run_for(50 * 60_000)

    expect(now).to_be_hidden()
    expect(screen.get_by_text("Open science")).to_be_visible()


def test_hour_goes_on_by_itself_and_by_the_servers_clock(screen: Page, hall: Room) -> None:
    opened(screen, "room=hall-1")
    hour = screen.locator("[data-clock]")
    screen.context.set_offline(True)
    before = hour.text_content()

    screen.clock.run_for(61_000)

    expect(hour).not_to_have_text(str(before))
    expect(screen.locator("[data-starts]")).to_have_text("in 58 min")


@pytest.mark.parametrize("place", ["room=hall-1", "zone=all"])
def test_talk_that_is_over_is_not_on_for_the_rest_of_its_session(screen: Page, hall: Room, place: str) -> None:
    session = Event.objects.get(title="Open science")
    assert session.start
    ends = session.start + dt.timedelta(minutes=75)
    hours = {"start": session.start, "end": ends, "day": session.day}
    make_event(hall.conference, kind="talk", title="Adam", session=session, **hours)
    make_event(hall.conference, kind="talk", title="Eve", session=session, **hours | {"start": ends, "end": session.end})
    opened(screen, place)
    talk, starts = screen.get_by_text("Adam"), screen.locator("[data-starts]").first
    expect(talk).to_be_visible()
    screen.context.set_offline(True)

    screen.clock.run_for(20 * 60_000)

    expect(talk).to_be_hidden()
    expect(screen.get_by_text("Open science")).to_be_visible()
    expect(starts).to_have_text("started")
    screen.clock.run_for(45 * 60_000)
    expect(starts).to_have_text("over")


def test_screen_for_another_moment_stands_still(screen: Page, hall: Room) -> None:
    opened(screen, "room=hall-1&at=2025-04-24T09:40")

    screen.clock.run_for(120_000)

    expect(screen.locator("[data-clock]")).to_have_text("09:40")


def test_page_is_loaded_anew_when_its_files_changed(screen: Page, hall: Room) -> None:
    opened(screen, "room=hall-1")
    screen.evaluate("document.querySelector('#screen').dataset.version = 'old'; window.old = true")
    event = Event.objects.get(title="Open science")
    event.title = "Open weights"
    event.revise()

    with screen.expect_navigation():
        screen.clock.run_for(41_000)

    assert screen.evaluate("window.old") is None


def test_page_is_not_loaded_anew_before_its_files_are_there(screen: Page, hall: Room) -> None:
    opened(screen, "room=hall-1")
    screen.route("**/screens/door*.css", lambda route: route.fulfill(status=503))
    screen.evaluate("document.querySelector('#screen').dataset.version = 'old'; window.old = true")
    event = Event.objects.get(title="Open science")
    event.title = "Open weights"
    event.revise()

    with screen.expect_response(lambda it: it.status == 503):
        screen.clock.run_for(41_000)
    screen.wait_for_timeout(300)

    assert screen.evaluate("window.old")
    expect(screen.get_by_text("Open science")).to_be_visible()
    screen.unroute_all()
    with screen.expect_navigation():
        screen.clock.run_for(21_000)


def test_rooms_and_announcements_take_turns(screen: Page) -> None:
    conference = make_conference(slug="demo")
    for number in range(9):
        room = make_room(conference, f"Garnet {number}", make_zone(conference, "Garnet"), position=number)
        make_event(conference, title=f"In {number}", start="09:00", end="11:00", room=room)
    for number in range(3):
        Announcement.objects.create(conference=conference, title=f"News {number}", starts_at=at("08:00"))
    opened(screen, "zone=garnet&at=2025-04-24T09:40")
    seen: set[str] = set()

    # Meanwhile the clock goes on by itself, so a turn may be missed.
    for _ in range(12):
        assert screen.locator(".wall-rows:visible").count() == screen.locator(".wall-notice:visible").count() == 1
        seen |= {it.strip() for it in screen.locator(".wall-row:visible h2, .wall-notice:visible b").all_inner_texts()}
        screen.clock.run_for(10_000)

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
    Announcement.objects.create(conference=conference, title="Leave " * 8, text="Now. " * 14, urgent=True, starts_at=at("08:00"))


OVERLAPPING = """() => {
  const boxes = [...document.querySelectorAll(".wall-head, .wall-main, .wall-foot")].map((it) => it.getBoundingClientRect());
  return boxes[0].bottom > boxes[1].top + 1 || boxes[1].bottom > boxes[2].top + 1;
}"""
CUT = """() => [...document.querySelectorAll(".wall-row, .wall-main .wall-way")]
  .filter((it) => it.checkVisibility() && it.scrollHeight > it.clientHeight + 2)
  .map((it) => `${it.innerText}: ${it.scrollHeight} of ${it.clientHeight}`)"""


# Each line of a door's titles stands wholly in its part of the screen; what has no room there is out of sight, not half seen.
HALVED = """() => [...document.querySelectorAll(".wall-piece")].flatMap((piece) => {
  const box = piece.getBoundingClientRect();
  return [...piece.querySelectorAll(":scope > *, .wall-what > *, li")]
    .map((it) => [it, it.getBoundingClientRect()])
    .filter(([it, at]) => at.height && at.left < box.right - 1 && at.bottom > box.bottom + 1)
    .map(([it, at]) => `${it.className}: ${at.bottom} of ${box.bottom}`);
})"""


@pytest.mark.parametrize("place", ["zone=garnet", "room=garnet-211212-the-large-one", "room=garnet-214215-the-large-one"])
def test_everything_fits_and_nothing_scrolls(screen: Page, place: str) -> None:
    hard(make_conference(slug="demo", name="Demo"))
    for size in (LANDSCAPE, PORTRAIT, SMALL, LARGE, OLD):
        screen.set_viewport_size({"width": size[0], "height": size[1]})
        opened(screen, f"{place}&at=2025-04-24T09:40")
        assert_fits(screen, size)

    Announcement.objects.update(text="Now. " * 46)
    for size in (LANDSCAPE, PORTRAIT):
        screen.set_viewport_size({"width": size[0], "height": size[1]})
        opened(screen, f"{place}&at=2025-04-24T09:40")
        assert_fits(screen, size)


@pytest.mark.parametrize("viewport", [LANDSCAPE, PORTRAIT, OLD], ids=["landscape", "portrait", "old"])
@pytest.mark.parametrize("place", ["room=hall-1", "zone=hall-1"])
def test_urgent_announcement_is_shown_whole(screen: Page, hall: Room, place: str, viewport: tuple[int, int]) -> None:
    notice = Announcement.objects.create(conference=hall.zone.venue.conference, urgent=True, starts_at=at("08:00"))
    screen.set_viewport_size({"width": viewport[0], "height": viewport[1]})

    for length in (100, 240, 520, 900, 1_900):
        text = "Leave the building by the nearest exit. " * (length // 40)
        Announcement.objects.filter(pk=notice.pk).update(title="Leave", text=text)
        opened(screen, place)

        notices = screen.locator(".wall-notice")
        foot = screen.evaluate("() => document.querySelector('.wall-small').getBoundingClientRect()")
        shown = notices.locator("p").evaluate("it => [it.scrollHeight - it.clientHeight, it.getBoundingClientRect().bottom]")
        assert shown[0] <= 1, length
        assert shown[1] <= foot["top"], length
        assert foot["bottom"] <= viewport[1], length
        assert screen.locator(".wall-main").is_visible() is (length < 500)


@pytest.mark.parametrize("notice", ["none", "notice", "urgent"])
@pytest.mark.parametrize("rooms", [2, 3, 4])
def test_talks_within_sessions_fit_the_rows_of_few_rooms(screen: Page, rooms: int, notice: str) -> None:
    conference = make_conference(slug="demo")
    if notice != "none":
        text = {"title": "Thank you, and see you next year", "text": "Posters can be collected until 17:00."}
        Announcement.objects.create(conference=conference, urgent=notice == "urgent", starts_at=at("08:00"), **text)
    for number, title in enumerate(TITLES[:rooms]):
        room = make_room(conference, f"Garnet {number}", make_zone(conference, "Garnet"), position=number)
        session = make_event(conference, title=title, start="09:00", end="10:30", room=room)
        talk = make_event(conference, kind="talk", title=f"Talk: {title * 2}", start="09:30", end="10:00", session=session)
        make_appearance(talk, make_person(conference, "Maximiliane von und zu Musterhausen"))
        make_event(conference, title=title * 2, start="11:00", end="11:30", room=room)
    found: dict[tuple[int, int], list[str]] = {}

    for size in (LANDSCAPE, (1366, 768), PORTRAIT, SMALL, OLD):
        screen.set_viewport_size({"width": size[0], "height": size[1]})
        opened(screen, "zone=garnet&at=2025-04-24T09:40")
        assert screen.locator(".wall-row:visible").count() == rooms
        found[size] = screen.evaluate(CUT)

    assert found == {size: [] for size in found}


def assert_fits(screen: Page, size: tuple[int, int]) -> None:
    scrolls = screen.evaluate(
        "document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth"
    )

    assert (scrolls, screen.evaluate(OVERLAPPING), screen.evaluate(CUT), screen.evaluate(HALVED)) == (False, False, [], [])
    assert all(screen.locator(".wall-title").evaluate_all("all => all.map((it) => it.getBoundingClientRect().x < innerWidth)"))
    assert screen.locator(".wall-row:visible, .wall-piece:visible").count() in {2, 4}
    assert screen.evaluate("getComputedStyle(document.documentElement).cursor") == "none"
    # What five metres away can be read: the hour a tenth of the screen's height, titles a fortieth at least.
    height = min(*size, max(size) * 9 / 16)
    assert screen.locator("[data-clock]").evaluate("it => parseFloat(getComputedStyle(it).fontSize)") > height / 8
    smallest = screen.locator(".wall-title, .wall-name").evaluate_all(
        "all => Math.min(...all.filter(it => it.checkVisibility()).map(it => parseFloat(getComputedStyle(it).fontSize)))"
    )
    assert smallest > height / 30
