"""An uploaded CSV or XLSX file as rows of text, or a sentence that says why not."""

from __future__ import annotations

import csv
import datetime as dt
import io
import zipfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from openpyxl import load_workbook

from events.admin.spreadsheets.workbooks import is_too_much
from events.exports.escaping import unescaped
from events.importers.cells import hint, quoted, unprintable

MOST_BYTES = 16 * 2**20
MOST_ROWS = 20_000
MOST_COLUMNS = 100
LONGEST_CELL = 100_000
ZIP = b"PK\x03\x04"
OLD_EXCEL = b"\xd0\xcf\x11\xe0"


class TableError(ValueError):
    """Why a file cannot be read as a table, for whoever sent it."""


@dataclass(frozen=True)
class Table:
    """``numbers`` are the rows' numbers as a spreadsheet shows them; the header is the first."""

    headers: list[str]
    rows: list[list[str]]
    numbers: list[int]


Line = tuple[int, list[str]]


def read_table(content: bytes, columns: Collection[str]) -> Table:
    """The table in these bytes, CSV or XLSX by its content; every header is one of ``columns``."""
    if not content.strip():
        raise TableError("The file is empty.")
    if len(content) > MOST_BYTES:
        raise TableError(f"The file is larger than {MOST_BYTES // 2**20} MB: split it, or leave out what is not a table.")
    if content.startswith(OLD_EXCEL):
        raise TableError(
            "This is an old Excel file (.xls), or one with a password: save it as .xlsx without one, or as CSV UTF-8."
        )
    lines = _workbook(content) if content.startswith(ZIP) else _csv(content)
    return _table(lines, columns)


def _table(lines: Iterator[Line], columns: Collection[str]) -> Table:
    filled = ((number, cells) for number, cells in lines if any(cell.strip() for cell in cells))
    first, header = next(filled, (0, []))
    if not header:
        raise TableError("The file has no rows.")
    headers = [cell.strip().lower() for cell in header]
    rows: list[Line] = []
    for number, cells in filled:
        if len(rows) == MOST_ROWS:
            raise TableError(f"The file has more than {MOST_ROWS:,} rows: split it.")
        _check_cells(number, cells, headers)
        rows.append((number, cells))
    used = _used(headers, [cells for _, cells in rows], first, columns)
    if not rows:
        raise TableError("The file has a header and no rows under it.")
    return Table(
        [headers[place] for place in used],
        [[unescaped(cells[place].strip()) if place < len(cells) else "" for place in used] for _, cells in rows],
        [number for number, _ in rows],
    )


def _used(headers: list[str], rows: list[list[str]], first: int, columns: Collection[str]) -> list[int]:
    """The places of the columns; one that is empty all the way down may be called anything."""
    used = [
        place
        for place, name in enumerate(headers)
        if name in columns or any(place < len(cells) and cells[place].strip() for cells in rows)
    ]
    for place in used:
        name = headers[place]
        if not name:
            raise TableError(f"Row {first}, column {place + 1} has no name: name it, or delete the column.")
        if name not in columns:
            near = hint(name, columns)
            known = near if near.endswith("?") else f": known are {', '.join(columns)}"
            raise TableError(f"Row {first}: {quoted(name)} is not a column here{known}")
        if name in [headers[other] for other in used if other < place]:
            raise TableError(f"Row {first}: the column {quoted(name)} is there twice: delete one.")
    if not used:
        raise TableError(f"Row {first} names no column that is known here: it is to hold {', '.join(columns)}.")
    return used


def _check_cells(number: int, cells: list[str], headers: list[str]) -> None:
    over = next((cell.strip() for cell in cells[len(headers) :] if cell.strip()), "")
    if over:
        raise TableError(f"Row {number}: {quoted(over)} stands beyond the last column: quote a cell that holds a comma.")
    for name, cell in zip(headers, cells, strict=False):
        if len(cell) > LONGEST_CELL:
            raise TableError(f"Row {number}, {name}: {len(cell):,} characters in one cell: keep it to {LONGEST_CELL:,}.")
        if found := unprintable(cell):
            raise TableError(
                f"Row {number}, {name}: {quoted(cell)} holds the control character {found}: delete it and type the text again."
            )


def _csv(content: bytes) -> Iterator[Line]:
    text = _decoded(content)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    number = 0
    try:
        for number, cells in enumerate(reader, start=1):
            if len(cells) > MOST_COLUMNS:
                raise TableError(f"Row {number} has {len(cells)} columns: {MOST_COLUMNS} is the most.")
            yield number, cells
    except csv.Error as error:
        raise TableError(
            f"Row {number + 1} cannot be read as CSV ({error}): put a cell that holds a quotation mark in quotation marks, "
            "and double the mark. Or send the file as XLSX."
        ) from error


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return content.decode("utf-16")
        except UnicodeDecodeError as error:
            raise TableError("The file cannot be read as text: save it as “CSV UTF-8”, or as XLSX.") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = error.object[: error.start].count(b"\n") + 1
        raise TableError(
            f"Row {row}: byte 0x{error.object[error.start]:02X} is not UTF-8: save the file as “CSV UTF-8”, or as XLSX."
        ) from error
    if text.lstrip()[:1] == "<":
        raise TableError("This is a web page or an XML file, not a table: save the sheet as CSV UTF-8 or XLSX.")
    return text


def _delimiter(text: str) -> str:
    """Spreadsheets of half of Europe write semicolons; some write tabs."""
    header = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t", key=header.count)


def _workbook(content: bytes) -> Iterator[Line]:
    """The first sheet of a workbook; formulas are taken as the values that were saved with them."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if is_too_much(archive):
                raise TableError("The workbook is too large when it is unpacked: copy the sheet into a new one.")
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        sheet = book.worksheets[0]
        rows = sheet.iter_rows(max_row=MOST_ROWS + 1000, max_col=MOST_COLUMNS)
        yield from ((number, [_text(cell) for cell in row]) for number, row in enumerate(rows, start=1))
    except TableError:
        raise
    except Exception as error:
        # openpyxl answers a broken workbook with whatever came up: KeyError, ParseError, BadZipFile and others.
        raise TableError("The workbook cannot be opened: save it again as .xlsx, or as CSV UTF-8.") from error


def _text(cell: Any) -> str:
    """A cell as it would stand in our CSV."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dt.datetime):
        dated = value.time() == dt.time() and "h" not in str(cell.number_format).lower()
        return f"{value:%Y-%m-%d}" if dated else f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, dt.time):
        return f"{value:%H:%M}"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
