"""Files that are no spreadsheet, or not one of ours: answered in words, with nothing written and nothing left."""

from __future__ import annotations

import io
import time
import zipfile
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from openpyxl import load_workbook

from events.admin.spreadsheets.tables import read_table
from events.core.parsing.cells import escape_formula, unescape_formula
from events.core.parsing.table_files import MAX_TABLE_BYTES, MAX_TABLE_ROWS, TableError
from events.models import Event, ImportRun
from tests.admin.uploads.sending import csv_of, export, mistakes, rows_of, send, xlsx_of
from tests.factories import make_conference, make_person

COLUMNS = ["guid", "title", "type", "start"]
FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "＝1", "'=1", "''@x", '=HYPERLINK("https://evil.example")']


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path) -> None:
    settings.UPLOAD_ROOT = tmp_path / "uploads"


def bomb(megabytes: int) -> bytes:
    """A workbook that unpacks to very much more than it weighs."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(xlsx_of(["title"], ["x"]))) as book, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for entry in book.infolist():
            made.writestr(entry, book.read(entry))
        made.writestr("xl/media/picture.bin", b"\0" * (megabytes * 2**20), compresslevel=1)
    return file.getvalue()


def workbook_with(part: str, content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(xlsx_of(["title"], ["x"]))) as book, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for entry in book.infolist():
            made.writestr(entry, content if entry.filename == part else book.read(entry))
    return file.getvalue()


ENTITIES = (
    b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><worksheet><sheetData>&b;</sheetData></worksheet>'
)
BAD = {
    "nothing": (b"", "The file is empty."),
    "only spaces": (b" \n \n", "The file is empty."),
    "only commas": (b",,\n,,\n", "The file has no rows."),
    "a calendar": (
        b"BEGIN:VCALENDAR\nEND:VCALENDAR\n",
        "This is a calendar or JSON and no table: a whole programme goes into “Import a programme”.",
    ),
    "JSON": (
        b'{"schedule": {}}',
        "This is a calendar or JSON and no table: a whole programme goes into “Import a programme”.",
    ),
    "a header alone": (b"title,type\n", "The file has a header and no rows under it."),
    "Latin-1": ("title\nPosé\n".encode("latin-1"), "Row 2: byte 0xE9 is not UTF-8: save the file as “CSV UTF-8”, or as XLSX."),
    "half of UTF-16": (
        "title\nx".encode("utf-16") + b"\0",
        "The file cannot be read as text: save it as “CSV UTF-8”, or as XLSX.",
    ),
    "a web page": (
        b"<!DOCTYPE html><title>Log in</title>",
        "This is a web page or an XML file, not a table: save the sheet as CSV UTF-8 or XLSX.",
    ),
    "an old workbook": (
        b"\xd0\xcf\x11\xe0" + b"x" * 600,
        "This is an old Excel file (.xls), or one with a password: save it as .xlsx without one, or as CSV UTF-8.",
    ),
    "a column twice": (b"title,type,Title\na,b,c\n", "Row 1: the column “title” is there twice: delete one."),
    "a column nobody knows": (
        b"title,tipe\na,b\n",
        f"Row 1: “tipe” (perhaps type) is not a column here. Known are {', '.join(COLUMNS)}.",
    ),
    "a column without a name": (b"title,\na,b\n", "Row 1, column 2 has no name: name it, or delete the column."),
    "cells beyond the header": (b"title\na,b\n", "Row 2: “b” is beyond the last column: quote a cell that contains a comma."),
    "NUL": (
        b"title\na\0b\n",
        "Row 2, title: “a\\u0000b” contains the control character U+0000: delete it and type the text again.",
    ),
    "an open quotation mark": (
        b'title\n"a\n',
        (
            "Row 2 cannot be read as CSV (unexpected end of data): quote a cell that contains a quotation mark, "
            "and double the mark. Or send the file as XLSX."
        ),
    ),
    "a zip": (b"PK\x03\x04" + b"x" * 100, "The workbook cannot be opened: save it again as .xlsx, or as CSV UTF-8."),
    "another zip": (
        workbook_with("[Content_Types].xml", b""),
        "The workbook cannot be opened: save it again as .xlsx, or as CSV UTF-8.",
    ),
    "entities": (
        workbook_with("xl/worksheets/sheet1.xml", ENTITIES),
        "The workbook cannot be opened: save it again as .xlsx, or as CSV UTF-8.",
    ),
    "a bomb": (bomb(200), "The workbook is too large when it is unpacked: copy the sheet into a new one."),
    **{
        name: (
            workbook_with("xl/worksheets/sheet1.xml", b"<worksheet><sheetData>" + inside + b"</sheetData></worksheet>"),
            "The workbook is too large when it is unpacked: copy the sheet into a new one.",
        )
        for name, inside in {
            "millions of cells": b"<row>" + b"<c/>" * 2_000_000 + b"</row>",
            "millions of rows": b"<row/>" * 2_000_000,
            "cells inside cells": b"<c>" * 1_000_000 + b"</c>" * 1_000_000,
        }.items()
    },
    "too many rows": (b"title\n" + b"x\n" * 20_001, "The file has more than 20,000 rows: split it."),
    "too many columns": (b"title" + b"," * 101 + b"\nx\n", "Row 1 has 102 columns: 100 is the most."),
    "a cell without end": (b"title\n" + b"x" * 100_001, "Row 2, title: 100,001 characters in one cell: keep it to 100,000."),
}


@pytest.mark.parametrize(("content", "said"), [pytest.param(*it, id=name) for name, it in BAD.items()])
def test_bad_file_is_refused_in_words_and_soon(content: bytes, said: str) -> None:
    began = time.monotonic()

    with pytest.raises(TableError) as refused:
        read_table(content, COLUMNS)

    assert str(refused.value) == said
    assert time.monotonic() - began < 2


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["Latin-1", "a bomb", "entities", "nothing"])
def test_bad_file_is_refused_on_the_form_and_only_the_record_is_left(organiser: Client, name: str) -> None:
    content, said = BAD[name]

    page = send(organiser, "session", make_conference(), content)

    assert (page.status_code, mistakes(page)) == (422, [said])
    assert (Event.objects.count(), list(Path(settings.UPLOAD_ROOT).glob("*"))) == (0, [])
    # One that is empty never was a file.
    assert [it.reason for it in ImportRun.objects.all()] == ([said] if content else [])


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(csv_of(["Title", " TYPE "], ["a", "b"]), id="capitals and spaces"),
        pytest.param(csv_of(["title", "type"], ["a", "b"], delimiter=";"), id="semicolons"),
        pytest.param(csv_of(["title", "type"], ["a", "b"], delimiter="\t"), id="tabs"),
        pytest.param("title,type\r\na,b\r\n".encode("utf-16"), id="UTF-16 with its mark"),
        pytest.param("title,type\na,b\n".encode("utf-8-sig"), id="UTF-8 with its mark"),
        pytest.param(b"\n,,\ntitle,type,\n\na,b,\n,,\n", id="blank rows and columns"),
        pytest.param(xlsx_of([], ["title", "type"], ["a", "b"]), id="a workbook"),
    ],
)
def test_table_is_read_however_it_was_saved(content: bytes) -> None:
    rows = read_table(content, COLUMNS)

    assert [list(row.cells.items()) for row in rows] == [[("title", "a"), ("type", "b")]]


def test_rows_have_the_numbers_that_a_spreadsheet_shows() -> None:
    rows = read_table(b'title\n"one\nand more"\n\n\ntwo\n', COLUMNS)

    assert [row.number for row in rows] == [2, 5]


@pytest.mark.parametrize("text", FORMULAS)
def test_formula_is_marked_as_text_and_unmarked_again(text: str) -> None:
    assert (escape_formula(text)[0], unescape_formula(escape_formula(text))) == ("'", text)


@pytest.mark.parametrize("text", ["plain", "a=b", "'quoted'", "’s", "", "'"])
def test_text_is_left_as_it_is(text: str) -> None:
    assert (escape_formula(text), unescape_formula(text)) == (text, text)


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_export_holds_no_formula(organiser: Client, kind: str) -> None:
    conference = make_conference()
    for text in FORMULAS:
        make_person(conference, text.strip(), affiliation=text)

    response = export(organiser, "person", kind)

    cells = [row["affiliation"] for row in rows_of(response)]
    assert sorted(cells) == sorted(f"'{text}" for text in FORMULAS)
    if kind == "xlsx":
        sheet = load_workbook(io.BytesIO(response.content)).worksheets[0]
        assert {cell.data_type for row in sheet.iter_rows() for cell in row if cell.value is not None} == {"s"}


@pytest.mark.django_db
def test_text_too_long_for_a_workbook_is_not_cut_off(organiser: Client) -> None:
    make_person(make_conference(), bio="x" * 40_000)

    refused, csv = export(organiser, "person", "xlsx"), export(organiser, "person", "csv")

    said = "Row 2, bio: 40,000 characters are more than a cell of Excel holds. Export it as CSV instead."
    assert [str(it) for it in refused.wsgi_request._messages] == [said]
    assert rows_of(csv)[0]["bio"] == "x" * 40_000


def test_limits_are_those_the_form_says() -> None:
    assert (MAX_TABLE_BYTES, MAX_TABLE_ROWS) == (16 * 2**20, 20_000)
