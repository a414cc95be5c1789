"""Whether two gatherings are one that was sent in twice: by what they are called, when they are and where."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from events.schedule.spans import Span

LIKE = 0.5
"""Of all three letters in a row that stand in either, how many stand in both."""
SAY_NOTHING = frozenset("a an and at by for from in of on the to with".split())


@dataclass(frozen=True)
class Gathering:
    """``words`` and ``place`` as they are folded for search: without case, accents and punctuation."""

    key: Hashable
    words: tuple[str, ...]
    date: dt.date | None = None
    span: Span | None = None
    place: tuple[str, ...] = ()


def duplicates(new: Gathering, known: Iterable[Gathering]) -> list[Gathering]:
    """What may be the same as ``new``, the likest first; of two alike the one that was known first."""
    alike = [(likeness(new.words, it.words), it) for it in known if it.key != new.key and may_be_one(new, it)]
    return [it for _, it in sorted(alike, key=lambda pair: -pair[0])]


def may_be_one(one: Gathering, other: Gathering) -> bool:
    """Called alike, on one day, and at one time or in one place. What is not known yet may be the same."""
    if likeness(one.words, other.words) < LIKE:
        return False
    if one.date and other.date and one.date != other.date:
        return False
    if one.span is None or other.span is None or one.span.shared_with(other.span):
        return True
    return likeness(one.place, other.place) >= LIKE


def likeness(one: Sequence[str], other: Sequence[str]) -> float:
    """From 0 to 1. The order of the words does not count, nor whether they are written together; nothing is like nothing."""
    first, second = _telling(one), _telling(other)
    apart = _shared(_threes(first), _threes(second))
    together = _shared(_threes(["".join(first)]), _threes(["".join(second)]))
    return max(apart, together)


def _telling(words: Sequence[str]) -> list[str]:
    """Without the words that every name has, unless it has no other."""
    return [it for it in words if it not in SAY_NOTHING] or list(words)


def _threes(words: Sequence[str]) -> set[str]:
    """Three letters in a row, of each word with its edges, so that beginnings weigh more."""
    return {padded[at : at + 3] for word in words if word for padded in [f"  {word} "] for at in range(len(padded) - 2)}


def _shared(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0
