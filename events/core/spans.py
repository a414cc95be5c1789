"""Time spans, half-open as [start, end) and in UTC."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import NamedTuple, Protocol, TypeVar

ONE_MINUTE = dt.timedelta(minutes=1)
ONE_DAY = dt.timedelta(days=1)
NO_TIME = dt.timedelta()


class Span(NamedTuple):
    start: dt.datetime
    end: dt.datetime

    @classmethod
    def from_times(cls, start: dt.datetime | None, end: dt.datetime | None) -> Span | None:
        """Return None unless both are known and the end is after the start."""
        if start is None or end is None:
            return None
        span = cls(utc(start), utc(end))
        return span if span.start < span.end else None

    @property
    def length(self) -> dt.timedelta:
        return self.end - self.start

    def shared_with(self, other: Span) -> Span | None:
        return Span.from_times(max(self.start, other.start), min(self.end, other.end))


class Spanned(Protocol):
    @property
    def span(self) -> Span | None: ...


S = TypeVar("S", bound=Spanned)


def utc(instant: dt.datetime) -> dt.datetime:
    # Python compares and subtracts two datetimes of one zone by wall clock: an hour off if the clocks change in between.
    if instant.utcoffset() is None:
        raise ValueError(f"{instant} names no time zone")
    return instant.astimezone(dt.UTC)


def whole_minutes(length: dt.timedelta) -> int:
    """Return minutes, rounded up, so that no conflict lasts 0 minutes."""
    return -(-length // ONE_MINUTE)


def spoken_duration(length: dt.timedelta | float) -> str:
    """Return a length (or minutes) in words, without sign: "45 min", "1 h 30 min"."""
    minutes = abs(round(length / ONE_MINUTE if isinstance(length, dt.timedelta) else length))
    hours, rest = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [f"{days} d" if days else "", f"{hours} h" if hours else "", f"{rest} min" if rest or not minutes else ""]
    return " ".join(filter(None, parts))


def merge_spans(spans: Iterable[tuple[dt.datetime, dt.datetime]]) -> list[Span]:
    joined: list[Span] = []
    for span in sorted(span for pair in spans if (span := Span.from_times(*pair))):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined


def subtract_spans(span: Span, taken: Iterable[tuple[dt.datetime, dt.datetime]]) -> list[Span]:
    free: list[Span] = []
    start = span.start
    for busy in [*merge_spans(taken), Span(span.end, span.end)]:
        if gap := Span.from_times(start, min(busy.start, span.end)):
            free.append(gap)
        start = max(start, busy.end)
    return free


def sort_by_span(items: Iterable[S]) -> list[tuple[Span, S]]:
    return sorted(((span, item) for item in items if (span := item.span)), key=itemgetter(0))


def close_pairs(items: Iterable[S], reach: dt.timedelta = NO_TIME) -> Iterator[tuple[S, S]]:
    """Yield every pair that overlaps or is less than ``reach`` apart, the earlier first, by a sweep over time."""
    recent: list[tuple[dt.datetime, S]] = []
    for span, item in sort_by_span(items):
        recent = [(end, earlier) for end, earlier in recent if end + reach > span.start]
        yield from ((earlier, item) for _, earlier in recent)
        recent.append((span.end, item))
