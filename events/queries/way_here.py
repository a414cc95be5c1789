"""The way to one event, from where the visitor starts; and the taxi stand that is nearest to it."""

from __future__ import annotations

from dataclasses import dataclass

from events.models import Event, StartingPoint
from events.models.ways import Stand, ways_from, zone_of
from events.queries.directions import RouteBlock, no_way, route_block
from events.schedule.clock import Clock
from events.schedule.routes import Journey
from events.schedule.walking import Needs


@dataclass(frozen=True)
class WayHere:
    """What an event's page says of the way; ``start`` is nobody's while none is chosen."""

    event: Event
    to: str
    has_starts: bool
    start: StartingPoint | None = None
    problem: str = ""
    journey: Journey | None = None
    block: RouteBlock | None = None

    @property
    def told(self) -> str:
        """How long, and what it is like: "9 min, covered, step-free"."""
        return ", ".join(self.journey.words) if self.journey else ""

    @property
    def is_whole(self) -> bool:
        """Whether it leads to the place itself, and not only to where somebody has to ask on."""
        return self.journey is not None and self.journey.walk is not None


def way_here(event: Event, start: str, clock: Clock, needs: Needs, agenda_start: int | None = None) -> WayHere | None:
    """None of what is elsewhere, or nobody knows where; ``start`` is a slug, and counts more than what the agenda keeps."""
    zone = zone_of(event)
    if zone is None and not event.at_venue:
        return None
    points = StartingPoint.objects.filter(conference=event.conference)
    chosen = StartingPoint.objects.by_slug(event.conference, start)
    if chosen is None and agenda_start:
        chosen = points.filter(pk=agenda_start).first()
    to = zone.name if zone else "the venue"
    if chosen is None:
        return WayHere(event, to, points.exists())
    found = ways_from(event.conference, chosen.pk, needs).journey(zone, needs)
    suits = found is not None and found[1].suits(needs)
    return WayHere(
        event,
        to,
        True,
        chosen,
        "" if suits else no_way(needs, chosen, to),
        found[1] if found else None,
        route_block(found[0], clock.today) if found else None,
    )


def taxi_near(event: Event) -> Stand | None:
    """The stand of its zone, else the one with the shortest known walk; from elsewhere nobody has said."""
    zone = zone_of(event)
    return ways_from(event.conference, None).taxi(zone) if zone and not zone.off_site else None
