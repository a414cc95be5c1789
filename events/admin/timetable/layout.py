"""The layout of a timetable: a column for each room, a row for each step of five minutes.

What overlaps in a room stands side by side, in lanes of its column.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from events.core.clock import DAY_CHANGE
from events.core.spans import ONE_DAY, Span, utc

STEP_MINUTES = 5
STEP_LENGTH = dt.timedelta(minutes=STEP_MINUTES)
ONE_HOUR = dt.timedelta(hours=1)
USUAL_HOURS = (dt.time(9), dt.time(18))
MAX_LANES = 3
"""If more overlap, they are folded into one cell."""


@dataclass(frozen=True)
class PlacedItem:
    """Something with a room and a time."""

    key: Hashable
    room: Hashable
    span: Span


@dataclass
class TimetableCell:
    """An item, all that overlap there, folded, or an empty stretch; ``height`` is in rows, ``lanes`` how many it takes.

    ``together`` are the items that overlap, directly or through others.
    """

    room: Hashable
    height: int
    items: list[Hashable] = field(default_factory=list)
    lanes: int = 1
    together: list[Hashable] = field(default_factory=list)


@dataclass(frozen=True)
class _Placed:
    """Items in the rows from ``first`` to before ``last``."""

    first: int
    last: int
    keys: list[Hashable]


@dataclass
class TimetableRow:
    """``hour_height`` is the number of rows of the hour that begins here; 0 if none does."""

    start: dt.datetime
    hour_height: int = 0
    cells: list[TimetableCell] = field(default_factory=list)


def span_of_day(date: dt.date, zone: ZoneInfo) -> Span:
    """From one change of the day to the next; an hour more or less where the clocks change."""
    begins, ends = (dt.datetime.combine(it, DAY_CHANGE, zone).astimezone(dt.UTC) for it in (date, date + ONE_DAY))
    return Span(begins, ends)


def shown_span(spans: Collection[Span], date: dt.date, zone: ZoneInfo) -> Span:
    """Full hours with an hour to spare before the first event and after the last one, within the day."""
    day = span_of_day(date, zone)
    first, last = (dt.datetime.combine(date, hour, zone).astimezone(dt.UTC) for hour in USUAL_HOURS)
    start = min((span.start - ONE_HOUR for span in spans), default=first)
    end = max((span.end + ONE_HOUR for span in spans), default=last)
    return Span(max(day.start, _full_hour(start, zone)), min(day.end, _next_full_hour(end, zone)))


def _full_hour(instant: dt.datetime, zone: ZoneInfo) -> dt.datetime:
    # Some zones are half an hour off the others.
    local = instant.astimezone(zone)
    return utc(instant) - dt.timedelta(minutes=local.minute, seconds=local.second, microseconds=local.microsecond)


def _next_full_hour(instant: dt.datetime, zone: ZoneInfo) -> dt.datetime:
    floor = _full_hour(instant, zone)
    return floor if floor == instant else floor + ONE_HOUR


def timetable_rows(items: Sequence[PlacedItem], rooms: Sequence[Hashable], shown: Span) -> list[TimetableRow]:
    """Each item is in one cell, which begins in the row of its start; empty cells end with their hour.

    In the first row begin all lanes of all rooms.
    """
    count = max(1, -(-(shown.end - shown.start) // STEP_LENGTH))
    rows = [TimetableRow(shown.start + STEP_LENGTH * number) for number in range(count)]
    per_hour = ONE_HOUR // STEP_LENGTH
    for number in range(0, count, per_hour):
        rows[number].hour_height = min(per_hour, count - number)
    for room in rooms:
        _fill_column(rows, room, [item for item in items if item.room == room], shown, per_hour)
    return rows


def _fill_column(rows: list[TimetableRow], room: Hashable, items: Sequence[PlacedItem], shown: Span, per_hour: int) -> None:
    groups = [_lanes(group) for group in _overlapping(items, shown, len(rows))]
    of_column = max((len(group) for group in groups), default=1)
    free_from = 0
    for group in groups:
        first, last = group[0][0].first, max(lane[-1].last for lane in group)
        together = [key for lane in group for placed in lane for key in placed.keys]
        _fill_gap(rows, room, free_from, first, per_hour, of_column)
        for number, lane in enumerate(group, start=1):
            # The last one is as wide as what is left of the column.
            lanes = 1 if number < len(group) else of_column - len(group) + 1
            begins = first
            for placed in lane:
                _fill_gap(rows, room, begins, placed.first, per_hour, lanes)
                cell = TimetableCell(room, placed.last - placed.first, placed.keys, lanes, together)
                rows[placed.first].cells.append(cell)
                begins = placed.last
            _fill_gap(rows, room, begins, last, per_hour, lanes)
        free_from = last
    _fill_gap(rows, room, free_from, len(rows), per_hour, of_column)


def _fill_gap(rows: list[TimetableRow], room: Hashable, first: int, last: int, per_hour: int, lanes: int) -> None:
    while first < last:
        end = min(last, first - first % per_hour + per_hour)
        rows[first].cells.append(TimetableCell(room, end - first, lanes=lanes))
        first = end


def _overlapping(items: Sequence[PlacedItem], shown: Span, count: int) -> list[list[_Placed]]:
    """Groups of items that share a row, directly or through others, in order of time."""
    groups: list[list[_Placed]] = []
    group_ends = 0
    for item in sorted(items, key=lambda item: (item.span.start, item.span.end)):
        placed = _Placed(*_item_rows(item.span, shown, count), [item.key])
        if groups and placed.first < group_ends:
            groups[-1].append(placed)
        else:
            groups.append([placed])
            group_ends = 0
        group_ends = max(group_ends, placed.last)
    return groups


def _lanes(group: Sequence[_Placed]) -> list[list[_Placed]]:
    """Each item in the first lane that is free; one lane with one cell if there would be too many."""
    lanes: list[list[_Placed]] = []
    for placed in group:
        free = next((lane for lane in lanes if lane[-1].last <= placed.first), None)
        if free is None:
            lanes.append([placed])
        else:
            free.append(placed)
    if len(lanes) <= MAX_LANES:
        return lanes
    return [[_Placed(group[0].first, max(it.last for it in group), [key for it in group for key in it.keys])]]


def _item_rows(span: Span, shown: Span, count: int) -> tuple[int, int]:
    """The rows of an item. One that ends within a step leaves that row to what follows, if it has another row."""
    first = min(max(0, (span.start - shown.start) // STEP_LENGTH), count - 1)
    last = min(max(0, (span.end - shown.start) // STEP_LENGTH), count)
    return first, max(last, first + 1)


def minutes_from(start: dt.datetime, instant: dt.datetime) -> int:
    return (utc(instant) - utc(start)) // dt.timedelta(minutes=1)
