"""The three-way merge: last import, new file, current row."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass, field
from typing import Any

EMPTY_VALUES: tuple[Any, ...] = ("", None, False, 0, [])


def as_json(value: Any) -> Any:
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat(timespec="seconds")
    return value.isoformat() if isinstance(value, dt.date) else str(value) if isinstance(value, uuid.UUID) else value


@dataclass
class MergeResult:
    """``apply`` has what changed in the file, ``protected`` what was edited by hand (current value, value in the file)."""

    apply: dict[str, Any] = field(default_factory=dict)
    protected: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    remembered: dict[str, Any] = field(default_factory=dict)


def three_way_merge(last: dict[str, Any], new: dict[str, Any], current: dict[str, Any]) -> MergeResult:
    """Apply a field that changed in the file, unless it was edited by hand since the last import.

    A field that was always empty in the file may be filled in by hand: this is not reported as a conflict.
    """
    result = MergeResult(remembered={name: as_json(value) for name, value in new.items()})
    for name, in_file in result.remembered.items():
        in_row = as_json(current[name])
        if in_row == in_file:
            continue
        by_hand = in_row != last[name] if name in last else in_row not in EMPTY_VALUES
        if not by_hand:
            if name not in last or in_file != last[name]:
                result.apply[name] = new[name]
        elif in_file not in EMPTY_VALUES or last.get(name) not in EMPTY_VALUES:
            result.protected[name] = (current[name], new[name])
    return result
