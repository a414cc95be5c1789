"""place.toml: the venue, its zones and rooms, what is where, and the ways to it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from events.importers.place import (
    AmenityData,
    LegData,
    RoomData,
    RouteData,
    ServiceData,
    StartingPointData,
    VenueData,
    WalkData,
    ZoneData,
)
from events.importers.seeds.keys import unique
from events.importers.seeds.rows import NAME, SENTENCE, Row
from events.importers.seeds.tables import LEG_MODES, START_KINDS
from events.importers.seeds.toml import TomlFile

_LETTER, _FLOOR, _SIGN, _SHORT, _NOTE = 4, 20, 60, 200, 500


def venues(file: TomlFile) -> tuple[VenueData, ...]:
    return tuple(_venue(key, row) for key, row in unique(file.rows("venues")).items())


def _venue(key: str, row: Row) -> VenueData:
    if row.has("latitude") != row.has("longitude"):
        missing = "longitude" if row.has("latitude") else "latitude"
        raise row.error(missing, "is empty: latitude and longitude only mean something together")
    return VenueData(
        key=key,
        name=row.required("name", _SHORT),
        address=row.text("address"),
        latitude=row.decimal("latitude", 90),
        longitude=row.decimal("longitude", 180),
        url=row.url("url"),
        about=row.prose("about"),
        transport=row.prose("transport"),
    )


def zones(file: TomlFile, venue_keys: Collection[str]) -> tuple[ZoneData, ...]:
    found = unique(file.rows("zones"))
    unique(found.values(), lambda row: f"{row.text('venue')}: {row.required('name', NAME)}", "name")
    return tuple(
        ZoneData(
            key=key,
            venue=row.required_reference("venue", venue_keys, "venue"),
            name=row.required("name", NAME),
            letter=row.text("letter", _LETTER),
            description=row.prose("description"),
            off_site=row.flag("off_site") or False,
            position=position,
        )
        for position, (key, row) in enumerate(found.items(), start=1)
    )


def rooms(file: TomlFile, zone_keys: Collection[str]) -> tuple[RoomData, ...]:
    found = unique(file.rows("rooms"))
    unique(found.values(), lambda row: f"{row.text('zone')}: {row.required('name', NAME)}", "name")
    return tuple(
        RoomData(
            key=key,
            zone=row.required_reference("zone", zone_keys, "zone"),
            name=row.required("name", NAME),
            floor=row.text("floor", _FLOOR),
            capacity=row.whole("capacity", 1),
            description=row.prose("description"),
            position=position,
        )
        for position, (key, row) in enumerate(found.items(), start=1)
    )


def walks(file: TomlFile, zone_keys: Collection[str]) -> tuple[WalkData, ...]:
    rows = file.rows("walks")
    # A walk there and a walk back are one walk with minutes_back.
    unique(rows, lambda row: " – ".join(sorted([row.text("from"), row.text("to")])), "to")
    return tuple(_walk(row, zone_keys) for row in rows)


def _walk(row: Row, zone_keys: Collection[str]) -> WalkData:
    origin = row.required_reference("from", zone_keys, "zone")
    destination = row.required_reference("to", zone_keys, "zone")
    if origin == destination:
        raise row.refuse("to", "is where the walk starts: name another zone")
    minutes = row.whole("minutes", 1)
    if minutes is None:
        raise row.error("minutes", "is empty, and has to be filled in")
    return WalkData(
        key=f"{origin}--{destination}",
        origin=origin,
        destination=destination,
        minutes=minutes,
        minutes_back=row.whole("minutes_back", 1),
        covered=row.flag("covered"),
        step_free=row.flag("step_free"),
    )


def services(file: TomlFile, zone_keys: Collection[str], room_keys: Collection[str]) -> tuple[ServiceData, ...]:
    return tuple(
        ServiceData(
            key=key,
            name=row.required("name", NAME),
            icon=row.icon(),
            description=row.prose("description"),
            zone=row.reference("zone", zone_keys, "zone"),
            room=row.reference("room", room_keys, "room"),
            place=row.text("place", _SHORT),
            position=position,
        )
        for position, (key, row) in enumerate(unique(file.rows("services")).items(), start=1)
    )


def amenities(file: TomlFile, known: Mapping[str, Collection[str]]) -> tuple[AmenityData, ...]:
    return tuple(
        AmenityData(
            key=key,
            name=row.required("name", NAME),
            note=row.text("note", _NOTE),
            **_one_place(row, known),
            position=position,
        )
        for position, (key, row) in enumerate(unique(file.rows("amenities")).items(), start=1)
    )


def _one_place(row: Row, known: Mapping[str, Collection[str]]) -> dict[str, str]:
    named = [name for name in known if row.has(name)]
    if len(named) > 1:
        raise row.refuse(named[1], f"is a second place, beside the {named[0]}: keep one of them")
    return {name: row.reference(name, known[name], name) for name in named}


def starting_points(file: TomlFile) -> tuple[StartingPointData, ...]:
    return tuple(
        StartingPointData(
            key=key,
            name=row.required("name", NAME),
            kind=row.choice("kind", START_KINDS) or row.required("kind"),
            description=row.prose("description"),
            position=position,
        )
        for position, (key, row) in enumerate(unique(file.rows("starting_points")).items(), start=1)
    )


def routes(file: TomlFile, start_keys: Collection[str], zone_keys: Collection[str]) -> tuple[RouteData, ...]:
    legs = file.nested("routes", "legs")
    return tuple(
        RouteData(
            key=key,
            start=row.required_reference("start", start_keys, "starting point"),
            zone=row.required_reference("zone", zone_keys, "zone"),
            title=row.required("title", _SHORT),
            description=row.prose("description"),
            checked_on=row.date("checked_on"),
            position=position,
            legs=tuple(_leg(leg) for leg in legs[position - 1]),
        )
        for position, (key, row) in enumerate(unique(file.rows("routes")).items(), start=1)
    )


def _leg(row: Row) -> LegData:
    return LegData(
        instruction=row.required("instruction", SENTENCE),
        mode=row.choice("mode", LEG_MODES, default="walk"),
        sign=row.text("sign", _SIGN),
        minutes=row.whole("minutes"),
        covered=row.flag("covered"),
        step_free=row.flag("step_free"),
        gate_free=row.flag("gate_free"),
    )
