"""The layout of a timetable: a column for each room, a row for each step of five minutes."""

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


@dataclass(frozen=True)
class PlacedItem:
    """Something with a room and a time."""

    key: Hashable
    room: Hashable
    span: Span


@dataclass
class TimetableCell:
    """Items that overlap in one room, or an empty stretch of it, with the number of its rows."""

    room: Hashable
    height: int
    items: list[Hashable] = field(default_factory=list)


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
    """Each item is in one cell, which begins in the row of its start; empty cells end with their hour."""
    count = max(1, -(-(shown.end - shown.start) // STEP_LENGTH))
    rows = [TimetableRow(shown.start + STEP_LENGTH * number) for number in range(count)]
    per_hour = ONE_HOUR // STEP_LENGTH
    for number in range(0, count, per_hour):
        rows[number].hour_height = min(per_hour, count - number)
    for room in rooms:
        _fill_column(rows, room, [item for item in items if item.room == room], shown, per_hour)
    return rows


def _fill_column(rows: list[TimetableRow], room: Hashable, items: Sequence[PlacedItem], shown: Span, per_hour: int) -> None:
    free_from = 0
    for first, last, keys in _clusters(items, shown, len(rows)):
        _fill_gap(rows, room, free_from, first, per_hour)
        rows[first].cells.append(TimetableCell(room, last - first, keys))
        free_from = last
    _fill_gap(rows, room, free_from, len(rows), per_hour)


def _fill_gap(rows: list[TimetableRow], room: Hashable, first: int, last: int, per_hour: int) -> None:
    while first < last:
        end = min(last, first - first % per_hour + per_hour)
        rows[first].cells.append(TimetableCell(room, end - first))
        first = end


def _clusters(items: Sequence[PlacedItem], shown: Span, count: int) -> list[tuple[int, int, list[Hashable]]]:
    """First row, row after the last, and keys of items that share a row, directly or through others."""
    found: list[tuple[int, int, list[Hashable]]] = []
    for item in sorted(items, key=lambda item: (item.span.start, item.span.end)):
        first, last = _item_rows(item.span, shown, count)
        if found and first < found[-1][1]:
            begun, until, keys = found[-1]
            found[-1] = (begun, max(until, last), [*keys, item.key])
        else:
            found.append((first, last, [item.key]))
    return found


def _item_rows(span: Span, shown: Span, count: int) -> tuple[int, int]:
    """The rows of an item. One that ends within a step leaves that row to what follows, if it has another row."""
    first = min(max(0, (span.start - shown.start) // STEP_LENGTH), count - 1)
    last = min(max(0, (span.end - shown.start) // STEP_LENGTH), count)
    return first, max(last, first + 1)


def minutes_from(start: dt.datetime, instant: dt.datetime) -> int:
    return (utc(instant) - utc(start)) // dt.timedelta(minutes=1)
