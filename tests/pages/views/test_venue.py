from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.utils.html import strip_tags

from events.models import Conference, Leg, Route, Service, StartingPoint
from events.web.request import START_COOKIE
from tests.factories import make_conference, make_event, make_room, make_walk, make_zone
from tests.visitors import browser, context

pytestmark = pytest.mark.django_db


@pytest.fixture
def conference() -> Conference:
    conference = make_conference(slug="demo")
    hall = make_zone(conference, "Hall 1")
    for slug in ("hotel", "mrt"):
        start = StartingPoint.objects.create(conference=conference, name=slug.upper(), slug=slug)
        route = Route.objects.create(conference=conference, start=start, zone=hall, title=f"From {slug}")
        Leg.objects.create(route=route, instruction="Up", minutes=3, covered=slug == "mrt", step_free=True)
    return conference


def routes(page: Any) -> list[str]:
    return [block.route.title for block in page["routes"]]


def test_venue_shows_rooms_as_they_are_now(conference: Conference) -> None:
    room = make_room(conference, "Garnet", make_zone(conference, "Hall 1"))
    walk = make_walk(conference, make_zone(conference, "Hall 1"), make_zone(conference, "Exit A"))
    event = make_event(conference, start="09:00", end="10:00", room=room)

    page = context("/demo/venue/?at=2025-04-24T09:30")

    assert [(row.room, row.now.event) for venue in page["venues"] for zone in venue.zones for row in zone.rooms] == [
        (room, event)
    ]
    assert page["walks"] == [walk]


@pytest.mark.parametrize(("minutes_back", "told"), [(None, "4 min"), (4, "4 min"), (6, "4 min, back 6 min")])
def test_venue_names_the_time_of_the_way_back_if_it_is_another(
    conference: Conference, minutes_back: int | None, told: str
) -> None:
    make_walk(conference, make_zone(conference, "Garnet"), make_zone(conference, "Topaz"), 4, minutes_back=minutes_back)

    (row,) = re.findall(r"<td>Garnet</td>.*?</tr>", Client().get("/demo/venue/").text, re.DOTALL)

    assert " ".join(strip_tags(row).split()) == f"Garnet Topaz {told}"


def test_venue_of_a_conference_that_has_none() -> None:
    make_conference(slug="demo")

    assert [
        context(f"/demo/{path}")[name]
        for path, name in [("venue/", "venues"), ("venue/directions/", "routes"), ("services/", "services")]
    ] == [[]] * 3


@pytest.mark.parametrize("has_route", [True, False])
def test_venue_leads_to_directions_only_where_there_are_some(has_route: bool) -> None:
    zone = make_zone(make_conference(slug="demo"))
    if has_route:
        start = StartingPoint.objects.create(conference=zone.conference, name="Hotel", slug="hotel")
        Route.objects.create(conference=zone.conference, start=start, zone=zone, title="On foot")

    page = Client().get("/demo/venue/").text

    assert ("Directions\n" in page and 'data-tone="signal"' in page) is has_route


@pytest.mark.parametrize(
    ("query", "titles", "hidden"),
    [
        pytest.param("", ["From hotel", "From mrt"], 0, id="all"),
        pytest.param("?dry=1", ["From mrt"], 1, id="rain"),
        pytest.param("?dry=1&step_free=1&from=hotel", [], 1, id="no-dry-way-from-there"),
        pytest.param("?from=hotel", ["From hotel"], 0, id="start"),
    ],
)
def test_directions_are_chosen_in_the_address(conference: Conference, query: str, titles: list[str], hidden: int) -> None:
    page = context(f"/demo/venue/directions/{query}")

    assert (routes(page), page["hidden_count"]) == (titles, hidden)
    assert bool(page["no_route"]) is not bool(titles)
    assert page["remembered"] is False


def test_start_is_remembered_for_this_conference_by_a_cookie(conference: Conference) -> None:
    make_conference(slug="other")
    client = Client()

    response = client.post("/demo/venue/directions/start/", {"start": "mrt"})

    cookie = response.cookies[START_COOKIE]
    assert (response.status_code, response.url) == (302, "/demo/venue/directions/")
    assert (cookie.value, cookie["path"], cookie["httponly"], cookie["samesite"]) == ("mrt", "/demo/", True, "Lax")
    assert START_COOKIE not in response.wsgi_request.COOKIES
    page = client.get("/demo/venue/directions/").context
    assert (routes(page), page["start"].slug, page["remembered"]) == (["From mrt"], "mrt", True)


def test_start_is_chosen_without_leaving_the_moment_one_looks_at(conference: Conference) -> None:
    pinned = "?at=2025-04-24T08:00"
    page = Client().get(f"/demo/venue/directions/{pinned}").text

    response = Client().post(f"/demo/venue/directions/start/{pinned}", {"start": "mrt"})

    assert f'action="/demo/venue/directions/start/{pinned}"' in page
    assert response["Location"] == f"/demo/venue/directions/{pinned}"


def test_address_counts_more_than_memory(conference: Conference) -> None:
    page = context("/demo/venue/directions/?from=hotel", start="mrt")

    assert (routes(page), page["remembered"]) == (["From hotel"], False)


@pytest.mark.parametrize("start", ["moon", "no slug", "\x00", "x" * 61], ids=["unknown", "no-slug", "nul", "long"])
def test_start_that_is_none_changes_nothing_and_is_told(conference: Conference, start: str) -> None:
    client = browser(start="mrt")

    response = client.post("/demo/venue/directions/start/", {"start": start, "next": "/demo/venue/"})

    assert (response.url, START_COOKIE in response.cookies) == ("/demo/venue/", False)
    said = f"“{start[:40]}” is not a starting point here. Nothing was changed: choose another."
    assert [str(it) for it in get_messages(response.wsgi_request)] == [said]


def test_start_is_forgotten(conference: Conference) -> None:
    response = browser(start="mrt").post("/demo/venue/directions/start/", {"start": "", "next": "/demo/venue/"})

    cookie = response.cookies[START_COOKIE]
    assert (response.url, cookie.value, cookie["max-age"], cookie["path"]) == ("/demo/venue/", "", 0, "/demo/")


def test_start_is_set_by_post_only(conference: Conference) -> None:
    response = Client().get("/demo/venue/directions/start/", {"start": "mrt"})

    # The page has a token, for a browser that names no origin.
    assert (response.status_code, "csrfmiddlewaretoken" in response.text) == (200, True)
    assert START_COOKIE not in response.cookies


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ("00:00", "Closed, opens Thu 24 Apr, 07:30 (in 7 h 30 min)"),
        ("06:59", "Closed, opens Thu 24 Apr, 07:30 (in 31 min)"),
        ("07:29:30", "Closed, opens Thu 24 Apr, 07:30 (in 1 min)"),
        ("07:30", "Open now, until 19:00"),
        ("16:59", "Open now, until 19:00"),
        ("17:00", "Open now, until 19:00, closes in 2 h"),
        ("18:35", "Open now, until 19:00, closes in 25 min"),
        ("19:00", "Closed, opens Fri 25 Apr, 00:30 (in 5 h 30 min)"),
        ("2025-04-25T01:45", "Open now, until 02:00, closes in 15 min"),
        ("2025-04-25T02:00", "Closed"),
        ("2025-04-23T12:00", "Closed, opens Thu 24 Apr, 07:30"),
    ],
)
def test_services_say_open_now_or_opens_at(conference: Conference, at: str, words: str) -> None:
    desk = Service.objects.create(conference=conference, name="Registration")
    make_event(conference, kind="service", service=desk, start="07:30", end="19:00")
    # Past midnight, and of Thursday's programme still.
    night = {"start": "2025-04-25T00:30+08:00", "end": "2025-04-25T02:00+08:00"}
    make_event(conference, kind="service", service=desk, **{name: dt.datetime.fromisoformat(it) for name, it in night.items()})

    response = browser().get(f"/demo/services/?at={at if 'T' in at else f'2025-04-24T{at}'}")

    assert [row.service for row in response.context["services"]] == [desk]
    said = response.text.partition("<h2>Registration</h2>")[2].partition("</p>")[0]
    assert " ".join(strip_tags(said).split()) == words
