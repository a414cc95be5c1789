"""The three-way merge: last import, new file, current row."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from events.core.parsing.cells import with_line_feeds

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


def three_way_merge(
    last: Mapping[str, Any], new: Mapping[str, Any], current: Mapping[str, Any], together: Sequence[Sequence[str]] = ()
) -> MergeResult:
    """Apply what changed in the file, unless it was edited by hand since the last import.

    A field that was always empty in the file may be filled in by hand: this is not reported as a conflict. The fields of each
    group of ``together`` are one value, such as day, start and end: of a conflict all stay, so that no mixture is stored.
    """
    result = MergeResult(remembered={name: _as_compared(value) for name, value in new.items()})
    in_row = {name: _as_compared(current[name]) for name in new}
    last = {name: _as_compared(value) for name, value in last.items()}
    for names in _groups(new, together):
        differing = [name for name in names if in_row[name] != result.remembered[name]]
        if any(_is_by_hand(name, last, in_row, result.remembered) for name in names):
            told = (name for name in differing if _is_told(name, last, result.remembered))
            result.protected |= {name: (current[name], new[name]) for name in told}
        else:
            result.apply |= {name: new[name] for name in differing}
    return result


def _as_compared(value: Any) -> Any:
    """Texts that forms stored in former releases have line ends of two characters."""
    return with_line_feeds(value) if isinstance(value, str) else as_json(value)


def _groups(new: Mapping[str, Any], together: Sequence[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Yield each group that is in the file where its first field is, and all other fields alone."""
    group_of = {name: group for group in together for name in group}
    done: set[str] = set()
    for name in new:
        if name not in done:
            names = [it for it in group_of.get(name, (name,)) if it in new]
            done.update(names)
            yield names


def _is_by_hand(name: str, last: Mapping[str, Any], in_row: Mapping[str, Any], in_file: Mapping[str, Any]) -> bool:
    if name in last:
        return bool(in_row[name] != last[name])
    # A file that says nothing of it (None) does not change a “no” here.
    return in_row[name] != in_file[name] and (in_row[name] not in EMPTY_VALUES or in_file[name] is None)


def _is_told(name: str, last: Mapping[str, Any], in_file: Mapping[str, Any]) -> bool:
    return in_file[name] not in EMPTY_VALUES or last.get(name) not in EMPTY_VALUES
