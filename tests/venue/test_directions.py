from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict

from events.models import Conference, Leg, Route, StartingPoint
from events.venue.queries.ways import DirectionsPage, directions_page
from tests.factories import make_conference, make_zone
from tests.pages.queries.reading import query

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

DRY, WHEELS, BOTH, NONE, UNKNOWN = (
    {"covered": True, "step_free": False, "gate_free": True},
    {"covered": False, "step_free": True, "gate_free": True},
    {"covered": True, "step_free": True, "gate_free": True},
    {"covered": False, "step_free": False, "gate_free": False},
    {"covered": None, "step_free": None, "gate_free": None},
)


def make_start(conference: Conference, slug: str) -> StartingPoint:
    return StartingPoint.objects.get_or_create(conference=conference, slug=slug, defaults={"name": slug.capitalize()})[0]


def make_route(conference: Conference, title: str, *legs: dict[str, Any], start: str = "hotel") -> Route:
    zone = make_zone(conference)
    route = Route.objects.create(conference=conference, start=make_start(conference, start), zone=zone, title=title)
    for position, leg in enumerate(legs):
        Leg.objects.create(route=route, position=position, instruction=f"Step {position}", **leg)
    return route


def page_of(conference: Conference, asked: QueryDict | None = None, remembered: str = "") -> DirectionsPage:
    return directions_page(conference, asked or query(), remembered)


def shown(page: DirectionsPage) -> list[str]:
    return [block.route.title for block in page.routes]


@pytest.fixture
def conference() -> Conference:
    conference = make_conference()
    make_route(conference, "Dry", DRY, DRY)
    make_route(conference, "Wheels", WHEELS)
    make_route(conference, "Both", BOTH, BOTH)
    make_route(conference, "Half dry", DRY, NONE)
    make_route(conference, "Who knows", BOTH, UNKNOWN)
    make_route(conference, "Undescribed")
    return conference


@pytest.mark.parametrize(
    ("asked", "routes"),
    [
        pytest.param(query(), ["Dry", "Wheels", "Both", "Half dry", "Who knows", "Undescribed"], id="all"),
        pytest.param(query(dry="1"), ["Dry", "Both", "Who knows"], id="rain"),
        pytest.param(query(step_free="1"), ["Wheels", "Both", "Who knows"], id="wheels"),
        pytest.param(query(dry="1", step_free="1"), ["Both", "Who knows"], id="rain-and-wheels"),
    ],
)
def test_rain_and_wheels_hide_routes_that_are_known_not_to_fit_or_not_described(
    conference: Conference, asked: QueryDict, routes: list[str]
) -> None:
    page = page_of(conference, asked)

    assert shown(page) == routes
    assert page.hidden_count == 6 - len(routes)


def test_choices_say_how_many_routes_they_leave(conference: Conference) -> None:
    page = page_of(conference, query(dry="1"))

    assert [(it.count, it.active, it.url) for it in (page.dry, page.step_free)] == [
        (2, True, "?"),
        (2, False, "?dry=1&step_free=1"),
    ]


def test_route_that_may_fit_comes_last_and_names_the_open_step() -> None:
    conference = make_conference()
    make_route(conference, "Through the mall", UNKNOWN, DRY, DRY)
    make_route(conference, "All open", UNKNOWN, UNKNOWN)
    make_route(conference, "Through the rain", DRY, WHEELS)
    make_route(conference, "Bus", DRY)

    page = page_of(conference, query(dry="1"))

    assert [(it.route.title, it.covered_except) for it in page.routes] == [
        ("Bus", ""),
        ("Through the mall", "covered except step 1 (not confirmed)"),
    ]
    assert (page.hidden_count, page.problem) == (2, "")


def test_route_says_what_is_known_of_every_leg(conference: Conference) -> None:
    facts = {it.route.title: (it.covered, it.step_free, it.gate_free) for it in page_of(conference).routes}

    assert facts == {
        "Dry": (True, False, True),
        "Wheels": (False, True, True),
        "Both": (True, True, True),
        "Half dry": (False, False, False),
        "Who knows": (None, None, None),
        "Undescribed": (None, None, None),
    }


@pytest.mark.parametrize(
    ("minutes", "total", "known"),
    [
        pytest.param([2, 5], 7, True, id="all-known"),
        pytest.param([2, None], 2, False, id="one-unknown"),
        pytest.param([None], 0, False, id="none-known"),
        pytest.param([], 0, False, id="no-legs"),
        pytest.param([0], 0, True, id="no-time-at-all"),
    ],
)
def test_route_adds_up_the_minutes_it_knows(minutes: list[int | None], total: int, known: bool) -> None:
    conference = make_conference()
    make_route(conference, "Way", *({"minutes": it} for it in minutes))

    (block,) = page_of(conference).routes

    assert (block.total_minutes, block.total_known) == (total, known)
    assert [leg.instruction for leg in block.legs] == [f"Step {number}" for number in range(len(minutes))]
    assert block.to == "Hall 1"


@pytest.mark.parametrize(
    ("routes", "asked", "problem"),
    [
        pytest.param([NONE], query(), "", id="nobody-asked"),
        pytest.param([NONE], query(dry="1"), "No fully covered route is known", id="none-is-dry"),
        pytest.param([NONE], query(step_free="1"), "No step-free route is known", id="stairs"),
        pytest.param([DRY], query(dry="1", step_free="1"), "No covered and step-free route is known", id="covered-stairs"),
        pytest.param([BOTH], query(dry="1", step_free="1"), "", id="there-is-one"),
        pytest.param([NONE], query(dry="1", **{"from": "hotel"}), "No fully covered route is known from Hotel", id="from-there"),
        pytest.param([], query(**{"from": "hotel"}), "No route is known from Hotel", id="no-route-from-there"),
        pytest.param([], query(dry="1"), "No fully covered route is known", id="no-route-at-all"),
        pytest.param([], query(), "", id="nothing-asked-of-nothing"),
    ],
)
def test_page_says_that_there_is_no_such_way(routes: list[dict[str, Any]], asked: QueryDict, problem: str) -> None:
    conference = make_conference()
    make_start(conference, "hotel")
    for leg in routes:
        make_route(conference, "Way", leg)

    assert page_of(conference, asked).problem == problem


@pytest.mark.parametrize(
    ("asked", "remembered", "routes", "chosen"),
    [
        pytest.param(query(), "", ["From hotel", "From mrt"], None, id="nowhere-said"),
        pytest.param(query(**{"from": "mrt"}), "", ["From mrt"], "mrt", id="in-the-address"),
        pytest.param(query(), "hotel", ["From hotel"], "hotel", id="remembered"),
        pytest.param(query(**{"from": "mrt"}), "hotel", ["From mrt"], "mrt", id="address-before-memory"),
        pytest.param(query(**{"from": ""}), "hotel", ["From hotel", "From mrt"], None, id="everywhere-after-all"),
        pytest.param(query(**{"from": "moon"}), "", ["From hotel", "From mrt"], None, id="unknown"),
        pytest.param(query(**{"from": "\x00"}), "", ["From hotel", "From mrt"], None, id="nul"),
        pytest.param(query(), "moon", ["From hotel", "From mrt"], None, id="unknown-remembered"),
    ],
)
def test_routes_from_where_one_starts(asked: QueryDict, remembered: str, routes: list[str], chosen: str | None) -> None:
    conference = make_conference()
    for slug in ("hotel", "mrt"):
        make_route(conference, f"From {slug}", start=slug)

    page = page_of(conference, asked, remembered)

    assert (shown(page), page.start and page.start.slug) == (routes, chosen)
    assert [(it.value, it.active) for it in page.starts] == [("hotel", chosen == "hotel"), ("mrt", chosen == "mrt")]


def test_starting_point_is_of_its_conference() -> None:
    conference = make_conference()
    start = make_start(conference, "hotel")

    assert [StartingPoint.objects.by_slug(it, "hotel") for it in (conference, make_conference())] == [start, None]
