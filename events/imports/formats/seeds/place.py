"""place.toml: venues, zones, rooms, walks, services, amenities, floor plans and routes."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from pathlib import PurePosixPath

from events.core.parsing.cells import quoted, spelling_hint
from events.core.parsing.errors import ScheduleParseError
from events.imports.formats.seeds.files import PLANS_FOLDER, SeedFolder, TomlFile, unique_rows
from events.imports.formats.seeds.tables import LEG_MODES, MAX_NAME_CHARS, MAX_SENTENCE_CHARS, STARTING_POINT_KINDS, SeedRow
from events.programme.data.place import (
    AmenityData,
    AreaData,
    LegData,
    PlanData,
    RoomData,
    RouteData,
    ServiceData,
    StartingPointData,
    VenueData,
    WalkData,
    ZoneData,
)
from events.venue.rules.checked_plans import MAX_PLAN_SIDE_PX, check_area, with_drawing

_MAX_ZONE_LETTER_CHARS, _MAX_FLOOR_CHARS, _MAX_SIGN_CHARS, _MAX_SHORT_TEXT_CHARS, _MAX_NOTE_CHARS = 4, 20, 60, 200, 500


def read_venues(file: TomlFile) -> tuple[VenueData, ...]:
    return tuple(_read_venue(key, row) for key, row in unique_rows(file.rows("venues")).items())


def _read_venue(key: str, row: SeedRow) -> VenueData:
    if row.has("latitude") != row.has("longitude"):
        missing = "longitude" if row.has("latitude") else "latitude"
        raise row.error(missing, "is empty: give both latitude and longitude, or neither")
    return VenueData(
        key=key,
        name=row.required("name", _MAX_SHORT_TEXT_CHARS),
        address=row.text("address"),
        latitude=row.decimal("latitude", 90),
        longitude=row.decimal("longitude", 180),
        url=row.url("url"),
        about=row.prose("about"),
        transport=row.prose("transport"),
    )


def read_zones(file: TomlFile, venue_keys: Collection[str]) -> tuple[ZoneData, ...]:
    rows = unique_rows(file.rows("zones"))
    unique_rows(rows.values(), lambda row: f"{row.text('venue')}: {row.required('name', MAX_NAME_CHARS)}", "name")
    return tuple(
        ZoneData(
            key=key,
            venue=row.required_reference("venue", venue_keys, "venue"),
            name=row.required("name", MAX_NAME_CHARS),
            letter=row.text("letter", _MAX_ZONE_LETTER_CHARS),
            description=row.prose("description"),
            off_site=row.flag("off_site") or False,
            position=position,
        )
        for position, (key, row) in enumerate(rows.items(), start=1)
    )


def read_rooms(file: TomlFile, zone_keys: Collection[str]) -> tuple[RoomData, ...]:
    rows = unique_rows(file.rows("rooms"))
    unique_rows(rows.values(), lambda row: f"{row.text('zone')}: {row.required('name', MAX_NAME_CHARS)}", "name")
    return tuple(
        RoomData(
            key=key,
            zone=row.required_reference("zone", zone_keys, "zone"),
            name=row.required("name", MAX_NAME_CHARS),
            floor=row.text("floor", _MAX_FLOOR_CHARS),
            capacity=row.whole("capacity", 1),
            description=row.prose("description"),
            position=position,
        )
        for position, (key, row) in enumerate(rows.items(), start=1)
    )


def read_walks(file: TomlFile, zone_keys: Collection[str]) -> tuple[WalkData, ...]:
    rows = file.rows("walks")
    # A walk there and a walk back are one walk with minutes_back.
    unique_rows(rows, lambda row: " – ".join(sorted([row.text("from"), row.text("to")])), "to")
    return tuple(_read_walk(row, zone_keys) for row in rows)


def _read_walk(row: SeedRow, zone_keys: Collection[str]) -> WalkData:
    origin = row.required_reference("from", zone_keys, "zone")
    destination = row.required_reference("to", zone_keys, "zone")
    if origin == destination:
        raise row.refuse("to", "is where the walk starts: name another zone")
    minutes = row.whole("minutes", 1)
    if minutes is None:
        raise row.error("minutes", "is empty: fill it in")
    return WalkData(
        key=f"{origin}--{destination}",
        origin=origin,
        destination=destination,
        minutes=minutes,
        minutes_back=row.whole("minutes_back", 1),
        covered=row.flag("covered"),
        step_free=row.flag("step_free"),
    )


def read_services(file: TomlFile, zone_keys: Collection[str], room_keys: Collection[str]) -> tuple[ServiceData, ...]:
    return tuple(
        ServiceData(
            key=key,
            name=row.required("name", MAX_NAME_CHARS),
            icon=row.icon(),
            description=row.prose("description"),
            zone=row.reference("zone", zone_keys, "zone"),
            room=row.reference("room", room_keys, "room"),
            place=row.text("place", _MAX_SHORT_TEXT_CHARS),
            position=position,
        )
        for position, (key, row) in enumerate(unique_rows(file.rows("services")).items(), start=1)
    )


def read_amenities(file: TomlFile, known: Mapping[str, Collection[str]]) -> tuple[AmenityData, ...]:
    return tuple(
        AmenityData(
            key=key,
            name=row.required("name", MAX_NAME_CHARS),
            note=row.text("note", _MAX_NOTE_CHARS),
            **_amenity_target(row, known),
            position=position,
        )
        for position, (key, row) in enumerate(unique_rows(file.rows("amenities")).items(), start=1)
    )


def _amenity_target(row: SeedRow, known: Mapping[str, Collection[str]]) -> dict[str, str]:
    named = [name for name in known if row.has(name)]
    if len(named) > 1:
        raise row.refuse(named[1], f"is a second place, beside the {named[0]}: keep one of them")
    return {name: row.reference(name, known[name], name) for name in named}


def read_starting_points(file: TomlFile) -> tuple[StartingPointData, ...]:
    return tuple(
        StartingPointData(
            key=key,
            name=row.required("name", MAX_NAME_CHARS),
            kind=row.choice("kind", STARTING_POINT_KINDS) or row.required("kind"),
            description=row.prose("description"),
            position=position,
        )
        for position, (key, row) in enumerate(unique_rows(file.rows("starting_points")).items(), start=1)
    )


def read_routes(file: TomlFile, start_keys: Collection[str], zone_keys: Collection[str]) -> tuple[RouteData, ...]:
    legs = file.nested("routes", "legs")
    return tuple(
        RouteData(
            key=key,
            start=row.required_reference("start", start_keys, "starting point"),
            zone=row.required_reference("zone", zone_keys, "zone"),
            title=row.required("title", _MAX_SHORT_TEXT_CHARS),
            description=row.prose("description"),
            checked_on=row.date("checked_on"),
            position=position,
            legs=tuple(_read_leg(leg) for leg in legs[position - 1]),
        )
        for position, (key, row) in enumerate(unique_rows(file.rows("routes")).items(), start=1)
    )


def _read_leg(row: SeedRow) -> LegData:
    return LegData(
        instruction=row.required("instruction", MAX_SENTENCE_CHARS),
        mode=row.choice("mode", LEG_MODES, default="walk"),
        sign=row.text("sign", _MAX_SIGN_CHARS),
        minutes=row.whole("minutes"),
        covered=row.flag("covered"),
        step_free=row.flag("step_free"),
        gate_free=row.flag("gate_free"),
    )


_MAX_AREA_LABEL_CHARS, _MAX_AREA_POINTS_CHARS = 60, 2000


def read_plans(file: TomlFile, folder: SeedFolder, keys: Mapping[str, Collection[str]]) -> tuple[PlanData, ...]:
    rows = unique_rows(file.rows("plans"))
    unique_rows(rows.values(), lambda row: f"{row.text('venue')}: {row.required('name', MAX_NAME_CHARS)}", "name")
    areas = file.nested("plans", "areas")
    _check_drawings(folder, list(rows))
    return tuple(
        _read_plan(
            PlanData(
                key=key,
                venue=row.required_reference("venue", keys["venue"], "venue"),
                name=row.required("name", MAX_NAME_CHARS),
                position=position,
            ),
            row,
            areas[position - 1],
            folder,
            keys,
        )
        for position, (key, row) in enumerate(rows.items(), start=1)
    )


def _read_plan(
    plan: PlanData, row: SeedRow, areas: list[SeedRow], folder: SeedFolder, keys: Mapping[str, Collection[str]]
) -> PlanData:
    width, height = (row.whole(name, 1) for name in ("width", "height"))
    plan = dataclasses.replace(plan, width=width or plan.width, height=height or plan.height)
    for name in ("width", "height"):
        if getattr(plan, name) > MAX_PLAN_SIDE_PX:
            raise row.refuse(name, f"is more than {MAX_PLAN_SIDE_PX}: draw it smaller")
    drawing = f"{PLANS_FOLDER}/{plan.key}.svg"
    plan = dataclasses.replace(plan, areas=tuple(_read_area(area, keys) for area in areas))
    if content := folder.read(drawing):
        plan = with_drawing(plan, content, file=drawing, rooms=keys["room"])
    for area_row, area in zip(areas, plan.areas, strict=False):
        try:
            check_area(area, plan)
        except ScheduleParseError as error:
            raise area_row.refuse("points", error.problem) from error
    return plan


def _read_area(row: SeedRow, keys: Mapping[str, Collection[str]]) -> AreaData:
    area = AreaData(
        room=row.reference("room", keys["room"], "room"),
        zone=row.reference("zone", keys["zone"], "zone"),
        service=row.reference("service", keys["service"], "service"),
        label=row.text("label", _MAX_AREA_LABEL_CHARS),
        points=row.required("points", _MAX_AREA_POINTS_CHARS),
    )
    if not (area.room or area.zone or area.service or area.label):
        raise row.error("room", "is empty: name a room, a zone or a service, or write a label")
    return area


def _check_drawings(folder: SeedFolder, keys: list[str]) -> None:
    for path in map(PurePosixPath, folder.files()):
        if len(path.parts) == 2 and path.parts[0] == PLANS_FOLDER and path.suffix == ".svg" and path.stem not in keys:
            raise ScheduleParseError(
                f"{quoted(path.stem)} is not the key of a plan{spelling_hint(path.stem, keys)}", file=str(path)
            )
