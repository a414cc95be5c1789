"""Checks of imported and exported floor plans: their size, their drawing and their areas."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

from events.core.parsing.errors import ScheduleParseError
from events.programme.data.place import AreaData, PlanData
from events.venue.rules.drawing import Drawing, read_drawing
from events.venue.rules.plans import PointsError, check_inside, parse_shape

MAX_PLAN_SIDE_PX = 100_000
MAX_PLAN_AREAS = 500


def checked_plan(plan: PlanData) -> PlanData:
    """Return the plan with the size of its drawing; raise ScheduleParseError if it cannot be drawn."""
    if plan.drawing:
        plan = _with_drawing_size(plan, read_drawing(plan.drawing.encode("utf-8", "ignore"), file="drawing"))
    if not 1 <= min(plan.width, plan.height) <= max(plan.width, plan.height) <= MAX_PLAN_SIDE_PX:
        raise ScheduleParseError(f"is {plan.width} wide and {plan.height} high: both have to be from 1 to {MAX_PLAN_SIDE_PX}")
    if len(plan.areas) > MAX_PLAN_AREAS:
        raise ScheduleParseError(f"has {len(plan.areas)} areas: keep the {MAX_PLAN_AREAS} that people look for")
    for number, area in enumerate(plan.areas, start=1):
        check_area(area, plan, f"area {number}")
    return plan


def check_area(area: AreaData, plan: PlanData, place: str = "") -> None:
    try:
        check_inside(parse_shape(area.points), plan.width, plan.height)
    except PointsError as error:
        raise ScheduleParseError(str(error), file=place) from error
    if sum(map(bool, (area.room, area.zone, area.service))) > 1:
        raise ScheduleParseError("names more than one of room, zone and service: name one", file=place)


def with_drawing(plan: PlanData, content: bytes, *, file: str, rooms: Collection[str]) -> PlanData:
    """Add an SVG to the plan. An element whose id is the key of a room becomes its area, unless the plan has one."""
    drawing = read_drawing(content, file=file, names=rooms)
    rooms_with_area = {area.room for area in plan.areas}
    drawn = [AreaData(room=name, points=points) for name, points in drawing.areas.items() if name not in rooms_with_area]
    return dataclasses.replace(_with_drawing_size(plan, drawing), areas=(*plan.areas, *drawn))


def _with_drawing_size(plan: PlanData, drawing: Drawing) -> PlanData:
    return dataclasses.replace(plan, drawing=drawing.svg, width=drawing.width, height=drawing.height)
