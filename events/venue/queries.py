"""Amenities with their places, links to maps, and directions to an event or to the venue."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from django.db.models import OuterRef, Q, QuerySet
from django.http import QueryDict

from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import Clock, with_pinned_time
from events.core.db.prepared_query import prepared
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Kind
from events.programme.models.venue import Room, Service, Venue, Walk, Zone
from events.programme.queries.filters import FilterOption, replaced_query
from events.programme.queries.public_names import only_public
from events.programme.queries.revisions import last_change_of_everything
from events.programme.rules.walking import NO_NEEDS, Need, Needs, Walks, Way
from events.venue.models import Amenity, AmenityQuerySet, Leg, Route, StartingPoint
from events.venue.rules.routes import (
    Journey,
    best_journey,
    except_text,
    is_dry,
    is_gate_free,
    is_step_free,
    nearest_place,
    total_minutes,
    unconfirmed_steps,
)


@dataclass(frozen=True)
class AmenityRow:
    """``where`` and ``url`` are the place and its page, or "" for everywhere; ``start`` and ``day`` are the event's."""

    amenity: Amenity
    where: str
    url: str
    start: dt.datetime | None
    day: dt.date | None
    # The page that shows the amenity.
    page: str


def amenities(conference: Conference, clock: Clock) -> list[AmenityRow]:
    return amenity_rows(Amenity.objects.all(), conference, clock)


def amenities_of(event: Event, clock: Clock) -> list[AmenityRow]:
    """Return the amenities of the event, its room and its service; for a break, also of its zone."""
    nearby = Q(event=event)
    if event.room:
        nearby |= Q(room=event.room)
    if event.service:
        nearby |= Q(service=event.service)
    if event.room and event.type.kind == Kind.BREAK:
        nearby |= Q(zone=event.room.zone_id)
    return amenity_rows(Amenity.objects.filter(nearby), event.conference, clock)


def amenity_rows(amenities: AmenityQuerySet, conference: Conference, clock: Clock) -> list[AmenityRow]:
    rows = []
    for amenity in amenities.filter(conference=conference).public().with_places():
        amenity.conference = conference
        rows.append(_amenity_row(amenity, clock))
    return rows


def _amenity_row(amenity: Amenity, clock: Clock) -> AmenityRow:
    place = amenity.place
    page = with_pinned_time(amenity.get_absolute_url(), clock)
    if place is None:
        return AmenityRow(amenity, "", "", None, None, page)
    place.conference = amenity.conference
    url = with_pinned_time(place.get_absolute_url(), clock)
    if isinstance(place, Event):
        return AmenityRow(amenity, place.title, url, place.start, place.day.date if place.day else None, url)
    if isinstance(place, Service):
        return AmenityRow(amenity, ", ".join(filter(None, [place.name, place.location])), url, None, None, page)
    return AmenityRow(amenity, place.location if isinstance(place, Room) else place.name, url, None, None, page)


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


def has_directions(conference: Conference) -> bool:
    """Whether the page with directions has more than what the venue's own page says."""
    return any(rows.exists() for rows in rows_of_directions(conference))


def rows_of_directions(conference: Conference | OuterRef) -> list[QuerySet[Any]]:
    return [
        Route.objects.public().filter(conference=conference),
        StartingPoint.objects.public().filter(conference=conference),
        Service.objects.filter(conference=conference).taxi_stands(),
    ]


class TaxiStand(NamedTuple):
    service: Service
    way: Way


@dataclass(frozen=True)
class Ways:
    routes: list[Route]
    walks: Walks
    stands: list[Service]

    def journey(self, to: Zone | None, needs: Needs = NO_NEEDS) -> tuple[Route, Journey] | None:
        """Return the best journey to a zone; without a zone, to the end of any route to the venue."""
        routes = {route.pk: route for route in self.routes if to is None or not to.off_site or route.zone_id == to.pk}
        described = ((pk, route.zone_id, route.steps) for pk, route in routes.items())
        best = best_journey(described, to.pk if to else None, self.walks, needs)
        return (routes[best.route], best) if best else None  # type: ignore[index]

    def taxi(self, zone: Zone | None) -> TaxiStand | None:
        stands = {stand.pk: stand for stand in self.stands}
        places = ((pk, place.pk) for pk, stand in stands.items() if (place := _zone_of_service(stand)))
        nearest = nearest_place(places, zone.pk if zone else None, self.walks)
        return TaxiStand(stands[nearest[0]], nearest[1]) if nearest else None  # type: ignore[index]


def event_zone(event: Event) -> Zone | None:
    if event.room:
        return event.room.zone
    return _zone_of_service(event.service) if event.service else None


def _zone_of_service(service: Service) -> Zone | None:
    return service.zone or (service.room.zone if service.room else None)


def ways_from(conference: Conference, start: int | None, needs: Needs = NO_NEEDS) -> Ways:
    routes = list(Route.objects.public().filter(conference=conference, start=start).described()) if start else []
    stands = list(Service.objects.filter(conference=conference).taxi_stands().select_related("zone", "room__zone"))
    # Walks are read only if one can start at the end of a route or at a stand.
    walks = walks_in(conference.pk) if routes or stands else ()
    return Ways(routes, Walks(walks, needs), stands)


@prepared
def walks_in(conference: int) -> QuerySet[Walk, Any]:
    names = ("origin", "destination", "minutes", "minutes_back", "covered", "step_free")
    return Walk.objects.filter(conference=conference).order_by().values_list(*names)


ROUTE_OUTDATED_AFTER = dt.timedelta(days=365)

NO_ROUTE_TEXTS = {
    NO_NEEDS: "No route",
    frozenset({Need.DRY}): "No fully covered route",
    frozenset({Need.STEP_FREE}): "No step-free route",
    frozenset(Need): "No covered and step-free route",
}


@dataclass(frozen=True)
class RouteBlock:
    route: Route
    legs: list[Leg]
    total_minutes: int
    total_known: bool
    # None is unknown: not every leg has an answer.
    covered: bool | None
    step_free: bool | None
    gate_free: bool | None
    # As "covered except step 1 (not confirmed)", if only that keeps the fact from being known.
    covered_except: str = ""
    step_free_except: str = ""
    # Checked longer ago than ROUTE_OUTDATED_AFTER.
    is_old: bool = False

    @property
    def to(self) -> str:
        return self.route.zone.name

    def suits(self, needs: Needs) -> bool:
        """Return whether every need is known to be met."""
        return all({Need.DRY: self.covered, Need.STEP_FREE: self.step_free}[need] for need in needs)

    def may_suit(self, needs: Needs) -> bool:
        """Return whether every need is met but for steps without an answer, which the page names."""
        dry, step_free = self.covered or self.covered_except, self.step_free or self.step_free_except
        return all({Need.DRY: dry, Need.STEP_FREE: step_free}[need] for need in needs)


@dataclass(frozen=True)
class DirectionsPage:
    start: StartingPoint | None
    starts: list[FilterOption]
    dry: FilterOption
    step_free: FilterOption
    routes: list[RouteBlock]
    hidden_count: int
    # A sentence if no route fits; else empty.
    problem: str
    stands: list[Service]
    places: list[VenueMaps]


@dataclass(frozen=True)
class VenueMaps:
    venue: Venue
    maps: list[MapLink]


def directions_page(
    conference: Conference, query: QueryDict, remembered: str, needs: Needs = NO_NEEDS, today: dt.date | None = None
) -> DirectionsPage:
    """Read the start from the query, else use the remembered one, else show all routes; needs likewise."""
    start = StartingPoint.objects.by_slug(conference, query.get("from", remembered))
    routes = Route.objects.public().filter(conference=conference).described()
    blocks = [route_block(route, today) for route in (routes.filter(start=start) if start else routes)]
    dry, free = _is_wanted(query, "dry", Need.DRY in needs), _is_wanted(query, "step_free", Need.STEP_FREE in needs)
    asked = frozenset(need for need, wanted in ((Need.DRY, dry), (Need.STEP_FREE, free)) if wanted)
    shown = sorted((block for block in blocks if block.may_suit(asked)), key=lambda block: not block.suits(asked))
    return DirectionsPage(
        start=start,
        starts=[_start_choice(point, start, query) for point in StartingPoint.objects.public().filter(conference=conference)],
        dry=FilterOption(
            "Keep me dry",
            "1",
            replaced_query(query, "dry", "" if dry else "1"),
            dry,
            sum(bool(block.covered) for block in blocks),
        ),
        step_free=FilterOption(
            "Step-free",
            "1",
            replaced_query(query, "step_free", "" if free else "1"),
            free,
            sum(bool(block.step_free) for block in blocks),
        ),
        routes=shown,
        hidden_count=len(blocks) - len(shown),
        problem="" if shown or not (start or asked) else no_route_text(asked, start),
        stands=_taxi_stands(conference),
        places=[VenueMaps(venue, venue_map_links(venue)) for venue in only_public(conference.venues.all())],
    )


def no_route_text(needs: Needs, start: StartingPoint | None, to: str = "") -> str:
    return f"{NO_ROUTE_TEXTS[needs]}{f' to {to}' if to else ''} is known{f' from {start}' if start else ''}"


def _taxi_stands(conference: Conference) -> list[Service]:
    stands = Service.objects.filter(conference=conference).taxi_stands()
    return list(stands.select_related("zone__venue", "room__zone__venue"))


def _is_wanted(query: QueryDict, name: str, wanted: bool) -> bool:
    return query[name] not in {"", "0"} if name in query else wanted


def _start_choice(point: StartingPoint, chosen: StartingPoint | None, query: QueryDict) -> FilterOption:
    return FilterOption(point.name, point.slug, replaced_query(query, "from", point.slug), point == chosen)


def route_block(route: Route, today: dt.date | None = None) -> RouteBlock:
    steps = route.steps
    minutes, known = total_minutes(steps)
    return RouteBlock(
        route,
        list(route.legs.all()),
        minutes,
        known,
        covered=is_dry(steps) or _false_or_unknown(step.covered for step in steps),
        step_free=is_step_free(steps) or _false_or_unknown(step.step_free for step in steps),
        gate_free=is_gate_free(steps) or _false_or_unknown(step.gate_free for step in steps),
        covered_except=except_text("covered", unconfirmed_steps([step.covered for step in steps])),
        step_free_except=except_text("step-free", unconfirmed_steps([step.step_free for step in steps])),
        is_old=bool(today and route.checked_on and route.checked_on < today - ROUTE_OUTDATED_AFTER),
    )


def _false_or_unknown(facts: Iterable[bool | None]) -> bool | None:
    return False if False in set(facts) else None


@dataclass(frozen=True)
class WayToEvent:
    """The way from the visitor's start to an event; ``start`` is None until one is chosen."""

    event: Event
    to: str
    has_starts: bool
    start: StartingPoint | None = None
    problem: str = ""
    journey: Journey | None = None
    block: RouteBlock | None = None
    needs: Needs = NO_NEEDS

    @property
    def problem_icon(self) -> str:
        if self.needs == {Need.DRY}:
            return "umbrella"
        return "accessibility" if self.needs == {Need.STEP_FREE} else "info"

    @property
    def summary(self) -> str:
        """With the steps that are not confirmed, where the visitor needs them to be covered."""
        if not self.journey or not self.block:
            return ""
        unconfirmed = self.block.covered_except if Need.DRY in self.needs and self.journey.covered is None else ""
        return ", ".join(filter(None, [*self.journey.facts, unconfirmed]))

    @property
    def is_whole(self) -> bool:
        """False if the route ends before the event's zone, and no walk from there is known."""
        return self.journey is not None and self.journey.walk is not None


def starting_point_pks(conference: Conference) -> dict[str, int]:
    """Return ids by slug; cached, because cached pages look up the start of each visitor."""
    rows = StartingPoint.objects.public().filter(conference=conference).values_list("slug", "pk")
    everything = last_change_of_everything(conference)
    return PROCESS_CACHE.get_or_build(("starting points", conference.pk), lambda: dict(rows), version=everything)


def way_to_event(event: Event, start: int | None, clock: Clock, needs: Needs) -> WayToEvent | None:
    """Return the way from a starting point; None for an event off site or without a known place."""
    zone = event_zone(event)
    if zone is None and not event.at_venue:
        return None
    points = StartingPoint.objects.public().filter(conference=event.conference)
    chosen = points.filter(pk=start).first() if start else None
    to = zone.name if zone else "the venue"
    if chosen is None:
        return WayToEvent(event, to, points.exists())
    route, journey = ways_from(event.conference, chosen.pk, needs).journey(zone, needs) or (None, None)
    suits = journey is not None and journey.suits(needs)
    return WayToEvent(
        event,
        to,
        has_starts=True,
        start=chosen,
        problem="" if suits else no_route_text(needs, chosen, to),
        journey=journey,
        block=route_block(route, clock.today) if route else None,
        needs=needs,
    )


def nearest_taxi_stand(event: Event) -> TaxiStand | None:
    """Return the stand in the event's zone, else the one with the shortest known walk; None off site."""
    zone = event_zone(event)
    return ways_from(event.conference, None).taxi(zone) if zone and not zone.off_site else None
