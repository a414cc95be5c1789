"""The ways of a conference, read together: routes from a start, walks between zones, taxi stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import QuerySet

from events.models.conference import Conference
from events.models.directions import Route
from events.models.event import Event
from events.models.prepared_query import prepared
from events.models.services import Service
from events.models.venue import Walk, Zone
from events.schedule.routes import Journey, best_journey, nearest
from events.schedule.walking import ANY_WAY, Needs, Walks, Way


class Stand(NamedTuple):
    """A taxi stand and the known way to it."""

    service: Service
    way: Way


@dataclass(frozen=True)
class Ways:
    """What was read once tells of every event."""

    routes: list[Route]
    walks: Walks
    stands: list[Service]

    def journey(self, to: Zone | None, needs: Needs = ANY_WAY) -> tuple[Route, Journey] | None:
        """From the start to a zone; to the venue, wherever a way leads, where no zone is known."""
        routes = {it.pk: it for it in self.routes if to is None or not to.off_site or it.zone_id == to.pk}
        found = best_journey(((pk, it.zone_id, it.steps) for pk, it in routes.items()), to.pk if to else None, self.walks, needs)
        return (routes[found.route], found) if found else None  # type: ignore[index]

    def taxi(self, zone: Zone | None) -> Stand | None:
        """The stand of the zone, else the one with the shortest known walk."""
        stands = {it.pk: it for it in self.stands}
        places = ((pk, place.pk) for pk, it in stands.items() if (place := _zone_of_service(it)))
        found = nearest(places, zone.pk if zone else None, self.walks)
        return Stand(stands[found[0]], found[1]) if found else None  # type: ignore[index]


def zone_of(event: Event) -> Zone | None:
    """Where it is, as far as its room or its service says."""
    if event.room:
        return event.room.zone
    return _zone_of_service(event.service) if event.service else None


def _zone_of_service(service: Service) -> Zone | None:
    return service.zone or (service.room.zone if service.room else None)


def ways_from(conference: Conference, start: int | None, needs: Needs = ANY_WAY) -> Ways:
    """A walk is asked for only where something could lead on from it."""
    routes = list(Route.objects.filter(conference=conference, start=start).described()) if start else []
    stands = list(Service.objects.filter(conference=conference).taxi_stands().select_related("zone", "room__zone"))
    walks = walks_in(conference.pk) if routes or stands else ()
    return Ways(routes, Walks(walks, needs), stands)


@prepared
def walks_in(conference: int) -> QuerySet[Walk, Any]:
    names = ("origin", "destination", "minutes", "minutes_back", "covered", "step_free")
    return Walk.objects.filter(conference=conference).order_by().values_list(*names)
