"""Reading and writing of CSV and XLSX files, without formulas."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
import zipfile
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from openpyxl import Workbook, load_workbook
from openpyxl.styles import Font

from events.admin.spreadsheets.headers import UnknownColumn, guess_columns
from events.core.parsing.cells import escape_formula, first_unprintable, quoted, unescape_formula

MAX_TABLE_BYTES = 16 * 2**20
MAX_TABLE_ROWS = 20_000
MAX_TABLE_LINES = 500_000
"""Lines of a CSV file; a cell may have many."""
MAX_TABLE_COLUMNS = 100
MAX_CELL_CHARS = 100_000
MAX_WORKBOOK_BYTES = 128 * 2**20
MAX_WORKBOOK_TAGS = 1_500_000
"""In all parts of a workbook; a cell needs up to eight. 25 kB can unpack to millions, and openpyxl then needs a minute."""
MAX_EXCEL_CELL_CHARS = 32_767
"""The limit of Excel; openpyxl silently cuts longer texts."""
ZIP_SIGNATURE = b"PK\x03\x04"
XLS_SIGNATURE = b"\xd0\xcf\x11\xe0"
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


class TableError(ValueError):
    """Why a file cannot be read as a table."""


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


NumberedCells = tuple[int, list[str]]


def read_table(content: bytes, columns: Collection[str], *, unknown: str = "") -> list[TableRow]:
    """The rows under the header. Raises TableError.

    Every header must be one of ``columns``, unless ``unknown`` says to leave the others out or to read them as guessed.
    """
    if not content.strip():
        raise TableError("The file is empty.")
    if len(content) > MAX_TABLE_BYTES:
        raise TableError(f"The file is larger than {MAX_TABLE_BYTES // 2**20} MB: split it, or leave out what is not a table.")
    if content.startswith(XLS_SIGNATURE):
        raise TableError(
            "This is an old Excel file (.xls), or one with a password: save it as .xlsx without one, or as CSV UTF-8."
        )
    lines = _read_workbook(content) if content.startswith(ZIP_SIGNATURE) else _read_csv(content)
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
    headers, used = _used_columns(headers, [cells for _, cells in rows], first, columns, unknown)
    if not rows:
        raise TableError("The file has a header and no rows under it.")
    return [
        TableRow(number, {headers[place]: unescape_formula(cells[place].strip()) if place < len(cells) else "" for place in used})
        for number, cells in rows
    ]


def _used_columns(
    headers: list[str], rows: list[list[str]], first: int, columns: Collection[str], unknown: str
) -> tuple[list[str], list[int]]:
    """Headers as they are read, and indexes of the columns in use; an empty column may have any header."""
    filled = {place for cells in rows for place, cell in enumerate(cells) if cell.strip()}
    used = [place for place, name in enumerate(headers) if name in columns or place in filled]
    if unknown == LEAVE_OUT:
        used = [place for place in used if headers[place] in columns]
    for place in used:
        if not headers[place]:
            raise TableError(f"Row {first}, column {place + 1} has no name: name it, or delete the column.")
    strange = [headers[place] for place in used if headers[place] not in columns]
    if guesses := guess_columns(dict.fromkeys(strange), columns, headers):
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


def _read_csv(content: bytes) -> Iterator[NumberedCells]:
    # Counted in the bytes, before they become millions of texts. In UTF-16 other characters may count too, but few.
    lines = max(content.count(b"\n"), content.count(b"\r"))
    if lines > MAX_TABLE_LINES:
        raise TableError(
            f"The file has {lines:,} lines, and {MAX_TABLE_LINES:,} is the most: delete the empty ones, or split it."
        )
    text = _decode_csv(content)
    # Spreadsheet programs write semicolons in half of Europe; some write tabs.
    header = next((line for line in io.StringIO(text) if line.strip()), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=header.count), strict=True)
    number = 0
    try:
        for number, cells in enumerate(reader, start=1):
            if len(cells) > MAX_TABLE_COLUMNS:
                raise TableError(f"Row {number} has {len(cells)} columns: {MAX_TABLE_COLUMNS} is the most.")
            yield number, cells
    except csv.Error as error:
        if "field limit" in str(error):
            problem = f"a cell is longer than {MAX_CELL_CHARS:,} characters: shorten it, or close its quotation mark."
            raise TableError(f"Row {number + 1}: {problem}") from error
        raise TableError(
            f"Row {number + 1} cannot be read as CSV ({error}): quote a cell that contains a quotation mark, "
            "and double the mark. Or send the file as XLSX."
        ) from error


def _decode_csv(content: bytes) -> str:
    is_utf16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = content.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        if is_utf16:
            raise TableError("The file cannot be read as text: save it as “CSV UTF-8”, or as XLSX.") from error
        row = error.object[: error.start].count(b"\n") + 1
        raise TableError(
            f"Row {row}: byte 0x{error.object[error.start]:02X} is not UTF-8: save the file as “CSV UTF-8”, or as XLSX."
        ) from error
    if text.lstrip()[:1] == "<":
        raise TableError("This is a web page or an XML file, not a table: save the sheet as CSV UTF-8 or XLSX.")
    return text


def _read_workbook(content: bytes) -> Iterator[NumberedCells]:
    """Rows of the first sheet. Formulas are read as their saved values."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if _is_too_large(archive):
                raise TableError("The workbook is too large when it is unpacked: copy the sheet into a new one.")
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        rows = book.worksheets[0].iter_rows(max_row=MAX_TABLE_ROWS + 1000, max_col=MAX_TABLE_COLUMNS)
        yield from ((number, [_cell_text(cell) for cell in row]) for number, row in enumerate(rows, start=1))
    except TableError:
        raise
    except Exception as error:
        # For a broken workbook openpyxl raises KeyError, ParseError, BadZipFile and others.
        raise TableError("The workbook cannot be opened: save it again as .xlsx, or as CSV UTF-8.") from error


def _is_too_large(archive: zipfile.ZipFile) -> bool:
    # zipfile never reads more from an entry than its stated size.
    if sum(entry.file_size for entry in archive.infolist()) > MAX_WORKBOOK_BYTES:
        return True
    # Counting bytes is a hundred times as fast as parsing tags.
    return (
        sum(chunk.count(b"<") for entry in archive.infolist() for chunk in _unpacked_chunks(archive, entry)) > MAX_WORKBOOK_TAGS
    )


def _unpacked_chunks(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(entry) as file:
        yield from iter(partial(file.read, 2**20), b"")


def _cell_text(cell: Any) -> str:
    """The cell as text, like in our CSV."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dt.datetime):
        is_date = value.time() == dt.time() and "h" not in str(cell.number_format).lower()
        return f"{value:%Y-%m-%d}" if is_date else f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, dt.time):
        return f"{value:%H:%M}"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


CellValues = Sequence[str | int]


def _write_csv(headers: CellValues, rows: list[CellValues]) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file).writerows([headers, *rows])
    # Without a byte order mark Excel does not read the file as UTF-8.
    return file.getvalue().encode("utf-8-sig", "replace")


def _write_xlsx(headers: CellValues, rows: list[CellValues]) -> bytes:
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
