"""Columns that are not recognised: one note names them, unless somebody chose to leave them out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.imports.formats.spreadsheets.sheet_files import HINTS, parsed, table

GRID = table(
    ["Time", "Main", "Upper", "Lower"],
    ["23 April 2026", "", "", ""],
    ["9:00 - 10:00", "Opening words", "", ""],
    ["10:00 - 11:00", "Bees", "Wasps", "Ants"],
    ["11:00 - 12:00", "Moths", "Flies", "Mites"],
)
REMEDY = "if each room has a column, choose “Title, in the room of the header” for all of them"


@pytest.mark.parametrize(
    ("content", "chosen", "note"),
    [
        pytest.param(GRID, {}, f"the columns “Upper” and “Lower” are not read (4 cells); {REMEDY}", id="a grid"),
        pytest.param(GRID, {"Upper": ""}, "the column “Lower” is not read (2 cells)", id="one is chosen"),
        pytest.param(GRID, {"Upper": "", "Lower": "type"}, "", id="both are chosen"),
        pytest.param(
            table(["Title", "Date", "Remarks", "E-mail", "Empty"], ["Bees", "2026-04-23", "Loud", "a@example.org", ""]),
            {},
            "the column “Remarks” is not read (1 cell)",
            id="neither private nor empty ones",
        ),
        pytest.param(
            table(["Title", "Date", *"abcdefg"], ["Bees", "2026-04-23", *"1234567"]),
            {},
            "the columns “a”, “b”, “c”, “d”, “e” and 2 more are not read (7 cells)",
            id="many",
        ),
    ],
)
def test_columns_that_the_guess_leaves_out_are_named(content: bytes, chosen: dict[str, str], note: str) -> None:
    data = parsed(content, replace(HINTS, columns={"columns": chosen}))

    assert [each for each in data.warnings if "not read" in each] == [note] * bool(note)


@pytest.mark.parametrize(
    "header",
    ["Referent/in", "Referent:innen", "Referentinnen", "Redner", "Sprecher", "Sprecherin", "Vortragende", "Vortragende/r"],
)
def test_german_headers_of_speakers_are_known(header: str) -> None:
    data = parsed(table(["Titel", "Datum", header], ["Gras", "23.04.2026", "Ada Example"]))

    assert [person.name for person in data.people] == ["Ada Example"]
