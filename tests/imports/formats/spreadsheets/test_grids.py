"""Grids: a column for each room, a row for each hour."""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core.parsing.errors import ColumnsNeededError, ScheduleParseError
from events.imports.formats.document import Document
from events.imports.formats.spreadsheet.fields import guess_fields
from events.imports.formats.spreadsheet.look import look_at_sheet
from events.programme.data.schedule import ScheduleData
from tests.imports.formats.spreadsheets.sheet_files import HINTS, parsed, slots, table, workbook
from tests.imports.formats.spreadsheets.test_workbooks import merged

ROOMS = ["Main Hall", "Room 2.01", "Kitchen"]
TWO_DAYS = table(
    ["Time", *ROOMS],
    ["23 April 2026", "", "", ""],
    ["9:00 - 10:00", "Opening words\nAda Example", "", ""],
    ["10:00 - 11:00", "Bees", "Wasps", "Ants at work"],
    ["11:00 - 12:00", "Bees", "Flies", "-"],
    ["12:00 - 13:00", "Lunch", "", ""],
    ["24 April 2026", *ROOMS],
    ["9:00 - 10:00", "Closing", "Closing", "Closing"],
)


def places(data: ScheduleData) -> dict[str, str]:
    rooms = {room.key: room.name for room in data.rooms}
    return {event.title: rooms.get(event.room, "") for event in data.events}


def test_each_cell_is_an_event_in_the_room_of_its_column() -> None:
    data = parsed(TWO_DAYS)

    assert slots(data) == {
        "Opening words": "23 09:00–10:00",
        "Bees": "23 10:00–12:00",
        "Wasps": "23 10:00–11:00",
        "Ants at work": "23 10:00–11:00",
        "Flies": "23 11:00–12:00",
        "Lunch": "23 12:00–13:00",
        "Closing": "24 09:00–10:00",
    }
    assert places(data) == {
        "Opening words": "Main Hall",
        "Bees": "Main Hall",
        "Wasps": "Room 2.01",
        "Ants at work": "Kitchen",
        "Flies": "Room 2.01",
        "Lunch": "",
        "Closing": "",
    }
    assert [person.name for person in data.people] == ["Ada Example"]
    assert data.warnings == ("7 events have no date of their own; that of the row above is used",)


def test_event_without_an_end_lasts_until_the_next_row() -> None:
    header = ["Thursday, 23 April 2026", "Room 1", "Room 2"]
    rows = [["9:00", "Opening", ""], ["10:00", "Bees", "Wasps"], ["11:30", "", ""], ["12:00", "", "End words"]]

    data = parsed(table(header, *rows))

    assert slots(data) == {
        "Opening": "23 09:00–10:00",
        "Bees": "23 10:00–11:30",
        "Wasps": "23 10:00–11:30",
        "End words": "23 12:00–13:00",
    }
    assert [each for each in data.warnings if "assumed" in each] == [
        "row 5, Room 2, “End words”: has neither an end nor a length; 60 minutes are assumed"
    ]


@pytest.mark.parametrize(
    ("header", "rows", "expected"),
    [
        pytest.param(
            ["Date", "Start", "End", "Hall A", "Hall B"],
            [["23.04.2026", "9:00", "9:45", "Bees", "Wasps"], ["23.04.2026", "10:00", "10:45", "Bees", "Flies"]],
            {"Bees": "23 09:00–10:45", "Wasps": "23 09:00–09:45", "Flies": "23 10:00–10:45"},
            id="columns of start and end",
        ),
        pytest.param(
            ["Date", "Start", "Length", "Hall A", "Hall B"],
            [["23.04.2026", "9:00", "45 min", "Bees", "Wasps"], ["23.04.2026", "10:00", "30 min", "Ants", ""]],
            {"Bees": "23 09:00–09:45", "Wasps": "23 09:00–09:45", "Ants": "23 10:00–10:30"},
            id="a column of lengths",
        ),
        pytest.param(
            ["Date", "Time", "Hall A", "Hall B"],
            [["23.04.2026", "22:00", "Bees", "Wasps"], ["24.04.2026", "9:00-10:00", "Bees too", "Wasps"]],
            {"Bees": "23 22:00–23:00", "Wasps": "24 09:00–10:00", "Bees too": "24 09:00–10:00"},
            id="nothing lasts until the next day",
        ),
    ],
)
def test_times_may_be_in_several_columns(header: list[str], rows: list[list[str]], expected: dict[str, str]) -> None:
    assert slots(parsed(table(header, *rows))) == expected


def test_long_sessions_are_merged_cells() -> None:
    rows = [["23 April 2026", "Saal A", "Saal B"], ["9:00-10:00", "Bees", "Wasps"], ["10:00-11:00", None, "Flies"]]

    data = parsed(merged(rows, "B2:B3"), name="grid.xlsx")

    assert slots(data) == {"Bees": "23 09:00–11:00", "Wasps": "23 09:00–10:00", "Flies": "23 10:00–11:00"}


def test_conference_of_one_day_needs_no_date() -> None:
    day = dt.date(2026, 4, 23)
    grid = table(["Time", "Hall A", "Hall B"], ["9:00-10:00", "Bees", "Wasps"])

    data = parsed(grid, dataclasses.replace(HINTS, start=day, end=day))

    assert slots(data) == {"Bees": "23 09:00–10:00", "Wasps": "23 09:00–10:00"}
    assert data.warnings == ("2 events have no date of their own; that of the row above or of the conference is used",)
    with pytest.raises(ScheduleParseError, match="names no day at all: give its events dates"):
        parsed(grid, dataclasses.replace(HINTS, start=day, end=day + dt.timedelta(days=1)))


def test_sheets_of_a_workbook_are_days() -> None:
    header = ["Time", "Hall A", "Hall B"]
    sheets: dict[str, list[list[Any]]] = {
        "23 April 2026": [header, ["9:00-10:00", "Bees", "Wasps"], ["10:00-11:00", "Bees", ""]],
        "24 April 2026": [header, ["9:00-10:00", "Bees again", "Ants"]],
    }

    data = parsed(workbook(sheets), name="days.xlsx")

    assert slots(data)["Bees"] == "23 09:00–11:00"
    assert slots(data)["Ants"] == "24 09:00–10:00"


@pytest.mark.parametrize(
    ("headers", "row", "rooms"),
    [
        pytest.param(["Time", "Hall A", "Hall B"], ["9:00", "Bees", "Wasps"], ["Hall A", "Hall B"], id="rooms"),
        pytest.param(["Time", "Track 1", "Attic"], ["9:00", "Bees", "Wasps"], [], id="one name of a room"),
        pytest.param(["Time", "Title", "Room", "Overflow room"], ["9:00", "Bees", "Hall", "Attic"], [], id="a title"),
        pytest.param(["Time", "Room", "Side room"], ["9:00", "Bees", "Wasps"], [], id="a column of rooms"),
        pytest.param(["Time", "Room 1", "Room 2"], ["9:00", "40", "60"], [], id="numbers"),
        pytest.param(["Room 1", "Room 2"], ["9:00", "10:00"], [], id="hours"),
    ],
)
def test_only_names_of_rooms_over_titles_make_a_grid(headers: list[str], row: list[str], rooms: list[str]) -> None:
    fields = guess_fields(headers, {}, [row])

    assert [header for header, field in fields.items() if field == "room_title"] == rooms


@pytest.mark.parametrize("field", ["title", "room"])
def test_column_beside_a_grid_that_contradicts_it_is_refused(field: str) -> None:
    columns = {"Time": "start", "Alpha": "room_title", "Beta": "room_title", "Gamma": field}
    content = table(["Time", "Alpha", "Beta", "Gamma"], ["2026-04-23 9:00", "Bees", "Wasps", "Ants"])

    with pytest.raises(ColumnsNeededError) as refused:
        parsed(content, dataclasses.replace(HINTS, columns={"columns": columns}))

    assert f"“Gamma” has a {field}, and so have the columns “Title, in the room of the header”: leave it or them out" in str(
        refused.value
    )


def test_page_of_columns_shows_the_events_of_a_grid() -> None:
    look = look_at_sheet(Document.from_upload("grid.csv", TWO_DAYS), HINTS)

    assert [(row.number, row.title, row.hours, row.room) for row in look.rows][:3] == [
        ("3, Main Hall", "Opening words", "09:00–10:00", "Main Hall"),
        ("4, Main Hall", "Bees", "10:00–12:00", "Main Hall"),
        ("4, Room 2.01", "Wasps", "10:00–11:00", "Room 2.01"),
    ]
    assert look.sheet.headers == ["Time", *ROOMS]


@given(st.lists(st.tuples(*[st.sampled_from(["", "Bees", "Wasps", "Ants"])] * 3), min_size=1, max_size=6))
def test_grid_has_the_hours_of_its_cells(cells: list[tuple[str, ...]]) -> None:
    """Whatever stands where, each room is taken in exactly the hours in which its column has a text."""
    titles = [[f"{text} in {room}" * bool(text) for text, room in zip(row, "ABC", strict=True)] for row in cells]
    # A text in each room, so that there is always a grid.
    hours = ([f"{9 + n}:00-{10 + n}:00", *row] for n, row in enumerate(titles))
    rows = [["8:00-9:00", "Coffee for A", "Tea for B", "Milk for C"], *hours]

    data = parsed(table(["Time", "Hall A", "Hall B", "Hall C"], ["23.04.2026", "", "", ""], *rows))

    taken = sorted((event.title, hour) for event in data.events for hour in _hours(event))
    assert taken == sorted((text, 8 + n) for n, (_, *row) in enumerate(rows) for text in row if text)


def _hours(event: Any) -> range:
    start, end = (at.astimezone(dt.timezone(dt.timedelta(hours=2))) for at in (event.start, event.end))
    return range(start.hour, end.hour)
