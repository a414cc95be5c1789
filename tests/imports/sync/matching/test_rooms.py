"""Rooms without a zone, rooms edited by organisers, and rooms that swap names."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from events.imports.sync.engine import sync
from events.imports.sync.report import SyncError
from events.models import Room, Venue, Zone
from events.programme.data.place import RoomData, ZoneData
from events.programme.data.schedule import ScheduleData
from tests.factories import make_conference, make_room, make_zone
from tests.imports.sync.programmes import event, everything, programme, row

pytestmark = pytest.mark.django_db


def zoneless(*names: str, **parts: Any) -> ScheduleData:
    """A programme in rooms of which the file knows the names alone."""
    rooms = tuple(RoomData(key=name.lower(), zone="", name=name) for name in names)
    events = [event(f"in-{room.key}", room=room.key) for room in rooms]
    return programme(*events, **{"venues": (), "zones": (), "rooms": rooms} | parts)


@pytest.mark.parametrize(
    ("city", "name", "within"),
    [pytest.param("Vienna", "Vienna", ", Vienna", id="named-after-the-city"), pytest.param("", "Venue", "", id="no-city")],
)
def test_rooms_without_a_zone_get_a_venue_and_a_zone_made_for_them(city: str, name: str, within: str) -> None:
    data = zoneless("Hall 1", "Hall 2")
    data = dataclasses.replace(data, conference=dataclasses.replace(data.conference, city=city))

    report = sync(data, source="file")
    again = sync(data, source="file")

    made = [(it["part"], it["names"]) for it in report.made if it["part"] in {"venues", "zones", "rooms"}]
    assert made == [("venues", [name]), ("zones", [name]), ("rooms", ["Hall 1", "Hall 2"])]
    assert [(it.name, it.source) for it in Venue.objects.all()] == [(name, "")]
    assert [(it.name, it.source, it.venue.name) for it in Zone.objects.all()] == [(name, "", name)]
    assert [it.location for it in Room.objects.order_by("pk")] == [f"Hall 1{within}", f"Hall 2{within}"]
    assert again.is_empty


def test_rooms_without_a_zone_go_to_the_first_zone_at_the_venue() -> None:
    conference = make_conference(slug="demo")
    make_zone(conference, "Bar", off_site=True)
    make_zone(conference, "Upper floor", position=2)
    make_zone(conference, "Ground floor", position=1)

    sync(zoneless("Hall 1"), source="file")

    assert row("in-hall 1").room == Room.objects.get(name="Hall 1", zone__name="Ground floor")
    assert Venue.objects.count() == 1


def test_rooms_without_a_zone_go_to_a_zone_that_the_same_file_brings() -> None:
    rooms = (RoomData(key="a", zone="", name="A"), RoomData(key="b", zone="z", name="B"))
    data = programme(event(room="a"), zones=(ZoneData(key="z", venue="expo", name="Halls"),), rooms=rooms)

    sync(data, source="file")

    assert [(it.name, it.zone.name) for it in Room.objects.order_by("name")] == [("A", "Halls"), ("B", "Halls")]


def test_room_without_a_zone_is_matched_by_name_in_any_zone() -> None:
    conference = make_conference(slug="demo")
    by_hand = make_room(conference, "Hall 1", zone=make_zone(conference, "Upper floor"))
    halls = (RoomData(key="hall-2", zone="hall", name="Hall 2"),)
    sync(programme(event("one", room="hall-2"), rooms=halls), source="other")

    sync(zoneless("Hall 1", "Hall 2"), source="file")

    assert [(it.name, it.zone.name) for it in Room.objects.order_by("name")] == [("Hall 1", "Upper floor"), ("Hall 2", "Halls")]
    assert row("in-hall 1").room == by_hand
    assert row("in-hall 2").room == row("one", "other").room


def test_room_that_an_organiser_moves_is_no_conflict() -> None:
    data = zoneless("Hall 1")
    sync(data, source="file")
    room = Room.objects.get()
    room.zone = make_zone(room.conference, "Upper floor")
    room.revise()

    report = sync(data, source="file")

    assert (report.lines, report.is_empty) == ([], True)
    assert Room.objects.get().zone.name == "Upper floor"


def test_field_that_the_file_never_had_is_filled_in_without_conflict() -> None:
    data = programme(event())
    sync(data, source="file")
    talk = row()
    talk.capacity, talk.abstract, talk.official = 40, "By hand", True
    talk.revise()

    report = sync(data, source="file")

    assert (report.lines, report.is_empty) == ([], True)
    assert (row().capacity, row().abstract, row().official) == (40, "By hand", True)


@pytest.mark.parametrize("back", [False, True], ids=["two", "and-back-again"])
def test_rooms_may_swap_names(back: bool) -> None:
    data = programme(event(room="hall-1"))
    sync(data, source="file")
    swapped = dataclasses.replace(
        data, rooms=(dataclasses.replace(data.rooms[0], name="Hall 2"), dataclasses.replace(data.rooms[1], name="Hall 1"))
    )

    report = sync(swapped, source="file")
    if back:
        report = sync(data, source="file")

    names = {it.source_key: it.name for it in Room.objects.all()}
    assert names == ({"hall-1": "Hall 1", "hall-2": "Hall 2"} if back else {"hall-1": "Hall 2", "hall-2": "Hall 1"})
    assert report.other_rows == 2
    assert [it.name for it in Room.objects.get(source_key="hall-1").history.all()] == (
        ["Hall 1", "Hall 2", "Hall 1"] if back else ["Hall 2", "Hall 1"]
    )


def test_new_room_may_get_the_former_name_of_another() -> None:
    data = programme(event(room="hall-1"))
    sync(data, source="file")
    renamed = dataclasses.replace(data.rooms[0], name="Old hall")
    new = RoomData(key="hall-9", zone="hall", name="Hall 1")

    sync(dataclasses.replace(data, rooms=(renamed, data.rooms[1], new)), source="file")

    assert {it.source_key: it.name for it in Room.objects.all()} == {"hall-1": "Old hall", "hall-2": "Hall 2", "hall-9": "Hall 1"}


def test_two_rooms_that_want_one_name_are_refused_by_name() -> None:
    data = programme(event(room="hall-1"))
    sync(data, source="file")
    before = everything()

    with pytest.raises(SyncError) as caught:
        sync(dataclasses.replace(data, rooms=(data.rooms[0], dataclasses.replace(data.rooms[1], name="Hall 1"))), source="file")

    assert str(caught.value) == "rooms: “hall-1” and “hall-2” would be the same; each needs a name of its own."
    assert everything() == before
