"""Reading and writing of CSV and XLSX files, without formulas."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Collection, Sequence
from itertools import islice
from typing import NamedTuple

from events.admin.spreadsheets.headers import UnknownColumn, guess_columns
from events.core.parsing.cells import escape_formula, first_unprintable, quoted, unescape_formula
from events.core.parsing.table_files import MAX_CELL_CHARS, MAX_TABLE_ROWS, TableError, read_rows

MAX_EXCEL_CELL_CHARS = 32_767
"""The limit of Excel; openpyxl silently cuts longer texts."""
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


class UnknownColumnsError(TableError):
    """Headers that are no columns here, all at once, each with the column that it probably is."""

    def __init__(self, row: int, columns: Sequence[UnknownColumn], known: Collection[str]) -> None:
        self.columns = list(columns)
        named = "; ".join(f"{quoted(it.name)} (perhaps {it.guess})" if it.guess else quoted(it.name) for it in columns)
        verb = "is not a column" if len(self.columns) == 1 else "are not columns"
        super().__init__(f"Row {row}: {named} {verb} here. Known are {', '.join(known)}.")


READ_AS_GUESSED, LEAVE_OUT = "guess", "leave"
"""What can be done with unknown columns instead of refusing the file."""


class CellTooLongError(ValueError):
    """A text that does not fit into a cell, with its row."""


class TableRow(NamedTuple):
    """``number`` as a spreadsheet shows it, and text by column."""

    number: int
    cells: dict[str, str]


def read_table(
    content: bytes, columns: Collection[str], *, unknown: str = "", is_room: Callable[[str], bool] = lambda _: False
) -> list[TableRow]:
    """The rows under the header. Raises TableError.

    Every header must be one of ``columns``, unless ``unknown`` says to leave the others out or to read them as guessed.
    """
    lines = read_rows(content)
    filled = ((number, cells) for number, cells in lines if any(cell.strip() for cell in cells))
    first, header = next(filled, (0, []))
    if not header:
        raise TableError("The file has no rows.")
    headers = [cell.strip().lower() for cell in header]
    rows = list(islice(filled, MAX_TABLE_ROWS + 1))
    if len(rows) > MAX_TABLE_ROWS:
        raise TableError(f"The file has more than {MAX_TABLE_ROWS:,} rows: split it.")
    for number, cells in rows:
        _check_cells(number, cells, headers)
    headers, used = _used_columns(headers, [cells for _, cells in rows], first, columns, unknown, is_room)
    if not rows:
        raise TableError("The file has a header and no rows under it.")
    return [
        TableRow(number, {headers[place]: unescape_formula(cells[place].strip()) if place < len(cells) else "" for place in used})
        for number, cells in rows
    ]


def _used_columns(
    headers: list[str],
    rows: list[list[str]],
    first: int,
    columns: Collection[str],
    unknown: str,
    is_room: Callable[[str], bool],
) -> tuple[list[str], list[int]]:
    """Headers as they are read, and indexes of the columns in use; an empty column may have any header."""
    filled = {place for cells in rows for place, cell in enumerate(cells) if cell.strip()}
    used = [place for place, name in enumerate(headers) if name in columns or place in filled]
    if unknown == LEAVE_OUT:
        used = [place for place in used if headers[place] in columns]
    for place in used:
        if not headers[place]:
            raise TableError(f"Row {first}, column {place + 1} has no name: name it, or delete the column.")
    strange = {headers[place]: place for place in used if headers[place] not in columns}
    rooms = {
        name
        for name, place in strange.items()
        if all(is_room(cell) for cells in rows for cell in cells[place : place + 1] if cell.strip())
    }
    if guesses := guess_columns(strange, columns, headers, rooms):
        if unknown != READ_AS_GUESSED:
            raise UnknownColumnsError(first, guesses, columns)
        named = {it.name: it.guess for it in guesses}
        headers = [named.get(name, name) for name in headers]
        used = [place for place in used if headers[place]]
    for place in used:
        name = headers[place]
        if name in [headers[other] for other in used if other < place]:
            raise TableError(f"Row {first}: the column {quoted(name)} is there twice: delete one.")
    if not used:
        raise TableError(f"Row {first} has no known column. Known are {', '.join(columns)}.")
    return headers, used


def _check_cells(number: int, cells: list[str], headers: list[str]) -> None:
    over = next((cell.strip() for cell in cells[len(headers) :] if cell.strip()), "")
    if over:
        raise TableError(f"Row {number}: {quoted(over)} is beyond the last column: quote a cell that contains a comma.")
    for name, cell in zip(headers, cells, strict=False):
        if len(cell) > MAX_CELL_CHARS:
            raise TableError(f"Row {number}, {name}: {len(cell):,} characters in one cell: keep it to {MAX_CELL_CHARS:,}.")
        if character := first_unprintable(cell):
            raise TableError(
                f"Row {number}, {name}: {quoted(cell)} contains the control character {character}: "
                "delete it and type the text again."
            )


CellValues = Sequence[str | int]


def _write_csv(headers: CellValues, rows: list[CellValues]) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file).writerows([headers, *rows])
    # Without a byte order mark Excel does not read the file as UTF-8.
    return file.getvalue().encode("utf-8-sig", "replace")


def _write_xlsx(headers: CellValues, rows: list[CellValues]) -> bytes:
    # Only here, as in core/parsing/table_files.py.
    from openpyxl import Workbook  # noqa: PLC0415
    from openpyxl.styles import Font  # noqa: PLC0415

    book, file = Workbook(), io.BytesIO()
    sheet = book.worksheets[0]
    for number, row in enumerate([headers, *rows], start=1):
        for name, cell in zip(headers, row, strict=True):
            if len(str(cell)) > MAX_EXCEL_CELL_CHARS:
                raise CellTooLongError(
                    f"Row {number}, {name}: {len(str(cell)):,} characters are more than a cell of Excel holds. "
                    "Export it as CSV instead."
                )
        sheet.append([None if cell == "" else cell for cell in row])
    for cell in (cell for row in sheet.iter_rows() for cell in row if isinstance(cell.value, str)):
        # Otherwise openpyxl turns some texts into formulas or errors.
        cell.data_type = "s"
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    sheet.freeze_panes = "A2"
    book.save(file)
    return file.getvalue()


SPREADSHEET_FORMATS: dict[str, tuple[str, Callable[[CellValues, list[CellValues]], bytes]]] = {
    "csv": ("text/csv; charset=utf-8", _write_csv),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", _write_xlsx),
}


def write_table(kind: str, headers: CellValues, rows: list[CellValues]) -> bytes:
    """The bytes of a file. Raises CellTooLongError."""
    return SPREADSHEET_FORMATS[kind][1](headers, [[_escaped_cell(cell) for cell in row] for row in rows])


def _escaped_cell(value: str | int) -> str | int:
    return escape_formula(_UNPRINTABLE.sub("", value)) if isinstance(value, str) else value
