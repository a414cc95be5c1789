"""The venue: zones, rooms and what is in them now, services and walks."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from events.models import Conference, Event, Room, Status, Venue, Walk, Zone
from events.queries.cards import InsideLine, Plate, inside_line, plate_of
from events.queries.crowd import room_states
from events.queries.flags import Flag, crowd_flag
from events.queries.maps import MapLink, maps_to_venue
from events.queries.services import ServiceRow, service_rows
from events.schedule.clock import Clock
from events.schedule.crowd import Crowd


@dataclass(frozen=True)
class RoomRow:
    room: Room
    plate: Plate
    now: InsideLine | None
    next: InsideLine | None
    report: Flag | None = None


@dataclass(frozen=True)
class ZoneBlock:
    zone: Zone
    rooms: list[RoomRow]
    services: list[ServiceRow]


@dataclass(frozen=True)
class VenueBlock:
    venue: Venue
    zones: list[ZoneBlock]
    maps: list[MapLink]


def venue_blocks(conference: Conference, clock: Clock) -> list[VenueBlock]:
    """Each venue with its zones; a room says what is on in it, and what comes next today."""
    rooms = Room.objects.filter(conference=conference).select_related("zone")
    running = _running(conference, clock)
    services = service_rows(conference, clock)
    nothing = (None, None)
    crowds = room_states(conference, clock)
    rows = [
        RoomRow(
            room,
            plate_of(room, conference.slug),
            *running.get(room.pk, nothing),
            crowd_flag(crowds[room.pk]) if _is_told(crowds.get(room.pk)) else None,
        )
        for room in rooms
    ]
    zones = list(Zone.objects.filter(conference=conference))
    blocks = [
        ZoneBlock(
            zone,
            [row for row in rows if row.room.zone_id == zone.pk],
            [it for it in services if zone.pk in {it.service.zone_id, it.service.room.zone_id if it.service.room else 0}],
        )
        for zone in zones
    ]
    venues = Venue.objects.filter(conference=conference)
    return [VenueBlock(it, [block for block in blocks if block.zone.venue_id == it.pk], maps_to_venue(it)) for it in venues]


def walks(conference: Conference) -> list[Walk]:
    return list(Walk.objects.filter(conference=conference).select_related("origin", "destination"))


def _is_told(crowd: Crowd | None) -> bool:
    """What is sure, or that it was: here nobody is asked to confirm anything."""
    return crowd is not None and (crowd.sure or crowd.stale)


def _running(conference: Conference, clock: Clock) -> dict[int, tuple[InsideLine | None, InsideLine | None]]:
    """By room: what is on now, and what starts next on today's programme.

    The database picks them: hundreds of posters may hang in one hall.
    """
    there = Event.objects.public().filter(conference=conference, room=OuterRef("pk"), session=None, end__gt=clock.now)
    first = there.exclude(status=Status.CANCELLED).order_by("start", "pk").values("pk")
    on, coming = first.filter(start__lte=clock.now)[:1], first.filter(start__gt=clock.now, day__date=clock.today)[:1]
    rooms = Room.objects.filter(conference=conference).annotate(on=Subquery(on), coming=Subquery(coming))
    picked = {pk: tuple(found) for pk, *found in rooms.values_list("pk", "on", "coming")}
    events = Event.objects.filter(pk__in={it for found in picked.values() for it in found if it}).only("guid", "title", "start")
    lines = {}
    for event in events:
        event.conference = conference
        lines[event.pk] = inside_line(event, clock)
    return {pk: (lines.get(now), lines.get(later)) for pk, (now, later) in picked.items()}
