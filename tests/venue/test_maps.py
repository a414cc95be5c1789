from __future__ import annotations

from typing import Any

import pytest

from events.venue.queries.maps import event_map_links, map_links, openstreetmap_url
from tests.factories import make_conference, make_event, make_room, make_zone

pytestmark = pytest.mark.usefixtures("at_the_venue")


@pytest.mark.parametrize(
    ("latitude", "longitude", "words", "address"),
    [
        (1.5, 103.0, "x", "https://www.openstreetmap.org/?mlat=1.5&mlon=103.0#map=17/1.5/103.0"),
        (0.0, 0.0, "", "https://www.openstreetmap.org/?mlat=0.0&mlon=0.0#map=17/0.0/0.0"),
        (None, 103.0, "1 Expo Drive & Co", "https://www.openstreetmap.org/search?query=1%20Expo%20Drive%20%26%20Co"),
        (None, None, "", ""),
    ],
)
def test_map_address(latitude: float | None, longitude: float | None, words: str, address: str) -> None:
    assert openstreetmap_url(latitude, longitude, words) == address


def test_place_with_coordinates_is_in_every_map() -> None:
    assert [it.url for it in map_links(1.5, -103.25, "1 Expo Drive & Co")] == [
        "geo:1.5,-103.25?q=1.5,-103.25(1%20Expo%20Drive%20%26%20Co)",
        "https://www.openstreetmap.org/?mlat=1.5&mlon=-103.25#map=17/1.5/-103.25",
        "https://maps.apple.com/?ll=1.5,-103.25&q=1+Expo+Drive+%26+Co",
        "https://www.google.com/maps/search/?api=1&query=1.5,-103.25",
    ]


def test_place_with_an_address_is_asked_for() -> None:
    assert [(it.label, it.url) for it in map_links(None, None, "Bar, Køge")] == [
        ("OpenStreetMap", "https://www.openstreetmap.org/search?query=Bar%2C%20K%C3%B8ge"),
        ("Apple Maps", "https://maps.apple.com/?q=Bar,+K%C3%B8ge"),
        ("Google Maps", "https://www.google.com/maps/search/?api=1&query=Bar,+K%C3%B8ge"),
    ]


def test_place_that_nobody_knows_is_in_no_map() -> None:
    assert map_links(None, 103.0, "") == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("room", "fields", "asked"),
    [
        pytest.param("Hall", {}, "1.5,103.0", id="at-the-venue"),
        pytest.param("Bar", {}, "2 Beach Road", id="elsewhere-with-an-address"),
        pytest.param("", {"place": "Lantern Bar"}, "Lantern+Bar,+Singapore", id="elsewhere-in-words"),
        pytest.param("", {"place": "By the stage", "at_venue": True}, "", id="in-words-at-the-venue"),
        pytest.param("", {}, "", id="nowhere-yet"),
    ],
)
def test_event_is_in_the_maps_of_its_place(room: str, fields: dict[str, Any], asked: str) -> None:
    conference = make_conference(city="Singapore")
    zone = make_zone(conference, room or "Hall", off_site=room == "Bar")
    venue = zone.venue
    venue.latitude, venue.longitude, venue.address = 1.5, 103.0, "2 Beach Road" if room == "Bar" else "1 Expo Drive"
    venue.save()
    event = make_event(conference, room=make_room(conference, room, zone) if room else None, **fields)

    links = event_map_links(event)

    assert [it.url.partition("query=")[2].replace("%2C", ",") for it in links[-1:]] == (
        [asked.replace(" ", "+")] if asked else []
    )


@pytest.mark.django_db
def test_hours_of_a_service_are_in_the_maps_of_its_hall() -> None:
    conference = make_conference()
    zone = make_zone(conference, "Foyer")
    zone.venue.latitude, zone.venue.longitude = 1.5, 103.0
    zone.venue.save()
    desk = conference.services.create(name="Desk", zone=zone)

    links = event_map_links(make_event(conference, kind="service", service=desk))

    assert [it.label for it in links] == ["Map on this phone", "OpenStreetMap", "Apple Maps", "Google Maps"]


@pytest.mark.django_db
def test_venue_that_only_has_a_name_is_in_no_map_and_its_rooms_neither() -> None:
    conference = make_conference(city="Singapore")
    zone = make_zone(conference, "Hall")
    zone.venue.address, zone.venue.latitude, zone.venue.longitude = "", None, None
    zone.venue.name = "Venue"
    zone.venue.save()

    assert event_map_links(make_event(conference, room=make_room(conference, "Hall", zone))) == []


@pytest.mark.django_db
def test_place_in_words_is_in_no_map_where_the_city_is_unknown() -> None:
    conference = make_conference(city="")

    assert event_map_links(make_event(conference, place="Venue")) == []
    bar = make_room(conference, "Bar", make_zone(conference, "Bar", off_site=True))
    assert event_map_links(make_event(conference, room=bar)) == []
