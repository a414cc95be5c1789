from __future__ import annotations

import datetime as dt

import pytest

from events.core.clock import Clock
from events.models import Conference, Kind, Service, Venue
from events.pages.queries.venue import RoomRow, venue_page, zone_walks
from tests.factories import THURSDAY, at, make_conference, make_day, make_event, make_room, make_type, make_walk, make_zone
from tests.pages.queries.reading import clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


def rooms(conference: Conference, now: Clock) -> dict[str, tuple[str | None, str | None]]:
    """Of every room: what is on, and what comes next."""
    rows: list[RoomRow] = [row for venue in venue_page(conference, now).venues for zone in venue.zones for row in zone.rooms]
    return {row.room.name: (row.now and row.now.title, row.next and row.next.title) for row in rows}


@pytest.mark.parametrize(
    ("now", "on", "coming"),
    [
        pytest.param("08:00", None, "First", id="talks-before"),
        pytest.param("09:30", "First", "Second", id="talk-on"),
        pytest.param("10:05", None, "Second", id="between-talks"),
    ],
)
def test_talks_of_a_cancelled_session_are_in_their_room(now: str, on: str | None, coming: str | None) -> None:
    conference = make_conference()
    hall = make_room(conference, "Hall")
    session = make_event(conference, start="09:00", end="17:00", status="cancelled", room=hall)
    for title, start, end, kind in [
        ("First", "09:00", "10:00", "talk"),
        ("Coffee", "10:00", "10:15", "break"),
        ("Second", "10:15", "11:00", "talk"),
        ("Poster", "09:00", "17:00", "poster"),
    ]:
        make_event(conference, kind=kind, title=title, start=start, end=end, session=session, room=hall)

    assert rooms(conference, clock(now)) == {"Hall": (on, coming)}


@pytest.mark.parametrize(
    ("now", "on", "coming"),
    [
        pytest.param("08:00", None, "First", id="before"),
        pytest.param("09:00", "First", "Second", id="as-it-starts"),
        pytest.param("10:00", None, "Second", id="in-between"),
        pytest.param("11:00", "Second", None, id="the-last"),
        pytest.param("12:00", None, None, id="after"),
    ],
)
def test_room_says_what_is_on_and_what_comes_next_today(now: str, on: str | None, coming: str | None) -> None:
    conference = make_conference()
    hall = make_room(conference)
    friday = make_day(conference, THURSDAY + dt.timedelta(days=1))
    first = make_event(conference, title="First", start="09:00", end="10:00", room=hall)
    make_event(conference, title="Inside", start="09:00", end="09:15", room=hall, session=first)
    make_event(conference, title="Second", start="11:00", end="12:00", room=hall)
    make_event(conference, title="Off", start="10:00", end="11:00", room=hall, status="cancelled")
    make_event(conference, title="Draft", start="10:00", end="11:00", room=hall, status="draft")
    make_event(conference, title="Tomorrow", day=friday, start="09:00", end="10:00", room=hall)
    make_event(conference, title="TBA", room=hall)

    assert rooms(conference, clock(now)) == {"Hall 1": (on, coming)}


def test_each_room_has_its_own() -> None:
    conference = make_conference()
    hall, garnet = make_room(conference, "Hall 1"), make_room(conference, "Garnet")
    make_room(conference, "Empty")
    make_event(conference, title="Keynote", start="09:00", end="10:00", room=hall)
    make_event(conference, title="Workshop", start="09:00", end="17:00", room=garnet)
    make_event(conference, title="Nowhere", start="09:00", end="10:00")

    assert rooms(conference, clock("09:30")) == {"Hall 1": ("Keynote", None), "Garnet": ("Workshop", None), "Empty": (None, None)}


def test_talk_of_a_session_elsewhere_is_on_in_its_own_room() -> None:
    conference = make_conference()
    hall, annex, foyer = (make_room(conference, name) for name in ("Hall 1", "Annex", "Foyer"))
    workshop = make_event(conference, title="Workshop", start="09:00", end="17:00", room=hall)
    make_event(conference, title="In the hall", start="09:00", end="10:00", room=hall, session=workshop)
    make_event(conference, title="Next door", start="09:00", end="10:00", room=annex, session=workshop)
    poster = make_type(conference, Kind.POSTER)
    make_event(conference, title="Poster", type=poster, start="09:00", end="10:00", room=foyer, session=workshop)

    assert rooms(conference, clock("09:30")) == {
        "Hall 1": ("Workshop", None),
        "Annex": ("Next door", None),
        "Foyer": (None, None),
    }


def test_party_past_midnight_is_still_on() -> None:
    conference = make_conference()
    friday = THURSDAY + dt.timedelta(days=1)
    make_event(conference, title="Party", start=at("22:00"), end=at("02:00", friday), room=make_room(conference))

    assert rooms(conference, clock("01:00", friday)) == {"Hall 1": ("Party", None)}


def test_venues_have_their_zones_rooms_and_services() -> None:
    conference = make_conference()
    hall, exit_a = make_zone(conference, "Hall 1"), make_zone(conference, "Exit A", position=1)
    elsewhere = Venue.objects.create(conference=conference, name="A bar", latitude=1.3, longitude=103.8)
    garnet = make_room(conference, "Garnet", hall)
    for name, fields in {"In a zone": {"zone": exit_a}, "In a room": {"room": garnet}, "Nowhere": {}}.items():
        Service.objects.create(conference=conference, name=name, **fields)

    blocks = venue_page(conference, clock()).venues

    zones = {zone.zone.name: zone for block in blocks for zone in block.zones}
    assert [(it.venue.name, [zone.zone.name for zone in it.zones]) for it in blocks] == [
        ("Singapore EXPO", ["Hall 1", "Exit A"]),
        ("A bar", []),
    ]
    assert {name: [row.room.name for row in it.rooms] for name, it in zones.items()} == {"Hall 1": ["Garnet"], "Exit A": []}
    assert {name: [row.service.name for row in it.services] for name, it in zones.items()} == {
        "Hall 1": ["In a room"],
        "Exit A": ["In a zone"],
    }
    assert [link.url for it in blocks for link in it.maps if link.label == "OpenStreetMap"] == [
        "https://www.openstreetmap.org/?mlat=1.3&mlon=103.8#map=17/1.3/103.8",
    ]
    assert blocks[1].venue == elsewhere


def test_walks_are_the_conferences_own() -> None:
    conference, other = make_conference(), make_conference()
    walk = make_walk(conference, make_zone(conference, "Hall 1"), make_zone(conference, "Hall 2"))
    make_walk(other, make_zone(other, "Hall 1"), make_zone(other, "Hall 2"))

    assert zone_walks(conference) == [walk]
