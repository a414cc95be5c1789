"""The venue's part of a ScheduleData: venues, zones, rooms, walks, services, floor plans and routes."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class VenueData:
    key: str
    name: str
    address: str = ""
    latitude: float | None = None
    longitude: float | None = None
    url: str = ""
    about: str = ""
    transport: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneData:
    """A hall, a group of rooms, an exit, or an off-site place."""

    key: str
    venue: str
    name: str
    letter: str = ""
    description: str = ""
    off_site: bool = False
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomData:
    """A room; ``zone`` is empty if the source does not have it."""

    key: str
    zone: str
    name: str
    floor: str = ""
    capacity: int | None = None
    description: str = ""
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkData:
    """Minutes between two zones; the way back takes as long unless ``minutes_back`` says otherwise."""

    key: str
    origin: str
    destination: str
    minutes: int
    minutes_back: int | None = None
    covered: bool | None = None
    step_free: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceData:
    key: str
    name: str
    icon: str = ""
    description: str = ""
    zone: str = ""
    room: str = ""
    place: str = ""
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaData:
    """A room, zone, service or label on a plan; ``points`` are corners, or left, top, width and height."""

    room: str = ""
    zone: str = ""
    service: str = ""
    label: str = ""
    points: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanData:
    """A floor; ``drawing`` is an SVG, or empty if only the areas are drawn."""

    key: str
    venue: str
    name: str
    width: int = 1000
    height: int = 600
    drawing: str = ""
    position: int = 0
    areas: tuple[AreaData, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AmenityData:
    """An amenity at an event, service, room or zone; without one of these, everywhere."""

    key: str
    name: str
    note: str = ""
    event: str = ""
    service: str = ""
    room: str = ""
    zone: str = ""
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StartingPointData:
    key: str
    name: str
    kind: str
    description: str = ""
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LegData:
    """One step of a route; None means unknown."""

    instruction: str
    mode: str = "walk"
    sign: str = ""
    minutes: int | None = None
    covered: bool | None = None
    step_free: bool | None = None
    gate_free: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteData:
    key: str
    start: str
    zone: str
    title: str
    description: str = ""
    checked_on: dt.date | None = None
    position: int = 0
    legs: tuple[LegData, ...] = ()
