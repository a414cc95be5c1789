"""A venue's floors as plans: what is where, what is on there, and on which floor a room is."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from django.db.models import Prefetch, QuerySet
from django.db.models.functions import MD5
from django.urls import reverse

from events.importers.drawing import read_drawing
from events.importers.errors import ScheduleParseError
from events.models import Conference, FloorPlan, PlanArea
from events.queries.pinned import carried
from events.queries.plan_areas import ICON, Area, OnNow, areas_of, said
from events.schedule.clock import Clock

CORNER = 17


@dataclass(frozen=True)
class Floor:
    """A plan as one of several, and its rooms as an outline."""

    name: str
    slug: str
    url: str
    width: int
    height: int
    outline: str
    is_shown: bool = False

    @property
    def element_id(self) -> str:
        return f"floor-{self.slug}"


@dataclass(frozen=True)
class Spot:
    """Where on which floor a room or a zone is."""

    floor: Floor
    points: str
    url: str


@dataclass(frozen=True)
class Plan:
    """``drawing_url`` is of the image that the areas lie over; empty where they are drawn alone."""

    name: str
    key: int
    width: int
    height: int
    unit: float
    drawing_url: str
    areas: list[Area]

    @property
    def icon_size(self) -> float:
        return ICON * self.unit

    @property
    def corner_size(self) -> float:
        return CORNER * self.unit


@dataclass(frozen=True)
class Floors:
    """The plan that is shown, all floors there are, and by the id of its area where each room and zone is."""

    plan: Plan | None = None
    floors: list[Floor] = field(default_factory=list)
    spots: Mapping[str, Spot] = field(default_factory=dict)


def floors(conference: Conference, clock: Clock, wanted: str, on_now: Mapping[int, OnNow]) -> Floors:
    """The floor of that slug, else the first."""
    plans = list(_with_areas(plans_of(conference)))
    slugs, names = slugs_of(plans), names_of(plans)
    shown = next((it for it in plans if slugs[it.pk] == wanted), plans[0] if plans else None)
    if shown is None:
        return Floors()
    found: list[Floor] = []
    spots: dict[str, Spot] = {}
    for plan in plans:
        url = floor_url(conference, slugs[plan.pk], clock)
        areas = [(area, shape) for area in plan.areas.all() if (shape := area.shape)]
        outline = " ".join(f"M{shape.points}z" for area, shape in areas if area.room_id or area.zone_id)
        size = plan.width, plan.height
        floor = Floor(names[plan.pk], slugs[plan.pk], f"{url}#plan", *size, outline, plan == shown)
        found.append(floor)
        for area, shape in areas:
            if area.room_id or area.zone_id:
                spots.setdefault(area.element_id, Spot(floor, shape.points, f"{url}#{area.element_id}"))
    return Floors(_plan(shown, names[shown.pk], _drawing_url(shown), clock, on_now), found, spots)


def floor_url(conference: Conference, slug: str, clock: Clock) -> str:
    return carried(reverse("events:venue", args=[conference.slug], query={"floor": slug}), clock)


def preview(plan: FloorPlan, clock: Clock) -> Plan:
    """How one plan looks by itself, also before its conference is published."""
    found = _with_areas(FloorPlan.objects.filter(pk=plan.pk)).get()
    image = f"data:image/svg+xml;base64,{base64.b64encode(found.drawing.encode()).decode()}" if found.drawing else ""
    return _plan(found, plan.name, image, clock, {})


def drawing_of(conference: Conference, version: str) -> str | None:
    """The drawing whose address has this MD5, which PostgreSQL and SQLite compute alike."""
    plans = conference.plans.exclude(drawing="").annotate(version=MD5("drawing"))
    return plans.filter(version=version).values_list("drawing", flat=True).first()


def plans_of(conference: Conference) -> QuerySet[FloorPlan]:
    """Those on which there is anything; only the floor that is shown needs its drawing, which may be large."""
    plans = FloorPlan.objects.filter(conference=conference).exclude(drawing="", areas=None)
    plans = plans.select_related("conference", "venue").defer("drawing", "imported", "venue__imported")
    return plans.order_by("position", "name", "pk")


def _with_areas(plans: QuerySet[FloorPlan]) -> QuerySet[FloorPlan]:
    areas = PlanArea.objects.select_related("room__zone", "zone", "service").defer("room__imported", "zone__imported")
    return plans.prefetch_related(Prefetch("areas", areas))


def slugs_of(plans: Iterable[FloorPlan]) -> dict[int, str]:
    """A word for each floor; those of two buildings that are called the same are numbered."""
    found: dict[int, str] = {}
    for plan in plans:
        stem, number = plan.slug or "floor", 1
        slug = stem
        while slug in found.values():
            number += 1
            slug = f"{stem}-{number}"
        found[plan.pk] = slug
    return found


def names_of(plans: Iterable[FloorPlan]) -> dict[int, str]:
    """As on the lift's button; of several buildings, which one is said too."""
    plans = list(plans)
    several = len({it.venue_id for it in plans}) > 1
    return {it.pk: f"{it.venue.name}, {it.name}" if several else it.name for it in plans}


def _plan(plan: FloorPlan, name: str, drawing_url: str, clock: Clock, on_now: Mapping[int, OnNow]) -> Plan:
    texts = said(_texts(plan.drawing)) if plan.drawing else ""
    areas = areas_of(plan, clock, on_now, texts)
    return Plan(name, plan.pk, plan.width, plan.height, plan.width / 1000, drawing_url, areas)


def _drawing_url(plan: FloorPlan) -> str:
    """It changes with the drawing, so that browsers may keep what they got."""
    if not plan.drawing:
        return ""
    version = hashlib.md5(plan.drawing.encode(), usedforsecurity=False).hexdigest()
    return reverse("events:plan-drawing", args=[plan.conference.slug, version])


@lru_cache(maxsize=8)
def _texts(drawing: str) -> frozenset[str]:
    try:
        return read_drawing(drawing.encode(), file="drawing").texts
    except ScheduleParseError:
        return frozenset()
