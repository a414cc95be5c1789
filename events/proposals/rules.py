"""Possible duplicates among gatherings: similar title, same day, same time or place."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from events.core.spans import Span

MIN_LIKENESS = 0.5
"""Jaccard index of trigrams, from 0 to 1."""
STOP_WORDS = frozenset("a an and at by for from in of on the to with".split())


@dataclass(frozen=True)
class Gathering:
    """``words`` and ``place`` are folded as for search: without case, accents and punctuation."""

    key: Hashable
    words: tuple[str, ...]
    date: dt.date | None = None
    span: Span | None = None
    place: tuple[str, ...] = ()


def duplicates(new: Gathering, known: Iterable[Gathering]) -> list[Gathering]:
    """The most similar first."""
    alike = [(likeness(new.words, it.words), it) for it in known if it.key != new.key and may_be_duplicates(new, it)]
    return [it for _, it in sorted(alike, key=lambda pair: -pair[0])]


def may_be_duplicates(one: Gathering, other: Gathering) -> bool:
    """An unknown day or time counts as the same."""
    if likeness(one.words, other.words) < MIN_LIKENESS:
        return False
    if one.date and other.date and one.date != other.date:
        return False
    if one.span is None or other.span is None or one.span.shared_with(other.span):
        return True
    return likeness(one.place, other.place) >= MIN_LIKENESS


def likeness(one: Sequence[str], other: Sequence[str]) -> float:
    """From 0 to 1, whatever the order of the words, and whether they are written together; 0 if one is empty."""
    first, second = _without_stop_words(one), _without_stop_words(other)
    apart = _jaccard_index(_trigrams(first), _trigrams(second))
    together = _jaccard_index(_trigrams(["".join(first)]), _trigrams(["".join(second)]))
    return max(apart, together)


def _without_stop_words(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in STOP_WORDS] or list(words)


def _trigrams(words: Sequence[str]) -> set[str]:
    """Words are padded with two spaces before and one after, so that beginnings weigh more."""
    return {padded[at : at + 3] for word in words if word for padded in [f"  {word} "] for at in range(len(padded) - 2)}


def _jaccard_index(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0
