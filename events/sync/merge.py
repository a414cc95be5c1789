"""Three values per field: what the file said last, what it says now, what the row says. Whose word counts?"""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass, field
from typing import Any

EMPTY: tuple[Any, ...] = ("", None, False, 0, [])


def as_json(value: Any) -> Any:
    """A field's value as it is remembered between imports."""
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat(timespec="seconds")
    return value.isoformat() if isinstance(value, dt.date) else str(value) if isinstance(value, uuid.UUID) else value


@dataclass
class Merge:
    """The outcome for one row: ``apply`` what the file changed, ``kept`` what an organiser's hand protects (mine, theirs)."""

    apply: dict[str, Any] = field(default_factory=dict)
    kept: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    remembered: dict[str, Any] = field(default_factory=dict)


def merge(last: dict[str, Any], now: dict[str, Any], row: dict[str, Any]) -> Merge:
    """Take from the file what it changed, unless the row was changed by hand since.

    What the file has never said, an organiser may fill in without a quarrel.
    """
    outcome = Merge(remembered={name: as_json(value) for name, value in now.items()})
    for name, new in outcome.remembered.items():
        current = as_json(row[name])
        if current == new:
            continue
        by_hand = current != last[name] if name in last else current not in EMPTY
        if not by_hand:
            if name not in last or new != last[name]:
                outcome.apply[name] = now[name]
        elif new not in EMPTY or last.get(name) not in EMPTY:
            outcome.kept[name] = (row[name], now[name])
    return outcome
