"""The ways to the venue, chosen by where one starts, rain and wheels."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.http import QueryDict

from events.models import Conference, Leg, Route, Service, StartingPoint, Venue
from events.queries.filters import Choice, replaced
from events.queries.maps import MapLink, maps_to_venue
from events.schedule.routes import is_dry, is_gate_free, is_step_free, total_minutes
from events.schedule.walking import ANY_WAY, Need, Needs

OLD = dt.timedelta(days=365)

NO_WAY = {
    ANY_WAY: "No way",
    frozenset({Need.DRY}): "No fully covered way",
    frozenset({Need.STEP_FREE}): "No step-free way",
    frozenset(Need): "No covered and step-free way",
}


@dataclass(frozen=True)
class RouteBlock:
    route: Route
    legs: list[Leg]
    total_minutes: int
    total_known: bool
    # None: nobody has said so of every leg.
    covered: bool | None
    step_free: bool | None
    gate_free: bool | None
    # It was checked so long ago that things may have changed.
    is_old: bool = False

    @property
    def to(self) -> str:
        return self.route.zone.name


@dataclass(frozen=True)
class DirectionsPage:
    start: StartingPoint | None
    starts: list[Choice]
    dry: Choice
    step_free: Choice
    routes: list[RouteBlock]
    hidden_count: int
    # That there is no such way, in words; nothing if there is one.
    problem: str
    stands: list[Service]
    places: list[Place]


@dataclass(frozen=True)
class Place:
    venue: Venue
    maps: list[MapLink]


def directions(
    conference: Conference, query: QueryDict, remembered: str, needs: Needs = ANY_WAY, today: dt.date | None = None
) -> DirectionsPage:
    """Routes from the start in the address, else from the remembered one, else from everywhere; so with what ways have to be."""
    start = StartingPoint.objects.by_slug(conference, query.get("from", remembered))
    routes = Route.objects.filter(conference=conference).described()
    blocks = [route_block(route, today) for route in (routes.filter(start=start) if start else routes)]
    dry, free = _asked(query, "dry", Need.DRY in needs), _asked(query, "step_free", Need.STEP_FREE in needs)
    asked = frozenset(need for need, wanted in ((Need.DRY, dry), (Need.STEP_FREE, free)) if wanted)
    shown = [block for block in blocks if (block.covered or not dry) and (block.step_free or not free)]
    return DirectionsPage(
        start=start,
        starts=[_start_choice(it, start, query) for it in StartingPoint.objects.filter(conference=conference)],
        dry=Choice("Keep me dry", "1", replaced(query, "dry", "" if dry else "1"), dry, sum(bool(it.covered) for it in blocks)),
        step_free=Choice(
            "Step-free", "1", replaced(query, "step_free", "" if free else "1"), free, sum(bool(it.step_free) for it in blocks)
        ),
        routes=shown,
        hidden_count=len(blocks) - len(shown),
        problem="" if shown or not (start or asked) else no_way(asked, start),
        stands=_stands(conference),
        places=[Place(it, maps_to_venue(it)) for it in Venue.objects.filter(conference=conference)],
    )


def no_way(needs: Needs, start: StartingPoint | None, to: str = "") -> str:
    return f"{NO_WAY[needs]}{f' to {to}' if to else ''} is known{f' from {start}' if start else ''}"


def _stands(conference: Conference) -> list[Service]:
    stands = Service.objects.filter(conference=conference).taxi_stands()
    return list(stands.select_related("zone__venue", "room__zone__venue"))


def _asked(query: QueryDict, name: str, wanted: bool) -> bool:
    """What the address says, which an empty value or none takes back; else what the visitor wants anyway."""
    return query[name] not in {"", "0"} if name in query else wanted


def _start_choice(point: StartingPoint, chosen: StartingPoint | None, query: QueryDict) -> Choice:
    return Choice(point.name, point.slug, replaced(query, "from", point.slug), point == chosen)


def route_block(route: Route, today: dt.date | None = None) -> RouteBlock:
    steps = route.steps
    minutes, known = total_minutes(steps)
    return RouteBlock(
        route,
        list(route.legs.all()),
        minutes,
        known,
        covered=is_dry(steps) or _unless_denied(step.covered for step in steps),
        step_free=is_step_free(steps) or _unless_denied(step.step_free for step in steps),
        gate_free=is_gate_free(steps) or _unless_denied(step.gate_free for step in steps),
        is_old=bool(today and route.checked_on and route.checked_on < today - OLD),
    )


def _unless_denied(facts: Iterable[bool | None]) -> bool | None:
    """False when a leg is known not to be, else not known."""
    return False if False in set(facts) else None
