from __future__ import annotations

import pytest

from events.core.clock import Clock
from events.models import CrowdReport, PlanArea, Service
from events.pages.queries.plans import DrawnArea, Floors, drawing_of, floors
from events.pages.queries.venue import RoomRow, venue_page
from tests.factories import at, make_conference, make_event, make_room, make_zone
from tests.pages.queries.reading import clock
from tests.venue.drawn import drawing, make_plan

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


def areas(found: Floors) -> dict[str, DrawnArea]:
    assert found.plan is not None
    return {area.name: area for area in found.plan.areas}


def test_no_plan_is_no_floor() -> None:
    assert floors(make_conference(), clock(), "", {}) == Floors()


def test_areas_lead_to_what_they_are_of() -> None:
    conference = make_conference(slug="demo")
    hall = make_zone(conference, "Hall 4", letter="4")
    room = make_room(conference, "Hall 4 #5", hall)
    desk = Service.objects.create(conference=conference, name="Registration", icon="ticket")
    make_plan(conference, "Level 1", room, "Stairs", desk, hall)

    found = floors(conference, clock(), "", {})

    assert [(it.kind, it.name, it.url, it.element_id, it.icon) for it in found.plan.areas] == [  # type: ignore[union-attr]
        ("zone", "Hall 4", f"#zone-{hall.pk}", f"area-zone-{hall.pk}", ""),
        ("words", "Stairs", "", "", ""),
        ("room", "Hall 4 #5", f"#room-{room.pk}", f"area-room-{room.pk}", ""),
        ("service", "Registration", f"/demo/services/#service-{desk.pk}", f"area-service-{desk.pk}", "ticket"),
    ]


def test_floor_is_chosen_by_its_name_and_the_first_is_shown_otherwise() -> None:
    conference = make_conference(slug="demo")
    ground, upper = make_room(conference, "Hall 1"), make_room(conference, "Garnet")
    make_plan(conference, "Ground floor", ground)
    make_plan(conference, "Level 2", upper, position=1)

    shown = {wanted: floors(conference, clock(), wanted, {}) for wanted in ("", "level-2", "no such", "x" * 900)}

    assert {wanted: it.plan and it.plan.name for wanted, it in shown.items()} == {
        "": "Ground floor",
        "level-2": "Level 2",
        "no such": "Ground floor",
        "x" * 900: "Ground floor",
    }
    assert [(it.name, it.slug, it.url, it.is_shown) for it in shown["level-2"].floors] == [
        ("Ground floor", "ground-floor", "/demo/venue/?floor=ground-floor#plan", False),
        ("Level 2", "level-2", "/demo/venue/?floor=level-2#plan", True),
    ]
    assert {name: spot.url for name, spot in shown[""].spots.items()} == {
        f"area-room-{ground.pk}": f"/demo/venue/?floor=ground-floor#area-room-{ground.pk}",
        f"area-room-{upper.pk}": f"/demo/venue/?floor=level-2#area-room-{upper.pk}",
    }


def test_floors_of_one_name_are_told_apart() -> None:
    conference = make_conference()
    make_plan(conference, "Level 2", "Stairs")
    for name in ("Level-2", "!!!"):
        make_plan(conference, name, "Stairs", position=1)

    found = floors(conference, clock(), "", {}).floors

    assert [(it.slug, it.name) for it in found] == [("level-2", "Level 2"), ("floor", "!!!"), ("level-2-2", "Level-2")]


def test_floors_of_several_buildings_say_which_one() -> None:
    conference = make_conference()
    make_plan(conference, "Level 2", "Stairs")
    hotel = conference.venues.create(name="Hotel")
    make_plan(conference, "Lobby", "Stairs", position=1)
    conference.plans.filter(name="Lobby").update(venue=hotel)

    shown = floors(conference, clock(), "lobby", {})

    assert [it.name for it in shown.floors] == ["Singapore EXPO, Level 2", "Hotel, Lobby"]
    assert shown.plan
    assert shown.plan.name == "Hotel, Lobby"


def test_floor_with_nothing_on_it_is_not_offered() -> None:
    conference = make_conference()
    make_plan(conference, "Begun")
    make_plan(conference, "Level 1", "Stairs", position=1)
    make_plan(conference, "Drawn", drawing='<svg viewBox="0 0 800 400"><rect/></svg>', position=2)

    found = floors(conference, clock(), "begun", {})

    assert [(it.name, it.is_shown) for it in found.floors] == [("Level 1", True), ("Drawn", False)]


def test_links_keep_the_moment_that_is_looked_at() -> None:
    conference = make_conference(slug="demo")
    desk = Service.objects.create(conference=conference, name="Registration")
    make_plan(conference, "Level 1", desk)
    then = Clock(at("09:30"), conference.zone, pinned=True)

    found = floors(conference, then, "", {})

    assert found.floors[0].url == "/demo/venue/?floor=level-1&at=2025-04-24T09:30#plan"
    assert areas(found)["Registration"].url == f"/demo/services/?at=2025-04-24T09:30#service-{desk.pk}"


def test_rooms_say_what_is_on_and_how_full_they_are() -> None:
    conference = make_conference()
    hall, garnet, empty = (make_room(conference, name) for name in ("Hall 1", "Garnet", "Empty"))
    keynote = make_event(conference, title="Keynote", start="09:00", end="10:00", room=hall)
    make_event(conference, title="Panel", start="10:00", end="11:00", room=hall)
    make_event(conference, title="Workshop", start="11:00", end="12:00", room=garnet)
    CrowdReport.objects.create(
        conference=conference, room=hall, event=keynote, state="full", at=at("09:20"), by_staff=True, weight=2
    )
    plan = make_plan(conference, "Level 1", hall, garnet, empty)
    PlanArea.objects.filter(plan=plan).update(points="0 0 400 200")

    found = areas(venue_page(conference, clock("09:30")).floors)

    assert {name: (it.words, it.is_on, it.state) for name, it in found.items()} == {
        "Hall 1": ("Hall 1. Full, 09:20. Now: Keynote. Next: 10:00 Panel", True, "full"),
        "Garnet": ("Garnet. Next: 11:00 Workshop", False, ""),
        "Empty": ("Empty", False, ""),
    }
    assert {name: [(line.role, line.text) for line in it.label.lines] for name, it in found.items()} == {
        "Hall 1": [("name", "Hall 1"), ("state", "Full, 09:20"), ("now", "Keynote")],
        "Garnet": [("name", "Garnet"), ("next", "11:00 Workshop")],
        "Empty": [("name", "Empty")],
    }


def test_every_room_of_the_list_knows_its_spot() -> None:
    conference = make_conference()
    drawn, bare = make_room(conference, "Hall 1"), make_room(conference, "Bare")
    make_plan(conference, "Level 1", drawn)

    rows: list[RoomRow] = [row for it in venue_page(conference, clock()).venues for zone in it.zones for row in zone.rooms]

    assert {row.room: row.spot and (row.spot.floor.name, row.spot.points) for row in rows} == {
        drawn: ("Level 1", "0,40 100,40 100,120 0,120"),
        bare: None,
    }


def test_room_that_nobody_drew_is_where_its_hall_is() -> None:
    conference = make_conference()
    hall = make_zone(conference, "Hall 4")
    make_room(conference, "Hall 4 #5", hall)
    make_plan(conference, "Level 1", hall)

    (row,) = [row for it in venue_page(conference, clock()).venues for zone in it.zones for row in zone.rooms]

    assert row.spot
    assert (row.spot.url.partition("#")[2], row.spot.points) == (
        f"area-zone-{hall.pk}",
        "0,40 100,40 100,120 0,120",
    )


def test_names_that_the_drawing_writes_are_not_written_twice() -> None:
    conference = make_conference()
    garnet = make_zone(conference, "Garnet", letter="G")
    rooms = [make_room(conference, name, garnet) for name in ("Garnet 21", "Garnet 213", "Peridot")]
    make_plan(conference, "Level 1", *rooms, garnet, "Stairs", drawing=drawing("<text>213</text><text>GARNET  ZONE</text>"))

    found = areas(floors(conference, clock(), "", {}))

    assert {name: it.is_written for name, it in found.items()} == {
        "Garnet 21": False,
        "Garnet 213": True,
        "Peridot": False,
        "Garnet": True,
        "Stairs": False,
    }
    assert {name: [line.text for line in it.label.lines] for name, it in found.items() if it.kind == "room"} == {
        "Garnet 21": ["Garnet", "21"],
        "Garnet 213": [],
        "Peridot": ["Peridot"],
    }


def test_zone_with_rooms_in_it_has_its_name_in_the_corner() -> None:
    conference = make_conference()
    hall = make_zone(conference, "Hall 4")
    room = make_room(conference, "Hall 4 #5", hall)
    plan = make_plan(conference, "Level 1", hall, room)
    PlanArea.objects.filter(plan=plan, zone=hall).update(points="10 10 300 200")
    PlanArea.objects.filter(plan=plan, room=room).update(points="40 60 240 120")

    zone = areas(floors(conference, clock(), "", {}))["Hall 4"]

    assert (zone.corner, zone.label.lines) == ((20, 32), ())


def test_room_in_two_parts_has_one_address() -> None:
    conference = make_conference()
    room = make_room(conference)
    make_plan(conference, "Level 1", room, room)

    found = floors(conference, clock(), "", {})

    assert [it.element_id for it in found.plan.areas] == [f"area-room-{room.pk}", ""]  # type: ignore[union-attr]


def test_area_that_got_past_every_form_is_left_out() -> None:
    conference = make_conference()
    plan = make_plan(conference, "Level 1", "Stairs", "Lift")
    PlanArea.objects.filter(plan=plan, label="Lift").update(points='"><script>alert(1)</script>')

    assert list(areas(floors(conference, clock(), "", {}))) == ["Stairs"]


def test_drawing_that_cannot_be_read_writes_no_names() -> None:
    conference = make_conference()
    make_plan(conference, "Level 1", "Stairs", drawing="<svg><text>Stairs</svg>")

    assert {name: it.is_written for name, it in areas(floors(conference, clock(), "", {})).items()} == {"Stairs": False}


def test_address_of_a_drawing_changes_with_it() -> None:
    conference = make_conference(slug="demo")
    plan = make_plan(conference, "Level 1", drawing=drawing("<rect/>"))
    urls = [floors(conference, clock(), "", {}).plan.drawing_url]  # type: ignore[union-attr]

    plan.drawing = drawing("<circle/>")
    plan.save()
    urls.append(floors(conference, clock(), "", {}).plan.drawing_url)  # type: ignore[union-attr]

    versions = [url.removeprefix("/demo/venue/plans/").removesuffix(".svg") for url in urls]
    assert [drawing_of(conference, it) for it in versions] == [None, drawing("<circle/>")]
    assert drawing_of(make_conference(), versions[1]) is None
