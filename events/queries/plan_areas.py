"""What stands on one plan: its rooms, zones, services and words, each with what it says to the eye and aloud."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.urls import reverse

from events.importers.cells import key_of
from events.models import FloorPlan, PlanArea
from events.queries.pinned import carried
from events.schedule.clock import Clock
from events.schedule.plan_labels import Label, label, words_below
from events.schedule.plans import Point, Shape, reading_order

KINDS = ("zone", "words", "room", "service")
"""In the order of painting: what is inside stands on top."""
LARGEST = {"zone": 22, "words": 18, "room": 30, "service": 18}
ICON = 34
Words = tuple[str, str]


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
    # Whether the drawing writes the name.
    is_written: bool = False
    corner: Point | None = None
    unit: float = 1

    @property
    def icon_left(self) -> float:
        return round(self.label.x - ICON * self.unit / 2, 1)

    @property
    def icon_top(self) -> float:
        return round(self.label.y - ICON * self.unit / 2, 1)


def areas_of(plan: FloorPlan, clock: Clock, on_now: Mapping[int, OnNow], drawn: str = "") -> list[Area]:
    """All that can be drawn, in the order in which it is read; ``drawn`` are the texts of a drawing, as ``said`` makes them."""
    unit = plan.width / 1000
    shaped = [(area, shape) for area in plan.areas.all() if (shape := area.shape)]
    boxes = [shape for area, shape in shaped if area.room_id or area.service_id]
    seen: set[str] = set()
    areas = []
    for kind in KINDS:
        of_kind = [(shape, (area, shape)) for area, shape in shaped if _kind(area) == kind]
        for area, shape in reading_order(of_kind):
            made = _area(area, shape, clock, on_now, unit, drawn)
            made = _in_corner(made, boxes, unit) if kind == "zone" else made
            areas.append(_once(made, seen))
    return areas


def said(words: Iterable[str]) -> str:
    """Keys of texts as one, in which another key can be looked for as a whole."""
    return f"-{'--'.join(words)}-"


def _kind(area: PlanArea) -> str:
    return "room" if area.room_id else "zone" if area.zone_id else "service" if area.service_id else "words"


def _area(area: PlanArea, shape: Shape, clock: Clock, on_now: Mapping[int, OnNow], unit: float, drawn: str) -> Area:
    kind, names = _kind(area), _names(area)
    name = names[0]
    is_written = any(f"-{key}-" in drawn for it in names[:2] if (key := key_of(it)))
    on = on_now.get(area.room_id or 0, NOTHING_ON)
    return Area(
        kind=kind,
        name=name,
        shape=shape,
        label=words_below(shape, on.lines, unit) if is_written else label(shape, names, on.lines, unit, LARGEST[kind]),
        url=_url(area, clock),
        element_id=area.element_id,
        words=". ".join(filter(None, [name, on.sentence])),
        icon=(area.service.icon or "info") if area.service else "",
        is_on=bool(on.title),
        state=on.state,
        is_written=is_written,
        unit=unit,
    )


def _url(area: PlanArea, clock: Clock) -> str:
    """Rooms and zones are told of on the same page, services on their own."""
    if area.room_id or area.zone_id:
        return f"#room-{area.room_id}" if area.room_id else f"#zone-{area.zone_id}"
    if not area.service_id:
        return ""
    return carried(f"{reverse('events:service-list', args=[area.plan.conference.slug])}#service-{area.service_id}", clock)


def _names(area: PlanArea) -> list[str]:
    """What it may be called, the longest first."""
    names = [area.label or str(area.place or "")]
    if area.room:
        # In a hall of its name the plate says the rest: “Hall 4 #4” is #4 there.
        zone = area.room.zone
        names += [area.room.name.removeprefix(zone.name).strip(" ,–-"), zone.letter]
    elif area.zone:
        names += [area.zone.name, area.zone.letter]
    return names


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
