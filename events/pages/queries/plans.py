"""Floor plans: the floors of a venue, what is drawn on each, and what goes on in its rooms."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from django.db.models import Prefetch, QuerySet
from django.db.models.functions import MD5
from django.urls import reverse

from events.core.byte_cache import PROCESS_CACHE, digest_of
from events.core.clock import Clock, with_pinned_time
from events.core.parsing.cells import key_of
from events.core.parsing.errors import ScheduleParseError
from events.programme.models.conference import Conference
from events.venue.models import FloorPlan, PlanArea
from events.venue.rules.drawing import read_drawing
from events.venue.rules.plan_labels import AreaLabel, area_label, area_label_below
from events.venue.rules.plans import Point, Shape, reading_order

PLAN_CORNER_TEXT_SIZE = 17
PLAN_AREA_KINDS = ("zone", "words", "room", "sponsor", "service")
"""In the order of painting: later ones are on top."""
MAX_LABEL_SIZES = {"zone": 22, "words": 18, "room": 30, "sponsor": 18, "service": 18}
PLAN_ICON_SIZE = 34
ICON_DRAWING_SIZE = 24
StatusLine = tuple[str, str]


@dataclass(frozen=True)
class RoomStatus:
    """What the plan shows in a room: its crowd, the current event, and the next one of today."""

    state: str = ""
    state_words: str = ""
    title: str = ""
    coming: str = ""

    @property
    def lines(self) -> list[StatusLine]:
        lines = [("state", self.state_words), ("now", self.title), ("next", "" if self.title else self.coming)]
        return [line for line in lines if line[1]]

    @property
    def sentence(self) -> str:
        parts = [self.state_words, self.title and f"Now: {self.title}", self.coming and f"Next: {self.coming}"]
        return ". ".join(filter(None, parts))


NO_ROOM_STATUS = RoomStatus()


@dataclass(frozen=True)
class DrawnArea:
    """A shape on a plan; ``words`` is its text for screen readers."""

    kind: str
    name: str
    shape: Shape
    label: AreaLabel
    url: str = ""
    element_id: str = ""
    words: str = ""
    icon: str = ""
    is_on: bool = False
    state: str = ""
    # Whether the drawing writes the name.
    is_written: bool = False
    corner: Point | None = None
    unit: float = 1

    @property
    def icon_left(self) -> float:
        return round(self.label.x - PLAN_ICON_SIZE * self.unit / 2, 1)

    @property
    def icon_top(self) -> float:
        return round(self.label.y - PLAN_ICON_SIZE * self.unit / 2, 1)


def drawn_areas(plan: FloorPlan, clock: Clock, on_now: Mapping[int, RoomStatus], drawn: str = "") -> list[DrawnArea]:
    """The areas in reading order; ``drawn`` has the texts of the drawing, joined by ``joined_keys``."""
    unit = plan.width / 1000
    shaped = [(area, shape) for area in plan.areas.all() if (shape := area.shape)]
    boxes = [shape for area, shape in shaped if area.room_id or area.service_id or area.sponsor_id]
    seen: set[str] = set()
    areas = []
    for kind in PLAN_AREA_KINDS:
        of_kind = [(shape, (area, shape)) for area, shape in shaped if _area_kind(area) == kind]
        for area, shape in reading_order(of_kind):
            made = _drawn_area(area, shape, clock, on_now, unit, drawn)
            made = _moved_to_corner(made, boxes, unit) if kind == "zone" else made
            areas.append(_with_unique_id(made, seen))
    return areas


def joined_keys(words: Iterable[str]) -> str:
    """Keys joined to one text, in which ``-key-`` is found only as a whole key."""
    return f"-{'--'.join(words)}-"


def _area_kind(area: PlanArea) -> str:
    return next((kind for kind in ("room", "zone", "service", "sponsor") if getattr(area, f"{kind}_id")), "words")


def _drawn_area(
    area: PlanArea, shape: Shape, clock: Clock, on_now: Mapping[int, RoomStatus], unit: float, drawn: str
) -> DrawnArea:
    kind, names = _area_kind(area), _area_names(area)
    name = names[0]
    is_written = any(f"-{key}-" in drawn for it in names[:2] if (key := key_of(it)))
    on = on_now.get(area.room_id or 0, NO_ROOM_STATUS)
    return DrawnArea(
        kind=kind,
        name=name,
        shape=shape,
        label=area_label_below(shape, on.lines, unit)
        if is_written
        else area_label(shape, names, on.lines, unit, MAX_LABEL_SIZES[kind]),
        url=_area_url(area, clock),
        element_id=area.element_id,
        words=". ".join(filter(None, [name, on.sentence])),
        icon=(area.service.icon or "info") if area.service else "",
        is_on=bool(on.title),
        state=on.state,
        is_written=is_written,
        unit=unit,
    )


def _area_url(area: PlanArea, clock: Clock) -> str:
    """Rooms and zones are listed on the same page, services and sponsors on others."""
    if area.room_id or area.zone_id:
        return f"#room-{area.room_id}" if area.room_id else f"#zone-{area.zone_id}"
    kind = _area_kind(area)
    if kind == "words":
        return ""
    page = reverse(f"events:{kind}-list", args=[area.plan.conference.slug])
    return with_pinned_time(f"{page}#{kind}-{area.service_id or area.sponsor_id}", clock)


def _area_names(area: PlanArea) -> list[str]:
    names = [area.label or str(area.place or "")]
    if area.room:
        # The sign in a hall omits the name of the hall: “Hall 4 #4” is “#4” there.
        zone = area.room.zone
        names += [area.room.name.removeprefix(zone.name).strip(" ,–-"), zone.letter]
    elif area.sponsor:
        names += [area.sponsor.booth]
    elif area.zone:
        names += [area.zone.name, area.zone.letter]
    return names


def _moved_to_corner(area: DrawnArea, boxes: Iterable[Shape], unit: float) -> DrawnArea:
    """The name of a zone moves to the top left if a room covers its middle."""
    x, y = area.label.x, area.label.y
    if not any(it.left <= x <= it.right and it.top <= y <= it.bottom for it in boxes):
        return area
    corner = area.shape.left + 10 * unit, area.shape.top + 22 * unit
    return replace(area, corner=corner, label=AreaLabel(x, y))


def _with_unique_id(area: DrawnArea, seen: set[str]) -> DrawnArea:
    """A room in two parts is two areas, of which only the first has the id."""
    if area.element_id not in seen:
        seen.add(area.element_id)
        return area
    return replace(area, element_id="")


@dataclass(frozen=True)
class Floor:
    """A plan in the list of floors, with its rooms as an SVG path."""

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
class FloorPosition:
    floor: Floor
    points: str
    url: str


@dataclass(frozen=True)
class DrawnPlan:
    """``drawing_url`` is the image under the areas; empty without one."""

    name: str
    key: int
    width: int
    height: int
    unit: float
    drawing_url: str
    areas: list[DrawnArea]

    @property
    def icon_scale(self) -> float:
        return PLAN_ICON_SIZE * self.unit / ICON_DRAWING_SIZE

    @property
    def corner_size(self) -> float:
        return PLAN_CORNER_TEXT_SIZE * self.unit


@dataclass(frozen=True)
class Floors:
    """The shown plan, all floors, and the position of each room and zone by the element id of its area."""

    plan: DrawnPlan | None = None
    floors: list[Floor] = field(default_factory=list)
    spots: Mapping[str, FloorPosition] = field(default_factory=dict)


def floors(conference: Conference, clock: Clock, wanted: str, on_now: Mapping[int, RoomStatus]) -> Floors:
    """``wanted`` is a slug; without such a floor the first is shown."""
    plans = list(_with_areas(plans_of(conference), PlanArea.objects.public()))
    slugs, names = floor_slugs(plans), floor_names(plans)
    shown = next((it for it in plans if slugs[it.pk] == wanted), plans[0] if plans else None)
    if shown is None:
        return Floors()
    all_floors: list[Floor] = []
    spots: dict[str, FloorPosition] = {}
    for plan in plans:
        url = floor_url(conference, slugs[plan.pk], clock)
        areas = [(area, shape) for area in plan.areas.all() if (shape := area.shape)]
        outline = " ".join(f"M{shape.points}z" for area, shape in areas if area.room_id or area.zone_id)
        size = plan.width, plan.height
        floor = Floor(names[plan.pk], slugs[plan.pk], f"{url}#plan", *size, outline, plan == shown)
        all_floors.append(floor)
        for area, shape in areas:
            if area.room_id or area.zone_id:
                spots.setdefault(area.element_id, FloorPosition(floor, shape.points, f"{url}#{area.element_id}"))
    return Floors(_drawn_plan(shown, names[shown.pk], _drawing_url(shown), clock, on_now), all_floors, spots)


def floor_url(conference: Conference, slug: str, clock: Clock) -> str:
    return with_pinned_time(reverse("events:venue", args=[conference.slug], query={"floor": slug}), clock)


def floor_plan_preview(plan: FloorPlan, clock: Clock) -> DrawnPlan:
    """One plan, also of a conference that is not published."""
    found = _with_areas(FloorPlan.objects.filter(pk=plan.pk), PlanArea.objects.all()).get()
    image = f"data:image/svg+xml;base64,{base64.b64encode(found.drawing.encode()).decode()}" if found.drawing else ""
    return _drawn_plan(found, plan.name, image, clock, {})


def drawing_of(conference: Conference, version: str) -> str | None:
    """The drawing whose address has this MD5, which PostgreSQL and SQLite compute alike."""
    plans = conference.plans.public().exclude(drawing="").annotate(version=MD5("drawing"))
    return plans.filter(version=version).values_list("drawing", flat=True).first()


def plans_of(conference: Conference) -> QuerySet[FloorPlan]:
    """Plans that are not empty, without the drawings: they may be large, and only the shown floor needs one."""
    plans = FloorPlan.objects.public().filter(conference=conference).exclude(drawing="", areas=None)
    plans = plans.select_related("conference", "venue").defer("drawing", "imported", "venue__imported")
    return plans.order_by("position", "name", "pk")


def _with_areas(plans: QuerySet[FloorPlan], areas: QuerySet[PlanArea]) -> QuerySet[FloorPlan]:
    areas = areas.select_related("room__zone", "zone", "service", "sponsor").defer("room__imported", "zone__imported")
    return plans.prefetch_related(Prefetch("areas", areas))


def floor_slugs(plans: Iterable[FloorPlan]) -> dict[int, str]:
    """Unique slugs: floors with the same name in two buildings are numbered."""
    found: dict[int, str] = {}
    for plan in plans:
        stem, number = plan.slug or "floor", 1
        slug = stem
        while slug in found.values():
            number += 1
            slug = f"{stem}-{number}"
        found[plan.pk] = slug
    return found


def floor_names(plans: Iterable[FloorPlan]) -> dict[int, str]:
    plans = list(plans)
    several = len({it.venue_id for it in plans}) > 1
    return {it.pk: f"{it.venue.name}, {it.name}" if several else it.name for it in plans}


def _drawn_plan(plan: FloorPlan, name: str, drawing_url: str, clock: Clock, on_now: Mapping[int, RoomStatus]) -> DrawnPlan:
    texts = _drawing_keys(plan.drawing) if plan.drawing else ""
    areas = drawn_areas(plan, clock, on_now, texts)
    return DrawnPlan(name, plan.pk, plan.width, plan.height, plan.width / 1000, drawing_url, areas)


def _drawing_url(plan: FloorPlan) -> str:
    """The address changes with the drawing, so that browsers may cache it for ever."""
    if not plan.drawing:
        return ""
    version = hashlib.md5(plan.drawing.encode(), usedforsecurity=False).hexdigest()
    return reverse("events:plan-drawing", args=[plan.conference.slug, version])


def _drawing_keys(drawing: str) -> str:
    def read() -> str:
        try:
            return joined_keys(read_drawing(drawing.encode(), file="drawing").texts)
        except ScheduleParseError:
            return ""

    return PROCESS_CACHE.get_or_build(("drawing", digest_of(drawing)), read)
