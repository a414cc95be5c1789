"""A programme in order: by day, and by the time at which things start."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import TypeVar

from events.schedule.spans import utc

T = TypeVar("T")
D = TypeVar("D", bound=dt.date)


def by_day(items: Iterable[T], day: Callable[[T], dt.date | None] = attrgetter("day")) -> list[tuple[dt.date | None, list[T]]]:
    """Group by day; what has none yet comes last, under None."""
    return _grouped((day(item), item) for item in items)


def by_start(
    items: Iterable[T], start: Callable[[T], dt.datetime | None] = attrgetter("start")
) -> list[tuple[dt.datetime | None, list[T]]]:
    """Group what starts at the same instant; what is to be announced comes last, under None."""
    starts = ((start(item), item) for item in items)
    return _grouped((begins and utc(begins), item) for begins, item in starts)


def _grouped(pairs: Iterable[tuple[D | None, T]]) -> list[tuple[D | None, list[T]]]:
    groups: dict[D | None, list[T]] = {}
    for key, item in pairs:
        groups.setdefault(key, []).append(item)
    known = sorted(key for key in groups if key is not None)
    return [(key, groups[key]) for key in (*known, None) if key in groups]
