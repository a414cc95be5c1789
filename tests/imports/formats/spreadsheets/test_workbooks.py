"""Workbooks: several sheets as one table, and what is not read of them."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

from events.imports.formats.document import Document
from events.imports.formats.spreadsheet.choices import ColumnChoices
from events.imports.formats.spreadsheet.look import look_at_sheet
from events.imports.formats.spreadsheet.rows import REMEDIES
from events.imports.formats.spreadsheet.sheet import MAX_SEARCHED_SHEETS, open_sheet
from tests.imports.formats.spreadsheets.sheet_files import DAYS, HEADER, HINTS, ROOMS, parsed, slots, workbook

DAY_HINTS = replace(HINTS, start=dt.date(2026, 4, 23), end=dt.date(2026, 4, 24))


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
