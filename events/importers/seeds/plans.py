"""place.toml, [[plans]]: floors with areas; and plans/KEY.svg, their drawings."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from pathlib import PurePosixPath

from events.importers.cells import hint, quoted
from events.importers.errors import ScheduleParseError
from events.importers.place import AreaData, PlanData
from events.importers.plans import LARGEST_SIDE, check_area, with_drawing
from events.importers.seeds.files import PLANS, Folder
from events.importers.seeds.keys import unique
from events.importers.seeds.rows import NAME, Row
from events.importers.seeds.toml import TomlFile

_LABEL, _POINTS = 60, 2000


def plans(file: TomlFile, folder: Folder, keys: Mapping[str, Collection[str]]) -> tuple[PlanData, ...]:
    """``keys`` are those of the venues, zones, rooms and services."""
    rows = unique(file.rows("plans"))
    unique(rows.values(), lambda row: f"{row.text('venue')}: {row.required('name', NAME)}", "name")
    areas = file.nested("plans", "areas")
    _check_drawings(folder, list(rows))
    return tuple(
        _plan(
            PlanData(
                key=key,
                venue=row.required_reference("venue", keys["venue"], "venue"),
                name=row.required("name", NAME),
                position=position,
            ),
            row,
            areas[position - 1],
            folder,
            keys,
        )
        for position, (key, row) in enumerate(rows.items(), start=1)
    )


def _plan(plan: PlanData, row: Row, areas: list[Row], folder: Folder, keys: Mapping[str, Collection[str]]) -> PlanData:
    width, height = (row.whole(name, 1) for name in ("width", "height"))
    plan = dataclasses.replace(plan, width=width or plan.width, height=height or plan.height)
    for name in ("width", "height"):
        if getattr(plan, name) > LARGEST_SIDE:
            raise row.refuse(name, f"is more than {LARGEST_SIDE}: draw it smaller")
    drawing = f"{PLANS}/{plan.key}.svg"
    plan = dataclasses.replace(plan, areas=tuple(_area(area, keys) for area in areas))
    if content := folder.read(drawing):
        plan = with_drawing(plan, content, file=drawing, rooms=keys["room"])
    for area, found in zip(areas, plan.areas, strict=False):
        try:
            check_area(found, plan)
        except ScheduleParseError as error:
            raise area.refuse("points", error.problem) from error
    return plan


def _area(row: Row, keys: Mapping[str, Collection[str]]) -> AreaData:
    area = AreaData(
        room=row.reference("room", keys["room"], "room"),
        zone=row.reference("zone", keys["zone"], "zone"),
        service=row.reference("service", keys["service"], "service"),
        label=row.text("label", _LABEL),
        points=row.required("points", _POINTS),
    )
    if not (area.room or area.zone or area.service or area.label):
        raise row.error("room", "is empty: name a room, a zone or a service, or write a label")
    return area


def _check_drawings(folder: Folder, keys: list[str]) -> None:
    for path in map(PurePosixPath, folder.files()):
        if len(path.parts) == 2 and path.parts[0] == PLANS and path.suffix == ".svg" and path.stem not in keys:
            raise ScheduleParseError(f"{quoted(path.stem)} is not the key of a plan{hint(path.stem, keys)}", file=str(path))
