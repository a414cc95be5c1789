"""Amenities with their places."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Q

from events.core.clock import Clock, with_pinned_time
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Kind
from events.programme.models.venue import Room, Service
from events.venue.models import Amenity, AmenityQuerySet


@dataclass(frozen=True)
class AmenityRow:
    """``where`` and ``url`` are the place and its page, or "" for everywhere; ``start`` and ``day`` are the event's."""

    amenity: Amenity
    where: str
    url: str
    start: dt.datetime | None
    day: dt.date | None
    # The page that shows the amenity.
    page: str


def amenities(conference: Conference, clock: Clock) -> list[AmenityRow]:
    return amenity_rows(Amenity.objects.all(), conference, clock)


def amenities_of(event: Event, clock: Clock) -> list[AmenityRow]:
    """Return the amenities of the event, its room and its service; for a break, also of its zone."""
    nearby = Q(event=event)
    if event.room:
        nearby |= Q(room=event.room)
    if event.service:
        nearby |= Q(service=event.service)
    if event.room and event.type.kind == Kind.BREAK:
        nearby |= Q(zone=event.room.zone_id)
    return amenity_rows(Amenity.objects.filter(nearby), event.conference, clock)


def amenity_rows(amenities: AmenityQuerySet, conference: Conference, clock: Clock) -> list[AmenityRow]:
    rows = []
    for amenity in amenities.filter(conference=conference).public().with_places():
        amenity.conference = conference
        rows.append(_amenity_row(amenity, clock))
    return rows


def _amenity_row(amenity: Amenity, clock: Clock) -> AmenityRow:
    place = amenity.place
    page = with_pinned_time(amenity.get_absolute_url(), clock)
    if place is None:
        return AmenityRow(amenity, "", "", None, None, page)
    place.conference = amenity.conference
    url = with_pinned_time(place.get_absolute_url(), clock)
    if isinstance(place, Event):
        return AmenityRow(amenity, place.title, url, place.start, place.day.date if place.day else None, url)
    if isinstance(place, Service):
        return AmenityRow(amenity, ", ".join(filter(None, [place.name, place.location])), url, None, None, page)
    return AmenityRow(amenity, place.location if isinstance(place, Room) else place.name, url, None, None, page)
