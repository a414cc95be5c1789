"""What the clocks somewhere show: a time zone's offsets over some years, kept as text, and the same wall time under others."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from zoneinfo import ZoneInfo

from events.schedule.spans import utc

DAY = dt.timedelta(days=1)
SECOND = dt.timedelta(seconds=1)
END = "end"


@dataclass(frozen=True)
class Rules:
    """The offsets of a zone from the first of ``offsets``, each with the instant it begins at, until ``last``."""

    zone: str
    offsets: tuple[tuple[dt.datetime, dt.timedelta], ...]
    last: dt.datetime

    @property
    def first(self) -> dt.datetime:
        return self.offsets[0][0]

    @property
    def text(self) -> str:
        lines = [f"{begin.isoformat()} {int(offset.total_seconds()):+d}" for begin, offset in self.offsets]
        return "\n".join([self.zone, *lines, f"{self.last.isoformat()} {END}"])

    def covers(self, first: dt.datetime, last: dt.datetime) -> bool:
        return self.first <= first and last <= self.last

    def offset(self, instant: dt.datetime) -> dt.timedelta:
        """What was in force; before the first and after the last instant, what was nearest."""
        begins = [begin for begin, _ in self.offsets]
        return self.offsets[max(bisect_right(begins, instant) - 1, 0)][1]

    def name_at(self, instant: dt.datetime) -> str:
        """How far the clocks are ahead: UTC+01:00."""
        return str(dt.timezone(self.offset(instant)))

    def wall(self, instant: dt.datetime) -> dt.datetime:
        """What clocks show, without a zone; of two equal hours the second has fold=1 (PEP 495)."""
        shown = (utc(instant) + self.offset(instant)).replace(tzinfo=None)
        return shown.replace(fold=int(self.instant(shown) != instant))

    def instant(self, wall: dt.datetime) -> dt.datetime:
        """When clocks show this; a time they skip is read by the offset before the change (PEP 495)."""
        turn = min if wall.fold else max
        shown = wall.replace(tzinfo=dt.UTC, fold=0)
        found = self.offsets[0][1]
        for (_, before), (change, after) in pairwise(self.offsets):
            if shown >= change + turn(before, after):
                found = after
        return shown - found


def rules_of(zone: ZoneInfo, first: dt.datetime, last: dt.datetime) -> Rules:
    """What today's time zone data say of these years."""
    return Rules(zone.key, ((first, offset_in(zone, first)), *_changes(zone, first, last)), last)


def offset_in(zone: ZoneInfo, instant: dt.datetime) -> dt.timedelta:
    return instant.astimezone(zone).utcoffset() or dt.timedelta()


def parse_rules(text: str) -> Rules | None:
    """What was kept; None for nothing, or what nobody can read."""
    try:
        zone, *lines, end = text.splitlines()
        last = _instant(end.removesuffix(f" {END}"))
        offsets = tuple(_begin(line) for line in lines)
        begins = [begin for begin, _ in offsets]
        return Rules(zone, offsets, last) if zone and begins and begins == sorted(begins) else None
    except (ValueError, OverflowError):
        return None


def same_wall_time(instant: dt.datetime, old: Rules, new: Rules) -> dt.datetime:
    """When clocks show under the new rules what they showed then under the old; beyond what is known, nothing moves."""
    if not old.first <= instant < old.last or old.offset(instant) == new.offset(instant):
        return instant
    return new.instant(old.wall(instant))


def same_hours(start: dt.datetime, end: dt.datetime | None, old: Rules, new: Rules) -> tuple[dt.datetime, dt.datetime | None]:
    """The same wall times for both ends."""
    begins = same_wall_time(start, old, new)
    if end is None:
        return begins, None
    ends = same_wall_time(end, old, new)
    # Where clocks skip or repeat an hour, the end may come out before the start: then it lasts as long as it did.
    return begins, ends if begins < ends else begins + (end - start)


def _begin(line: str) -> tuple[dt.datetime, dt.timedelta]:
    instant, offset = line.split(" ")
    seconds = int(offset)
    if abs(seconds) >= DAY.total_seconds():
        raise ValueError(line)
    return _instant(instant), dt.timedelta(seconds=seconds)


def _instant(text: str) -> dt.datetime:
    return utc(dt.datetime.fromisoformat(text))


def _changes(zone: ZoneInfo, first: dt.datetime, last: dt.datetime) -> Iterator[tuple[dt.datetime, dt.timedelta]]:
    """Each change of the clocks, to the second, and what is in force from then on."""
    while first < last:
        after = min(first + DAY, last)
        if offset_in(zone, first) != offset_in(zone, after):
            yield _first_second(zone, first, after), offset_in(zone, after)
        first = after


def _first_second(zone: ZoneInfo, low: dt.datetime, high: dt.datetime) -> dt.datetime:
    old = offset_in(zone, low)
    while high - low > SECOND:
        middle = (low + (high - low) // 2).replace(microsecond=0)
        low, high = (middle, high) if offset_in(zone, middle) == old else (low, middle)
    return high
