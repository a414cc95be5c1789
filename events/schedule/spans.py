"""Stretches of time, half-open as [start, end) and kept in UTC."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import NamedTuple, Protocol, TypeVar

MINUTE = dt.timedelta(minutes=1)
NO_TIME = dt.timedelta()


class Span(NamedTuple):
    start: dt.datetime
    end: dt.datetime

    @classmethod
    def of(cls, start: dt.datetime | None, end: dt.datetime | None) -> Span | None:
        """Span two instants; None unless both are known and time passes between them."""
        if start is None or end is None:
            return None
        span = cls(utc(start), utc(end))
        return span if span.start < span.end else None

    @property
    def length(self) -> dt.timedelta:
        return self.end - self.start

    def shared_with(self, other: Span) -> Span | None:
        return Span.of(max(self.start, other.start), min(self.end, other.end))


class Spanned(Protocol):
    @property
    def span(self) -> Span | None: ...


S = TypeVar("S", bound=Spanned)


def utc(instant: dt.datetime) -> dt.datetime:
    # Two datetimes of one zone compare and subtract by their wall clocks: an hour off when the clocks change in between.
    if instant.utcoffset() is None:
        raise ValueError(f"{instant} names no time zone")
    return instant.astimezone(dt.UTC)


def whole_minutes(length: dt.timedelta) -> int:
    """Count minutes; one that has begun counts, so that no conflict ever lasts 0 minutes."""
    return -(-length // MINUTE)


def spoken(length: dt.timedelta | float) -> str:
    """A length (or minutes) as people say it, without its sign: "45 min", "1 h 30 min"."""
    minutes = abs(round(length / MINUTE if isinstance(length, dt.timedelta) else length))
    hours, rest = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [f"{days} d" if days else "", f"{hours} h" if hours else "", f"{rest} min" if rest or not minutes else ""]
    return " ".join(filter(None, parts))


def merged(spans: Iterable[tuple[dt.datetime, dt.datetime]]) -> list[Span]:
    """Join spans that overlap or touch, in order of time."""
    joined: list[Span] = []
    for span in sorted(span for pair in spans if (span := Span.of(*pair))):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined


def without(span: Span, taken: Iterable[tuple[dt.datetime, dt.datetime]]) -> list[Span]:
    """What is left of it, in order of time."""
    left: list[Span] = []
    start = span.start
    for it in [*merged(taken), Span(span.end, span.end)]:
        if piece := Span.of(start, min(it.start, span.end)):
            left.append(piece)
        start = max(start, it.end)
    return left


def in_order(items: Iterable[S]) -> list[tuple[Span, S]]:
    """Sort by start, then end; what has no time is left out."""
    return sorted(((span, item) for item in items if (span := item.span)), key=itemgetter(0))


def close_pairs(items: Iterable[S], reach: dt.timedelta = NO_TIME) -> Iterator[tuple[S, S]]:
    """Sweep over time for every pair, the earlier first, that overlaps or lies less than `reach` apart."""
    recent: list[tuple[dt.datetime, S]] = []
    for span, item in in_order(items):
        recent = [(end, earlier) for end, earlier in recent if end + reach > span.start]
        yield from ((earlier, item) for _, earlier in recent)
        recent.append((span.end, item))
