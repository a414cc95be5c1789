"""The part of our own schedule.json that other programs pass over: everything the voc schema has no place for.

``schedule.hallway`` holds the rows of a ScheduleData as objects, by part, without what is at its default. What stands
in the schema's own places is not repeated: an event's guid, title, abstract, day and hours, and the abstract of a
paper that an event shows.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import types
import typing
import uuid
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from events.importers.cells import unprintable
from events.importers.data import (
    AwardData,
    DayData,
    EventData,
    EventTypeData,
    PaperData,
    PersonData,
    TopicData,
    TrackData,
)
from events.importers.place import AmenityData, PlanData, RoomData, ServiceData, VenueData, ZoneData

NAME = "hallway"
VERSION = 1
PARTS: Mapping[str, type[Any]] = {
    "days": DayData,
    "types": EventTypeData,
    "tracks": TrackData,
    "topics": TopicData,
    "venues": VenueData,
    "zones": ZoneData,
    "rooms": RoomData,
    "services": ServiceData,
    "plans": PlanData,
    "people": PersonData,
    "papers": PaperData,
    "events": EventData,
    "awards": AwardData,
    "amenities": AmenityData,
}
SAID_ELSEWHERE = ("guid", "title", "abstract", "day", "start", "end")
"""Of an event that stands in a day and a room."""
_DEFAULTS: dict[type[Any], dict[str, Any]] = {}
_FIELDS: dict[type[Any], dict[str, Any]] = {}
T = TypeVar("T")


def packed(row: Any, leave_out: typing.Container[str] = ()) -> dict[str, Any]:
    """A row as an object of JSON."""
    found: dict[str, Any] = {}
    for name, default in _defaults(type(row)).items():
        value = getattr(row, name)
        if name not in leave_out and value != default:
            found[name] = _plain(value)
    if found.get("guid") == found.get("key"):
        found.pop("guid", None)
    return found


def _defaults(kind: type[Any]) -> dict[str, Any]:
    if kind not in _DEFAULTS:
        _DEFAULTS[kind] = {it.name: it.default for it in dataclasses.fields(kind)}
    return _DEFAULTS[kind]


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(it) for it in value]
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat(timespec="seconds")
    if isinstance(value, dt.date):
        return value.isoformat()
    return packed(value) if dataclasses.is_dataclass(value) else value


def unpacked(kind: type[T], found: Any, **known: Any) -> T:
    """The row of an object and of what is known besides; ValueError in words for one that cannot be."""
    if not isinstance(found, dict):
        raise ValueError(f"is {_named(found)}, not an object")
    fields = _fields(kind)
    if strange := next((name for name in found if name not in fields), None):
        raise ValueError(f"has “{str(strange)[:40]}”, which is not known here")
    values = {name: _value(name, fields[name], value) for name, value in found.items()} | known
    needed = (name for name, default in _defaults(kind).items() if default is dataclasses.MISSING)
    if missing := next((name for name in needed if name not in values), ""):
        raise ValueError(f"has no “{missing}”")
    if "guid" in fields and not values.get("guid") and _is_guid(values["key"]):
        values["guid"] = values["key"]
    return kind(**values)


def _fields(kind: type[Any]) -> dict[str, Any]:
    if kind not in _FIELDS:
        _FIELDS[kind] = typing.get_type_hints(kind)
    return _FIELDS[kind]


def _value(name: str, kind: Any, value: Any) -> Any:
    """The value as the field has it."""
    options = typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    if value is None and type(None) in options:
        return None
    wanted = next(it for it in options if it is not type(None))
    if typing.get_origin(wanted) is tuple:
        inside = typing.get_args(wanted)[0]
        return tuple(_value(name, inside, it) for it in _checked(name, list, value))
    if dataclasses.is_dataclass(wanted) and isinstance(wanted, type):
        return unpacked(wanted, value)
    if wanted in _TIMES:
        try:
            return _TIMES[wanted](_checked(name, str, value))
        except (ValueError, OverflowError) as error:
            raise ValueError(f"says of {name} {_named(value)}, which is no time with its zone and no date") from error
    return _checked(name, wanted, value)


def _checked(name: str, wanted: type[T], value: Any) -> T:
    if wanted is float and type(value) is int:
        return typing.cast(T, float(value))
    # True is a number to Python, and would be one to a database.
    if type(value) is not wanted:
        raise ValueError(f"says of {name} {_named(value)}")
    return typing.cast(T, _shown(value) if isinstance(value, str) else value)


def _shown(text: str) -> str:
    """Without what no database can hold."""
    return text if text.isprintable() else "".join(it for it in text if it in "\n\r\t" or not unprintable(it))


def _instant(text: str) -> dt.datetime:
    moment = dt.datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("no zone")
    return moment.astimezone(dt.UTC)


_TIMES: Mapping[Any, Callable[[str], Any]] = {dt.datetime: _instant, dt.date: dt.date.fromisoformat}


def _named(value: Any) -> str:
    return f"“{value[:40]}”" if isinstance(value, str) else "a list" if isinstance(value, list) else f"“{str(value)[:40]}”"


def _is_guid(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text
    except ValueError:
        return False
