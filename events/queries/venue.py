"""The venue: zones, rooms and what is in them now, services and walks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Q

from events.models import Conference, Event, Room, Venue, Walk, Zone
from events.queries.cards import Card, Plate, for_cards, make_card, plate_of
from events.queries.event import map_address
from events.queries.services import ServiceRow, service_rows
from events.schedule.clock import Clock


@dataclass(frozen=True)
class RoomRow:
    room: Room
    plate: Plate
    now: Card | None
    next: Card | None
    report: str = ""


@dataclass(frozen=True)
class ZoneBlock:
    zone: Zone
    rooms: list[RoomRow]
    services: list[ServiceRow]


@dataclass(frozen=True)
class VenueBlock:
    venue: Venue
    zones: list[ZoneBlock]
    map_url: str


def venue_blocks(conference: Conference, clock: Clock) -> list[VenueBlock]:
    """Each venue with its zones; a room says what is on in it, and what comes next today."""
    rooms = Room.objects.filter(conference=conference).select_related("zone")
    on, coming = _running(conference, clock)
    services = service_rows(conference, clock)
    rows = [
        RoomRow(room, plate_of(room, conference.slug), on.get(room.pk), coming.get(room.pk), room.reported(clock.now))
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
    return [VenueBlock(it, [block for block in blocks if block.zone.venue_id == it.pk], _map(it)) for it in venues]


def walks(conference: Conference) -> list[Walk]:
    return list(Walk.objects.filter(conference=conference).select_related("origin", "destination"))


def _map(venue: Venue) -> str:
    return map_address(venue.latitude, venue.longitude, venue.address or venue.name)


def _running(conference: Conference, clock: Clock) -> tuple[Mapping[int, Card], Mapping[int, Card]]:
    """By room: what is on now, and what starts next on today's programme."""
    today = (
        Event.objects.public().filter(conference=conference, room__isnull=False, end__gt=clock.now).exclude(status="cancelled")
    )
    relevant = for_cards(today.filter(Q(day__date=clock.today) | Q(start__lte=clock.now)).filter(session=None)).order_by(
        "-start", "-pk"
    )
    on: dict[int, Card] = {}
    coming: dict[int, Card] = {}
    for event in relevant:
        if event.room_id is not None and event.start is not None:
            # The latest start comes first, so that the earliest has the last word.
            (on if event.start <= clock.now else coming)[event.room_id] = make_card(event, clock)
    return on, coming
