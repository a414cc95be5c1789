"""An organiser moves an event on the timetable: by mouse, finger, keyboard and form."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Conference, Event, Room
from tests.browser.looks import looks
from tests.browser.organisers.test_import import log_in
from tests.browser.watching import Watch
from tests.factories import at, make_agenda, make_appearance, make_conference, make_event, make_person, make_room

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "/organise/events/event/timetable/?day=2025-04-24"


@pytest.fixture
def keynote(transactional_db: None) -> Event:
    """At nine in Hall 1; Garnet is taken from eleven, and Ada speaks elsewhere at two."""
    conference = make_conference()
    hall, garnet = (make_room(conference, name, position=number) for number, name in enumerate(["Hall 1", "Garnet"]))
    keynote = make_event(conference, kind="invited-talk", title="Keynote", start="09:00", end="10:00", room=hall)
    make_event(conference, title="Orals", start="11:00", end="12:00", room=garnet)
    workshop = make_event(conference, title="Workshop", start="13:00", end="14:00", room=garnet)
    ada = make_person(conference, "Ada Lovelace")
    for event in (keynote, workshop):
        make_appearance(event, ada)
    make_agenda(conference, keynote)
    return keynote


def opened(browser: Browser, live_server: LiveServer, **options: Any) -> Page:
    context = browser.new_context(base_url=live_server.url, **{"viewport": {"width": 1280, "height": 1000}} | options)
    page = context.new_page()
    log_in(page)
    page.goto(PAGE)
    return page


def block(page: Page, title: str) -> Locator:
    return page.locator("[data-event]").filter(has_text=title)


def middle_of(page: Page, hour: str, room: str) -> tuple[float, float]:
    """A point in the row of this hour, in the column of this room."""
    row = page.locator(f"tr[data-time='{hour}']")
    # In the middle, because the table scrolls while the pointer is near its edge.
    row.evaluate("row => row.scrollIntoView({ block: 'center' })")
    lane, line = page.get_by_role("columnheader", name=room).bounding_box(), row.bounding_box()
    assert lane
    assert line
    return lane["x"] + lane["width"] / 2, line["y"] + 2


def said(page: Page) -> Locator:
    return page.locator("[data-said]")


def save(page: Page) -> None:
    expect(page.get_by_role("heading", name="Before this is saved")).to_be_visible()
    expect(page.get_by_text("Nothing is saved yet.")).to_be_visible()
    assert Event.objects.filter(title="Keynote", start=at("09:00"), room__name="Hall 1").exists()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messagelist")).to_contain_text("Moved: “Keynote”")


def is_at(event: Event, hour: str, room: str) -> bool:
    return Event.objects.values_list("start", "room__name").get(pk=event.pk) == (at(hour), room)


def test_another_event_in_the_form_keeps_its_own_hour_and_room(browser: Browser, live_server: LiveServer, keynote: Event) -> None:
    page = opened(browser, live_server)
    page.goto(f"{page.url.partition('?')[0]}?conference={keynote.conference_id}&day=2025-04-24&chosen={keynote.pk}#move")
    hour, room = page.get_by_label("Starts"), page.get_by_label("Room")
    expect(hour).to_have_value("09:00")

    page.get_by_label("Event", exact=True).select_option(label="Orals (11:00–12:00)")

    expect(hour).to_have_value("")
    expect(room).to_have_value("")
    page.context.close()


def test_event_is_dragged_to_another_hour_and_room_and_saved(browser: Browser, live_server: LiveServer, keynote: Event) -> None:
    page = opened(browser, live_server)
    watch = Watch(page, live_server.url)
    box = block(page, "Keynote").bounding_box()
    assert box

    page.mouse.move(box["x"] + 70, box["y"] + 3)
    page.mouse.down()
    page.mouse.move(*middle_of(page, "11:30", "Garnet"), steps=5)
    expect(said(page)).to_contain_text("11:30–12:30, Garnet. Garnet is taken by “Orals” (11:00–12:00).")
    page.mouse.move(*middle_of(page, "13:00", "Hall 1"), steps=5)
    expect(said(page)).to_contain_text("Ada Lovelace is in “Workshop” then.")
    page.mouse.move(*middle_of(page, "09:35", "Garnet"), steps=5)
    expect(said(page)).to_contain_text("09:35–10:35, Garnet. Free.")
    page.mouse.up()
    save(page)

    assert is_at(keynote, "09:35", "Garnet")
    assert (watch.complaints, watch.foreign) == ([], [])


def test_escape_and_a_drop_beside_the_table_leave_it(browser: Browser, live_server: LiveServer, keynote: Event) -> None:
    page = opened(browser, live_server)
    box = block(page, "Keynote").bounding_box()
    assert box

    for end in ("escape", "beside"):
        page.mouse.move(box["x"] + 70, box["y"] + 3)
        page.mouse.down()
        page.mouse.move(*middle_of(page, "09:35", "Garnet"), steps=3)
        if end == "escape":
            page.keyboard.press("Escape")
        else:
            page.mouse.move(4, 4)
        page.mouse.up()
        expect(said(page)).to_have_text("“Keynote” is where it was.")

    expect(page).to_have_url(f"{live_server.url}{PAGE}")


def test_event_is_moved_by_keyboard_and_saved(browser: Browser, live_server: LiveServer, keynote: Event) -> None:
    page = opened(browser, live_server)
    handle = page.get_by_role("button", name="Move Keynote")
    expect(handle).to_have_attribute("aria-pressed", "false")
    expect(handle).to_have_accessible_description(re.compile("press Enter on its handle, move it with the arrow keys"))

    handle.focus()
    page.keyboard.press("Enter")
    expect(handle).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowDown")
    expect(said(page)).to_have_text("“Keynote”: 09:05–10:05, Hall 1. Free.")
    page.keyboard.press("Escape")
    expect(said(page)).to_have_text("“Keynote” is where it was.")
    expect(handle).to_be_focused()
    for key in ("Enter", "Shift+ArrowDown", "ArrowRight", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("heading", name="Before this is saved")).to_be_visible()
    save(page)

    assert is_at(keynote, "09:55", "Garnet")


def test_event_is_moved_by_finger_and_saved(browser: Browser, live_server: LiveServer, keynote: Event) -> None:
    page = opened(browser, live_server, has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *point: float) -> None:
        points = [{"x": point[0], "y": point[1]}] if point else []
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    handle = block(page, "Keynote").locator(".timetable-handle")
    handle.scroll_into_view_if_needed()
    target = middle_of(page, "10:15", "Hall 1")
    box = handle.bounding_box()
    assert box
    start = (box["x"] + 20, box["y"] + 3)
    touch("touchStart", *start)
    for part in (0.3, 0.6, 1):
        touch("touchMove", start[0] + (target[0] - start[0]) * part, start[1] + (target[1] - start[1]) * part)
    expect(said(page)).to_contain_text("Hall 1. Free.")
    touch("touchEnd")
    save(page)

    moved = Event.objects.get(pk=keynote.pk)
    assert (moved.room, moved.start) == (Room.objects.get(name="Hall 1"), at("10:15"))


def test_event_is_moved_by_form_without_javascript(browser: Browser, live_server: LiveServer, keynote: Event) -> None:
    page = opened(browser, live_server, java_script_enabled=False, viewport={"width": 390, "height": 844})

    page.get_by_role("link", name="Move Keynote").click()
    expect(page.get_by_label("Starts")).to_have_value("09:00")
    page.get_by_label("Starts").fill("15:25")
    page.get_by_label("Room").select_option("Garnet")
    page.get_by_role("button", name="Show what it does").click()
    save(page)

    assert is_at(keynote, "15:25", "Garnet")


def long_day(conference: Conference) -> None:
    for number in range(12):
        make_room(conference, f"{'Wide ' * 9}{number}", position=number + 2)
    hall = Room.objects.get(name="Hall 1")
    make_event(conference, title="W" * 60, start="10:00", end="10:01", room=hall)
    make_event(conference, title="Draft " * 20, start="10:05", end="20:00", room=hall, status="draft")
    make_event(conference, title="No hour " * 12)


@looks()
def test_timetable_fits_is_quiet_and_can_be_read_by_all(
    browser: Browser, live_server: LiveServer, keynote: Event, width: int, scheme: str
) -> None:
    long_day(keynote.conference)
    page = opened(browser, live_server, viewport={"width": width, "height": 900}, color_scheme=scheme)
    watch = Watch(page, live_server.url)

    page.reload()
    excess = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    small = page.evaluate(
        "[...document.querySelectorAll('.timetable-handle')].filter(it => it.getBoundingClientRect().height < 44 - 2).length"
    )
    complaints = list(watch.complaints)
    axe = Axe().run(page, context="#content").response["violations"]

    assert (excess, small) == (0, 0)
    assert [f"{it['id']}: {node['html'][:200]}" for it in axe for node in it["nodes"]] == []
    assert (complaints, watch.foreign) == ([], [])
