"""The layout of a day as a table: a column per room, a row per hour, and bands over all rooms for events in none."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from events.core.spans import ONE_MINUTE, Span, utc


@dataclass(frozen=True)
class GridItem:
    key: Hashable
    start: dt.datetime
    end: dt.datetime
    room: Hashable | None = None
    band: bool = False

    @property
    def span(self) -> Span:
        # An item without a duration still needs a row.
        start = utc(self.start)
        return Span(start, max(utc(self.end), start + ONE_MINUTE))


@dataclass
class LayoutCell:
    """What begins in a room within a row, and what began above and is not over."""

    items: list[GridItem] = field(default_factory=list)
    continued: list[GridItem] = field(default_factory=list)


@dataclass(frozen=True)
class LayoutRow:
    """Either a cell for each room, or a band over all of them."""

    start: dt.datetime
    cells: list[LayoutCell] = field(default_factory=list)
    band: list[GridItem] = field(default_factory=list)


@dataclass(frozen=True)
class Grid:
    rooms: list[Hashable]
    rows: list[LayoutRow]


def grid(items: Sequence[GridItem], rooms: Sequence[Hashable], zone: dt.tzinfo) -> Grid:
    """Lay out a day so that each item is in the row of the hour in which it starts, once.

    The height of an hour is then the number of its items in the busiest room, not the number of times at which something starts.
    A band begins a row of its own, above what starts with it. A time at which nothing starts has no row.
    Rooms that are not in ``rooms`` come last. Items of one cell keep the order of ``items`` if they start together.
    """
    ordered = sorted(items, key=lambda item: item.span.start)
    banded = [item for item in ordered if _is_band(item)]
    placed = [item for item in ordered if not _is_band(item)]
    found = {item.room for item in placed}
    columns = [room for room in dict.fromkeys([*rooms, *(item.room for item in placed)]) if room in found]
    cuts = sorted({*(item.span.start for item in banded), *(_hour(item, zone) for item in placed)})
    bands, cells = _by_cut(banded, cuts), _by_cut(placed, cuts)
    rows = []
    for cut in cuts:
        if cut in bands:
            rows.append(LayoutRow(cut, band=bands[cut]))
        if cut in cells:
            rows.append(LayoutRow(cut, _cells(cells[cut], columns, placed, cut)))
    return Grid(columns, rows)


def _is_band(item: GridItem) -> bool:
    return item.band or item.room is None


def _hour(item: GridItem, zone: dt.tzinfo) -> dt.datetime:
    """The full hour of the zone: some are half an hour off the others."""
    local = item.span.start.astimezone(zone)
    return item.span.start - dt.timedelta(minutes=local.minute, seconds=local.second, microseconds=local.microsecond)


def _by_cut(items: Iterable[GridItem], cuts: Sequence[dt.datetime]) -> dict[dt.datetime, list[GridItem]]:
    found: dict[dt.datetime, list[GridItem]] = {}
    for item in items:
        found.setdefault(cuts[bisect_right(cuts, item.span.start) - 1], []).append(item)
    return found


def _cells(
    beginning: Iterable[GridItem], columns: Sequence[Hashable], placed: Collection[GridItem], cut: dt.datetime
) -> list[LayoutCell]:
    cells = {room: LayoutCell() for room in columns}
    for item in beginning:
        cells[item.room].items.append(item)
    for item in placed:
        if item.span.start < cut < item.span.end:
            cells[item.room].continued.append(item)
    return list(cells.values())
