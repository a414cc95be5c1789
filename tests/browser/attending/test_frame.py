"""The frame of every page and the overview, on a conference that is running."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Conference, Service
from tests.announcements.test_announcements_views import announce
from tests.browser.looks import NARROWEST, PHONE
from tests.factories import THURSDAY, at, make_conference, make_day, make_event, make_room

pytestmark = pytest.mark.django_db(transaction=True)

PHONE_VIEW = {"width": PHONE, "height": 844}
LONG_NAME = "39th Chaos Communications Congress"


@pytest.fixture(autouse=True)
def _morning() -> Iterator[None]:
    with time_machine.travel(at("09:35")):
        yield


@pytest.fixture
def conference() -> Conference:
    """Four workshops, each with the talk that is given and the next one, and three announcements."""
    conference = make_conference(slug="demo", name="Demo 2025", title="The Thirteenth International Conference on Demonstrations")
    for number in range(4):
        room = make_room(conference, f"Garnet {number}")
        workshop = make_event(conference, title=f"Workshop {number} on learning", start="09:00", end="17:00", room=room)
        for title, kind, start, end in [
            ("Opening", "talk", "09:30", "10:00"),
            ("Coffee", "break", "10:00", "10:15"),
            ("Keynote", "talk", "10:15", "11:00"),
        ]:
            make_event(conference, kind=kind, title=f"{title} {number}", start=start, end=end, room=room, session=workshop)
    desk = Service.objects.create(conference=conference, name="Registration", icon="id-card")
    make_event(conference, kind="service", start="08:00", end="18:00", service=desk)
    for title in ("Rain is likely", "Registration is open until the evening of the last day", "Lunch is late"):
        announce(conference, title)
    return conference


@pytest.fixture(params=[True, False], ids=["javascript", "no-javascript"])
def phone(request: pytest.FixtureRequest, browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=request.param, viewport=PHONE_VIEW, base_url=live_server.url)
    yield context.new_page()
    context.close()


def bottom(page: Page, text: str) -> float:
    box = page.get_by_role("main").get_by_text(text, exact=True).first.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def view_height(page: Page) -> float:
    """The part of a phone's screen above the bottom bar."""
    box = page.locator(".bar").bounding_box()
    assert box is not None
    return box["y"]


def test_first_screen_of_a_phone_says_what_is_on_and_what_is_next(phone: Page, conference: Conference) -> None:
    phone.goto("/demo/")

    seen = {text: bottom(phone, text) for text in ("3 announcements", "Opening 0", "Keynote 0", "Opening 1", "Next")}

    assert view_height(phone) <= 780
    assert [text for text, y in seen.items() if y > view_height(phone)] == []
    next_card = phone.locator("[aria-labelledby=next] .event-title").first
    expect(next_card).to_have_text("Keynote 0")
    box = next_card.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= view_height(phone)
    # Today needs no date.
    expect(phone.locator(".block")).not_to_contain_text(["Thu 24 Apr,"] * phone.locator(".block").count())


def test_urgent_announcement_stands_beside_its_icon(phone: Page, conference: Conference) -> None:
    announce(conference, "The fire alarm is a drill", urgent=True)
    phone.goto("/demo/")

    icon = phone.locator(".announcement[data-urgent] > .icon")
    drawn = icon.evaluate("it => it.clientWidth - parseFloat(getComputedStyle(it).paddingLeft) * 2")
    words, beside = phone.get_by_role("link", name="The fire alarm is a drill").bounding_box(), icon.bounding_box()

    assert words is not None
    assert beside is not None
    assert drawn >= 16
    assert words["x"] - beside["x"] - beside["width"] <= 16


def test_announcements_are_dismissed_one_by_one_and_stay_away(phone: Page, conference: Conference) -> None:
    phone.goto("/demo/venue/")
    fold = phone.locator(".announcement-fold")
    fold.locator("summary").click()
    phone.get_by_role("button", name="Dismiss Rain is likely").click()

    expect(fold.locator("summary")).to_contain_text("2 announcements")
    phone.goto("/demo/")
    expect(fold.locator("summary")).to_contain_text("2 announcements")

    phone.get_by_role("button", name="Dismiss all of them").click()
    expect(phone.locator("#announcements")).to_be_hidden()
    phone.goto("/demo/venue/")
    expect(phone.locator("#announcements")).to_be_hidden()


@pytest.mark.parametrize("path", ["time-zone/", "agenda/forget-me/", "nothing-there/", "schedule/2025-04-24/"])
def test_bar_stands_at_the_bottom(phone: Page, conference: Conference, path: str) -> None:
    phone.goto(f"/demo/{path}")

    box = phone.locator(".bar").bounding_box()

    assert box is not None
    assert box["y"] + box["height"] == pytest.approx(PHONE_VIEW["height"], abs=1)


def test_menu_has_only_pages_with_something(phone: Page, conference: Conference) -> None:
    phone.goto("/demo/nothing-there/")
    phone.get_by_role("button", name="Menu").click()

    links = phone.get_by_role("navigation", name="All pages").get_by_role("link").all_inner_texts()

    assert [link.strip() for link in links] == [
        *("Overview", "Schedule", "Agenda", "Socials", "About", "Venue", "Services", "Announcements"),
        *("Calendar", "Other devices", "Sharing", "Time zone", "Account"),
    ]


def test_rail_and_bar_mark_the_schedule_on_the_page_of_a_day(page: Page, live_server: LiveServer, conference: Conference) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{live_server.url}/demo/schedule/2025-04-24/")

    marked = page.locator(".rail [aria-current], .bar [aria-current]").all_text_contents()

    assert [text.strip() for text in marked] == ["Schedule", "Schedule"]


@pytest.mark.parametrize(("width", "size"), [(PHONE, "200%"), (NARROWEST, "200%"), (NARROWEST, "100%")])
@pytest.mark.parametrize("path", ["", "schedule/2025-04-24/", "agenda/"])
def test_large_letters_and_long_names_fit(
    page: Page, live_server: LiveServer, conference: Conference, width: int, size: str, path: str
) -> None:
    Conference.objects.filter(pk=conference.pk).update(name=LONG_NAME)
    make_day(conference, THURSDAY)
    page.set_viewport_size({"width": width, "height": 844})

    page.goto(f"{live_server.url}/demo/{path}")
    page.evaluate("size => { document.documentElement.style.fontSize = size }", size)

    wide = """() => [document.documentElement.scrollWidth > innerWidth,
        ...[...document.querySelectorAll(".sign-row > *, .bar a, .announcement-fold > *")]
          .filter(it => it.checkVisibility() && it.getBoundingClientRect().right > innerWidth + 1).map(it => it.className)]"""
    assert page.evaluate(wide) == [False]
    labels = page.locator(".bar a").evaluate_all("all => all.map(it => it.scrollWidth <= it.clientWidth + 1)")
    assert labels == [True] * 4
