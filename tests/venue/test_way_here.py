"""The way to an event from the visitor's start."""

from __future__ import annotations

from typing import Any

import pytest

from events.models import Conference, Event, Leg, Route, StartingPoint, Zone
from events.programme.rules.walking import NO_NEEDS, Need, Needs
from events.venue.queries.ways import WayToEvent, starting_point_pks, way_to_event
from tests.factories import make_conference, make_event, make_room, make_walk, make_zone
from tests.pages.queries.reading import clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

DRY, WHEELS, BOTH = frozenset({Need.DRY}), frozenset({Need.STEP_FREE}), frozenset(Need)
GOOD, WET, STEPS = (
    {"covered": True, "step_free": True},
    {"covered": False, "step_free": True},
    {"covered": True, "step_free": False},
)


def make_route(zone: Zone, title: str, *legs: dict[str, Any], start: str = "hotel") -> Route:
    point, _ = StartingPoint.objects.get_or_create(conference=zone.conference, slug=start, defaults={"name": start.title()})
    route = Route.objects.create(conference=zone.conference, start=point, zone=zone, title=title)
    for position, leg in enumerate(legs):
        Leg.objects.create(route=route, position=position, instruction="On", **{"minutes": 5, **leg})
    return route


def start_named(event: Event, slug: str) -> int | None:
    return starting_point_pks(event.conference).get(slug)


def shown_way(
    event: Event, start: str = "hotel", needs: Needs = NO_NEEDS, agenda_start: int | None = None
) -> tuple[str, str, str, bool]:
    """The route, how it is, what is wrong, and whether it leads to the place itself."""
    here = way_to_event(event, start_named(event, start) or agenda_start, clock(), needs)
    assert here is not None
    return here.block.route.title if here.block else "", here.summary, here.problem, here.is_whole


@pytest.fixture
def conference() -> Conference:
    return make_conference()


@pytest.fixture
def hall(conference: Conference) -> Zone:
    return make_zone(conference, "Hall 1")


@pytest.fixture
def event(conference: Conference, hall: Zone) -> Event:
    return make_event(conference, room=make_room(conference, "Hall 1", hall))


def test_way_to_the_zone_of_the_event_says_how_long_and_how_it_is(hall: Zone, event: Event) -> None:
    make_route(hall, "Direct", GOOD, GOOD)
    make_route(hall, "From the station", GOOD, start="station")

    assert shown_way(event) == ("Direct", "10 min, covered, step-free", "", True)


@pytest.mark.parametrize(
    ("needs", "expected"),
    [
        pytest.param(NO_NEEDS, ("Short and wet", "5 min, not covered all the way, step-free", "", True), id="any"),
        pytest.param(DRY, ("Dry steps", "10 min, covered, has steps", "", True), id="rain"),
        pytest.param(WHEELS, ("Short and wet", "5 min, not covered all the way, step-free", "", True), id="wheels"),
        pytest.param(BOTH, ("Long", "15 min, covered, step-free", "", True), id="both"),
    ],
)
def test_way_is_the_quickest_that_suits(hall: Zone, event: Event, needs: Needs, expected: tuple[str, str, str, bool]) -> None:
    make_route(hall, "Long", GOOD, GOOD, GOOD)
    make_route(hall, "Dry steps", STEPS, STEPS)
    make_route(hall, "Short and wet", WET)

    assert shown_way(event, needs=needs) == expected


@pytest.mark.parametrize(
    ("legs", "needs", "expected"),
    [
        pytest.param(
            WET,
            DRY,
            ("Only", "5 min, not covered all the way, step-free", "No fully covered route to Hall 1 is known from Hotel", True),
            id="wet-is-shown",
        ),
        pytest.param(STEPS, WHEELS, ("", "", "No step-free route to Hall 1 is known from Hotel", False), id="steps-are-not"),
        pytest.param(
            {}, DRY, ("Only", "5 min", "No fully covered route to Hall 1 is known from Hotel", True), id="nobody-has-said"
        ),
        pytest.param(STEPS, BOTH, ("", "", "No covered and step-free route to Hall 1 is known from Hotel", False), id="both"),
    ],
)
def test_way_that_does_not_suit_is_not_praised(
    hall: Zone, event: Event, legs: dict[str, Any], needs: Needs, expected: tuple[str, str, str, bool]
) -> None:
    make_route(hall, "Only", legs)

    assert shown_way(event, needs=needs) == expected


def test_way_that_may_be_dry_comes_before_a_wet_one_and_names_the_open_step(hall: Zone, event: Event) -> None:
    make_route(hall, "Short and wet", WET)
    make_route(hall, "Through the mall", {}, GOOD, {})

    assert shown_way(event, needs=DRY) == (
        "Through the mall",
        "15 min, covered except steps 1 and 3 (not confirmed)",
        "No fully covered route to Hall 1 is known from Hotel",
        True,
    )


def test_way_goes_on_by_the_known_walk_from_where_a_route_ends(conference: Conference, hall: Zone, event: Event) -> None:
    gate = make_zone(conference, "Gate")
    make_route(gate, "To the gate", GOOD)
    make_walk(conference, gate, hall, minutes=4, covered=True, step_free=None)

    here = way_to_event(event, start_named(event, "hotel"), clock(), NO_NEEDS)

    assert here is not None
    assert here.journey is not None
    assert here.journey.walk is not None
    assert (shown_way(event), here.journey.walk.minutes, here.to) == (("To the gate", "9 min, covered", "", True), 4, "Hall 1")
    assert shown_way(event, needs=WHEELS) == ("", "", "No step-free route to Hall 1 is known from Hotel", False)


def test_way_that_ends_before_the_hall_says_so(conference: Conference, event: Event) -> None:
    make_route(make_zone(conference, "Gate"), "To the gate", GOOD)

    assert shown_way(event) == ("To the gate", "at least 5 min, covered, step-free", "", False)
    assert shown_way(event, needs=BOTH) == ("To the gate", "at least 5 min, covered, step-free", "", False)


def test_way_to_the_zone_itself_comes_before_a_shorter_one_to_somewhere_else(
    conference: Conference, hall: Zone, event: Event
) -> None:
    make_route(make_zone(conference, "Gate"), "To the gate", GOOD)
    make_route(hall, "To the hall", GOOD, GOOD, GOOD)

    assert shown_way(event)[0] == "To the hall"


@pytest.mark.parametrize("minutes", [None, 0], ids=["unknown", "none"])
def test_time_that_nobody_knows_is_not_called_none(hall: Zone, event: Event, minutes: int | None) -> None:
    make_route(hall, "Direct", {"minutes": minutes})

    assert shown_way(event)[1] == ("time not known" if minutes is None else "0 min")


def test_event_at_the_venue_without_a_hall_is_reached_where_a_way_leads(conference: Conference, hall: Zone) -> None:
    make_route(hall, "Direct", GOOD)

    assert shown_way(make_event(conference, at_venue=True)) == ("Direct", "5 min, covered, step-free", "", True)


def test_hours_of_a_service_are_where_it_is(conference: Conference, hall: Zone) -> None:
    make_route(hall, "Direct", GOOD)
    desk = conference.services.create(name="Desk", room=make_room(conference, "Foyer", hall))

    assert shown_way(make_event(conference, kind="service", service=desk))[0] == "Direct"


@pytest.mark.parametrize("fields", [{}, {"place": "A bar"}, {"at_venue": False}], ids=str)
def test_event_elsewhere_or_nowhere_has_no_way(conference: Conference, hall: Zone, fields: dict[str, Any]) -> None:
    make_route(hall, "Direct", GOOD)

    assert way_to_event(make_event(conference, **fields), StartingPoint.objects.get().pk, clock(), NO_NEEDS) is None


def test_only_a_way_to_itself_leads_to_a_place_elsewhere(conference: Conference, hall: Zone) -> None:
    bar = make_zone(conference, "Bar", off_site=True)
    event = make_event(conference, room=make_room(conference, "Bar", bar))
    make_route(hall, "Direct", GOOD)

    assert shown_way(event) == ("", "", "No route to Bar is known from Hotel", False)
    make_route(bar, "To the bar", WET)
    assert shown_way(event)[0] == "To the bar"


@pytest.mark.parametrize("start", ["", "moon", "\x00"], ids=["none", "unknown", "nul"])
def test_without_a_start_the_page_asks_for_one(hall: Zone, event: Event, start: str) -> None:
    assert way_to_event(event, start_named(event, start), clock(), NO_NEEDS) == WayToEvent(event, "Hall 1", has_starts=False)
    make_route(hall, "Direct", GOOD)

    assert way_to_event(event, start_named(event, start), clock(), NO_NEEDS) == WayToEvent(event, "Hall 1", has_starts=True)


@pytest.mark.parametrize(
    ("start", "shown"),
    [("", "Direct"), ("moon", "Direct"), ("station", "Other")],
    ids=["no-other", "one-that-is-gone", "another"],
)
def test_start_of_an_agenda_counts_where_the_browser_knows_none(hall: Zone, event: Event, start: str, shown: str) -> None:
    own = make_route(hall, "Direct", GOOD).start
    make_route(hall, "Other", GOOD, start="station")

    assert shown_way(event, start, agenda_start=own.pk)[0] == shown


def test_start_is_of_the_conference(hall: Zone, event: Event) -> None:
    make_route(hall, "Direct", GOOD)
    elsewhere = make_route(make_zone(make_conference(), "Hall 1"), "Another", GOOD, start="moon")

    found = [way_to_event(event, start, clock(), NO_NEEDS) for start in (start_named(event, "moon"), elsewhere.start_id)]

    assert found == [WayToEvent(event, "Hall 1", True)] * 2
