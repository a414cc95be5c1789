"""Merging two agendas of one person: in either order, any number of times, and nothing that was removed returns.

Each field moves in one direction only (a join of semilattices), so the order of merges does not matter.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, Self, TypeVar


class Mergeable(Protocol):
    def merged(self, other: Self) -> Self: ...


K = TypeVar("K", bound=Hashable)
M = TypeVar("M", bound=Mergeable)

# The strongest first: a must on one device wins over a maybe on the other.
LEVELS_STRONGEST_FIRST = ("must", "maybe", "later")


@dataclass(frozen=True)
class MergeableBookmark:
    """One event in one agenda."""

    level: str
    bookmarked_at: dt.datetime
    removed_at: dt.datetime | None = None
    presents: bool = False
    # When it was decided changes nothing that a visitor sees.
    decided_at: dt.datetime | None = field(default=None, compare=False)
    seen_at: dt.datetime | None = None
    visited_at: dt.datetime | None = None
    downloaded_at: dt.datetime | None = None

    def merged(self, other: MergeableBookmark) -> MergeableBookmark:
        return MergeableBookmark(
            level=min(self.level, other.level, key=LEVELS_STRONGEST_FIRST.index),
            bookmarked_at=min(self.bookmarked_at, other.bookmarked_at),
            removed_at=latest(self.removed_at, other.removed_at),
            presents=self.presents or other.presents,
            decided_at=latest(self.decided_at, other.decided_at),
            seen_at=latest(self.seen_at, other.seen_at),
            visited_at=latest(self.visited_at, other.visited_at),
            downloaded_at=latest(self.downloaded_at, other.downloaded_at),
        )


@dataclass(frozen=True)
class MergeableEntry:
    """One private entry; of two versions the later one counts."""

    title: str
    place: str
    start: dt.datetime
    end: dt.datetime
    created_at: dt.datetime
    updated_at: dt.datetime
    sequence: int = 0
    removed_at: dt.datetime | None = None

    def merged(self, other: MergeableEntry) -> MergeableEntry:
        # Not compared by sequence, which is the higher of the two whichever version is later.
        later = max(self, other, key=lambda it: (it.updated_at, it.title, it.place, it.start, it.end))
        return MergeableEntry(
            later.title,
            later.place,
            later.start,
            later.end,
            created_at=min(self.created_at, other.created_at),
            updated_at=later.updated_at,
            sequence=max(self.sequence, other.sequence),
            removed_at=latest(self.removed_at, other.removed_at),
        )


def merged_notes(mine: tuple[dt.datetime, str], theirs: tuple[dt.datetime, str]) -> tuple[dt.datetime, str]:
    """The time and text of two notes about one event; a text that is part of the other is not repeated."""
    (_, earlier), (changed_at, later) = sorted([mine, theirs])
    if earlier in later:
        return changed_at, later
    return changed_at, earlier if later in earlier else f"{earlier}\n\n{later}"


def merge_by_key(mine: Mapping[K, M], theirs: Mapping[K, M]) -> dict[K, M]:
    both = {key: value.merged(theirs[key]) for key, value in mine.items() if key in theirs}
    return {**theirs, **mine, **both}


@dataclass(frozen=True)
class MergePreview:
    """The effect of a merge on an agenda, in numbers of bookmarks."""

    new: int
    already: int
    # They have it, we removed it: it stays removed.
    removed_here: int
    # We have it, they removed it: it is removed here too.
    removed_there: int


def preview_merge(mine: Mapping[K, MergeableBookmark], theirs: Mapping[K, MergeableBookmark]) -> MergePreview:
    alive = {key for key, bookmark in theirs.items() if bookmark.removed_at is None}
    ours = {key for key, bookmark in mine.items() if bookmark.removed_at is None}
    return MergePreview(
        new=len(alive - mine.keys()),
        already=len(alive & ours),
        removed_here=len((alive & mine.keys()) - ours),
        removed_there=len((ours & theirs.keys()) - alive),
    )


def latest(a: dt.datetime | None, b: dt.datetime | None) -> dt.datetime | None:
    return max((moment for moment in (a, b) if moment), default=None)
