"""Workbooks: several sheets as one table, what is not read of them, and merged cells."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from dataclasses import replace
from typing import Any

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.core.parsing.table_files import MAX_MERGED_CELLS, read_rows
from events.imports.formats.document import Document
from events.imports.formats.spreadsheet.choices import ColumnChoices
from events.imports.formats.spreadsheet.look import look_at_sheet
from events.imports.formats.spreadsheet.rows import REMEDIES
from events.imports.formats.spreadsheet.sheet import MAX_SEARCHED_SHEETS, open_sheet
from tests.imports.formats.bad_files import SECONDS, zipped
from tests.imports.formats.spreadsheets.sheet_files import DAYS, HEADER, HINTS, ROOMS, parsed, slots, workbook
from tests.processor import at_most

DAY_HINTS = replace(HINTS, start=dt.date(2026, 4, 23), end=dt.date(2026, 4, 24))


def merged(rows: list[list[Any]], *ranges: str) -> bytes:
    """A workbook with merged cells, whatever their ranges."""
    with zipfile.ZipFile(io.BytesIO(workbook({"Agenda": rows}))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    cells = "".join(f'<mergeCell ref="{each}"/>' for each in ranges)
    name = "xl/worksheets/sheet1.xml"
    return zipped({**parts, name: parts[name].replace(b"</sheetData>", f"</sheetData><mergeCells>{cells}</mergeCells>".encode())})


def test_sheets_with_one_header_are_one_table() -> None:
    look = look_at_sheet(Document.from_upload("days.xlsx", workbook(DAYS)), HINTS)

    assert look.data
    assert slots(look.data) == {"Bees": "23 09:00–10:00", "Wasps": "24 09:00–10:00"}
    assert look.sheet.read == look.sheet.alike == ["Thu 23 Apr", "Fri 24 Apr"]
    assert [row.number for row in look.rows] == ["2 of “Thu 23 Apr”", "3 of “Fri 24 Apr”"]
    assert look.data.warnings == (
        "the sheet “Rooms” is not read",
        "row 3 of “Fri 24 Apr”, “Wasps”: has neither an end nor a length; 60 minutes are assumed",
        "row 3 of “Fri 24 Apr”, End: “soon” cannot be read and is left out; " + REMEDIES["end"],
    )


@pytest.mark.parametrize(
    ("sheets", "chosen", "read", "warnings"),
    [
        (DAYS, "Fri 24 Apr", ["Fri 24 Apr"], "the sheets “Thu 23 Apr” and “Rooms” are not read"),
        (DAYS, "Sat 25 Apr", ["Thu 23 Apr", "Fri 24 Apr"], "the sheet “Rooms” is not read"),
        (DAYS | {"Rooms": ROOMS[:1]}, "", ["Thu 23 Apr", "Fri 24 Apr"], ""),
        (
            DAYS | {f"Old {number}": ROOMS for number in range(MAX_SEARCHED_SHEETS)},
            "",
            ["Thu 23 Apr", "Fri 24 Apr"],
            "the sheets “Rooms”, “Old 0”, “Old 1”, “Old 2”, “Old 3” and 6 more are not read",
        ),
    ],
    ids=["a single one", "one that is not there", "a header alone", "many"],
)  # fmt: skip
def test_sheets_that_are_not_read_are_named(
    sheets: dict[str, list[list[Any]]], chosen: str, read: list[str], warnings: str
) -> None:
    sheet = open_sheet(Document.from_upload("days.xlsx", workbook(sheets, hidden=["Notes"])), ColumnChoices(sheet=chosen))

    assert (sheet.read, ", ".join(sheet.notes())) == (read, warnings)


def test_date_may_be_the_name_of_the_sheet() -> None:
    header, row = HEADER[1:], ["9:00", "10:00"]
    days = {"Thu 23 Apr": [header, [*row, "Bees"]], "Friday": [header, [*row, "Wasps"]], "Extra": [header, [*row, "Ants"]]}

    data = parsed(workbook(days), DAY_HINTS, "days.xlsx")

    assert slots(data) == {"Bees": "23 09:00–10:00", "Wasps": "24 09:00–10:00", "Ants": "?"}
    assert data.warnings == (
        "2 rows have no date of their own; that of the row above or of the sheet is used",
        "row 2 of “Extra”, Start: “9:00” cannot be read and is left out; give it a date in this row or above",
    )


def test_merged_cells_count_for_each_of_their_rows() -> None:
    rows: list[list[Any]] = [
        ["Meadow Days"],
        ["Date", "Session", "Start", "End", "Title", "Room"],
        [dt.date(2026, 4, 23), "Bugs", "9:00", "10:00", "Bees", "Hall"],
        [None, None, "10:00", "11:00", "Wasps", None],
        [],
        [None, None, "11:00", "12:00", "Lunch", None],
    ]

    data = parsed(merged(rows, "A1:F1", "A3:A6", "B3:B4", "F3:F4", "E6:F6"), name="agenda.xlsx")

    assert [(event.title, event.session, event.room) for event in data.events] == [
        ("Lunch", "", ""),
        ("Bugs", "", "hall"),
        ("Bees", "session:bugs", "hall"),
        ("Wasps", "session:bugs", "hall"),
    ]
    assert data.warnings == ()


@pytest.mark.parametrize(
    ("ranges", "column"),
    [
        pytest.param(["A2:A4"], ["a", "a", "a"], id="a range"),
        pytest.param(["A2:XFD1048576"], ["a", "a", "a"], id="the whole sheet"),
        pytest.param(["A2:A3", "A3:A4", "A2:A4"], ["a", "a", ""], id="ranges that overlap"),
        pytest.param(["A2:A4"] * MAX_MERGED_CELLS, ["a", "a", "a"], id="one many times"),
        pytest.param([f"ZZ2:ZZ{number}" for number in range(3, 9)], ["a", "", ""], id="beside the table"),
    ],
)
def test_ranges_of_any_sort_are_read_at_once(ranges: list[str], column: list[str]) -> None:
    content = merged([["Title", "Room"], ["a", "x"], ["", "y"], ["", "z"]], *ranges)

    with at_most(SECONDS):
        rows = [cells for _, cells in read_rows(content)]

    assert [cells[0] for cells in rows[1:]] == column
    assert {len(cells) for cells in rows} == {2}


def test_too_many_merged_cells_are_refused() -> None:
    ranges = [f"A{number}:A{number + 1}" for number in range(1, MAX_MERGED_CELLS + 2)]

    with at_most(2 * SECONDS), pytest.raises(ScheduleParseError, match="more than 20,000 merged cells: unmerge those"):
        parsed(merged([["Title", "Start"], ["Bees", "9:00"]], *ranges), name="agenda.xlsx")


@pytest.mark.parametrize("each", ["", "A", "A:A", "2:4", "A4:A2", "A2:A", "A2:A4:A6", "a" * 5_000, f"A2:A{'9' * 5_000}"])
def test_range_that_is_none_is_refused_in_words(each: str) -> None:
    with at_most(SECONDS), pytest.raises(ScheduleParseError, match="The workbook cannot be opened: save it again"):
        parsed(merged([["Title", "Start"], ["Bees", "2026-04-23 9:00"]], each), name="agenda.xlsx")


def test_names_of_sheets_without_a_year_are_refused_with_the_remedy() -> None:
    rows = [["Title", "Start", "End"], ["Bees", "9:00", "10:00"]]

    with pytest.raises(ScheduleParseError, match="sheet “Mon 14 Sept” has no year: write Mon 14 Sept 20"):
        parsed(workbook({"Mon 14 Sept": rows, "Tue 15 Sept": rows}), name="days.xlsx")
