"""The layout of a day as a table: a column per room, rows of time, and bands over all rooms for events in none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import NamedTuple, TypeAlias

from events.core.spans import ONE_MINUTE, Span, sort_by_span, utc


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


@dataclass(frozen=True)
class LayoutCell:
    items: list[GridItem]
    rowspan: int
    colspan: int
    room: Hashable | None
    # Items that began above a band and continue below it; `items` has them only where they begin.
    continued: list[GridItem] = field(default_factory=list)


@dataclass(frozen=True)
class LayoutRow:
    start: dt.datetime
    cells: list[LayoutCell]
    # If not empty, the row has one cell over all rooms, with the same items.
    band: list[GridItem] = field(default_factory=list)


@dataclass(frozen=True)
class Grid:
    rooms: list[Hashable]
    rows: list[LayoutRow]


class _GridLine(NamedTuple):
    start: dt.datetime
    band: list[GridItem]


class _Block(NamedTuple):
    span: Span
    pieces: list[_Piece]


class _Piece(NamedTuple):
    """Part of an item between two bands."""

    span: Span
    item: GridItem


_Bands: TypeAlias = dict[dt.datetime, list[GridItem]]
# The block of a room at each time of the table; free times have none.
_Column: TypeAlias = dict[dt.datetime, _Block]


def grid(items: Sequence[GridItem], rooms: Sequence[Hashable]) -> Grid:
    """Lay out a day so that each item appears once, and each field of the table belongs to exactly one cell.

    Items that overlap in one room share a cell. A band runs across the whole table, so it cuts the cells it meets.
    A time at which no room is in use has no row. Rooms that are not in ``rooms`` come last.
    """
    bands = _bands(items)
    booked = _booked(items)
    used = [room for room in dict.fromkeys([*rooms, *booked]) if room in booked]
    blocks = {room: _blocks(booked[room], list(bands)) for room in used}
    edges = {edge for room in used for block in blocks[room] for edge in block.span}
    times = sorted(edges | bands.keys())
    columns = {room: _column(blocks[room], times) for room in used}
    lines = _grid_lines(times, bands, columns.values())
    cells = [_room_cells(room, column, lines) for room, column in columns.items()]
    return Grid(used, [_grid_row(index, line, cells) for index, line in enumerate(lines)])


def _has_room(item: GridItem) -> bool:
    return item.room is not None and not item.band


def _bands(items: Iterable[GridItem]) -> _Bands:
    bands: _Bands = {}
    for span, item in sort_by_span(items):
        if not _has_room(item):
            bands.setdefault(span.start, []).append(item)
    return bands


def _booked(items: Iterable[GridItem]) -> dict[Hashable, list[GridItem]]:
    booked: dict[Hashable, list[GridItem]] = {}
    for item in items:
        if _has_room(item):
            booked.setdefault(item.room, []).append(item)
    return booked


def _blocks(items: Iterable[GridItem], cuts: Sequence[dt.datetime]) -> list[_Block]:
    blocks: list[_Block] = []
    for span, piece in sort_by_span(piece for item in items for piece in _pieces(item, cuts)):
        if blocks and span.start < blocks[-1].span.end:
            last = blocks.pop()
            blocks.append(_Block(Span(last.span.start, max(last.span.end, span.end)), [*last.pieces, piece]))
        else:
            blocks.append(_Block(span, [piece]))
    return blocks


def _pieces(item: GridItem, cuts: Iterable[dt.datetime]) -> list[_Piece]:
    start, end = item.span
    inside = (cut for cut in cuts if start < cut < end)
    return [_Piece(Span(*ends), item) for ends in pairwise((start, *inside, end))]


def _column(blocks: Iterable[_Block], times: Iterable[dt.datetime]) -> _Column:
    return {time: block for block in blocks for time in times if block.span.start <= time < block.span.end}


def _grid_lines(times: Iterable[dt.datetime], bands: _Bands, columns: Collection[_Column]) -> list[_GridLine]:
    lines = []
    for time in times:
        if time in bands:
            lines.append(_GridLine(time, bands[time]))
        if any(time in column for column in columns):
            lines.append(_GridLine(time, []))
    return lines


def _room_cells(room: Hashable, column: _Column, lines: Sequence[_GridLine]) -> dict[int, LayoutCell]:
    """Return a cell for each run of lines with the same block, or with none, by the index of its first line."""
    cells = {}
    for (band, block), run in groupby(enumerate(lines), key=lambda numbered: (numbered[1].band, column.get(numbered[1].start))):
        if not band:
            indexes = [index for index, _ in run]
            cells[indexes[0]] = _room_cell(room, block.pieces if block else [], len(indexes))
    return cells


def _room_cell(room: Hashable, pieces: Sequence[_Piece], rowspan: int) -> LayoutCell:
    beginning = [piece.item for piece in pieces if piece.span.start == piece.item.span.start]
    continued = [piece.item for piece in pieces if piece.span.start > piece.item.span.start]
    return LayoutCell(beginning, rowspan, 1, room, continued)


def _grid_row(index: int, line: _GridLine, columns: Sequence[dict[int, LayoutCell]]) -> LayoutRow:
    if line.band:
        return LayoutRow(line.start, [LayoutCell(line.band, 1, max(len(columns), 1), None)], line.band)
    return LayoutRow(line.start, [cells[index] for cells in columns if index in cells])
