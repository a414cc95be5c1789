"""What the database holds unique, looked at before it is asked: two rows that want the same, and rows that change places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from typing import Any

from events.sync.report import SyncError
from events.sync.steps import TablePlan
from events.sync.tables import Table

Target = Callable[[Table, str, str], Any]
Nature = tuple[Hashable, ...]


def settle(plan: TablePlan, target: Target) -> None:
    """Raise SyncError when two rows would be the same; note which rows must make room before others take their place."""
    if not plan.table.natural:
        return
    holders: dict[Nature, str] = {}
    for nature, name in _after(plan, target):
        if nature in holders:
            what = plan.table.part.replace("_", " ")
            raise SyncError(f"{what}: {holders[nature]} and {name} would be the same; each needs {_own(plan.table)} of its own.")
        holders[nature] = name
    _park(plan, target)


def _park(plan: TablePlan, target: Target) -> None:
    wanted = Counter(_changed(plan, target, it.read.pk, it.apply) for it in plan.changed if _moves(plan, it.apply))
    wanted.update(_new(plan, it.row) for it in plan.new_rows())
    movers = [it for it in plan.changed if _moves(plan, it.apply) and wanted[_stored(plan, it.read.pk)]]
    if movers and set(plan.table.natural) <= plan.table.refs.keys():
        names = " and ".join(f"“{it.key}”" for it in movers[:2])
        raise SyncError(f"{plan.table.part}: {names} change places, which takes two imports: first one, then the other.")
    plan.parked = [it.read.pk for it in movers]


def _after(plan: TablePlan, target: Target) -> Iterator[tuple[Nature, str]]:
    """What tells each row from the others once the import is done, and how to name it in a message."""
    changes = {it.read.pk: it.apply for it in plan.changed}
    for pk, row in plan.stored.items():
        nature = _changed(plan, target, pk, changes[pk]) if pk in changes else _stored(plan, pk)
        yield nature, f"“{row.key or row.values.get('name') or row.slug}”"
    for new in plan.new_rows():
        yield _new(plan, new.row), f"“{new.row.source_key or new.row}”"


def _stored(plan: TablePlan, pk: int) -> Nature:
    row = plan.stored[pk]
    return (row.slug,) if plan.table.key_is_slug else tuple(row.values[name] for name in plan.table.natural)


def _changed(plan: TablePlan, target: Target, pk: int, apply: dict[str, Any]) -> Nature:
    if plan.table.key_is_slug:
        return _stored(plan, pk)
    before = plan.stored[pk].values
    return tuple(_place(plan, target, name, apply[name]) if name in apply else before[name] for name in plan.table.natural)


def _place(plan: TablePlan, target: Target, name: str, value: Any) -> Hashable:
    if name not in plan.table.refs:
        return value  # type: ignore[no-any-return]
    found = target(plan.table, name, value)
    return found if isinstance(found, int) else id(found)


def _new(plan: TablePlan, row: Any) -> Nature:
    return tuple(_of(row, name, is_ref=name in plan.table.refs) for name in plan.table.natural)


def _of(row: Any, name: str, *, is_ref: bool) -> Hashable:
    if not is_ref:
        return getattr(row, name)  # type: ignore[no-any-return]
    pk = getattr(row, f"{name}_id")
    return pk if pk is not None else id(getattr(row, name))


def _moves(plan: TablePlan, apply: dict[str, Any]) -> bool:
    return any(name in apply for name in plan.table.natural)


def _own(table: Table) -> str:
    return f"a {table.natural[-1]}" if len(table.natural) == 1 or "name" in table.natural else "its two ends"
