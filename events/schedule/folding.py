"""What is different since somebody looked, told from the steps in between."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass

from events.schedule.overlaps import Conflict, conflict
from events.schedule.slots import Slot
from events.schedule.walking import Walks


@dataclass(frozen=True)
class Step:
    """One field of one thing changed once."""

    key: Hashable
    field: str
    old: str
    new: str
    at: dt.datetime
    reason: str = ""


@dataclass(frozen=True)
class Fold:
    """Several steps of one field as one: what it was first, what it is at last, and the last reason that was given."""

    field: str
    old: str
    new: str
    at: dt.datetime
    reason: str = ""


def folded(steps: Iterable[Step], since: Mapping[Hashable, dt.datetime]) -> dict[Hashable, list[Fold]]:
    """For each thing, by field, what differs from how it was at its moment in ``since``.

    ``steps`` in the order in which they happened. A way there and back is nothing; what is not in ``since`` is nobody's.
    """
    found: dict[tuple[Hashable, str], Fold] = {}
    for step in steps:
        if step.key not in since or step.at <= since[step.key]:
            continue
        before = found.get((step.key, step.field))
        reason = step.reason or (before.reason if before else "")
        found[step.key, step.field] = Fold(step.field, before.old if before else step.old, step.new, step.at, reason)
    told: dict[Hashable, list[Fold]] = {}
    for (key, _), fold in found.items():
        if fold.old != fold.new:
            told.setdefault(key, []).append(fold)
    return told


@dataclass(frozen=True)
class Consequence:
    """What a move does to one other pick: a conflict that was not there, or one that is gone."""

    other: Hashable
    conflict: Conflict
    new: bool


def consequences(before: Slot, after: Slot, others: Collection[Slot], walks: Walks) -> list[Consequence]:
    """Conflicts of ``after`` that ``before`` did not have, and those of ``before`` that are over; by the others' order.

    A conflict that only got better or worse is told as the new one it is.
    """
    told = []
    for other in others:
        was, now = conflict(before, other, walks), conflict(after, other, walks)
        if now and (was is None or was.verdict is not now.verdict):
            told.append(Consequence(other.key, now, new=True))
        elif was and now is None:
            told.append(Consequence(other.key, was, new=False))
    return told
