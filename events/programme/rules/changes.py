"""Several changes of a field as one, and the new conflicts of a moved event with other bookmarks."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from events.programme.rules.overlaps import Conflict, conflict
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import Walks

MESSAGE_FIELD = "message"
"""Of a change without an old value: what organisers tell everybody who has the event. Each stands for itself."""


@dataclass(frozen=True)
class FieldChange:
    key: Hashable
    field: str
    old: str
    new: str
    at: dt.datetime
    reason: str = ""


@dataclass(frozen=True)
class RecordedChange:
    """A change that attendees can read from now on, and when its event starts after it."""

    field: str
    old: str
    new: str
    at: dt.datetime
    start: dt.datetime | None


@dataclass(frozen=True)
class NetChange:
    """Several changes of one field as one: first old value, last new value, last reason given."""

    field: str
    old: str
    new: str
    at: dt.datetime
    reason: str = ""


def net_changes(steps: Iterable[FieldChange], since: Mapping[Hashable, dt.datetime]) -> dict[Hashable, list[NetChange]]:
    """Return by key the fields that differ from their value at the time in ``since``; only for keys in ``since``.

    ``steps`` are in the order in which they happened. A change that was undone is left out.
    """
    merged: dict[tuple[Hashable, str, object], NetChange] = {}
    for step in steps:
        if step.key not in since or step.at <= since[step.key]:
            continue
        place = (step.key, step.field, step.at if step.field == MESSAGE_FIELD else None)
        before = merged.get(place)
        reason = step.reason or (before.reason if before else "")
        merged[place] = NetChange(step.field, before.old if before else step.old, step.new, step.at, reason)
    by_key: dict[Hashable, list[NetChange]] = {}
    for (key, *_), change in merged.items():
        if change.old != change.new:
            by_key.setdefault(key, []).append(change)
    return by_key


@dataclass(frozen=True)
class Consequence:
    """A conflict with another bookmark that a move creates (``new``) or resolves."""

    other: Hashable
    conflict: Conflict
    new: bool


def consequences(
    before: TimeSlot, after: TimeSlot, others: Iterable[tuple[TimeSlot, TimeSlot]], walks: Walks
) -> list[Consequence]:
    """Return conflicts that are there only after the changes, and those that were there only before, in the order of ``others``.

    Each of the others may have changed as well: it is given before and after. A conflict with another verdict counts as new.
    """
    differing = []
    for other_before, other in others:
        was, now = conflict(before, other_before, walks), conflict(after, other, walks)
        if now and (was is None or was.verdict is not now.verdict):
            differing.append(Consequence(other.key, now, new=True))
        elif was and now is None:
            differing.append(Consequence(other.key, was, new=False))
    return differing
