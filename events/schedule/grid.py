"""A day as a table: rooms across, time down, and bands over all rooms for what is in none of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import NamedTuple, TypeAlias

from events.schedule.spans import MINUTE, Span, in_order, utc


@dataclass(frozen=True)
class GridItem:
    key: Hashable
    start: dt.datetime
    end: dt.datetime
    room: Hashable | None = None
    band: bool = False

    @property
    def span(self) -> Span:
        # What takes no time still needs a row to stand in.
        start = utc(self.start)
        return Span(start, max(utc(self.end), start + MINUTE))


@dataclass(frozen=True)
class Cell:
    items: list[GridItem]
    rowspan: int
    colspan: int
    room: Hashable | None
    # What began above a band and goes on below it; `items` has it only where it begins.
    continued: list[GridItem] = field(default_factory=list)


@dataclass(frozen=True)
class Row:
    start: dt.datetime
    cells: list[Cell]
    # If there are any, this row is theirs: its one cell, over all rooms, holds the same.
    band: list[GridItem] = field(default_factory=list)


@dataclass(frozen=True)
class Grid:
    rooms: list[Hashable]
    rows: list[Row]


class _Line(NamedTuple):
    start: dt.datetime
    band: list[GridItem]


class _Block(NamedTuple):
    span: Span
    pieces: list[_Piece]


class _Piece(NamedTuple):
    """What is left of an item between two bands."""

    span: Span
    item: GridItem


_Bands: TypeAlias = dict[dt.datetime, list[GridItem]]
# What goes on in a room at each time of the table; its free times are left out.
_Column: TypeAlias = dict[dt.datetime, _Block]


def grid(items: Sequence[GridItem], rooms: Sequence[Hashable]) -> Grid:
    """Lay out a day so that each item appears once and each place in the table belongs to exactly one cell.

    What overlaps in one room shares a cell. A band runs across the whole table, so it cuts the cells it meets.
    A time at which no room is in use has no row. A room missing from `rooms` comes after them.
    """
    bands = _bands(items)
    booked = _booked(items)
    used = [room for room in dict.fromkeys([*rooms, *booked]) if room in booked]
    blocks = {room: _blocks(booked[room], list(bands)) for room in used}
    edges = {edge for room in used for block in blocks[room] for edge in block.span}
    times = sorted(edges | bands.keys())
    columns = {room: _column(blocks[room], times) for room in used}
    lines = _lines(times, bands, columns.values())
    cells = [_cells(room, column, lines) for room, column in columns.items()]
    return Grid(used, [_row(place, line, cells) for place, line in enumerate(lines)])


def _in_a_room(item: GridItem) -> bool:
    return item.room is not None and not item.band


def _bands(items: Iterable[GridItem]) -> _Bands:
    bands: _Bands = {}
    for span, item in in_order(items):
        if not _in_a_room(item):
            bands.setdefault(span.start, []).append(item)
    return bands


def _booked(items: Iterable[GridItem]) -> dict[Hashable, list[GridItem]]:
    booked: dict[Hashable, list[GridItem]] = {}
    for item in items:
        if _in_a_room(item):
            booked.setdefault(item.room, []).append(item)
    return booked


def _blocks(items: Iterable[GridItem], cuts: Sequence[dt.datetime]) -> list[_Block]:
    """Put together what overlaps in a room."""
    blocks: list[_Block] = []
    for span, piece in in_order(piece for item in items for piece in _pieces(item, cuts)):
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


def _lines(times: Iterable[dt.datetime], bands: _Bands, columns: Collection[_Column]) -> list[_Line]:
    lines = []
    for time in times:
        if time in bands:
            lines.append(_Line(time, bands[time]))
        if any(time in column for column in columns):
            lines.append(_Line(time, []))
    return lines


def _cells(room: Hashable, column: _Column, lines: Sequence[_Line]) -> dict[int, Cell]:
    """One cell for each run of lines with the same block, or with none, by the place of its first line."""
    cells = {}
    for (band, block), run in groupby(enumerate(lines), key=lambda numbered: (numbered[1].band, column.get(numbered[1].start))):
        if not band:
            places = [place for place, _ in run]
            cells[places[0]] = _cell(room, block.pieces if block else [], len(places))
    return cells


def _cell(room: Hashable, pieces: Sequence[_Piece], rowspan: int) -> Cell:
    begins = [piece.item for piece in pieces if piece.span.start == piece.item.span.start]
    continued = [piece.item for piece in pieces if piece.span.start > piece.item.span.start]
    return Cell(begins, rowspan, 1, room, continued)


def _row(place: int, line: _Line, columns: Sequence[dict[int, Cell]]) -> Row:
    if line.band:
        return Row(line.start, [Cell(line.band, 1, max(len(columns), 1), None)], line.band)
    return Row(line.start, [cells[place] for cells in columns if place in cells])
