"""Refuse in words what the database would refuse in its own, or would take and show to people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError

from events.models.validators import plain_text
from events.sync.report import SyncError
from events.sync.tables import Children, Table


def check_values(table: Table, key: str, values: Mapping[str, Any]) -> None:
    """Raise SyncError, naming the row, for a plain value it must not have; references are not looked at."""
    _check(table.model, values, [name for name in values if name in table.columns and name not in table.refs], table.part, key)
    for name, child in table.children.items():
        for kid in values.get(name, ()):
            check_child(child, f"{table.part}, “{key}”, {name}", kid)


def check_key(table: Table, key: str) -> None:
    names = ["source_key", "slug"] if table.key_is_slug else ["source_key"]
    _check(table.model, dict.fromkeys(names, key), names, table.part, key[:60])
    try:
        plain_text(key)
    except ValidationError as error:
        raise SyncError(f"{table.part}, {key[:60]!a}: key: {' '.join(error.messages)}") from error


def check_child(child: Children, where: str, values: Sequence[Any]) -> None:
    said = {name: value for name, value in zip(child.fields, values, strict=True) if name not in child.refs}
    _check_fields(child.model, said, said, where)


def check_times(key: str, values: Mapping[str, Any]) -> None:
    """An event's times and day as they would be stored together."""
    start, end = values["start"], values["end"]
    if bool(start) != bool(end) or (start and end and end <= start):
        raise SyncError(f"events, “{key}”: it ends at {end} and starts at {start}; an event ends after it starts.")
    if start and not values["day"]:
        raise SyncError(f"events, “{key}”: it has a time and no day; say which day of the programme it belongs to.")


def _check(model: Any, values: Mapping[str, Any], names: Iterable[str], part: str, key: str) -> None:
    _check_fields(model, values, names, f"{part}, “{key}”")


def _check_fields(model: Any, values: Mapping[str, Any], names: Iterable[str], where: str) -> None:
    """Each field by itself, as a form would."""
    told = []
    for name in names:
        field, value = model._meta.get_field(name), values[name]
        if field.blank and value in field.empty_values:
            continue
        try:
            field.clean(value, None)
        except ValidationError as error:
            told.append(f"{name}: {' '.join(error.messages)}")
    if told:
        raise SyncError(f"{where}: {'; '.join(told)}")
