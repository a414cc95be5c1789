"""``generator.hallway``: the part of our schedule.json with everything that the voc schema has no field for.

It has the rows of a ScheduleData as objects, by part, without default values and without the fields of the schema: an event's
guid, title, language, texts, day, times and what is known of its recording, and the abstract of a paper that an event shows.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import types
import typing
import uuid
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from events.core.parsing.cells import first_unprintable
from events.programme.data.place import AmenityData, PlanData, RoomData, ServiceData, VenueData, ZoneData
from events.programme.data.schedule import (
    AwardData,
    DayData,
    EventData,
    EventTypeData,
    PaperData,
    PersonData,
    TopicData,
    TrackData,
)

HALLWAY_KEY = "hallway"
HALLWAY_VERSION = 1
HALLWAY_PARTS: Mapping[str, type[Any]] = {
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
VOC_EVENT_FIELDS = ("guid", "title", "language", "abstract", "day", "start", "recording_license", "do_not_record")
"""Fields of an event in a day and a room, which the voc schema has; the description and the end are not always there."""
_PLAIN_TYPES = frozenset({str, int, float, bool, type(None)})
_DEFAULTS_BY_TYPE: dict[type[Any], dict[str, Any]] = {}
_FIELD_TYPES_BY_TYPE: dict[type[Any], dict[str, Any]] = {}
T = TypeVar("T")


def pack_row(row: Any, leave_out: typing.Container[str] = ()) -> dict[str, Any]:
    packed: dict[str, Any] = {}
    for name, default in _defaults(type(row)).items():
        value = getattr(row, name)
        if value != default and name not in leave_out:
            packed[name] = value if type(value) in _PLAIN_TYPES else _json_value(value)
    if packed.get("guid") == packed.get("key"):
        packed.pop("guid", None)
    return packed


def _defaults(kind: type[Any]) -> dict[str, Any]:
    if kind not in _DEFAULTS_BY_TYPE:
        _DEFAULTS_BY_TYPE[kind] = {field.name: field.default for field in dataclasses.fields(kind)}
    return _DEFAULTS_BY_TYPE[kind]


def _json_value(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_json_value(each) for each in value]
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat(timespec="seconds")
    if isinstance(value, dt.date):
        return value.isoformat()
    return pack_row(value) if dataclasses.is_dataclass(value) else value


def unpack_row(kind: type[T], packed: Any, **known: Any) -> T:
    """Build the row of a JSON object and the ``known`` values; raise ValueError with a message for a malformed one."""
    if not isinstance(packed, dict):
        raise ValueError(f"is {_quoted_value(packed)}, not an object")
    fields = _field_types(kind)
    if unknown := next((name for name in packed if name not in fields), None):
        raise ValueError(f"has the unknown field “{str(unknown)[:40]}”")
    values = {name: _typed_value(name, fields[name], value) for name, value in packed.items()} | known
    required = (name for name, default in _defaults(kind).items() if default is dataclasses.MISSING)
    if missing := next((name for name in required if name not in values), ""):
        raise ValueError(f"has no “{missing}”")
    if "guid" in fields and not values.get("guid") and _is_guid(values["key"]):
        values["guid"] = values["key"]
    return kind(**values)


def _field_types(kind: type[Any]) -> dict[str, Any]:
    if kind not in _FIELD_TYPES_BY_TYPE:
        _FIELD_TYPES_BY_TYPE[kind] = typing.get_type_hints(kind)
    return _FIELD_TYPES_BY_TYPE[kind]


def _typed_value(name: str, kind: Any, value: Any) -> Any:
    options = typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    if value is None and type(None) in options:
        return None
    wanted = next(option for option in options if option is not type(None))
    if typing.get_origin(wanted) is tuple:
        item_type = typing.get_args(wanted)[0]
        return tuple(_typed_value(name, item_type, each) for each in _check_type(name, list, value))
    if dataclasses.is_dataclass(wanted) and isinstance(wanted, type):
        return unpack_row(wanted, value)
    if wanted in _TIME_PARSERS:
        try:
            return _TIME_PARSERS[wanted](_check_type(name, str, value))
        except (ValueError, OverflowError) as error:
            raise ValueError(f"has {_quoted_value(value)} as {name}, which is neither a date nor a time with its zone") from error
    return _check_type(name, wanted, value)


def _check_type(name: str, wanted: type[T], value: Any) -> T:
    if wanted is float and type(value) is int:
        return typing.cast(T, float(value))
    # True is a number to Python, and would be one to a database.
    if type(value) is not wanted:
        raise ValueError(f"has {_quoted_value(value)} as {name}")
    return typing.cast(T, _without_unprintable(value) if isinstance(value, str) else value)


def _without_unprintable(text: str) -> str:
    return (
        text
        if text.isprintable()
        else "".join(character for character in text if character in "\n\r\t" or not first_unprintable(character))
    )


def _aware_datetime(text: str) -> dt.datetime:
    moment = dt.datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("no zone")
    return moment.astimezone(dt.UTC)


_TIME_PARSERS: Mapping[Any, Callable[[str], Any]] = {dt.datetime: _aware_datetime, dt.date: dt.date.fromisoformat}


def _quoted_value(value: Any) -> str:
    return f"“{value[:40]}”" if isinstance(value, str) else "a list" if isinstance(value, list) else f"“{str(value)[:40]}”"


def _is_guid(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text
    except ValueError:
        return False
