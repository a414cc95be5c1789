"""Maps elsewhere: links to a place in other people's maps, of which nothing is loaded here."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from events.models import Event, Venue
from events.models.ways import zone_of


@dataclass(frozen=True)
class MapLink:
    label: str
    url: str


def maps_out(latitude: float | None, longitude: float | None, words: str) -> list[MapLink]:
    """The place by coordinates, else by its address; the phone's own map takes coordinates only."""
    if latitude is None or longitude is None:
        if not words:
            return []
        point, asked, marked = "", words, {"q": words}
    else:
        point = asked = f"{latitude},{longitude}"
        marked = {"ll": point, "q": words or point}
    links = [
        # What follows the point is Android's: without it, there is no pin.
        MapLink("Map on this phone", f"geo:{point}?q={point}{f'({quote(words)})' if words else ''}") if point else None,
        MapLink("OpenStreetMap", map_address(latitude, longitude, words)),
        MapLink("Apple Maps", f"https://maps.apple.com/?{urlencode(marked, safe=',')}"),
        MapLink("Google Maps", f"https://www.google.com/maps/search/?{urlencode({'api': '1', 'query': asked}, safe=',')}"),
    ]
    return [link for link in links if link]


def map_address(latitude: float | None, longitude: float | None, words: str) -> str:
    """OpenStreetMap with the place marked, or asked for its address."""
    if latitude is not None and longitude is not None:
        return f"https://www.openstreetmap.org/?mlat={latitude}&mlon={longitude}#map=17/{latitude}/{longitude}"
    return f"https://www.openstreetmap.org/search?query={quote(words)}" if words else ""


def maps_to_venue(venue: Venue) -> list[MapLink]:
    return maps_out(venue.latitude, venue.longitude, venue.address or venue.name)


def maps_to(event: Event) -> list[MapLink]:
    """The venue of its room; a place in words is asked for in the conference's city."""
    zone = zone_of(event)
    if zone and not zone.off_site:
        return maps_to_venue(zone.venue)
    if zone:
        # A venue's coordinates are of its halls; of what is away from them the address is known at best.
        return maps_out(None, None, zone.venue.address or ", ".join(filter(None, [zone.name, event.conference.city])))
    if event.at_venue or not event.place:
        return []
    return maps_out(None, None, ", ".join(filter(None, [event.place, event.conference.city])))
