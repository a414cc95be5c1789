"""Order and groups on the pages of a day: poster boards, days, starts; and opening hours."""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TypeVar
from zoneinfo import ZoneInfo

from events.core.clock import DAY_CHANGE
from events.core.spans import ONE_DAY, merge_spans, spoken_duration, utc, whole_minutes

_DIGITS_PATTERN = re.compile(r"([0-9]+)")


def board_key(text: str) -> tuple[bool, tuple[str | tuple[int, str], ...]]:
    """Sort "#9" before "#10", and no board last."""
    text = text.strip().lstrip("# ").casefold()
    # The split alternates text and numbers, so text is compared with text and numbers with numbers.
    parts = tuple(_number_key(part) if index % 2 else part for index, part in enumerate(_DIGITS_PATTERN.split(text)))
    return not text, parts


def board_text(text: str) -> str:
    """Write "#9" as "Board 9"; empty for no board."""
    number = text.strip().lstrip("# ")
    return number if not number or number.casefold().startswith("board") else f"Board {number}"


def share_text(length: dt.timedelta, count: int) -> str:
    """Return the time for each of ``count``, rounded down: "15 s", "3 min 30 s", "12 min"."""
    seconds = int(length.total_seconds()) // max(count, 1)
    if seconds < 60:
        return f"{max(seconds, 1)} s"
    if seconds < 600 and seconds % 60 >= 30:
        return f"{seconds // 60} min 30 s"
    return spoken_duration(seconds // 60)


def _number_key(digits: str) -> tuple[int, str]:
    # Without leading zeros the longer number is the larger. int() refuses thousands of digits.
    digits = digits.lstrip("0")
    return len(digits), digits


T = TypeVar("T")
D = TypeVar("D", bound=dt.date)


def by_day(items: Iterable[T], day: Callable[[T], dt.date | None] = attrgetter("day")) -> list[tuple[dt.date | None, list[T]]]:
    """Group by day; items without one come last, under None."""
    return _grouped((day(item), item) for item in items)


def is_of_date(day: dt.date | None, end: dt.datetime | None, date: dt.date | None, zone: ZoneInfo) -> bool:
    """Whether what is listed under ``day`` is of that date, or lasts into it from an earlier one."""
    if day == date or day is None or date is None or end is None:
        return day == date
    return day < date and end > dt.datetime.combine(date, DAY_CHANGE, zone)


def by_start(
    items: Iterable[T], start: Callable[[T], dt.datetime | None] = attrgetter("start")
) -> list[tuple[dt.datetime | None, list[T]]]:
    starts = ((start(item), item) for item in items)
    return _grouped((instant and utc(instant), item) for instant, item in starts)


def hour_of(start: dt.datetime | None, zone: ZoneInfo) -> dt.datetime | None:
    """The full hour at or before ``start`` on the clocks of ``zone``."""
    return utc(start.astimezone(zone).replace(minute=0, second=0, microsecond=0)) if start else None


def spine_mark(start: dt.datetime, marks: Sequence[dt.datetime], zone: ZoneInfo) -> dt.datetime:
    """The last of the sorted ``marks`` that is not after ``start``, or its full hour if that is later."""
    place = bisect_right(marks, start)
    hour = hour_of(start, zone) or start
    return max(marks[place - 1], hour) if place else hour


def pages_of_hours(hours: Sequence[dt.datetime | None], size: int) -> list[slice]:
    """Cut what is in order into pages of whole hours, as many as fit; an hour of more than ``size`` begins a page."""
    pages, begin, end = [], 0, 0
    for stop in range(1, len(hours) + 1):
        if stop < len(hours) and hours[stop] == hours[stop - 1]:
            continue
        if stop - begin > size and end > begin:
            pages.append(slice(begin, end))
            begin = end
        while stop - begin > size:
            pages.append(slice(begin, begin + size))
            begin += size
        end = stop
    return [*pages, slice(begin, len(hours))] if hours else []


def _grouped(pairs: Iterable[tuple[D | None, T]]) -> list[tuple[D | None, list[T]]]:
    groups: dict[D | None, list[T]] = {}
    for key, item in pairs:
        groups.setdefault(key, []).append(item)
    known = sorted(key for key in groups if key is not None)
    return [(key, groups[key]) for key in (*known, None) if key in groups]


CLOSES_SOON_WITHIN = dt.timedelta(hours=2)
OPENS_SOON_WITHIN = dt.timedelta(hours=12)
# From then on a time of day could be on another date.


@dataclass(frozen=True)
class Opening:
    is_open: bool
    until: dt.datetime | None = None
    # None while it is open, and when it does not open again.
    opens_at: dt.datetime | None = None
    # Without hours: a lift, which is always available, or a luggage room whose hours are unknown.
    always: bool = False
    # Minutes until then, if it is soon.
    closes_in: int | None = field(default=None, compare=False)
    opens_in: int | None = field(default=None, compare=False)
    # Open for so long that its closing time needs a date.
    for_days: bool = field(default=False, compare=False)


def opening(hours: Sequence[tuple[dt.datetime, dt.datetime]], now: dt.datetime) -> Opening:
    if not hours:
        return Opening(is_open=True, always=True)
    for start, end in merge_spans(hours):
        if now < start:
            return Opening(is_open=False, opens_at=start, opens_in=_minutes_if_soon(start - now, OPENS_SOON_WITHIN))
        if now < end:
            wait = end - now
            return Opening(is_open=True, until=end, closes_in=_minutes_if_soon(wait, CLOSES_SOON_WITHIN), for_days=wait > ONE_DAY)
    return Opening(is_open=False)


def _minutes_if_soon(wait: dt.timedelta, limit: dt.timedelta) -> int | None:
    return whole_minutes(wait) if wait <= limit else None
