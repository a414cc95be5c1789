"""Where an event is, and links to maps on other sites."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.venue import Service, Venue, Zone


@dataclass(frozen=True)
class MapLink:
    label: str
    url: str


def map_links(latitude: float | None, longitude: float | None, address: str) -> list[MapLink]:
    if latitude is None or longitude is None:
        if not address:
            return []
        point, query, apple_query = "", address, {"q": address}
    else:
        point = query = f"{latitude},{longitude}"
        apple_query = {"ll": point, "q": address or point}
    links = [
        # Android shows no pin without the part after the point.
        MapLink("Map on this phone", f"geo:{point}?q={point}{f'({quote(address)})' if address else ''}") if point else None,
        MapLink("OpenStreetMap", openstreetmap_url(latitude, longitude, address)),
        MapLink("Apple Maps", f"https://maps.apple.com/?{urlencode(apple_query, safe=',')}"),
        MapLink("Google Maps", f"https://www.google.com/maps/search/?{urlencode({'api': '1', 'query': query}, safe=',')}"),
    ]
    return [link for link in links if link]


def openstreetmap_url(latitude: float | None, longitude: float | None, address: str) -> str:
    if latitude is not None and longitude is not None:
        return f"https://www.openstreetmap.org/?mlat={latitude}&mlon={longitude}#map=17/{latitude}/{longitude}"
    return f"https://www.openstreetmap.org/search?query={quote(address)}" if address else ""


def venue_map_links(venue: Venue) -> list[MapLink]:
    """Return none for a venue without address and coordinates: its name alone, such as "Venue", leads anywhere."""
    located = venue.latitude is not None and venue.longitude is not None
    return map_links(venue.latitude, venue.longitude, venue.address or (venue.name if located else ""))


def event_map_links(event: Event) -> list[MapLink]:
    """Return links to the venue of the event's room; a place in words is searched in the conference's city, if it has one."""
    zone = event_zone(event)
    if zone and not zone.off_site:
        return venue_map_links(zone.venue)
    if zone:
        # The venue's coordinates are those of its halls: off-site zones have an address at best.
        return map_links(None, None, zone.venue.address or _place_in_city(zone.name, event.conference))
    return [] if event.at_venue else map_links(None, None, _place_in_city(event.place, event.conference))


def _place_in_city(place: str, conference: Conference) -> str:
    return f"{place}, {conference.city}" if place and conference.city else ""


def event_zone(event: Event) -> Zone | None:
    if event.room:
        return event.room.zone
    return zone_of_service(event.service) if event.service else None


def zone_of_service(service: Service) -> Zone | None:
    return service.zone or (service.room.zone if service.room else None)
