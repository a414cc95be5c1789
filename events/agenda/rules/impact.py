"""The number of agendas that a planned change affects."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntFlag
from functools import cache
from typing import Any

from events.programme.rules.overlaps import ConflictVerdict, conflict
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import Walks

MIN_SHOWN_COUNT = 5
"""Smaller numbers are not shown: they could identify people."""
SlotsByKey = Mapping[Any, TimeSlot | None]


class ConflictEffect(IntFlag):
    """What a change does to two bookmarks of one agenda; partial overlaps do not count."""

    NONE = 0
    CLASH = 1
    FREED = 2
    LATE = 4
    IN_TIME = 8


@dataclass(frozen=True)
class Impact:
    """Numbers of agendas: with any of the events, with new or resolved clashes, and with walks newly too long or feasible."""

    have: int = 0
    clash: int = 0
    freed: int = 0
    late: int = 0
    in_time: int = 0
    # For each event, how many have it.
    event_counts: tuple[int, ...] = ()

    @property
    def is_small(self) -> bool:
        return self.have < MIN_SHOWN_COUNT

    @property
    def shown_total(self) -> str:
        """``have``, rounded where the exact number would reveal how many have one event and not the other."""
        if 0 < self.have < MIN_SHOWN_COUNT:
            return f"<{MIN_SHOWN_COUNT}"
        gaps = [sum(self.event_counts) - self.have, *(self.have - each for each in self.event_counts)]
        if any(0 < gap < MIN_SHOWN_COUNT for gap in gaps):
            return f"at least {self.have // MIN_SHOWN_COUNT * MIN_SHOWN_COUNT}"
        return str(self.have)

    def shown_count(self, part: int) -> str:
        """``part`` of ``have``, such that neither it nor the rest shows a number below ``MIN_SHOWN_COUNT``."""
        rest = self.have - part
        if part == 0:
            return "0"
        if part < MIN_SHOWN_COUNT:
            return f"<{MIN_SHOWN_COUNT}"
        return "all" if rest == 0 else f"all but <{MIN_SHOWN_COUNT}" if rest < MIN_SHOWN_COUNT else str(part)


def impact(
    before: SlotsByKey, after: SlotsByKey, events: Collection[Hashable], agendas: Iterable[Collection[Hashable]], walks: Walks
) -> Impact:
    """Each agenda is a collection of bookmarked keys; ``before`` and ``after`` are None for events that are not public.

    Only conflicts of a moved slot can appear or disappear, so no others are computed.
    """
    effect = _effects(before, after, walks)
    moved = {key for key in after.keys() | before.keys() if before.get(key) != after.get(key)}
    have, each, counts = 0, dict.fromkeys(events, 0), dict.fromkeys(ConflictEffect, 0)
    for agenda in agendas:
        affected = each.keys() & agenda
        if not affected:
            continue
        have += 1
        for key in affected:
            each[key] += 1
        for one in _effect_on(agenda, moved, effect):
            counts[one] += 1
    return Impact(
        have=have,
        clash=counts[ConflictEffect.CLASH],
        freed=counts[ConflictEffect.FREED],
        late=counts[ConflictEffect.LATE],
        in_time=counts[ConflictEffect.IN_TIME],
        event_counts=tuple(each.values()),
    )


def _effect_on(
    agenda: Collection[Hashable], moved: Collection[Hashable], effect: Callable[..., ConflictEffect]
) -> ConflictEffect:
    found = ConflictEffect.NONE
    for key in agenda:
        if key in moved:
            for other in agenda:
                if here := effect(key, other):
                    found |= here
    return found


def _effects(before: SlotsByKey, after: SlotsByKey, walks: Walks) -> Callable[[Hashable, Hashable], ConflictEffect]:
    """The effect on two keys; equal pairs of slots are computed once, because hundreds of posters share their hours."""
    shapes: dict[tuple[TimeSlot | None, TimeSlot | None], int] = {}
    shape_of = {
        key: shapes.setdefault((_shape(before.get(key)), _shape(after.get(key))), len(shapes))
        for key in before.keys() | after.keys()
    }
    by_number = list(shapes)

    @cache
    def of_shapes(one: int, other: int, within: bool, will_be_within: bool) -> ConflictEffect:
        (a, new_a), (b, new_b) = by_number[one], by_number[other]
        was = None if within else _verdict(a, b, walks)
        return _effect(was, None if will_be_within else _verdict(new_a, new_b, walks))

    def effect(one: Hashable, other: Hashable) -> ConflictEffect:
        if one == other or one not in shape_of or other not in shape_of:
            return ConflictEffect.NONE
        return of_shapes(shape_of[one], shape_of[other], _is_part(before, one, other), _is_part(after, one, other))

    return effect


def _shape(slot: TimeSlot | None) -> TimeSlot | None:
    return slot and replace(slot, key=None, parent=None)


def _is_part(slots: SlotsByKey, one: Hashable, other: Hashable) -> bool:
    a, b = slots.get(one), slots.get(other)
    return a is not None and b is not None and (a.parent == other or b.parent == one)


def _verdict(a: TimeSlot | None, b: TimeSlot | None, walks: Walks) -> ConflictVerdict | None:
    found = conflict(replace(a, key="one"), replace(b, key="other"), walks) if a and b else None
    return found.verdict if found else None


def _effect(was: ConflictVerdict | None, will: ConflictVerdict | None) -> ConflictEffect:
    if was is will:
        return ConflictEffect.NONE
    found = ConflictEffect.NONE
    if will is ConflictVerdict.CLASH:
        found |= ConflictEffect.CLASH
    if was is ConflictVerdict.CLASH:
        found |= ConflictEffect.FREED
    if will is ConflictVerdict.TIGHT:
        found |= ConflictEffect.LATE
    if was is ConflictVerdict.TIGHT and will is not ConflictVerdict.CLASH:
        found |= ConflictEffect.IN_TIME
    return found
