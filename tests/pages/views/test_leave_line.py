"""The line about the next room on pages, in the answers to bookmarks, and in what open pages ask for each minute."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client

from events.core.byte_cache import PROCESS_CACHE
from events.models import Conference, Event
from tests.factories import at, make_agenda, make_conference, make_event, make_room, make_walk
from tests.visitors import HTMX, browser

pytestmark = pytest.mark.django_db
BANNER = "/demo/agenda/news/"


@pytest.fixture(autouse=True)
def clock() -> Iterator[Any]:
    with time_machine.travel(at("10:10"), tick=False) as traveller:
        yield traveller


@pytest.fixture
def conference() -> Conference:
    found = make_conference(slug="demo")
    hall, garnet = make_room(found, "Hall 1"), make_room(found, "Garnet")
    make_walk(found, hall.zone, garnet.zone, 6)
    make_event(found, title="Keynote", start="09:00", end="10:00", room=hall)
    make_event(found, title="Panel", start="10:30", end="11:00", room=garnet)
    return found


@pytest.fixture
def visitor(conference: Conference) -> Client:
    return browser(token=make_agenda(conference, *conference.events.all())[1])


def line(text: str) -> str:
    """Its words; both sentences if a script can change them."""
    found = re.search(r'<p class="leave-line".*?</p>', text, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", "", found[0]).split()) if found else ""


def addresses(conference: Conference) -> list[str]:
    panel = conference.events.get(title="Panel")
    return ["/demo/", "/demo/agenda/", "/demo/schedule/2025-04-24/", panel.get_absolute_url()]


BOTH = "Next: Garnet, 6 min walk, leave 10:24 Leave now for Garnet: 6 min walk, starts 10:30 Panel"


def test_line_is_on_the_pages_where_it_helps_for_who_has_an_agenda(visitor: Client, conference: Conference) -> None:
    pages = [*addresses(conference), "/demo/venue/", "/demo/people/"]

    found = {url: (line(visitor.get(url).text), line(Client().get(url).text)) for url in pages}

    assert found == {url: (BOTH if url in addresses(conference) else "", "") for url in pages}


def test_page_without_scripts_shows_one_sentence_as_of_its_load(visitor: Client, clock: Any) -> None:
    found = []

    for moment in ("10:23", "10:24", "10:30"):
        clock.move_to(at(moment))
        text = visitor.get("/demo/").text
        found.append((bool(line(text)), "data-due" in text))

    # The style hides one of the two.
    assert found == [(True, False), (True, True), (False, False)]


def test_pinned_page_stands_still(visitor: Client) -> None:
    text = visitor.get("/demo/?at=2025-04-24T10:26").text

    assert line(text) == BOTH
    assert ["data-due" in text, "data-leave=" in text, "leave.js" in text, "agenda/news/" in text] == [True, False, False, False]


def test_hours_are_those_of_the_chosen_zone(conference: Conference) -> None:
    token = make_agenda(conference, *conference.events.all())[1]

    text = line(browser(token=token, zone="Europe/Vienna").get("/demo/").text)

    assert text.startswith("Next: Garnet, 6 min walk, leave 04:24")


def test_step_free_and_online_visitors_are_told_no_walk_they_do_not_take(conference: Conference) -> None:
    conference.walks.update(step_free=False)
    conference.bump_revision()
    token = make_agenda(conference, *conference.events.all())[1]
    found = []

    for name, value in (("hallway_walking", "step-free"), ("hallway_attendance", "virtual")):
        client = browser(token=token)
        client.cookies[name] = value
        found.append(line(client.get("/demo/").text))

    assert found == ["Next: Garnet at 10:30 Panel"] * 2


def test_line_follows_a_move_at_once(visitor: Client, conference: Conference) -> None:
    before = line(visitor.get("/demo/").text)
    panel = conference.events.get(title="Panel")
    panel.start, panel.end = at("10:40"), at("11:10")
    panel.revise()

    assert (before, line(visitor.get("/demo/").text)[:37]) == (BOTH, "Next: Garnet, 6 min walk, leave 10:34")


def test_overview_names_what_comes_today_once_and_a_later_day_as_before(visitor: Client, clock: Any) -> None:
    found = []

    for day in ("2025-04-23", "2025-04-24"):
        text = visitor.get(f"/demo/?at={day}T10:10").text
        found.append((bool(line(text)), "Your next" in text))

    assert found == [(False, True), (True, False)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("", (False, ""), id="pages-without-the-line"),
        pytest.param("?leave=too", (True, BOTH), id="with-the-news"),
        pytest.param("?leave=alone", (True, BOTH), id="on-the-agenda"),
    ],
)
def test_poll_brings_the_line_where_it_is_asked_for(visitor: Client, query: str, expected: tuple[bool, str]) -> None:
    text = visitor.get(BANNER + query, headers=HTMX).text

    assert ("<template data-leave-line>" in text, line(text)) == expected


def test_poll_on_the_agenda_has_no_news(visitor: Client, conference: Conference, clock: Any) -> None:
    clock.shift(60)
    panel = conference.events.get(title="Panel")
    panel.title = "Renamed"
    panel.revise()

    found = {query: "since you looked" in visitor.get(BANNER + query).text for query in ("?leave=too", "?leave=alone")}

    assert found == {"?leave=too": True, "?leave=alone": False}


def test_poll_is_answered_with_304_until_the_line_changes(visitor: Client, clock: Any) -> None:
    etag = visitor.get(f"{BANNER}?leave=too")["ETag"]
    found = []

    for moment in ("10:23", "10:24", "10:29", "10:30"):
        clock.move_to(at(moment))
        found.append(visitor.get(f"{BANNER}?leave=too", headers={"If-None-Match": etag}).status_code)

    assert found == [304, 200, 200, 200]


def test_poll_that_finds_the_line_kept_reads_little(
    visitor: Client, django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PROCESS_CACHE, "max_bytes", 2**25)
    visitor.get(f"{BANNER}?leave=too")
    etag = visitor.get(f"{BANNER}?leave=too")["ETag"]

    # The conference, and whose agenda it is.
    with django_assert_num_queries(2):
        visitor.get(f"{BANNER}?leave=too", headers={"If-None-Match": etag})


def test_bookmark_brings_the_line_to_pages_that_have_it(conference: Conference) -> None:
    keynote, panel = conference.events.order_by("start")
    client = browser(token=make_agenda(conference, keynote)[1])

    def press(event: Event, **sent: str) -> str:
        url = f"/demo/events/{event.guid}/bookmark/"
        text = client.post(url, {"on": "1"} | sent, headers=HTMX | {"Origin": "http://testserver"}).text
        return line(text) if 'id="leave-line" hx-swap-oob' in text else "not asked for"

    assert [press(panel), press(panel, has_leave_line="1"), press(panel, on="0", has_leave_line="1")] == [
        "not asked for",
        BOTH,
        "",
    ]


def test_bookmark_without_htmx_leads_to_a_page_with_the_line(conference: Conference) -> None:
    keynote, panel = conference.events.order_by("start")
    client = browser(token=make_agenda(conference, keynote)[1])

    page = client.post(
        f"/demo/events/{panel.guid}/bookmark/",
        {"on": "1", "next": "/demo/", "has_leave_line": "1"},
        headers={"Origin": "http://testserver"},
        follow=True,
    )

    assert line(page.text) == BOTH


def test_hostile_names_stay_text(conference: Conference) -> None:
    panel = conference.events.get(title="Panel")
    panel.title = '<b onclick=alert(1)>"Soup"</b>'
    panel.save()
    panel.room.name = "<i>Hall</i>"
    panel.room.save()
    client = browser(token=make_agenda(conference, *conference.events.all())[1])

    texts = [client.get("/demo/").text, client.get(f"{BANNER}?leave=alone").text]

    assert [("<b onclick" in it, "<i>Hall" in it, "&lt;i&gt;Hall" in it) for it in texts] == [(False, False, True)] * 2
