"""The grid is a valid table with every item in it."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from events.core.spans import utc
from events.programme.rules.grid import Grid, GridItem, LayoutCell, LayoutRow, grid
from tests.programme.rules.builders import VIENNA, at, spans


def _item(key: str, start: str, end: str, room: str | None = None, *, band: bool = False) -> GridItem:
    return GridItem(key, at(start), at(end), room, band)


def _drawn(table: Grid) -> list[str]:
    """One line per row: its time, then each cell with its items, what continues in it, and its size."""
    return [f"{row.start.astimezone(at('12:00').tzinfo):%H:%M} " + " | ".join(map(_drawn_cell, row.cells)) for row in table.rows]


def _drawn_cell(cell: LayoutCell) -> str:
    names = [str(item.key) for item in cell.items] + [f"({item.key})" for item in cell.continued]
    return f"{'+'.join(names) or '-'} {cell.rowspan}x{cell.colspan}"


def test_grid_of_nothing_is_empty() -> None:
    assert grid([], ["Hall 1"]) == Grid(rooms=[], rows=[])


def test_grid_places_one_talk() -> None:
    talk = GridItem("talk", at("09:00"), at("10:00"), "Hall 1")

    assert grid([talk], ["Hall 1"]) == Grid(["Hall 1"], [LayoutRow(at("09:00"), [LayoutCell([talk], 1, 1, "Hall 1")])])


def test_grid_keeps_the_order_of_rooms_and_drops_the_unused() -> None:
    items = [_item("c", "09:00", "10:00", "Garnet"), _item("a", "09:00", "10:00", "Hall 1")]

    table = grid(items, ["Hall 1", "Hall 2", "Garnet", "Hall 1"])

    assert (table.rooms, _drawn(table)) == (["Hall 1", "Garnet"], ["09:00 a 1x1 | c 1x1"])


def test_grid_adds_a_room_nobody_listed_at_the_end() -> None:
    items = [_item("lost", "09:00", "10:00", "Attic"), _item("a", "09:00", "10:00", "Hall 1")]

    assert grid(items, ["Hall 1"]).rooms == ["Hall 1", "Attic"]


def test_grid_spans_the_times_of_other_rooms_and_merges_what_is_empty() -> None:
    items = [
        _item("workshop", "09:00", "12:00", "Hall 1"),
        _item("talk", "09:00", "10:00", "Hall 2"),
        _item("next", "10:00", "11:00", "Hall 2"),
        _item("late", "11:00", "12:00", "Hall 3"),
    ]

    assert _drawn(grid(items, ["Hall 1", "Hall 2", "Hall 3"])) == [
        "09:00 workshop 3x1 | talk 1x1 | - 2x1",
        "10:00 next 1x1",
        "11:00 - 1x1 | late 1x1",
    ]


def test_grid_has_no_row_for_a_time_at_which_every_room_is_empty() -> None:
    items = [
        _item("a", "09:00", "10:00", "Hall 1"),
        _item("b", "11:00", "12:00", "Hall 1"),
        _item("c", "11:00", "12:00", "Hall 2"),
    ]

    assert _drawn(grid(items, ["Hall 1", "Hall 2"])) == ["09:00 a 1x1 | - 1x1", "11:00 b 1x1 | c 1x1"]


def test_grid_lets_what_overlaps_in_a_room_share_its_cell() -> None:
    items = [
        _item("b", "09:30", "11:00", "Hall 1"),
        _item("a", "09:00", "10:00", "Hall 1"),
        _item("c", "11:00", "12:00", "Hall 1"),
        _item("x", "09:00", "10:00", "Hall 2"),
    ]

    assert _drawn(grid(items, ["Hall 1", "Hall 2"])) == [
        "09:00 a+b 2x1 | x 1x1",
        "10:00 - 2x1",
        "11:00 c 1x1",
    ]


def test_grid_shares_a_cell_as_long_as_its_longest_item() -> None:
    items = [
        _item("session", "09:00", "12:00", "Hall 1"),
        _item("talk", "09:00", "09:15", "Hall 1"),
        _item("last", "11:30", "12:00", "Hall 1"),
    ]

    assert _drawn(grid(items, ["Hall 1"])) == ["09:00 talk+session+last 1x1"]


def test_grid_puts_a_band_across_all_rooms_before_the_row_of_its_time() -> None:
    items = [
        _item("talk", "10:30", "11:00", "Hall 1"),
        _item("other", "10:30", "11:00", "Hall 2"),
        _item("coffee", "10:30", "11:00", "Foyer", band=True),
        _item("posters", "10:30", "12:00"),
    ]

    table = grid(items, ["Hall 1", "Hall 2", "Foyer"])

    assert _drawn(table) == ["10:30 coffee+posters 1x2", "10:30 talk 1x1 | other 1x1"]
    assert [[item.key for item in row.band] for row in table.rows] == [["coffee", "posters"], []]
    assert table.rooms == ["Hall 1", "Hall 2"]


def test_grid_cuts_at_a_band_what_goes_on_below_it() -> None:
    items = [
        _item("workshop", "09:00", "12:00", "Hall 1"),
        _item("talk", "09:00", "10:30", "Hall 2"),
        _item("coffee", "10:30", "11:00"),
        _item("next", "11:00", "12:00", "Hall 2"),
    ]

    assert _drawn(grid(items, ["Hall 1", "Hall 2"])) == [
        "09:00 workshop 1x1 | talk 1x1",
        "10:30 coffee 1x2",
        "10:30 (workshop) 2x1 | - 1x1",
        "11:00 next 1x1",
    ]


def test_grid_shows_below_a_band_only_what_still_goes_on() -> None:
    items = [
        _item("a", "09:00", "10:00", "Hall 1"),
        _item("b", "09:30", "12:00", "Hall 1"),
        _item("coffee", "11:00", "11:15"),
        _item("c", "11:30", "12:30", "Hall 1"),
    ]

    assert _drawn(grid(items, ["Hall 1"])) == ["09:00 a+b 1x1", "11:00 coffee 1x1", "11:00 c+(b) 1x1"]


def test_grid_does_not_merge_what_is_empty_across_a_band() -> None:
    items = [
        _item("a", "09:00", "10:00", "Hall 1"),
        _item("coffee", "10:00", "10:30"),
        _item("b", "10:00", "11:00", "Hall 1"),
        _item("z", "11:00", "12:00", "Hall 2"),
    ]

    assert _drawn(grid(items, ["Hall 1", "Hall 2"])) == [
        "09:00 a 1x1 | - 1x1",
        "10:00 coffee 1x2",
        "10:00 b 1x1 | - 1x1",
        "11:00 - 1x1 | z 1x1",
    ]


def test_grid_of_bands_alone_has_one_column() -> None:
    assert _drawn(grid([_item("welcome", "09:00", "10:00")], ["Hall 1"])) == ["09:00 welcome 1x1"]


def test_grid_gives_a_row_to_what_takes_no_time() -> None:
    items = [_item("bell", "10:00", "10:00", "Hall 1"), _item("wrong", "12:00", "11:00", "Hall 1")]

    assert _drawn(grid(items, ["Hall 1"])) == ["10:00 bell 1x1", "12:00 wrong 1x1"]


def test_grid_keeps_the_repeated_hour_apart() -> None:
    night = dt.datetime(2025, 10, 26, 2, tzinfo=VIENNA)
    first = GridItem("first", night, night.replace(minute=30), "Club")
    second = GridItem("second", night.replace(fold=1), night.replace(minute=30, fold=1), "Club")

    table = grid([second, first], ["Club"])

    assert [[item.key for item in row.cells[0].items] for row in table.rows] == [["first"], ["second"]]


ROOMS = ["Hall 1", "Hall 2", "Garnet", "Peridot"]


@st.composite
def _days(draw: st.DrawFn) -> list[GridItem]:
    room = st.sampled_from([*ROOMS, *ROOMS, "Attic", None])
    chosen = draw(st.lists(st.tuples(spans(6), room, st.integers(0, 5)), max_size=14))
    return [GridItem(key, *span, room, band=luck == 0) for key, (span, room, luck) in enumerate(chosen)]


def _laid_out(table: Grid) -> Iterator[tuple[int, int, LayoutCell]]:
    """Put each cell where a browser would, in the first column that is free: every row and column it takes, and itself."""
    taken: set[tuple[int, int]] = set()
    for top, row in enumerate(table.rows):
        left = 0
        for cell in row.cells:
            while (top, left) in taken:
                left += 1
            places = {(top + down, left + right) for down in range(cell.rowspan) for right in range(cell.colspan)}
            taken |= places
            yield from ((down, right, cell) for down, right in places)


@given(_days())
def test_grid_covers_every_place_exactly_once(items: list[GridItem]) -> None:
    table = grid(items, ROOMS)

    places = Counter((row, column) for row, column, _ in _laid_out(table))
    columns = range(max(len(table.rooms), 1))
    assert places == Counter((row, column) for row in range(len(table.rows)) for column in columns)


@given(_days())
def test_grid_puts_every_cell_below_its_room(items: list[GridItem]) -> None:
    table = grid(items, ROOMS)

    for row, column, cell in _laid_out(table):
        assert table.rows[row].band or cell.room == table.rooms[column]
        assert {item.room for item in cell.items + cell.continued} <= {cell.room} or table.rows[row].band


@given(_days())
def test_grid_shows_each_item_once_at_its_start_or_in_the_cell_it_shares(items: list[GridItem]) -> None:
    table = grid(items, ROOMS)

    assert sorted(item.key for row in table.rows for cell in row.cells for item in cell.items) == sorted(i.key for i in items)  # type: ignore[type-var]
    for row in table.rows:
        for cell in row.cells:
            assert not cell.items or cell.continued or min(utc(item.start) for item in cell.items) == row.start


@given(_days())
def test_grid_rows_are_in_order_of_time_and_never_empty(items: list[GridItem]) -> None:
    table = grid(items, ROOMS)

    keys = [(row.start, not row.band) for row in table.rows]
    assert keys == sorted(set(keys))
    occupied = {row for row, _, cell in _laid_out(table) if cell.items or cell.continued}
    assert occupied == set(range(len(table.rows)))


@given(_days())
def test_grid_merges_empty_cells_that_lie_below_each_other(items: list[GridItem]) -> None:
    table = grid(items, ROOMS)

    empty = {(row, column): cell for row, column, cell in _laid_out(table) if not cell.items and not cell.continued}
    assert all(empty.get((row + 1, column), cell) is cell for (row, column), cell in empty.items())


@given(_days())
def test_grid_shows_an_item_in_every_row_of_its_time(items: list[GridItem]) -> None:
    table = grid(items, ROOMS)

    shown = {(item.key, table.rows[row].start) for row, _, cell in _laid_out(table) for item in cell.items + cell.continued}
    for item in items:
        if item.room is not None and not item.band:
            during = {row.start for row in table.rows if not row.band and utc(item.start) <= row.start < utc(item.end)}
            assert {(item.key, start) for start in during} <= shown
