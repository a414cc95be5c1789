"""Floor plans that a file brings: their drawings can be shown, and their areas be drawn."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

from events.importers.drawing import Drawing, read_drawing
from events.importers.errors import ScheduleParseError
from events.importers.place import AreaData, PlanData
from events.schedule.plans import PointsError, check_inside, shape_of

LARGEST_SIDE = 100_000
MOST_AREAS = 500


def sound(plan: PlanData) -> PlanData:
    """The plan as large as its drawing; ScheduleParseError for one that cannot be drawn."""
    if plan.drawing:
        plan = _measured(plan, read_drawing(plan.drawing.encode("utf-8", "ignore"), file="drawing"))
    if not 1 <= min(plan.width, plan.height) <= max(plan.width, plan.height) <= LARGEST_SIDE:
        raise ScheduleParseError(f"is {plan.width} wide and {plan.height} high: both have to be from 1 to {LARGEST_SIDE}")
    if len(plan.areas) > MOST_AREAS:
        raise ScheduleParseError(f"has {len(plan.areas)} areas: keep the {MOST_AREAS} that people look for")
    for number, area in enumerate(plan.areas, start=1):
        check_area(area, plan, f"area {number}")
    return plan


def check_area(area: AreaData, plan: PlanData, place: str = "") -> None:
    try:
        check_inside(shape_of(area.points), plan.width, plan.height)
    except PointsError as error:
        raise ScheduleParseError(str(error), file=place) from error
    if sum(map(bool, (area.room, area.zone, area.service))) > 1:
        raise ScheduleParseError("names more than one of room, zone and service: name one", file=place)


def with_drawing(plan: PlanData, content: bytes, *, file: str, rooms: Collection[str]) -> PlanData:
    """The plan with an SVG; rooms whose keys its elements have for their id become areas, unless the plan has theirs."""
    drawing = read_drawing(content, file=file, names=rooms)
    typed = {area.room for area in plan.areas}
    found = [AreaData(room=name, points=points) for name, points in drawing.areas.items() if name not in typed]
    return dataclasses.replace(_measured(plan, drawing), areas=(*plan.areas, *found))


def _measured(plan: PlanData, drawing: Drawing) -> PlanData:
    return dataclasses.replace(plan, drawing=drawing.svg, width=drawing.width, height=drawing.height)
