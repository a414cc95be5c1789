"""The frame that all pages have: rendered once for many of them, and never that of another page, day or visitor."""

from __future__ import annotations

import datetime as dt
import re

import pytest
import time_machine

from events.models import Conference
from events.pages import frame
from tests.factories import make_agenda, make_conference, make_day, make_event, make_zone
from tests.visitors import browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cached_at_half_past_nine")]


@pytest.fixture
def conference() -> Conference:
    conference = make_conference(slug="demo", about="Learning.")
    make_zone(conference)
    return conference


def current_links(page: str) -> list[str]:
    return re.findall(r'href="([^"]+)"\s+aria-current="\w+"', page)


def day_links(page: str) -> list[str]:
    return re.findall(r'href="([^"]+)"', page.split('class="day-strip"')[1].split("</nav>", maxsplit=1)[0])


def two_days(conference: Conference) -> list[str]:
    dates = [dt.date(2025, 4, 24), dt.date(2025, 4, 25)]
    days = [make_day(conference, date) for date in dates]
    for day in days:
        make_event(conference, day=day)
    return [day.get_absolute_url() for day in days]


def test_each_page_is_the_current_one_in_its_menus(conference: Conference) -> None:
    two_days(conference)
    pages = ["/demo/about/", "/demo/venue/", "/demo/about/?q=other"]

    found = [current_links(browser().get(page).text) for page in pages]

    assert found == [["/demo/about/"], ["/demo/venue/", "/demo/venue/"], ["/demo/about/"]]


def test_each_day_is_the_current_one_in_its_strip(conference: Conference) -> None:
    first, second = two_days(conference)

    pages = [browser().get(path).text for path in (first, second)]

    assert [current_links(page)[0] for page in pages] == [f"{first}#now", second]


def test_grid_leads_to_the_grids_of_other_days(conference: Conference) -> None:
    first, second = two_days(conference)

    found = [day_links(browser().get(path).text) for path in (first, f"{first}?view=grid", first)]

    assert found[1] == [f"{first}?view=grid#now", f"{second}?view=grid"]
    assert found[0] == [f"{first}#now", second] == day_links(browser().get(f"{first}?page=2").text)


def test_pinned_time_stays_in_the_frame_of_its_page(conference: Conference) -> None:
    two_days(conference)

    pages = [browser().get(f"/demo/about/{query}").text for query in ("", "?at=2025-04-25T09:30", "?q=other")]

    assert ["/demo/venue/?at=2025-04-25T09:30" in page for page in pages] == [False, True, False]


def test_today_moves_on(conference: Conference) -> None:
    first, second = two_days(conference)
    browser().get("/demo/about/")

    with time_machine.travel("2025-04-25T01:30:00+00:00", tick=False):
        page = browser().get("/demo/about/").text

    assert day_links(page) == [first, f"{second}#now"]


def test_menu_follows_the_revision(conference: Conference) -> None:
    event = make_event(conference)
    before = browser().get("/demo/about/").text
    event.title += ", renamed"
    event.revise()

    after = browser().get("/demo/about/").text

    assert [">Changes" in re.sub(r"\s*<svg.*?</svg>\s*", "", page) for page in (before, after)] == [False, True]


def test_frame_stays_through_a_change_of_one_event(conference: Conference, monkeypatch: pytest.MonkeyPatch) -> None:
    event = make_event(conference)
    for title in ("First name", "Second name"):
        event.title = title
        event.revise()
        # A page that says nothing of what it is about is made anew after each change.
        browser().get("/demo/about/")
    rendered: list[str] = []
    find = frame.get_template
    monkeypatch.setattr(frame, "get_template", lambda name: (rendered.append(name), find(name))[1])

    event.title = "Third name"
    event.revise()
    page = browser().get("/demo/about/").text
    after_one, rendered[:] = list(rendered), []
    event.type.label = "Workshop"
    event.type.save()
    conference.bump_revision()
    browser().get("/demo/about/")

    assert ">Changes" in re.sub(r"\s*<svg.*?</svg>\s*", "", page)
    assert (after_one, bool(rendered)) == ([], True)


def test_count_in_the_menu_is_that_of_each_visitor(conference: Conference) -> None:
    tokens = [make_agenda(conference, make_event(conference))[1], None, make_agenda(conference)[1]]

    pages = [browser(token=token).get(path).text for path in ("/demo/about/", "/demo/venue/") for token in tokens]

    assert [re.findall(r'id="agenda-count-(?:rail|bar)">(.*?)<', page) for page in pages] == [["1", "1"], ["", ""], ["", ""]] * 2
