"""The venue: zones, rooms and what is in them now, services and walks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db.models import OuterRef, Q, Subquery
from django.utils import timezone

from events.models import Amenity, Conference, Event, Kind, Room, Status, Venue, Walk, Zone
from events.queries.cards import InsideLine, Plate, inside_line, plate_of
from events.queries.crowd import room_states, said_words
from events.queries.flags import Flag, crowd_flag
from events.queries.maps import MapLink, maps_to_venue
from events.queries.plan_areas import OnNow
from events.queries.plans import Floors, Spot, floors
from events.queries.services import ServiceRow, service_rows
from events.schedule.clock import Clock
from events.schedule.crowd import Crowd


@dataclass(frozen=True)
class RoomRow:
    room: Room
    plate: Plate
    now: InsideLine | None
    next: InsideLine | None
    crowd: Crowd | None = None
    spot: Spot | None = None

    @property
    def report(self) -> Flag | None:
        """What is sure, or that it was: here nobody is asked to confirm anything."""
        return crowd_flag(self.crowd) if self.crowd and (self.crowd.sure or self.crowd.stale) else None

    @property
    def on_now(self) -> OnNow:
        """The same in a few words, for a plan."""
        title = self.now.title if self.now else ""
        coming = f"{timezone.localtime(self.next.start):%H:%M} {self.next.title}" if self.next and self.next.start else ""
        if self.crowd is None or not self.crowd.sure:
            return OnNow(title=title, coming=coming)
        words = said_words(self.crowd)
        return OnNow(self.crowd.state, f"{words[:1].upper()}{words[1:]}", title, coming)


@dataclass(frozen=True)
class ZoneBlock:
    zone: Zone
    rooms: list[RoomRow]
    services: list[ServiceRow]
    amenities: list[Amenity]


@dataclass(frozen=True)
class VenueBlock:
    venue: Venue
    zones: list[ZoneBlock]
    maps: list[MapLink]


@dataclass(frozen=True)
class VenuePage:
    venues: list[VenueBlock]
    floors: Floors


def venue_page(conference: Conference, clock: Clock, floor: str = "") -> VenuePage:
    """Each venue with its zones, and the plan of one floor; a room says what is on in it, and what comes next today."""
    rows = _rooms(conference, clock)
    plans = floors(conference, clock, floor, {row.room.pk: row.on_now for row in rows})
    # Where nobody drew the room, its hall is better than nothing.
    spots = plans.spots
    rows = [replace(it, spot=spots.get(f"area-room-{it.room.pk}") or spots.get(f"area-zone-{it.room.zone_id}")) for it in rows]
    services = service_rows(conference, clock)
    comforts = list(Amenity.objects.filter(conference=conference).public().select_related("room"))
    zones = list(Zone.objects.filter(conference=conference))
    blocks = [
        ZoneBlock(
            zone,
            [row for row in rows if row.room.zone_id == zone.pk],
            [it for it in services if zone.pk in {it.service.zone_id, it.service.room.zone_id if it.service.room else 0}],
            [it for it in comforts if zone.pk in {it.zone_id, it.room.zone_id if it.room else 0}],
        )
        for zone in zones
    ]
    venues = [
        VenueBlock(it, [block for block in blocks if block.zone.venue_id == it.pk], maps_to_venue(it))
        for it in Venue.objects.filter(conference=conference)
    ]
    return VenuePage(venues, plans)


def _rooms(conference: Conference, clock: Clock) -> list[RoomRow]:
    rooms = Room.objects.filter(conference=conference).select_related("zone")
    running, crowds = _running(conference, clock), room_states(conference, clock)
    nothing = (None, None)
    return [
        RoomRow(room, plate_of(room, conference.slug), *running.get(room.pk, nothing), crowd=crowds.get(room.pk))
        for room in rooms
    ]


def walks(conference: Conference) -> list[Walk]:
    return list(Walk.objects.filter(conference=conference).select_related("origin", "destination"))


def _running(conference: Conference, clock: Clock) -> dict[int, tuple[InsideLine | None, InsideLine | None]]:
    """By room: what is on now, and what starts next on today's programme.

    The database picks them: hundreds of posters may hang in one hall.
    """
    there = Event.objects.public().filter(conference=conference, room=OuterRef("pk"), end__gt=clock.now)
    # A session stands for its talks, but for those that are held in another room.
    there = there.filter(Q(session=None) | ~Q(session__room=OuterRef("pk")) & ~Q(type__kind=Kind.POSTER))
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
