"""CSV and XLSX files: read as rows of text, or refused in a sentence, and written without formulas."""

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

from events.exports.escaping import escaped, unescaped
from events.importers.cells import hint, quoted, unprintable

MOST_BYTES = 16 * 2**20
MOST_ROWS = 20_000
MOST_COLUMNS = 100
LONGEST_CELL = 100_000
MOST_UNPACKED = 128 * 2**20
MOST_TAGS = 1_500_000
"""In all parts of a workbook; a cell takes up to eight. 25 kB can hold millions, over which openpyxl takes a minute."""
LONGEST_IN_EXCEL = 32_767
"""A cell of Excel holds no more: openpyxl cuts the rest off without a word."""
ZIP = b"PK\x03\x04"
OLD_EXCEL = b"\xd0\xcf\x11\xe0"
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


class TableError(ValueError):
    """Why a file cannot be read as a table."""


class TooLongError(ValueError):
    """A text that the format cannot hold, with its row."""


class Row(NamedTuple):
    """``number`` as a spreadsheet shows it, and text by column."""

    number: int
    cells: dict[str, str]


Line = tuple[int, list[str]]


def read_table(content: bytes, columns: Collection[str]) -> list[Row]:
    """The rows under the header, CSV or XLSX by content; every header is one of ``columns``. TableError if it cannot be read."""
    if not content.strip():
        raise TableError("The file is empty.")
    if len(content) > MOST_BYTES:
        raise TableError(f"The file is larger than {MOST_BYTES // 2**20} MB: split it, or leave out what is not a table.")
    if content.startswith(OLD_EXCEL):
        raise TableError(
            "This is an old Excel file (.xls), or one with a password: save it as .xlsx without one, or as CSV UTF-8."
        )
    lines = _workbook(content) if content.startswith(ZIP) else _csv(content)
    filled = ((number, cells) for number, cells in lines if any(cell.strip() for cell in cells))
    first, header = next(filled, (0, []))
    if not header:
        raise TableError("The file has no rows.")
    headers = [cell.strip().lower() for cell in header]
    rows = list(islice(filled, MOST_ROWS + 1))
    if len(rows) > MOST_ROWS:
        raise TableError(f"The file has more than {MOST_ROWS:,} rows: split it.")
    for number, cells in rows:
        _check_cells(number, cells, headers)
    used = _used(headers, [cells for _, cells in rows], first, columns)
    if not rows:
        raise TableError("The file has a header and no rows under it.")
    return [
        Row(number, {headers[place]: unescaped(cells[place].strip()) if place < len(cells) else "" for place in used})
        for number, cells in rows
    ]


def _used(headers: list[str], rows: list[list[str]], first: int, columns: Collection[str]) -> list[int]:
    """The places of the columns; one that is empty all the way down may be called anything."""
    filled = {place for cells in rows for place, cell in enumerate(cells) if cell.strip()}
    used = [place for place, name in enumerate(headers) if name in columns or place in filled]
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
    # Spreadsheets of half of Europe write semicolons; some write tabs.
    header = next((line for line in text.splitlines() if line.strip()), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=header.count), strict=True)
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


def _workbook(content: bytes) -> Iterator[Line]:
    """The first sheet of a workbook; formulas are taken as the values that were saved with them."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if _is_too_much(archive):
                raise TableError("The workbook is too large when it is unpacked: copy the sheet into a new one.")
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        rows = book.worksheets[0].iter_rows(max_row=MOST_ROWS + 1000, max_col=MOST_COLUMNS)
        yield from ((number, [_text(cell) for cell in row]) for number, row in enumerate(rows, start=1))
    except TableError:
        raise
    except Exception as error:
        # openpyxl answers a broken workbook with whatever came up: KeyError, ParseError, BadZipFile and others.
        raise TableError("The workbook cannot be opened: save it again as .xlsx, or as CSV UTF-8.") from error


def _is_too_much(archive: zipfile.ZipFile) -> bool:
    # No more than it claims is ever read from an entry, so the claims bound it.
    if sum(entry.file_size for entry in archive.infolist()) > MOST_UNPACKED:
        return True
    # Counting bytes is a hundred times as quick as reading tags.
    return sum(some.count(b"<") for entry in archive.infolist() for some in _parts(archive, entry)) > MOST_TAGS


def _parts(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(entry) as file:
        yield from iter(partial(file.read, 2**20), b"")


def _text(cell: Any) -> str:
    """A cell as it would stand in our CSV."""
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


Cells = Sequence[str | int]


def _as_csv(headers: Cells, rows: list[Cells]) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file).writerows([headers, *rows])
    # Excel takes a file without this mark for one of another age.
    return file.getvalue().encode("utf-8-sig", "replace")


def _as_xlsx(headers: Cells, rows: list[Cells]) -> bytes:
    book, file = Workbook(), io.BytesIO()
    sheet = book.worksheets[0]
    for number, row in enumerate([headers, *rows], start=1):
        for name, cell in zip(headers, row, strict=True):
            if len(str(cell)) > LONGEST_IN_EXCEL:
                raise TooLongError(
                    f"Row {number}, {name}: {len(str(cell)):,} characters are more than a cell of Excel holds. "
                    "Export it as CSV instead."
                )
        sheet.append([None if cell == "" else cell for cell in row])
    for cell in (cell for row in sheet.iter_rows() for cell in row if isinstance(cell.value, str)):
        # Never a formula or an error, whatever openpyxl makes of the text.
        cell.data_type = "s"
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    sheet.freeze_panes = "A2"
    book.save(file)
    return file.getvalue()


KINDS: dict[str, tuple[str, Callable[[Cells, list[Cells]], bytes]]] = {
    "csv": ("text/csv; charset=utf-8", _as_csv),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", _as_xlsx),
}


def write_table(kind: str, headers: Cells, rows: list[Cells]) -> bytes:
    """The bytes of a file; TooLongError where a cell cannot hold its text."""
    return KINDS[kind][1](headers, [[_safe(cell) for cell in row] for row in rows])


def _safe(value: str | int) -> str | int:
    return escaped(_UNPRINTABLE.sub("", value)) if isinstance(value, str) else value
