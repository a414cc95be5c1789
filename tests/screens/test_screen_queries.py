"""The rows of a wall screen, from the programme and what people say of rooms."""

from __future__ import annotations

import datetime as dt
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine

from events.core.clock import Clock
from events.models import Announcement, Conference, CrowdReport, Event, Room, Topic
from events.screens.queries import ROOMS_PER_SHEET, Screen, WallNotice, rooms_of, screen, screen_choices, screen_location
from tests.factories import (
    SINGAPORE,
    THURSDAY,
    at,
    make_agenda,
    make_appearance,
    make_conference,
    make_day,
    make_event,
    make_person,
    make_room,
    make_walk,
    make_zone,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]
FRIDAY = THURSDAY + dt.timedelta(days=1)


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo")


@pytest.fixture
def hall(conference: Conference) -> Room:
    return make_room(conference, "Hall 1", make_zone(conference, "Hall 1", letter="H"))


@pytest.fixture
def garnet(conference: Conference) -> Room:
    return make_room(conference, "Garnet 212", make_zone(conference, "Garnet", position=1))


def seen(conference: Conference, now: str = "09:40", day: dt.date = THURSDAY, **asked: str) -> Screen:
    rooms, clock = rooms_of(conference), Clock(at(now, day), SINGAPORE, pinned=True)
    found = screen_location(conference, rooms, asked.get("zone", ""), asked.get("room", ""))
    assert found is not None
    return screen(conference, found, rooms, clock)


def rows(shown: Screen) -> list[tuple[str, str, str, str]]:
    """Of each room its name, what is on, the part of it that is on, and what is next."""
    return [
        (
            row.plate.name,
            row.now.title if row.now else "",
            row.inside.title if row.inside else "",
            row.next.title if row.next else "",
        )
        for sheet in shown.sheets
        for row in sheet
    ]


def report(room: Room, state: str, event: Event | None = None) -> None:
    CrowdReport.objects.create(conference=room.conference, room=room, event=event, by_staff=True, state=state, at=at("09:38"))


def test_door_shows_the_talk_inside_its_session(conference: Conference, hall: Room) -> None:
    session = make_event(conference, title="Orals", start="09:00", end="10:30", room=hall)
    talk = make_event(conference, kind="talk", title="Adam", start="09:30", end="10:00", session=session)
    make_event(conference, title="Keynote", start="10:45", end="11:45", room=hall)
    for name in ("Ada Lovelace", "Alan Turing", "Kurt Gödel", "Emmy Noether", "Grace Hopper"):
        make_appearance(talk, make_person(conference, name))

    shown = seen(conference, room="hall-1")

    assert rows(shown) == [("Hall 1", "Orals", "Adam", "Keynote")]
    assert shown.door is not None
    assert shown.door.inside is not None
    assert shown.door.inside.people == "Ada Lovelace, Alan Turing, Kurt Gödel, Emmy Noether and 1 more"
    assert shown.door.next is not None
    assert shown.door.next.minutes == 65


def test_foyer_has_a_row_for_each_room_of_the_building_in_which_something_is_on(
    conference: Conference, hall: Room, garnet: Room
) -> None:
    make_room(conference, "Store", hall.zone)
    make_event(conference, title="Workshop", start="09:00", end="17:00", room=garnet)
    make_event(conference, title="Keynote", start="10:00", end="11:00", room=hall)
    bar = make_zone(conference, "A bar", off_site=True)
    make_event(conference, title="Party", start="09:00", end="22:00", room=make_room(conference, "Bar", bar))

    assert rows(seen(conference, zone="all")) == [("Hall 1", "", "", "Keynote"), ("Garnet 212", "Workshop", "", "")]
    assert rows(seen(conference, zone="garnet")) == [("Garnet 212", "Workshop", "", "")]
    assert rows(seen(conference, zone="a-bar")) == [("Bar", "Party", "", "")]


def test_drafts_and_what_is_in_them_are_on_no_wall(conference: Conference, hall: Room) -> None:
    draft = make_event(conference, title="Draft", status="draft", start="09:00", end="12:00", room=hall)
    make_event(conference, title="Inside", start="09:30", end="10:00", room=hall, session=draft)
    # Something public, or the room itself would be hidden.
    make_event(conference, start="07:00", end="07:30", room=hall)

    assert seen(conference, room="hall-1").sheets == []


def test_break_is_on_in_every_room_in_which_nothing_else_is(conference: Conference, hall: Room, garnet: Room) -> None:
    make_event(conference, kind="break", title="Coffee", start="09:30", end="10:00")
    make_event(conference, title="Workshop", start="09:00", end="17:00", room=garnet)

    assert rows(seen(conference, zone="all")) == [("Hall 1", "Coffee", "", ""), ("Garnet 212", "Workshop", "", "")]


def test_cancelled_is_said_in_its_place(conference: Conference, hall: Room) -> None:
    make_event(conference, title="Gone", status="cancelled", start="09:30", end="10:30", room=hall)
    make_event(conference, title="Gone too", status="cancelled", start="11:00", end="12:00", room=hall)

    door = seen(conference, room="hall-1").door

    assert door is not None
    assert door.now is not None
    assert door.next is not None
    assert [(it.title, it.is_cancelled) for it in (door.now, door.next)] == [("Gone", True), ("Gone too", True)]


def test_posters_that_no_session_holds_are_one_thing(conference: Conference, hall: Room) -> None:
    for number in range(12):
        make_event(conference, kind="poster", title=f"P {number}", start="09:00", end="11:00", room=hall)

    assert rows(seen(conference, room="hall-1")) == [("Hall 1", "12 Posters", "", "")]


def gone(conference: Conference, now: str, room: str = "hall-1") -> list[tuple[str, str]]:
    door = seen(conference, now, room=room).door
    return [(it.title, it.place) for it in door.gone] if door else []


def test_door_says_where_what_was_here_is_now_until_it_ends(conference: Conference, hall: Room, garnet: Room) -> None:
    keynote = make_event(conference, title="Keynote", start="10:00", end="11:00", room=hall)
    make_event(conference, kind="talk", title="Part", start="10:00", end="10:30", room=hall, session=keynote)
    make_event(conference, title="Later", start="16:00", end="17:00", room=hall)
    for event in conference.events.exclude(title="Later"):
        event.room = garnet
        event.revise()

    assert [gone(conference, now) for now in ("08:20", "08:30", "10:59", "11:00")] == [[], *[[("Keynote", "Garnet 212")]] * 2, []]
    assert gone(conference, "10:00", "garnet-212") == []
    assert rows(seen(conference, "10:00", zone="hall-1", room="")) == [("Hall 1", "", "", "Later")]


def test_door_names_a_place_in_words_and_each_move_once(conference: Conference, hall: Room, garnet: Room) -> None:
    event = make_event(conference, title="Social", start="10:00", end="11:00", room=hall)
    for room, place in ((garnet, ""), (hall, ""), (garnet, ""), (None, "Garden")):
        event.room, event.place = room, place
        event.revise()

    assert [gone(conference, "10:00", room) for room in ("hall-1", "garnet-212")] == [[("Social", "Garden")]] * 2


def test_door_forgets_what_was_moved_long_ago_or_came_back_or_is_cancelled(
    conference: Conference, hall: Room, garnet: Room
) -> None:
    events = [make_event(conference, title=title, start="10:00", end="11:00", room=hall) for title in ("Old", "Back", "Off")]
    for event in events:
        event.room = garnet
        event.revise()
    old, back, off = events
    old.changes.update(at=at("09:00", THURSDAY - dt.timedelta(days=3)))
    back.room = hall
    back.revise()
    off.status = "cancelled"
    off.revise()

    assert gone(conference, "10:00") == []


def test_hours_of_a_desk_are_on_no_door(conference: Conference, hall: Room) -> None:
    make_event(conference, kind="service", title="Registration", start="08:00", end="18:00", room=hall)

    assert seen(conference, room="hall-1").sheets == []


def test_what_has_no_hour_yet_is_named_while_the_day_lasts(conference: Conference, hall: Room) -> None:
    make_event(conference, title="Town hall", room=hall)

    door = seen(conference, room="hall-1").door

    assert door is not None
    assert (door.tba, door.now, door.coming) == ("Town hall", None, [])
    assert seen(conference, room="hall-1", day=FRIDAY).sheets == []


@pytest.mark.parametrize(
    ("day", "now", "expected"),
    [
        (THURSDAY, "18:00", "Tomorrow"),
        (THURSDAY + dt.timedelta(days=-2), "18:00", "Thursday 24 April"),
        (FRIDAY, "01:30", "Friday 25 April"),
    ],
    ids=["in the evening", "before it begins", "after midnight, as in the heading"],
)
def test_when_nothing_is_left_today_the_next_day_is_named(
    conference: Conference, hall: Room, day: dt.date, now: str, expected: str
) -> None:
    make_event(conference, title="Keynote", start="09:00", end="10:00", room=hall)
    make_event(conference, title="Second keynote", start="09:00", end="10:00", day=make_day(conference, FRIDAY), room=hall)

    later = seen(conference, now, day, room="hall-1").later

    assert later is not None
    assert (later.day, later.piece.title) == (expected, "Keynote" if "Thursday" in expected else "Second keynote")


def test_conference_is_over_when_its_last_day_is(conference: Conference, hall: Room) -> None:
    make_event(conference, title="Keynote", start="09:00", end="10:00", room=hall)

    assert [
        (shown.is_over, shown.later)
        for shown in (
            seen(conference, day=conference.end, room="hall-1"),
            seen(conference, day=dt.date(2025, 4, 29), room="hall-1"),
        )
    ] == [(False, None), (True, None)]


def test_full_room_leads_to_the_nearest_that_is_not(conference: Conference, hall: Room, garnet: Room) -> None:
    far = make_room(conference, "Ruby", make_zone(conference, "Ruby", position=2))
    make_walk(conference, hall.zone, garnet.zone, 6)
    make_walk(conference, hall.zone, far.zone, 9)
    for room in (hall, garnet, far):
        make_event(conference, title=f"In {room.name}", start="09:00", end="10:30", room=room)
    report(hall, "full")

    first = seen(conference, room="hall-1").door
    report(garnet, "full")
    second = seen(conference, room="hall-1").door

    assert first is not None
    assert first.instead is not None
    assert (first.crowd, first.instead.plate.name, first.instead.minutes, first.instead.piece.title) == (
        *("full", "Garnet 212", 6, "In Garnet 212"),
    )
    assert second is not None
    assert second.instead is not None
    assert (second.instead.plate.name, second.instead.minutes) == ("Ruby", 9)


def test_full_room_leads_to_the_same_subject_first(conference: Conference, hall: Room, garnet: Room) -> None:
    far = make_room(conference, "Ruby", make_zone(conference, "Ruby", position=2))
    make_walk(conference, hall.zone, garnet.zone, 1)
    topic = Topic.objects.create(conference=conference, area="Optimisation")
    for room, about in ((hall, topic), (garnet, None), (far, topic)):
        make_event(conference, title=f"In {room.name}", start="09:00", end="10:30", room=room, topic=about)
    report(hall, "full")

    door = seen(conference, room="hall-1").door

    assert door is not None
    assert door.instead is not None
    assert (door.instead.plate.name, door.instead.minutes) == ("Ruby", None)


def test_full_room_leads_to_where_the_same_is_shown(conference: Conference, hall: Room, garnet: Room) -> None:
    make_event(conference, title="Keynote", start="09:00", end="10:30", room=hall, overflow_room=garnet)
    report(hall, "full")

    door = seen(conference, room="hall-1").door

    assert door is not None
    assert door.instead is not None
    assert (door.instead.plate.name, door.instead.piece.title, door.instead.shows_the_same) == ("Garnet 212", "Keynote", True)


@pytest.mark.parametrize("state", ["", "open", "filling"])
def test_room_that_is_not_full_leads_nowhere(conference: Conference, hall: Room, garnet: Room, state: str) -> None:
    for room in (hall, garnet):
        make_event(conference, start="09:00", end="10:30", room=room)
    if state:
        report(hall, state)

    door = seen(conference, room="hall-1").door

    assert door is not None
    assert (door.crowd, door.instead) == (state, None)


def test_one_word_of_one_person_is_on_no_wall(conference: Conference, hall: Room) -> None:
    event = make_event(conference, start="09:00", end="10:30", room=hall)
    agenda, _ = make_agenda(conference)
    CrowdReport.objects.create(conference=conference, room=hall, event=event, agenda=agenda, state="full", at=at("09:38"))

    door = seen(conference, room="hall-1").door

    assert door is not None
    assert door.crowd == ""


def test_forty_rooms_take_turns(conference: Conference) -> None:
    zone = make_zone(conference, "Garnet")
    for number in range(40):
        make_event(
            conference,
            start="09:00",
            end="10:30",
            room=make_room(conference, f"Garnet {number}", zone, position=number),
            announce=False,
        )

    shown = [seen(conference, f"09:{minute}", zone="garnet") for minute in range(40, 50)]

    assert [len(sheet) for sheet in shown[0].sheets] == [ROOMS_PER_SHEET] * (40 // ROOMS_PER_SHEET)
    assert sorted(it.shown for it in shown) == list(range(10))


def test_announcements_are_those_for_people_who_are_there(conference: Conference, hall: Room) -> None:
    for title, audience in (("For all", ""), ("There", "in-person"), ("Afar", "virtual")):
        text = "See [the plan](https://example.org/plan)."
        Announcement.objects.create(conference=conference, title=title, text=text, audience=audience, starts_at=at("08:00"))
    Announcement.objects.create(conference=conference, title="Not yet", starts_at=at("10:00"))

    with time_machine.travel(at("09:40"), tick=False):
        shown = seen(conference, room="hall-1").announcements
        Announcement.objects.create(conference=conference, title="Leave", urgent=True, starts_at=at("09:00"))
        urgent = seen(conference, room="hall-1").announcements

    assert {(it.title, it.text) for it in shown} == {("For all", "See the plan."), ("There", "See the plan.")}
    assert [it.title for it in urgent] == ["Leave"]


@pytest.mark.parametrize(
    ("length", "size"), [(120, ""), (121, "small"), (280, "small"), (281, "page"), (551, "long-page"), (1_001, "full-page")]
)
def test_letters_of_an_urgent_announcement_follow_its_length(length: int, size: str) -> None:
    title = "Leave"

    assert WallNotice(title, "x" * (length - len(title)), urgent=True).size == size
    assert WallNotice(title, "x" * (length - len(title)), urgent=False).size == ""


@pytest.mark.parametrize(
    ("asked", "name", "rooms"),
    [
        ({"zone": "hall-1"}, "Hall 1", ["Hall 1"]),
        ({"zone": "H"}, "Hall 1", ["Hall 1"]),
        ({"zone": "h"}, "Hall 1", ["Hall 1"]),
        ({"zone": "Hall 1"}, "Hall 1", ["Hall 1"]),
        ({"zone": "ALL"}, "ICLR 2025", ["Hall 1", "Garnet 212"]),
        ({"room": "garnet-212"}, "Garnet 212", ["Garnet 212"]),
        ({"room": "Garnet 212", "zone": "garnet"}, "Garnet 212", ["Garnet 212"]),
    ],
    ids=str,
)
def test_place_is_found_by_what_people_call_it(
    conference: Conference, hall: Room, garnet: Room, asked: dict[str, str], name: str, rooms: list[str]
) -> None:
    found = screen_location(conference, rooms_of(conference), asked.get("zone", ""), asked.get("room", ""))

    assert found is not None
    assert (found.name, [it.name for it in found.rooms]) == (name, rooms)


def test_name_of_a_zone_goes_before_the_letter_of_another(conference: Conference) -> None:
    for name, letter in ("BA", "AB"):
        make_room(conference, f"In {name}", make_zone(conference, name, letter=letter))
    rooms = rooms_of(conference)

    found = [screen_location(conference, rooms, asked, "") for asked in ("a", "b")]

    assert [it and [room.name for room in it.rooms] for it in found] == [["In A"], ["In B"]]


@pytest.mark.parametrize("asked", [("nowhere", ""), ("", "nowhere"), ("garnet", "hall-1"), ("-", ""), ("", "🎉")], ids=str)
def test_no_such_place(conference: Conference, hall: Room, garnet: Room, asked: tuple[str, str]) -> None:
    assert screen_location(conference, rooms_of(conference), *asked) is None


@pytest.mark.parametrize("name", ["Hall 1", "東ホール", "🎉", "قاعة", "A&B=C?#", "Zürich"])
def test_every_choice_leads_to_its_own_place(conference: Conference, name: str) -> None:
    zones = [make_zone(conference, name), make_zone(conference, f"Other {name}")]
    rooms = [make_room(conference, "Foyer", zone) for zone in zones] + [make_room(conference, f"{name} a", zones[0])]
    clock = Clock(at("09:40"), SINGAPORE)

    listed = screen_choices(conference, rooms_of(conference), clock)

    found = [asked_for(conference, it.url) for zone in listed.zones for it in (zone.zone, *zone.rooms)]
    assert sorted(map(sorted, found)) == sorted([[rooms[0].pk, rooms[2].pk], [rooms[1].pk], *([room.pk] for room in rooms)])


def asked_for(conference: Conference, url: str) -> list[Any]:
    asked = parse_qs(urlsplit(url).query)
    found = screen_location(conference, rooms_of(conference), asked.get("zone", [""])[0], asked.get("room", [""])[0])
    return [room.pk for room in found.rooms] if found else []
