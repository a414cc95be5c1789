"""What moving events does to those who picked them: counted, never named."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntFlag
from functools import cache
from typing import Any

from events.schedule.overlaps import Verdict, conflict
from events.schedule.slots import Slot
from events.schedule.walking import Walks

FEW = 5
"""Of fewer people than these nothing is told: they could be known by it."""
Slots = Mapping[Any, Slot | None]


class Effect(IntFlag):
    """What a move does to two picks of one agenda; missing a part of a workshop is none of it."""

    NONE = 0
    CLASH = 1
    FREED = 2
    LATE = 4
    IN_TIME = 8


@dataclass(frozen=True)
class Impact:
    """Agendas: how many have any of the events, get or lose a clash, and are late on foot or no longer so."""

    have: int = 0
    clash: int = 0
    freed: int = 0
    late: int = 0
    in_time: int = 0
    # For each event, how many have it.
    each: tuple[int, ...] = ()

    @property
    def is_small(self) -> bool:
        return self.have < FEW

    @property
    def have_told(self) -> str:
        """How many have any of them; not so exactly that a few who have one and not the other could be worked out."""
        if 0 < self.have < FEW:
            return f"<{FEW}"
        gaps = [sum(self.each) - self.have, *(self.have - each for each in self.each)]
        if any(0 < gap < FEW for gap in gaps):
            return f"at least {self.have // FEW * FEW}"
        return str(self.have)

    def told(self, part: int) -> str:
        """A number of those who have it as organisers read it: neither it nor the rest is fewer than a few."""
        rest = self.have - part
        if part == 0:
            return "0"
        if part < FEW:
            return f"<{FEW}"
        return "all" if rest == 0 else f"all but <{FEW}" if rest < FEW else str(part)


def impact(
    before: Slots, after: Slots, events: Collection[Hashable], agendas: Iterable[Collection[Hashable]], walks: Walks
) -> Impact:
    """Count over agendas, each the keys of what is picked; `before` and `after` are None for what nobody sees.

    Only conflicts that a moved slot is part of can come or go, so nothing else is looked at.
    """
    effect = _effects(before, after, walks)
    moved = {key for key in after.keys() | before.keys() if before.get(key) != after.get(key)}
    have, each, counts = 0, dict.fromkeys(events, 0), dict.fromkeys(Effect, 0)
    for agenda in agendas:
        held = each.keys() & agenda
        if not held:
            continue
        have += 1
        for key in held:
            each[key] += 1
        for one in _effect_on(agenda, moved, effect):
            counts[one] += 1
    return Impact(
        have=have,
        clash=counts[Effect.CLASH],
        freed=counts[Effect.FREED],
        late=counts[Effect.LATE],
        in_time=counts[Effect.IN_TIME],
        each=tuple(each.values()),
    )


def _effect_on(agenda: Collection[Hashable], moved: Collection[Hashable], effect: Callable[..., Effect]) -> Effect:
    found = Effect.NONE
    for key in agenda:
        if key in moved:
            for other in agenda:
                if here := effect(key, other):
                    found |= here
    return found


def _effects(before: Slots, after: Slots, walks: Walks) -> Callable[[Hashable, Hashable], Effect]:
    """What comes of two picks; hundreds of posters hang at the same hours, and are worked out once."""
    shapes: dict[tuple[Slot | None, Slot | None], int] = {}
    shape_of = {
        key: shapes.setdefault((_shape(before.get(key)), _shape(after.get(key))), len(shapes))
        for key in before.keys() | after.keys()
    }
    by_number = list(shapes)

    @cache
    def of_shapes(one: int, other: int, within: bool, will_be_within: bool) -> Effect:
        (a, new_a), (b, new_b) = by_number[one], by_number[other]
        was = None if within else _verdict(a, b, walks)
        return _effect(was, None if will_be_within else _verdict(new_a, new_b, walks))

    def effect(one: Hashable, other: Hashable) -> Effect:
        if one == other or one not in shape_of or other not in shape_of:
            return Effect.NONE
        return of_shapes(shape_of[one], shape_of[other], _within(before, one, other), _within(after, one, other))

    return effect


def _shape(slot: Slot | None) -> Slot | None:
    return slot and replace(slot, key=None, parent=None)


def _within(slots: Slots, one: Hashable, other: Hashable) -> bool:
    """Whether one is part of the other, which never stands in its way."""
    a, b = slots.get(one), slots.get(other)
    return a is not None and b is not None and (a.parent == other or b.parent == one)


def _verdict(a: Slot | None, b: Slot | None, walks: Walks) -> Verdict | None:
    found = conflict(replace(a, key="one"), replace(b, key="other"), walks) if a and b else None
    return found.verdict if found else None


def _effect(was: Verdict | None, will: Verdict | None) -> Effect:
    if was is will:
        return Effect.NONE
    found = Effect.NONE
    if will is Verdict.CLASH:
        found |= Effect.CLASH
    if was is Verdict.CLASH:
        found |= Effect.FREED
    if will is Verdict.TIGHT:
        found |= Effect.LATE
    if was is Verdict.TIGHT and will is not Verdict.CLASH:
        found |= Effect.IN_TIME
    return found
