from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from events.pages.queries.agenda import next_stop
from events.programme.rules.walking import Need
from tests.factories import THURSDAY, make_agenda, make_conference, make_day, make_event, make_room, make_walk, make_zone
from tests.pages.queries.reading import clock
from tests.venue.drawn import make_plan

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


def next_room_shown(agenda: Any, at: str, *needs: Need) -> tuple[str, str, int | None, str] | None:
    found = next_stop(agenda, clock(at), frozenset(needs), only_rooms=True)
    return found and found.plate and (found.event.title, found.plate.name, found.minutes, found.from_name)


def test_next_is_the_first_pick_that_has_not_begun() -> None:
    conference = make_conference()
    hall, garnet = make_room(conference, "Hall 1"), make_room(conference, "Garnet")
    make_walk(conference, hall.zone, garnet.zone, 6, step_free=False)
    keynote = make_event(conference, title="Keynote", start="09:00", end="10:00", room=hall)
    panel = make_event(conference, title="Panel", start="10:30", end="11:00", room=garnet)
    friday = make_day(conference, THURSDAY + dt.timedelta(days=1))
    late = make_event(conference, title="Late", day=friday, start="09:00", end="10:00", room=hall)
    make_event(conference, title="Not mine", start="10:15", end="10:30", room=hall)
    agenda, _ = make_agenda(conference, keynote, panel, late)

    assert {at: next_room_shown(agenda, at) for at in ("08:00", "09:30", "10:15", "10:30", "23:00")} == {
        "08:00": ("Keynote", "Hall 1", None, ""),
        "09:30": ("Panel", "Garnet", 6, "Hall 1"),
        "10:15": ("Panel", "Garnet", None, ""),
        "10:30": ("Late", "Hall 1", 6, "Garnet"),
        "23:00": ("Late", "Hall 1", None, ""),
    }
    assert next_room_shown(agenda, "09:30", Need.STEP_FREE) == ("Panel", "Garnet", None, "Hall 1")


def test_pick_without_a_room_is_passed_over() -> None:
    conference = make_conference()
    party = make_event(conference, start="10:00", end="12:00", place="A bar")
    panel = make_event(conference, title="Panel", start="13:00", end="14:00", room=make_room(conference))
    agenda, _ = make_agenda(conference, party, panel)

    assert next_room_shown(agenda, "09:00") == ("Panel", "Hall 1", None, "")
    stop = next_stop(agenda, clock("09:00"))
    assert stop
    assert (stop.event.pk, stop.plate, stop.is_today) == (party.pk, None, True)


def test_what_is_next_is_found_behind_many_posters_that_hang_now() -> None:
    conference = make_conference()
    hall, garnet = make_room(conference, "Hall 1"), make_room(conference, "Garnet")
    posters = [make_event(conference, start="09:00", end="12:00", room=hall) for _ in range(25)]
    panel = make_event(conference, title="Panel", start="13:00", end="14:00", room=garnet)
    agenda, _ = make_agenda(conference, *posters, panel)

    assert next_room_shown(agenda, "09:30") == ("Panel", "Garnet", None, "Hall 1")


def test_one_is_where_one_went_last() -> None:
    conference = make_conference()
    hall, garnet = make_room(conference, "Hall 1"), make_room(conference, "Garnet")
    make_walk(conference, hall.zone, garnet.zone, 6)
    workshop = make_event(conference, start="09:00", end="17:00", room=garnet)
    talk = make_event(conference, start="10:00", end="11:00", room=hall)
    panel = make_event(conference, title="Panel", start="11:00", end="12:00", room=garnet)
    agenda, _ = make_agenda(conference, workshop, talk, panel)

    assert next_room_shown(agenda, "10:30") == ("Panel", "Garnet", 6, "Hall 1")


def test_next_room_is_on_every_floor_where_it_was_drawn_and_else_its_hall_is() -> None:
    conference = make_conference(slug="demo")
    hall = make_zone(conference, "Hall 4")
    first, second = make_room(conference, "Hall 4 #1", hall), make_room(conference, "Hall 4 #2", hall)
    make_plan(conference, "Level 1", hall, first)
    make_plan(conference, "Level 2", first, position=1)
    for room, at in ((first, "10:00"), (second, "12:00")):
        make_event(conference, start=at, end="13:00", room=room)
    agenda, _ = make_agenda(conference, *conference.events.all())
    agenda.conference = conference

    places = {at: next_stop(agenda, clock(at), only_rooms=True).places for at in ("09:00", "11:00")}  # type: ignore[union-attr]

    address = "/demo/venue/?floor=level-"
    assert {at: [(it.floor, it.url, it.shape.left) for it in found] for at, found in places.items()} == {
        "09:00": [
            ("Level 1", f"{address}1#area-room-{first.pk}", 120),
            ("Level 2", f"{address}2#area-room-{first.pk}", 0),
        ],
        "11:00": [("Level 1", f"{address}1#area-zone-{hall.pk}", 0)],
    }


def test_who_stays_in_a_room_walks_nowhere() -> None:
    conference = make_conference()
    hall = make_room(conference)
    events = [make_event(conference, start=start, end=end, room=hall) for start, end in [("09:00", "10:00"), ("10:00", "11:00")]]
    agenda, _ = make_agenda(conference, *events)

    assert next_room_shown(agenda, "09:30") == (events[1].title, "Hall 1", None, "Hall 1")


@pytest.mark.parametrize(
    ("fields", "level"),
    [
        pytest.param({"status": "draft"}, "must", id="draft"),
        pytest.param({"status": "cancelled"}, "must", id="cancelled"),
        pytest.param({}, "later", id="watched-later"),
        pytest.param({"room": None}, "must", id="without-a-room"),
        pytest.param({"start": None, "end": None}, "must", id="to-be-announced"),
    ],
)
def test_what_one_does_not_go_to_is_not_next(fields: dict[str, Any], level: str) -> None:
    conference = make_conference()
    event = make_event(conference, **{"start": "09:00", "end": "10:00", "room": make_room(conference), **fields})
    agenda, _ = make_agenda(conference, event)
    agenda.bookmarks.update(level=level)

    assert next_room_shown(agenda, "08:00") is None


@pytest.mark.parametrize("size", [1, 3])
def test_next_room_takes_as_many_queries_for_three_picks_as_for_one(size: int, django_assert_num_queries: Any) -> None:
    conference = make_conference()
    times = [("09:00", "10:00"), ("10:00", "11:00"), ("11:00", "12:00"), ("12:00", "13:00")]
    picks = [
        make_event(conference, start=start, end=end, room=make_room(conference, f"Hall {start}"))
        for start, end in times[: size + 1]
    ]
    agenda, _ = make_agenda(conference, *picks)
    agenda.conference = conference

    # What comes, where one is, the floors, and the ways.
    with django_assert_num_queries(4):
        assert next_stop(agenda, clock("09:30"), only_rooms=True) is not None
