"""The grid has every item once, under its room, in its hour."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core.spans import utc
from events.programme.rules.grid import Grid, GridItem, LayoutCell, LayoutRow, grid
from tests.programme.rules.builders import VIENNA, at, spans

ROOMS = ["Hall 1", "Hall 2", "Garnet", "Peridot"]


def _item(key: str, start: str, end: str, room: str | None = None, *, band: bool = False) -> GridItem:
    return GridItem(key, at(start), at(end), room, band)


def _drawn(table: Grid) -> list[str]:
    """One line per row: its time, then its band, or each cell with its items and what continues in it."""
    return [f"{row.start.astimezone(at('12:00').tzinfo):%H:%M} {_drawn_row(row)}" for row in table.rows]


def _drawn_row(row: LayoutRow) -> str:
    return "=" + "+".join(str(item.key) for item in row.band) if row.band else " | ".join(map(_drawn_cell, row.cells))


def _drawn_cell(cell: LayoutCell) -> str:
    return "+".join([str(item.key) for item in cell.items] + [f"({item.key})" for item in cell.continued]) or "-"


def _laid(*items: GridItem, rooms: list[str] = ROOMS) -> list[str]:
    return _drawn(grid(items, rooms, VIENNA))


def test_grid_of_nothing_is_empty() -> None:
    assert grid([], ["Hall 1"], VIENNA) == Grid(rooms=[], rows=[])


def test_grid_keeps_the_order_of_rooms_drops_the_unused_and_adds_the_unlisted() -> None:
    items = [
        _item("a", "09:00", "10:00", "Attic"),
        _item("b", "09:00", "10:00", "Garnet"),
        _item("c", "09:00", "10:00", "Hall 1"),
    ]

    assert grid(items, ["Hall 1", "Hall 2", "Garnet", "Hall 1"], VIENNA).rooms == ["Hall 1", "Garnet", "Attic"]


def test_grid_gathers_what_starts_within_an_hour() -> None:
    short = [_item(f"t{minute}", f"09:{minute}", "09:59", "Hall 1") for minute in (10, 30, 50)]

    assert _laid(*short, _item("long", "09:00", "11:00", "Hall 2"), _item("next", "10:40", "11:00", "Hall 1")) == [
        "09:00 t10+t30+t50 | long",
        "10:00 next | (long)",
    ]


def test_grid_has_no_row_for_an_hour_in_which_nothing_starts() -> None:
    assert _laid(_item("a", "09:00", "12:30", "Hall 1"), _item("b", "12:00", "13:00", "Hall 2")) == [
        "09:00 a | -",
        "12:00 (a) | b",
    ]


def test_grid_puts_a_band_above_what_starts_with_it_and_splits_its_hour() -> None:
    rows = _laid(
        _item("a", "10:00", "10:30", "Hall 1"),
        _item("coffee", "10:30", "11:00"),
        _item("foyer", "10:30", "11:00", "Hall 2", band=True),
        _item("b", "10:30", "11:00", "Hall 1"),
    )

    assert rows == ["10:00 a", "10:30 =coffee+foyer", "10:30 b"]


def test_grid_shows_what_takes_no_time() -> None:
    assert _laid(_item("bell", "10:00", "10:00", "Hall 1")) == ["10:00 bell"]


def test_grid_keeps_the_given_order_of_what_starts_together() -> None:
    session, talk = _item("session", "09:00", "12:00", "Hall 1"), _item("talk", "09:00", "09:10", "Hall 1")

    assert _laid(session, talk) == ["09:00 session+talk"]


@pytest.mark.parametrize("zone", ["Europe/Vienna", "Asia/Kolkata"])
def test_grid_has_the_full_hours_of_the_zone_it_is_shown_in(zone: str) -> None:
    shown = ZoneInfo(zone)
    items = [GridItem("a", at("09:40"), at("10:00"), "Hall 1"), GridItem("b", at("10:40"), at("11:00"), "Hall 1")]

    starts = [row.start.astimezone(shown) for row in grid(items, ROOMS, shown).rows]

    assert [f"{it:%M}" for it in starts] == ["00", "00"]


def test_grid_keeps_the_repeated_hour_apart() -> None:
    night = dt.datetime(2025, 10, 26, 2, tzinfo=VIENNA)
    first = GridItem("first", night, night.replace(minute=30), "Club")
    second = GridItem("second", night.replace(fold=1), night.replace(minute=30, fold=1), "Club")

    table = grid([second, first], ["Club"], VIENNA)

    assert [[item.key for item in row.cells[0].items] for row in table.rows] == [["first"], ["second"]]


@st.composite
def _days(draw: st.DrawFn) -> list[GridItem]:
    room = st.sampled_from([*ROOMS, *ROOMS, "Attic", None])
    chosen = draw(st.lists(st.tuples(spans(6), room, st.integers(0, 5)), max_size=14))
    return [GridItem(key, *span, room, band=luck == 0) for key, (span, room, luck) in enumerate(chosen)]


@given(_days())
def test_grid_has_each_item_once_under_its_room_in_the_row_of_its_start(items: list[GridItem]) -> None:
    table = grid(items, ROOMS, VIENNA)

    found = {}
    for row in table.rows:
        cells = {room: cell.items for room, cell in zip(table.rooms, row.cells, strict=True)} if row.cells else {None: row.band}
        for room, placed in cells.items():
            assert all(room in {None, item.room} for item in placed)
            found |= {item.key: (item, row.start) for item in placed}
    assert sum(len(row.band) + sum(len(cell.items) for cell in row.cells) for row in table.rows) == len(items)
    assert found.keys() == {item.key for item in items}
    starts = sorted({row.start for row in table.rows})
    assert all(start == max(it for it in starts if it <= utc(item.start)) for item, start in found.values())


@given(_days())
def test_grid_rows_are_in_order_of_time_and_something_starts_in_each(items: list[GridItem]) -> None:
    table = grid(items, ROOMS, VIENNA)

    keys = [(row.start, not row.band) for row in table.rows]
    assert keys == sorted(set(keys))
    assert all(row.band or any(cell.items for cell in row.cells) for row in table.rows)


@given(_days())
def test_grid_shows_in_every_row_what_goes_on_there(items: list[GridItem]) -> None:
    table = grid(items, ROOMS, VIENNA)

    for row in table.rows:
        for room, cell in zip(table.rooms, row.cells, strict=False):
            going_on = {it.key for it in items if it.room == room and not it.band and it.span.start < row.start < it.span.end}
            assert {it.key for it in cell.continued} == going_on
