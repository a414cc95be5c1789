"""Checks of planned rows: values, times, and what must be unique."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError

from events.core.db.fields import plain_text
from events.imports.sync.plan_rows import TablePlan
from events.imports.sync.report import SyncError
from events.imports.sync.tables import ChildTable, SyncTable


def check_values(table: SyncTable, key: str, values: Mapping[str, Any]) -> None:
    """Raise SyncError that names the row for an invalid value; references are not checked."""
    _check_columns(
        table.model, values, [name for name in values if name in table.columns and name not in table.refs], table.part, key
    )
    for name, child in table.children.items():
        for cells in values.get(name, ()):
            check_child(child, f"{table.part}, “{key}”, {name}", cells)


def check_key(table: SyncTable, key: str) -> None:
    names = ["source_key", "slug"] if table.key_is_slug else ["source_key"]
    _check_columns(table.model, dict.fromkeys(names, key), names, table.part, key[:60])
    try:
        plain_text(key)
    except ValidationError as error:
        raise SyncError(f"{table.part}, {key[:60]!a}: key: {' '.join(error.messages)}") from error


def check_child(child: ChildTable, where: str, values: Sequence[Any]) -> None:
    plain = {name: value for name, value in zip(child.fields, values, strict=True) if name not in child.refs}
    _check_fields(child.model, plain, plain, where)


def check_times(key: str, values: Mapping[str, Any]) -> None:
    start, end = values["start"], values["end"]
    if bool(start) != bool(end) or (start and end and end <= start):
        raise SyncError(f"events, “{key}”: it ends at {end} and starts at {start}; an event ends after it starts.")
    if start and not values["day"]:
        raise SyncError(f"events, “{key}”: it has a time and no day; say which day of the programme it belongs to.")


def _check_columns(model: Any, values: Mapping[str, Any], names: Iterable[str], part: str, key: str) -> None:
    _check_fields(model, values, names, f"{part}, “{key}”")


def _check_fields(model: Any, values: Mapping[str, Any], names: Iterable[str], where: str) -> None:
    problems = []
    for name in names:
        field, value = model._meta.get_field(name), values[name]
        if field.blank and value in field.empty_values:
            continue
        try:
            field.clean(value, None)
        except ValidationError as error:
            problems.append(f"{name}: {' '.join(error.messages)}")
    if problems:
        raise SyncError(f"{where}: {'; '.join(problems)}")


ResolveTarget = Callable[[SyncTable, str, str], Any]
NaturalKey = tuple[Hashable, ...]


def resolve_unique(plan: TablePlan, target: ResolveTarget) -> None:
    """Raise SyncError when two rows would be the same; park rows whose unique value another row gets."""
    if not plan.table.natural:
        return
    names: dict[NaturalKey, str] = {}
    for natural_key, name in _planned_keys(plan, target):
        if natural_key in names:
            part, value = plan.table.part.replace("_", " "), _unique_value_text(plan.table)
            raise SyncError(f"{part}: {names[natural_key]} and {name} would be the same; each needs {value} of its own.")
        names[natural_key] = name
    _park_conflicting(plan, target)


def _park_conflicting(plan: TablePlan, target: ResolveTarget) -> None:
    moved = [row for row in plan.changed if any(name in row.apply for name in plan.table.natural)]
    wanted = Counter(_changed_natural_key(plan, target, row.read.pk, row.apply) for row in moved)
    wanted.update(_new_natural_key(plan, new.row) for new in plan.new_rows())
    conflicting = [row for row in moved if wanted[_stored_natural_key(plan, row.read.pk)]]
    if conflicting and set(plan.table.natural) <= plan.table.refs.keys():
        names = " and ".join(f"“{row.key}”" for row in conflicting[:2])
        raise SyncError(f"{plan.table.part}: {names} swap their values, which takes two imports: first one, then the other.")
    plan.parked = [row.read.pk for row in conflicting]


def _planned_keys(plan: TablePlan, target: ResolveTarget) -> Iterator[tuple[NaturalKey, str]]:
    changes = {row.read.pk: row.apply for row in plan.changed}
    for pk, row in plan.stored.items():
        natural_key = _changed_natural_key(plan, target, pk, changes[pk]) if pk in changes else _stored_natural_key(plan, pk)
        yield natural_key, f"“{row.key or row.values.get('name') or row.slug}”"
    for new in plan.new_rows():
        yield _new_natural_key(plan, new.row), f"“{new.row.source_key or new.row}”"


def _stored_natural_key(plan: TablePlan, pk: int) -> NaturalKey:
    row = plan.stored[pk]
    return (row.slug,) if plan.table.key_is_slug else tuple(row.values[name] for name in plan.table.natural)


def _changed_natural_key(plan: TablePlan, target: ResolveTarget, pk: int, apply: dict[str, Any]) -> NaturalKey:
    if plan.table.key_is_slug:
        return _stored_natural_key(plan, pk)
    before = plan.stored[pk].values
    return tuple(
        _natural_key_part(plan, target, name, apply[name]) if name in apply else before[name] for name in plan.table.natural
    )


def _natural_key_part(plan: TablePlan, target: ResolveTarget, name: str, value: Any) -> Hashable:
    if name not in plan.table.refs:
        return value  # type: ignore[no-any-return]
    row = target(plan.table, name, value)
    return row if isinstance(row, int) else id(row)


def _new_natural_key(plan: TablePlan, row: Any) -> NaturalKey:
    return tuple(_row_key_part(row, name, is_ref=name in plan.table.refs) for name in plan.table.natural)


def _row_key_part(row: Any, name: str, *, is_ref: bool) -> Hashable:
    if not is_ref:
        return getattr(row, name)  # type: ignore[no-any-return]
    pk = getattr(row, f"{name}_id")
    return pk if pk is not None else id(getattr(row, name))


def _unique_value_text(table: SyncTable) -> str:
    return f"a {table.natural[-1]}" if len(table.natural) == 1 or "name" in table.natural else "its two ends"
