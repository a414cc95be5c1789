"""Small comforts: decaf, a quiet room, a microwave; and where and when each is."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Q

from events.models import Amenity, Conference, Event, Kind, Room, Service
from events.models.amenities import AmenityQuerySet
from events.queries.pinned import carried
from events.schedule.clock import Clock


@dataclass(frozen=True)
class AmenityRow:
    amenity: Amenity
    # The place in words, and its page; none for what is everywhere.
    where: str
    url: str
    # Of an event: when that is.
    start: dt.datetime | None
    day: dt.date | None
    # Where all of it is told.
    page: str


def amenities(conference: Conference, clock: Clock) -> list[AmenityRow]:
    return amenity_rows(Amenity.objects.all(), conference, clock)


def amenities_of(event: Event, clock: Clock) -> list[AmenityRow]:
    """Those of the event, its room and its service; at a break also those around."""
    there = Q(event=event)
    if event.room:
        there |= Q(room=event.room)
    if event.service:
        there |= Q(service=event.service)
    if event.room and event.type.kind == Kind.BREAK:
        there |= Q(zone=event.room.zone_id)
    return amenity_rows(Amenity.objects.filter(there), event.conference, clock)


def amenity_rows(found: AmenityQuerySet, conference: Conference, clock: Clock) -> list[AmenityRow]:
    rows = []
    for amenity in found.filter(conference=conference).public().with_places():
        amenity.conference = conference
        rows.append(_row(amenity, clock))
    return rows


def _row(amenity: Amenity, clock: Clock) -> AmenityRow:
    place = amenity.place
    page = carried(amenity.get_absolute_url(), clock)
    if place is None:
        return AmenityRow(amenity, "", "", None, None, page)
    place.conference = amenity.conference
    url = carried(place.get_absolute_url(), clock)
    if isinstance(place, Event):
        return AmenityRow(amenity, place.title, url, place.start, place.day.date if place.day else None, url)
    if isinstance(place, Service):
        return AmenityRow(amenity, ", ".join(filter(None, [place.name, place.location])), url, None, None, page)
    return AmenityRow(amenity, place.location if isinstance(place, Room) else place.name, url, None, None, page)
