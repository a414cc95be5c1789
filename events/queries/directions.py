"""The ways to the venue, chosen by where one starts, rain and wheels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import QueryDict

from events.models import Conference, Leg, Route, StartingPoint
from events.queries.filters import Choice, replaced
from events.schedule.routes import Step, is_dry, is_gate_free, is_step_free, total_minutes


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
    no_dry: bool


def starting_point(conference: Conference, slug: str) -> StartingPoint | None:
    return StartingPoint.objects.filter(conference=conference, slug=slug).first() if slug and slug.isprintable() else None


def directions(conference: Conference, query: QueryDict, remembered: str) -> DirectionsPage:
    """Routes from the start in the address, else from the remembered one, else from everywhere."""
    start = starting_point(conference, query.get("from", remembered))
    routes = Route.objects.filter(conference=conference).select_related("start", "zone").prefetch_related("legs")
    blocks = [_block(route) for route in (routes.filter(start=start) if start else routes)]
    dry, free = bool(query.get("dry")), bool(query.get("step_free"))
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
        no_dry=dry and not any(block.covered for block in blocks),
    )


def _start_choice(point: StartingPoint, chosen: StartingPoint | None, query: QueryDict) -> Choice:
    return Choice(point.name, point.slug, replaced(query, "from", point.slug), point == chosen)


def _block(route: Route) -> RouteBlock:
    legs = list(route.legs.all())
    steps = [Step(leg.minutes, leg.covered, leg.step_free, leg.gate_free) for leg in legs]
    minutes, known = total_minutes(steps)
    return RouteBlock(
        route,
        legs,
        minutes,
        known,
        covered=is_dry(steps) or _unless_denied(step.covered for step in steps),
        step_free=is_step_free(steps) or _unless_denied(step.step_free for step in steps),
        gate_free=is_gate_free(steps) or _unless_denied(step.gate_free for step in steps),
    )


def _unless_denied(facts: Iterable[bool | None]) -> bool | None:
    """False when a leg is known not to be, else not known."""
    return False if False in set(facts) else None
