"""A venue's floors as plans: what is where, what is on there, and where the visitor goes next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from django.db.models import Prefetch, QuerySet
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from events.importers.drawing import read_drawing
from events.importers.errors import ScheduleParseError
from events.models import Conference, FloorPlan, PlanArea
from events.queries.pinned import carried
from events.schedule.clock import Clock
from events.schedule.plan_labels import Label, label
from events.schedule.plans import Point, Shape, reading_order

KINDS = ("zone", "words", "room", "service")
"""In the order of painting: what is inside stands on top."""
LARGEST = {"zone": 22, "words": 18, "room": 30, "service": 18}
ICON, CORNER = 34, 17
Words = tuple[str, str]


@dataclass(frozen=True)
class Area:
    """One thing on a plan. ``words`` say aloud what its place in the drawing says to the eye."""

    kind: str
    name: str
    shape: Shape
    label: Label
    url: str = ""
    element_id: str = ""
    words: str = ""
    icon: str = ""
    is_on: bool = False
    state: str = ""
    corner: Point | None = None
    unit: float = 1

    @property
    def icon_left(self) -> float:
        return round(self.label.x - ICON * self.unit / 2, 1)

    @property
    def icon_top(self) -> float:
        return round(self.label.y - ICON * self.unit / 2, 1)


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
    """Where on which floor a room is."""

    floor: Floor
    points: str
    url: str


@dataclass(frozen=True)
class Plan:
    name: str
    key: int
    width: int
    height: int
    unit: float
    drawing: SafeString
    areas: list[Area]

    @property
    def icon_size(self) -> float:
        return ICON * self.unit

    @property
    def corner_size(self) -> float:
        return CORNER * self.unit


@dataclass(frozen=True)
class Floors:
    """The plan that is shown, all floors there are, and where each room is."""

    plan: Plan | None = None
    floors: list[Floor] = field(default_factory=list)
    spots: Mapping[int, Spot] = field(default_factory=dict)


@dataclass(frozen=True)
class OnNow:
    """What a room says on the plan: how full it is, what is on, and what comes next today."""

    state: str = ""
    state_words: str = ""
    title: str = ""
    coming: str = ""

    @property
    def lines(self) -> list[Words]:
        said = [("state", self.state_words), ("now", self.title), ("next", "" if self.title else self.coming)]
        return [it for it in said if it[1]]

    @property
    def sentence(self) -> str:
        said = [self.state_words, self.title and f"Now: {self.title}", self.coming and f"Next: {self.coming}"]
        return ". ".join(filter(None, said))


NOTHING_ON = OnNow()


def floors(conference: Conference, clock: Clock, wanted: str, on_now: Mapping[int, OnNow]) -> Floors:
    """The floor of that slug, else the first."""
    plans = list(_plans(conference))
    slugs = _slugs(plans)
    shown = next((it for it in plans if slugs[it.pk] == wanted), plans[0] if plans else None)
    if shown is None:
        return Floors()
    address = reverse("events:venue", args=[conference.slug])
    found: list[Floor] = []
    spots: dict[int, Spot] = {}
    for plan in plans:
        url = carried(f"{address}?floor={slugs[plan.pk]}", clock)
        areas = [(area, shape) for area in plan.areas.all() if (shape := area.shape)]
        outline = " ".join(f"M{shape.points}z" for area, shape in areas if area.room_id or area.zone_id)
        floor = Floor(plan.name, slugs[plan.pk], f"{url}#plan", plan.width, plan.height, outline, plan == shown)
        found.append(floor)
        for area, shape in areas:
            if area.room_id:
                spots.setdefault(area.room_id, Spot(floor, shape.points, f"{url}#area-room-{area.room_id}"))
    return Floors(_drawn(shown, clock, on_now), found, spots)


def preview(plan: FloorPlan, clock: Clock) -> Plan:
    """How one plan looks by itself."""
    return _drawn(_with_areas(FloorPlan.objects.filter(pk=plan.pk)).get(), clock, {})


def _plans(conference: Conference) -> QuerySet[FloorPlan]:
    # Only the floor that is shown needs its drawing, which may be large.
    return _with_areas(FloorPlan.objects.filter(conference=conference)).defer("drawing", "imported").select_related("conference")


def _with_areas(plans: QuerySet[FloorPlan]) -> QuerySet[FloorPlan]:
    areas = PlanArea.objects.select_related("room__zone", "zone", "service").defer("room__imported", "zone__imported")
    return plans.prefetch_related(Prefetch("areas", areas))


def _slugs(plans: Iterable[FloorPlan]) -> dict[int, str]:
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


def _drawn(plan: FloorPlan, clock: Clock, on_now: Mapping[int, OnNow]) -> Plan:
    unit = plan.width / 1000
    inside = _inside(plan.drawing) if plan.drawing else ""
    shaped = [(area, shape) for area in plan.areas.all() if (shape := area.shape)]
    boxes = [shape for area, shape in shaped if area.room_id or area.service_id]
    seen: set[str] = set()
    areas = []
    for kind in KINDS:
        of_kind = [(shape, (area, shape)) for area, shape in shaped if _kind(area) == kind]
        for area, shape in reading_order(of_kind):
            made = _area(area, shape, clock, on_now, unit)
            made = _in_corner(made, boxes, unit) if kind == "zone" else made
            areas.append(_once(made, seen))
    return Plan(plan.name, plan.pk, plan.width, plan.height, unit, mark_safe(inside), areas)


@lru_cache(maxsize=8)
def _inside(drawing: str) -> str:
    """Cleaned once more: whichever way it came into the database, nothing on a page runs."""
    try:
        return read_drawing(drawing.encode(), file="drawing").inside
    except ScheduleParseError:
        return ""


def _kind(area: PlanArea) -> str:
    return "room" if area.room_id else "zone" if area.zone_id else "service" if area.service_id else "words"


def _area(area: PlanArea, shape: Shape, clock: Clock, on_now: Mapping[int, OnNow], unit: float) -> Area:
    kind, name = _kind(area), str(area)
    on = on_now.get(area.room_id or 0, NOTHING_ON)
    place = area.place
    return Area(
        kind=kind,
        name=name,
        shape=shape,
        label=_label(area, shape, on.lines, unit),
        url=_url(area, clock),
        element_id=f"area-{kind}-{place.pk}" if place else "",
        words=". ".join(filter(None, [name, on.sentence])),
        icon=(area.service.icon or "info") if area.service else "",
        is_on=bool(on.title),
        state=on.state,
        unit=unit,
    )


def _url(area: PlanArea, clock: Clock) -> str:
    """Rooms and zones are told of on the same page, services on their own."""
    if area.room_id or area.zone_id:
        return f"#room-{area.room_id}" if area.room_id else f"#zone-{area.zone_id}"
    if not area.service_id:
        return ""
    return carried(f"{reverse('events:service-list', args=[area.plan.conference.slug])}#service-{area.service_id}", clock)


def _label(area: PlanArea, shape: Shape, lines: Sequence[Words], unit: float) -> Label:
    names = [str(area)]
    if area.room:
        # In a hall of its name the plate says the rest: “Hall 4 #4” is #4 there.
        zone = area.room.zone
        names += [area.room.name.removeprefix(zone.name).strip(" ,–-"), zone.letter]
    elif area.zone:
        names.append(area.zone.letter)
    return label(shape, names, lines, unit, LARGEST[_kind(area)])


def _in_corner(area: Area, boxes: Iterable[Shape], unit: float) -> Area:
    """The words of a zone stand at its top left where rooms take its middle."""
    x, y = area.label.x, area.label.y
    if not any(it.left <= x <= it.right and it.top <= y <= it.bottom for it in boxes):
        return area
    corner = area.shape.left + 10 * unit, area.shape.top + 22 * unit
    return replace(area, corner=corner, label=Label(x, y))


def _once(area: Area, seen: set[str]) -> Area:
    """A room in two parts is two areas, and only one of them has its address."""
    if area.element_id not in seen:
        seen.add(area.element_id)
        return area
    return replace(area, element_id="")
