"""Where events are on a timetable: rows of five minutes, a column for each room."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.admin.timetable.layout import PlacedItem, shown_span, span_of_day, timetable_rows
from events.core.spans import Span
from tests.factories import SINGAPORE, THURSDAY, at

SHOWN = Span(at("09:00").astimezone(dt.UTC), at("11:00").astimezone(dt.UTC))


def item(key: str, start: str, end: str, room: str = "A") -> PlacedItem:
    return PlacedItem(key, room, Span(at(start).astimezone(dt.UTC), at(end).astimezone(dt.UTC)))


def cells(*items: PlacedItem, rooms: str = "A") -> list[tuple[str, str, int, list[object]]]:
    """Hour, room, number of rows and items of each cell."""
    return [
        (f"{row.start.astimezone(SINGAPORE):%H:%M}", str(cell.room), cell.height, cell.items)
        for row in timetable_rows(items, list(rooms), SHOWN)
        for cell in row.cells
    ]


def test_event_spans_its_time_and_empty_cells_end_with_their_hour() -> None:
    assert cells(item("talk", "09:10", "10:05")) == [
        ("09:00", "A", 2, []),
        ("09:10", "A", 11, ["talk"]),
        ("10:05", "A", 11, []),
    ]


def test_every_row_is_full_in_each_room() -> None:
    found = cells(item("a", "09:10", "10:30"), item("b", "09:00", "11:00", "B"), rooms="ABC")

    assert {room: sum(height for _, it, height, _ in found if it == room) for room in "ABC"} == {"A": 24, "B": 24, "C": 24}


@pytest.mark.parametrize(
    ("start", "end", "cell"),
    [
        pytest.param("09:00", "09:01", ("09:00", "A", 1, ["it"]), id="one-minute"),
        pytest.param("10:59", "11:00", ("10:55", "A", 1, ["it"]), id="last-minute"),
        pytest.param("09:32", "09:58", ("09:30", "A", 5, ["it"]), id="between-two-steps"),
        pytest.param("09:00", "11:00", ("09:00", "A", 24, ["it"]), id="all-day"),
        pytest.param("08:00", "18:00", ("09:00", "A", 24, ["it"]), id="longer-than-the-page"),
    ],
)
def test_event_has_at_least_one_row(start: str, end: str, cell: tuple[str, str, int, list[object]]) -> None:
    assert [found for found in cells(item("it", start, end)) if found[3]] == [cell]


def test_overlapping_events_of_a_room_stand_side_by_side() -> None:
    placed = [item("a", "09:00", "10:00"), item("b", "09:30", "10:30"), item("c", "10:00", "10:30"), item("d", "10:30", "11:00")]

    assert cells(*placed) == [
        ("09:00", "A", 12, ["a"]),
        ("09:00", "A", 6, []),
        ("09:30", "A", 12, ["b"]),
        ("10:00", "A", 6, ["c"]),
        ("10:30", "A", 6, ["d"]),
    ]
    wide = {tuple(cell.items): (cell.lanes, cell.together) for row in timetable_rows(placed, ["A"], SHOWN) for cell in row.cells}
    assert wide == {
        (): (1, []),
        **dict.fromkeys([("a",), ("b",), ("c",)], (1, ["a", "c", "b"])),
        ("d",): (2, ["d"]),
    }


def test_more_than_three_at_once_are_folded() -> None:
    found = cells(*(item(key, "09:00", "10:00") for key in "abcd"), item("e", "10:00", "11:00"))

    assert found == [("09:00", "A", 12, ["a", "b", "c", "d"]), ("10:00", "A", 12, ["e"])]


@given(st.lists(st.tuples(st.integers(0, 23), st.integers(1, 12), st.sampled_from("AB")), max_size=12))
def test_every_lane_of_every_room_is_full_in_every_row(placed: list[tuple[int, int, str]]) -> None:
    """As a browser places the cells: each in the first lane that no cell above takes."""
    step = dt.timedelta(minutes=5)
    items = [
        PlacedItem(key, room, Span(SHOWN.start + first * step, SHOWN.start + (first + length) * step))
        for key, (first, length, room) in enumerate(placed)
    ]
    rows = timetable_rows(items, ["A", "B"], SHOWN)
    rooms = [cell.room for cell in rows[0].cells for _ in range(cell.lanes)]
    taken = {row: [""] * len(rooms) for row in range(len(rows))}

    for number, row in enumerate(rows):
        for cell in row.cells:
            lane = taken[number].index("")
            assert rooms[lane : lane + cell.lanes] == [cell.room] * cell.lanes
            for below in range(number, number + cell.height):
                assert taken[below][lane : lane + cell.lanes] == [""] * cell.lanes
                taken[below][lane : lane + cell.lanes] = [str(cell.items or "free")] * cell.lanes

    assert not any("" in lanes for lanes in taken.values())
    assert sorted(key for row in rows for cell in row.cells for key in cell.items) == [it.key for it in items]


def test_events_that_meet_within_a_step_are_apart() -> None:
    found = [it for it in cells(item("a", "09:00", "09:32"), item("b", "09:32", "10:00")) if it[3]]

    assert found == [("09:00", "A", 6, ["a"]), ("09:30", "A", 6, ["b"])]


def test_hours_have_one_heading_each() -> None:
    rows = timetable_rows([], ["A"], SHOWN)

    assert [(f"{row.start.astimezone(SINGAPORE):%H:%M}", row.hour_height) for row in rows if row.hour_height] == [
        ("09:00", 12),
        ("10:00", 12),
    ]


@pytest.mark.parametrize(
    ("spans", "hours"),
    [
        pytest.param([], ("09:00", "18:00"), id="nothing-yet"),
        pytest.param([("09:30", "10:10")], ("08:00", "12:00"), id="an-hour-to-spare"),
        pytest.param([("04:10", "05:00")], ("04:00", "06:00"), id="from-the-change-of-the-day"),
    ],
)
def test_timetable_shows_full_hours_around_the_events(spans: list[tuple[str, str]], hours: tuple[str, str]) -> None:
    shown = shown_span([item("it", *span).span for span in spans], THURSDAY, SINGAPORE)

    assert tuple(f"{it.astimezone(SINGAPORE):%H:%M}" for it in shown) == hours


def test_night_belongs_to_the_day_until_its_change() -> None:
    late = Span(at("22:00"), at("05:00", THURSDAY + dt.timedelta(days=1)))

    shown = shown_span([late], THURSDAY, SINGAPORE)

    assert shown.end == at("04:00", THURSDAY + dt.timedelta(days=1))


@pytest.mark.parametrize(
    ("date", "hours"),
    [(dt.date(2025, 3, 29), 23), (dt.date(2025, 10, 25), 25), (dt.date(2025, 6, 1), 24)],
    ids=["clocks-go-forward", "clocks-go-back", "usual"],
)
def test_day_is_as_long_as_the_clocks_make_it(date: dt.date, hours: int) -> None:
    assert span_of_day(date, ZoneInfo("Europe/Berlin")).length == dt.timedelta(hours=hours)
