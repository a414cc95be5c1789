"""Announcements on pages, as a page and as a feed, and the choice of attendance."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from defusedxml import ElementTree
from django.test import Client
from django.utils.html import escape

from events.core.byte_cache import PROCESS_CACHE
from events.models import Announcement, Conference
from events.web.request import ATTENDANCE_COOKIE, ZONE_COOKIE
from tests.factories import at, make_agenda, make_conference, make_day, make_event
from tests.visitors import HTMX, browser

pytestmark = pytest.mark.django_db
FEED = "/demo/announcements.atom"
SET = "/demo/attendance/"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(autouse=True)
def _morning() -> Iterator[None]:
    with time_machine.travel(at("09:30"), tick=False):
        yield


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo", name="Demo")


def announce(conference: Conference, title: str, begins: str = "08:00", **known: Any) -> Announcement:
    row = Announcement(conference=conference, title=title, starts_at=at(begins), **known)
    row.revise()
    return row


def attending(attendance: str) -> Client:
    client = Client()
    client.cookies[ATTENDANCE_COOKIE] = attendance
    return client


def shown_titles(page: str) -> list[str]:
    """The titles on top of a page, folded or not."""
    return re.findall(r'<p class="announcement-title">.*?<a [^>]*dir="auto">(.*?)</a>', page, re.DOTALL)


def entries(response: Any) -> list[str | None]:
    return [it.findtext(f"{ATOM}title") for it in ElementTree.fromstring(response.content).findall(f"{ATOM}entry")]


PAGES = ["", "schedule/2025-04-24/", "venue/", "venue/directions/", "services/", "talks/", "socials/", "agenda/"]


@pytest.mark.parametrize("path", [*PAGES, "event"])
def test_announcement_is_on_the_pages_people_look_at(conference: Conference, path: str) -> None:
    event = make_event(conference, start="09:00", end="10:00")
    announce(conference, "Lunch is late", text="By *half an hour*, [see](https://example.org).")
    url = event.get_absolute_url() if path == "event" else f"/demo/{path}"

    page = Client().get(url).text

    assert shown_titles(page) == ["Lunch is late"]
    assert page.count("By <em>half an hour</em>") == 1
    assert 'rel="nofollow' in page
    assert f'href="{FEED}"' in page


@pytest.mark.parametrize("path", ["about/", "people/", "papers/", "search/", "changes/", "announcements/", "time-zone/"])
def test_other_pages_are_left_in_peace(conference: Conference, path: str) -> None:
    announce(conference, "Lunch is late")

    assert shown_titles(Client().get(f"/demo/{path}").text) == []


def test_page_without_announcements_has_nothing_of_them(conference: Conference) -> None:
    page = Client().get("/demo/").text

    assert ("announcements.css" in page, "megaphone" in page.partition("<main")[2], SET in page) == (False, False, False)


@pytest.mark.parametrize("path", ["", "announcements/", "changes/", "schedule/2025-04-24/"])
def test_feed_can_be_found_before_anything_is_announced(conference: Conference, path: str) -> None:
    make_day(conference)

    page = Client().get(f"/demo/{path}").text

    found = re.findall(r'<link rel="alternate" type="application/atom\+xml" title="Announcements" href="([^"]*)">', page)
    assert found == [FEED]


def test_cached_pages_show_announcements_at_once_and_to_the_minute(conference: Conference) -> None:
    PROCESS_CACHE.max_bytes = 2**24

    def shown(clock: str = "09:30") -> list[str]:
        with time_machine.travel(at(clock), tick=False):
            return shown_titles(Client().get("/demo/").text)

    before = shown()
    row = announce(conference, "Lunch is late", until=at("12:00"))
    announce(conference, "Doors open", "09:40")
    announced = shown()
    row.title = "Lunch is early"
    row.revise()

    assert (before, announced, shown(), shown("09:40")) == (
        *([], ["Lunch is late"], ["Lunch is early"]),
        ["Doors open", "Lunch is early"],
    )
    assert (shown("11:59"), shown("12:00")) == (["Doors open", "Lunch is early"], ["Doors open"])


def test_urgent_one_is_unfolded_and_first(conference: Conference) -> None:
    announce(conference, "Leave the building", "07:00", urgent=True)
    announce(conference, "Lunch is late")

    page = Client().get("/demo/").text

    assert shown_titles(page) == ["Leave the building", "Lunch is late"]
    assert re.findall(r"<b>(\d+) <span class=\"announcement-word\">(announcements?)</span></b>", page) == [("1", "announcement")]
    assert page.index("Leave the building") < page.index("<details")


def test_more_announcements_are_linked(conference: Conference) -> None:
    for number in range(12):
        announce(conference, f"News {number}")

    page = Client().get("/demo/").text

    assert shown_titles(page) == [f"News {number}" for number in range(11, 1, -1)]
    assert '<b>12 <span class="announcement-word">announcements</span></b>' in page
    assert '<a href="/demo/announcements/">2 more announcements</a>' in page
    assert Client().get("/demo/announcements/").text.count('<h2 dir="auto">News') == 12


def test_what_is_said_is_kept_in_this_browser_for_this_conference(conference: Conference) -> None:
    client = Client()

    response = client.post(SET, {"attendance": "virtual", "next": "/demo/venue/"})

    cookie = response.cookies[ATTENDANCE_COOKIE]
    assert (response.status_code, response["Location"]) == (302, "/demo/venue/")
    assert (cookie.value, cookie["path"], cookie["samesite"], bool(cookie["httponly"])) == ("virtual", "/demo/", "Lax", True)


def test_what_was_said_can_be_taken_back(conference: Conference) -> None:
    client = attending("virtual")

    response = client.post(SET, {"attendance": ""})

    assert (response["Location"], response.cookies[ATTENDANCE_COOKIE].value) == ("/demo/announcements/", "")


@pytest.mark.parametrize("sent", ["both", "VIRTUAL", "in-person ", "x" * 5000, "<script>", "\x00"])
def test_what_is_no_way_to_take_part_is_told_so(conference: Conference, sent: str) -> None:
    response = Client().post(SET, {"attendance": sent})

    assert (response.status_code, ATTENDANCE_COOKIE in response.cookies) == (422, False)
    assert f"“{escape(sent[:40])}” is not a choice: use one of these buttons." in response.text
    assert "<script>" not in response.text


@pytest.mark.parametrize("url", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_way_back_leads_nowhere_else(conference: Conference, url: str) -> None:
    assert Client().post(SET, {"attendance": "virtual", "next": url})["Location"] == "/demo/announcements/"


def test_page_of_the_choice_is_for_browsers_that_send_no_origin(conference: Conference) -> None:
    page = attending("virtual").get(SET).text

    assert page.count('name="attendance"') == 3
    assert 'value="virtual" aria-current="true"' in page


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
def test_cached_page_shows_each_attendance_its_announcements(conference: Conference, headers: dict[str, str]) -> None:
    PROCESS_CACHE.max_bytes = 2**24
    announce(conference, "There", audience="in-person")
    announce(conference, "Afar", audience="virtual")

    clients = {"": Client(), "virtual": attending("virtual"), "in-person": attending("in-person"), "nonsense": attending("<b>")}
    first = {name: shown_titles(client.get("/demo/", headers=headers).text) for name, client in clients.items()}
    second = {name: shown_titles(client.get("/demo/", headers=headers).text) for name, client in clients.items()}

    assert first == {"": ["Afar", "There"], "virtual": ["Afar"], "in-person": ["There"], "nonsense": ["Afar", "There"]}
    assert second == first


def test_visitor_with_an_agenda_sees_their_announcements(conference: Conference) -> None:
    announce(conference, "There", audience="in-person")
    announce(conference, "Afar", audience="virtual")
    _, token = make_agenda(conference, make_event(conference, start="09:00", end="10:00"))
    client = browser(token=token)
    client.cookies[ATTENDANCE_COOKIE] = "virtual"

    assert [shown_titles(client.get(f"/demo/{path}").text) for path in ("", "agenda/")] == [["Afar"], ["Afar"]]


def test_choice_is_offered_only_where_it_matters(conference: Conference) -> None:
    announce(conference, "All")
    before = Client().get("/demo/").text
    announce(conference, "There", audience="in-person")

    assert (SET in before, SET in Client().get("/demo/").text) == (False, True)


def test_page_lists_all_that_was_announced_the_latest_first(conference: Conference) -> None:
    announce(conference, "Over", "07:00", until=at("08:00"))
    announce(conference, "On", "08:00", audience="virtual")
    announce(conference, "Not yet", "10:00")

    page = attending("in-person").get("/demo/announcements/").text

    assert re.findall(r'<h2 dir="auto">(.*?)</h2>', page) == ["On", "Over"]
    assert re.findall(r'<span class="flag">(.*?)</span>', page) == ["For people online", "Over"]


def test_page_says_that_nothing_was_announced(conference: Conference) -> None:
    announce(conference, "Not yet", "10:00")

    page = Client().get("/demo/announcements/").text

    assert "No announcements yet" in page
    assert "Not yet" not in page


def test_page_shows_times_in_the_visitors_zone(conference: Conference) -> None:
    announce(conference, "Lunch", "08:00")
    client = Client()
    client.cookies[ZONE_COOKIE] = "Europe/Vienna"

    assert "Thu 24 Apr, 02:00" in client.get("/demo/announcements/").text


def test_feed_has_what_was_announced_the_latest_first(conference: Conference) -> None:
    announce(conference, "Over", "07:00", until=at("08:00"))
    announce(conference, "On", "08:00")
    announce(conference, "Not yet", "10:00")

    response = Client().get(FEED)

    assert entries(response) == ["On", "Over"]
    assert "Not yet" not in response.text
    assert (response["Content-Type"], response["Cache-Control"]) == ("application/atom+xml; charset=utf-8", "public, max-age=300")
    assert not response.cookies


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["Afar", "There", "All"]),
        ("?for=virtual", ["Afar", "All"]),
        ("?for=in-person", ["There", "All"]),
        ("?for=everyone", ["Afar", "There", "All"]),
    ],
)
def test_feed_is_for_those_who_are_asked_for(conference: Conference, query: str, expected: list[str]) -> None:
    announce(conference, "All", "07:00")
    announce(conference, "There", "07:30", audience="in-person")
    announce(conference, "Afar", "08:00", audience="virtual")

    assert entries(attending("virtual").get(FEED + query)) == expected


def test_feed_has_what_atom_requires(conference: Conference) -> None:
    announce(conference, "A <b> & \x0bB", text="See [it](javascript:alert(1)) <script>x</script>")
    announce(conference, "C")

    root = ElementTree.fromstring(Client().get(FEED).content)

    for element in [root, *root.findall(f"{ATOM}entry")]:
        assert [element.findtext(f"{ATOM}{name}") is not None for name in ("id", "title", "updated")] == [True] * 3
    ids = [it.findtext(f"{ATOM}id") for it in root.iter() if it.find(f"{ATOM}id") is not None]
    assert len(ids) == len(set(ids)) == 3
    assert all(str(it).startswith("urn:uuid:") for it in ids)
    assert 'href="javascript:' not in str(root.findall(f"{ATOM}entry")[1].findtext(f"{ATOM}summary"))
    assert root.findtext(f"{ATOM}author/{ATOM}name") == "Demo"


@pytest.mark.parametrize(
    ("query", "title"),
    [("", "Demo: announcements"), ("?for=virtual", "Demo: announcements for people online")],
)
def test_feed_says_where_it_is_and_for_whom(conference: Conference, query: str, title: str, settings: Any) -> None:
    root = ElementTree.fromstring(Client().get(FEED + query).content)

    links = {it.get("rel"): it.get("href") for it in root.findall(f"{ATOM}link")}
    assert links == {"self": f"{settings.SITE_URL}{FEED}{query}", "alternate": f"{settings.SITE_URL}/demo/announcements/"}
    assert root.findtext(f"{ATOM}title") == title


def test_feed_links_to_the_announcement_on_its_page(conference: Conference) -> None:
    row = announce(conference, "Lunch")

    link = ElementTree.fromstring(Client().get(FEED).content).find(f"{ATOM}entry/{ATOM}link").get("href")

    assert f'id="a-{row.identity.hex[:12]}"' in Client().get("/demo/announcements/").text
    assert link.endswith(f"/demo/announcements/#a-{row.identity.hex[:12]}")


def test_feed_without_announcements_is_valid(conference: Conference) -> None:
    root = ElementTree.fromstring(Client().get(FEED).content)

    assert (root.findall(f"{ATOM}entry"), root.findtext(f"{ATOM}updated")) == ([], "2025-01-01T00:00:00+00:00")


def test_feed_is_the_same_bytes_until_something_is_announced(conference: Conference) -> None:
    announce(conference, "Lunch", "08:00", until=at("09:45"))
    announce(conference, "Next", "10:00")
    first, second = Client().get(FEED), Client().get(FEED)

    def again() -> int:
        return Client().get(FEED, headers={"If-None-Match": first["ETag"]}).status_code

    assert first.content == second.content
    assert again() == 304
    with time_machine.travel(at("09:59"), tick=False):
        # That one is over is no news.
        assert again() == 304
    with time_machine.travel(at("10:00"), tick=False):
        assert again() == 200
        assert entries(Client().get(FEED)) == ["Next", "Lunch"]


def test_entry_stays_the_same_and_is_updated_when_its_words_change(conference: Conference) -> None:
    row = announce(conference, "Lunch", "08:00")
    before = ElementTree.fromstring(Client().get(FEED).content).find(f"{ATOM}entry")
    with time_machine.travel(at("11:00"), tick=False):
        row.title = "Dinner"
        row.revise()
        after = ElementTree.fromstring(Client().get(FEED).content).find(f"{ATOM}entry")

    assert after.findtext(f"{ATOM}id") == before.findtext(f"{ATOM}id")
    assert dt.datetime.fromisoformat(before.findtext(f"{ATOM}updated")) == at("09:30")
    assert dt.datetime.fromisoformat(after.findtext(f"{ATOM}updated")) == at("11:00")
    assert after.findtext(f"{ATOM}title") == "Dinner"
