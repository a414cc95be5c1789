"""What is known of all that is on, for pages that are open."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from django.db.models import Q

from events.models import Conference, Event, Kind, Status
from events.queries.crowd import Crowds
from events.queries.flags import Flag, crowd_flag
from events.schedule.clock import Clock
from events.schedule.crowd import AHEAD


class Heard(NamedTuple):
    guid: UUID
    flag: Flag


def heard(conference: Conference, clock: Clock) -> list[Heard]:
    """Of each event that is on, or about to be, what its cards say of its place; two queries, however many there are."""
    crowds = Crowds(clock)
    rooms, desks = crowds.of_rooms(conference), crowds.of_services(conference)
    if not rooms and not desks:
        return []
    there = Q(service__in=desks) | Q(service=None, room__in=rooms)
    on = Event.objects.public().filter(there, conference=conference, start__lte=clock.now + AHEAD, end__gt=clock.now)
    on = on.exclude(status=Status.CANCELLED).exclude(type__kind=Kind.POSTER).order_by("start", "pk")
    needed = ("guid", "start", "end", "status", "room", "service", "conference", "session")
    found = [(event, crowds.of(event)) for event in on.only(*needed)]
    return [
        Heard(event.guid, crowd_flag(crowd, line=event.service_id is not None))
        for event, crowd in found
        if crowd.sure or crowd.stale
    ]
