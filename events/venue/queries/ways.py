"""Directions to an event or to the venue."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import OuterRef, QuerySet
from django.http import QueryDict

from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import Clock
from events.core.db.prepared_query import prepared
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.venue import Service, Venue, Walk, Zone
from events.programme.queries.filters import FilterOption, replaced_query
from events.programme.queries.public_names import only_public
from events.programme.queries.revisions import last_change_of_everything
from events.programme.rules.walking import NO_NEEDS, Need, Needs, Walks, Way
from events.venue.models import Leg, Route, StartingPoint
from events.venue.queries.maps import MapLink, event_zone, venue_map_links, zone_of_service
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
        places = ((pk, place.pk) for pk, stand in stands.items() if (place := zone_of_service(stand)))
        nearest = nearest_place(places, zone.pk if zone else None, self.walks)
        return TaxiStand(stands[nearest[0]], nearest[1]) if nearest else None  # type: ignore[index]


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
