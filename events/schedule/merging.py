"""Two agendas of one person become one: in either order, any number of times, and nothing that was removed comes back.

Every field of a pick only ever moves one way when two are merged (a join of semilattices), so it does not matter who
merges what first.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar


class Mergeable(Protocol):
    def merged(self, other: Self) -> Self: ...


K = TypeVar("K", bound=Hashable)
M = TypeVar("M", bound=Mergeable)

# The strongest first: who must see something on one device does not only maybe want to on the other.
LEVELS = ("must", "maybe", "later")


@dataclass(frozen=True)
class Pick:
    """One event in one agenda; ``removed_at`` is when it was taken out."""

    level: str
    picked_at: dt.datetime
    removed_at: dt.datetime | None = None
    presents: bool = False
    seen_at: dt.datetime | None = None
    visited_at: dt.datetime | None = None
    downloaded_at: dt.datetime | None = None

    def merged(self, other: Pick) -> Pick:
        return Pick(
            level=min(self.level, other.level, key=LEVELS.index),
            picked_at=min(self.picked_at, other.picked_at),
            removed_at=latest(self.removed_at, other.removed_at),
            presents=self.presents or other.presents,
            seen_at=latest(self.seen_at, other.seen_at),
            visited_at=latest(self.visited_at, other.visited_at),
            downloaded_at=latest(self.downloaded_at, other.downloaded_at),
        )


@dataclass(frozen=True)
class Private:
    """One entry of somebody's own; of two versions the later one counts."""

    title: str
    place: str
    start: dt.datetime
    end: dt.datetime
    created_at: dt.datetime
    updated_at: dt.datetime
    sequence: int = 0
    removed_at: dt.datetime | None = None

    def merged(self, other: Private) -> Private:
        # Not by the sequence, which is the higher one's of the two whichever of them is later.
        later = max(self, other, key=lambda it: (it.updated_at, it.title, it.place, it.start, it.end))
        return Private(
            later.title,
            later.place,
            later.start,
            later.end,
            created_at=min(self.created_at, other.created_at),
            updated_at=later.updated_at,
            sequence=max(self.sequence, other.sequence),
            removed_at=latest(self.removed_at, other.removed_at),
        )


def merged(mine: Mapping[K, M], theirs: Mapping[K, M]) -> dict[K, M]:
    """All that either has; what both have is merged one by one."""
    both = {key: value.merged(theirs[key]) for key, value in mine.items() if key in theirs}
    return {**theirs, **mine, **both}


@dataclass(frozen=True)
class Preview:
    """What a merge would do to an agenda, in numbers of picks."""

    new: int
    already: int
    # They have it, we took it out: it stays out.
    removed_here: int
    # We have it, they took it out: it goes.
    removed_there: int


def preview(mine: Mapping[K, Pick], theirs: Mapping[K, Pick]) -> Preview:
    alive = {key for key, pick in theirs.items() if pick.removed_at is None}
    own = {key for key, pick in mine.items() if pick.removed_at is None}
    return Preview(
        new=len(alive - mine.keys()),
        already=len(alive & own),
        removed_here=len((alive & mine.keys()) - own),
        removed_there=len((own & theirs.keys()) - alive),
    )


def latest(a: dt.datetime | None, b: dt.datetime | None) -> dt.datetime | None:
    return max((moment for moment in (a, b) if moment), default=None)
