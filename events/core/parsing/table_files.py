"""Reading of CSV and XLSX files as rows of texts, within bounds and without formulas."""

from __future__ import annotations

import contextlib
import csv
import datetime as dt
import io
import itertools
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import IO, Any

from defusedxml.ElementTree import iterparse

MAX_TABLE_BYTES = 16 * 2**20
MAX_TABLE_ROWS = 20_000
MAX_TABLE_LINES = 500_000
"""Lines of a CSV file; a cell may have many."""
MAX_TABLE_COLUMNS = 100
MAX_FILE_CELLS = 3_000_000
MAX_CELL_CHARS = 100_000
MAX_WORKBOOK_BYTES = 128 * 2**20
MAX_WORKBOOK_TAGS = 1_500_000
"""In all parts of a workbook; a cell needs up to eight. 25 kB can unpack to millions, and openpyxl then needs a minute."""
MAX_MERGED_CELLS = 20_000
"""Of a sheet, over several rows."""
MAX_HEAD_ROWS = 1_000
"""Within which the first filled rows of a sheet are looked for."""
DELIMITERS = ",;\t"
ZIP_SIGNATURE = b"PK\x03\x04"
XLS_SIGNATURE = b"\xd0\xcf\x11\xe0"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_XLSX_PART, _ODS_TYPE, _NUMBERS_PART = "xl/workbook.xml", b"opendocument.spreadsheet", "Index/Document.iwa"
_DELIMITER_SAMPLE_CHARS, _DELIMITER_SAMPLE_ROWS = 200_000, 30

NumberedCells = tuple[int, list[str]]
"""A row with its number as a spreadsheet shows it."""


class TableError(ValueError):
    """Why a file cannot be read as a table."""


def is_workbook(content: bytes) -> bool:
    """Whether a zip is a workbook of Excel, LibreOffice or Numbers and not a folder of files."""
    if not content.startswith(ZIP_SIGNATURE):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            if _XLSX_PART in names or _NUMBERS_PART in names:
                return True
            return names[:1] == ["mimetype"] and _ODS_TYPE in archive.open(names[0]).read(200)
    except (zipfile.BadZipFile, RuntimeError, EOFError, ValueError, OSError):
        return False


def refuse_other_sheets(content: bytes) -> None:
    """Raise TableError for what is too large, or a spreadsheet in another format than CSV or XLSX."""
    if not content.strip():
        raise TableError("The file is empty.")
    if len(content) > MAX_TABLE_BYTES:
        raise TableError(f"The file is larger than {MAX_TABLE_BYTES // 2**20} MB: split it, or leave out what is not a table.")
    if content.startswith(XLS_SIGNATURE):
        raise TableError(
            "This is an old Excel file (.xls), or one with a password: save it as .xlsx without one, or as CSV UTF-8."
        )
    if is_workbook(content) and _XLSX_PART.encode() not in content:
        raise TableError("This is a sheet of LibreOffice or Numbers: save it as .xlsx, or as CSV UTF-8.")


def read_rows(
    content: bytes, *, sheet: str = "", max_columns: int = MAX_TABLE_COLUMNS, encoding: str = ""
) -> Iterator[NumberedCells]:
    """Yield the rows of a CSV file, or of a sheet of a workbook. Raise TableError.

    ``sheet`` is the name of one, else the first is read. ``encoding`` is that of bytes that are not UTF-8; without it they
    are refused.
    """
    refuse_other_sheets(content)
    is_zip = content.startswith(ZIP_SIGNATURE)
    rows = _read_workbook(content, sheet, max_columns) if is_zip else _read_csv(content, max_columns, encoding)
    count = 0
    for number, cells in rows:
        count += len(cells)
        refuse_many_cells(count)
        yield number, cells


def refuse_many_cells(count: int) -> None:
    if count > MAX_FILE_CELLS:
        raise TableError(f"The file has more than {MAX_FILE_CELLS:,} cells: delete what is not the table.")


def _read_csv(content: bytes, max_columns: int, encoding: str) -> Iterator[NumberedCells]:
    # Counted in the bytes, before they become millions of texts. In UTF-16 other characters may count too, but few.
    lines = max(content.count(b"\n"), content.count(b"\r"))
    if lines > MAX_TABLE_LINES:
        raise TableError(
            f"The file has {lines:,} lines, and {MAX_TABLE_LINES:,} is the most: delete the empty ones, or split it."
        )
    text = decode_csv(content, encoding)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=csv_delimiter(text), strict=True)
    number = 0
    try:
        for number, cells in enumerate(reader, start=1):
            if len(cells) > max_columns:
                raise TableError(f"Row {number} has {len(cells)} columns: {max_columns} is the most.")
            yield number, cells
    except csv.Error as error:
        if "field limit" in str(error):
            problem = f"a cell is longer than {MAX_CELL_CHARS:,} characters: shorten it, or close its quotation mark."
            raise TableError(f"Row {number + 1}: {problem}") from error
        raise TableError(
            f"Row {number + 1} cannot be read as CSV ({error}): quote a cell that contains a quotation mark, "
            "and double the mark. Or send the file as XLSX."
        ) from error


def csv_delimiter(text: str) -> str:
    """Return the mark between cells: half of Europe writes semicolons, some programs tabs.

    The one that divides most of the first rows into equally many cells: a title above the header may hold a comma.
    """
    header = next((line for line in io.StringIO(text[:_DELIMITER_SAMPLE_CHARS]) if line.strip()), "")
    return max(DELIMITERS, key=lambda mark: (_equal_rows(text, mark), header.count(mark)))


def equal_rows(text: str) -> int:
    """Return how many of the first rows have the same number of cells, of those with more than one."""
    return max(_equal_rows(text, delimiter) for delimiter in DELIMITERS)


def _equal_rows(text: str, delimiter: str) -> int:
    reader = csv.reader(io.StringIO(text[:_DELIMITER_SAMPLE_CHARS], newline=""), delimiter=delimiter)
    widths: Counter[int] = Counter()
    with contextlib.suppress(csv.Error):
        widths.update(len(cells) for cells in itertools.islice(reader, _DELIMITER_SAMPLE_ROWS) if len(cells) > 1)
    return max(widths.values(), default=0)


def decode_csv(content: bytes, encoding: str = "") -> str:
    is_utf16 = content.startswith(UTF16_MARKS)
    try:
        text = content.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        if is_utf16:
            raise TableError("The file cannot be read as text: save it as “CSV UTF-8”, or as XLSX.") from error
        if not encoding:
            row = error.object[: error.start].count(b"\n") + 1
            raise TableError(
                f"Row {row}: byte 0x{error.object[error.start]:02X} is not UTF-8: save the file as “CSV UTF-8”, or as XLSX."
            ) from error
        text = content.decode(encoding, "replace")
    start = text.lstrip()[:16].upper()
    if start[:1] == "<":
        raise TableError("This is a web page or an XML file, not a table: save the sheet as CSV UTF-8 or XLSX.")
    if start.startswith("BEGIN:VCALENDAR") or re.match(r"[{\[]\s*[\"{\[]", start):
        raise TableError("This is a calendar or JSON and no table: a whole programme goes into “Import a programme”.")
    return text


def sheet_heads(content: bytes, *, max_sheets: int, max_rows: int, max_columns: int) -> dict[str, list[NumberedCells]]:
    """Return the first filled rows of each sheet of a workbook that is not hidden; nothing of a CSV file. Raise TableError.

    Sheets after ``max_sheets`` are only named.
    """
    if not content.startswith(ZIP_SIGNATURE):
        return {}
    refuse_other_sheets(content)
    try:
        workbook = _open_workbook(content)
        heads: dict[str, list[NumberedCells]] = {sheet.title: [] for sheet in _visible_sheets(workbook.wb)}
        for name in list(heads)[:max_sheets]:
            rows = _sheet_rows(workbook, name, max_columns, MAX_HEAD_ROWS)
            heads[name] = list(itertools.islice((row for row in rows if _is_filled(row[1])), max_rows))
        return heads
    except TableError:
        raise
    except Exception as error:
        raise _broken_workbook() from error


def _read_workbook(content: bytes, name: str, max_columns: int) -> Iterator[NumberedCells]:
    try:
        yield from _sheet_rows(_open_workbook(content), name, max_columns, MAX_TABLE_ROWS + 1000)
    except TableError:
        raise
    except Exception as error:
        # For a broken workbook openpyxl raises KeyError, ParseError, BadZipFile and others.
        raise _broken_workbook() from error


def _sheet_rows(workbook: Any, name: str, max_columns: int, max_rows: int) -> Iterator[NumberedCells]:
    """Formulas are read as their saved values."""
    sheets = _visible_sheets(workbook.wb)
    sheet = next((sheet for sheet in sheets if sheet.title == name), sheets[0])
    merged = _merged_cells(workbook, sheet.title, max_columns)
    # One column more shows that there are too many.
    rows = sheet.iter_rows(max_row=max_rows, max_col=max_columns + 1)
    values: dict[int, tuple[int, str]] = {}
    for number, row in enumerate(rows, start=1):
        cells = [_cell_text(cell) for cell in _without_empty_end(row)]
        if len(cells) > max_columns:
            raise TableError(f"Row {number} has more than {max_columns} columns: delete those that are not the table.")
        values = {place: value for place, value in values.items() if number <= value[0]}
        if _is_filled(cells):
            _fill(cells, values)
        # Of ranges that overlap, the first counts.
        for place, last in merged.get(number, ()):
            values.setdefault(place, (last, cells[place] if place < len(cells) else ""))
        yield number, cells


def _is_filled(cells: list[str]) -> bool:
    return any(cell.strip() for cell in cells)


def _fill(cells: list[str], values: dict[int, tuple[int, str]]) -> None:
    for place, (_, value) in values.items():
        cells += [""] * (place + 1 - len(cells))
        cells[place] = cells[place] or value


def _merged_cells(workbook: Any, name: str, max_columns: int) -> dict[int, list[tuple[int, int]]]:
    """Return place and last row of the merged cells over several rows, by their first row.

    Only the first of several columns has the value: a title above the table, or “Lunch” across it, is one cell.
    """
    part = next(relation.target for sheet, relation in workbook.parser.find_sheets() if sheet.name == name)
    entry = workbook.archive.getinfo(part)
    merged: dict[int, list[tuple[int, int]]] = {}
    if not any(b"mergeCell" in chunk for chunk in _unpacked_chunks(workbook.archive, entry)):
        return merged
    with workbook.archive.open(entry) as file:
        for count, (column, first, last) in enumerate(_merged_rows(file), start=1):
            if count > MAX_MERGED_CELLS:
                raise TableError(
                    f"The sheet has more than {MAX_MERGED_CELLS:,} merged cells: unmerge those that are not the table."
                )
            if column <= max_columns:
                merged.setdefault(first, []).append((column - 1, last))
    return merged


def _merged_rows(file: IO[bytes]) -> Iterator[tuple[int, int, int]]:
    """Yield column, first and last row of each merged range of several rows."""
    # Only here, as in _open_workbook.
    from openpyxl.utils import range_boundaries  # noqa: PLC0415

    for _, element in iterparse(file, forbid_dtd=True):
        if element.tag.rpartition("}")[2] == "mergeCell":
            column, first, _, last = range_boundaries(element.get("ref", ""))
            if first < last:
                yield column, first, last
        element.clear()


def _broken_workbook() -> TableError:
    return TableError("The workbook cannot be opened: save it again as .xlsx, or as CSV UTF-8.")


def _open_workbook(content: bytes) -> Any:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if _is_too_large(archive):
            raise TableError("The workbook is too large when it is unpacked: copy the sheet into a new one.")
    # Only here: loaded, it takes 5 MB of every server process, of which most never read a workbook.
    from openpyxl.reader.excel import ExcelReader  # noqa: PLC0415

    # What load_workbook does, which does not say in which part of the archive a sheet is.
    workbook = ExcelReader(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
    workbook.read()
    return workbook


def _visible_sheets(book: Any) -> list[Any]:
    return [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"] or book.worksheets


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


def _without_empty_end(row: tuple[Any, ...]) -> tuple[Any, ...]:
    end = len(row)
    while end and row[end - 1].value is None:
        end -= 1
    return row[:end]


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
