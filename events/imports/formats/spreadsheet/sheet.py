"""A sheet of other people: its header, wherever it is, and the rows under it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from events.core.parsing import table_files
from events.core.parsing.cells import unescape_formula
from events.core.parsing.errors import ScheduleParseError
from events.core.parsing.table_files import NumberedCells, TableError
from events.imports.formats.document import Document
from events.imports.formats.spreadsheet.choices import MAX_HEADER_CHARS, ColumnChoices
from events.imports.formats.spreadsheet.fields import SHEET_FIELDS, guess_fields, header_key

MAX_SHEET_COLUMNS = 500
"""ConfTool writes up to ten columns for each talk of a session."""
MAX_HEADER_ROW = 40
MAX_SEARCHED_SHEETS = 10
FALLBACK_ENCODING = "cp1252"
"""Of CSV files that Excel saves without “UTF-8”."""
_KNOWN_HEADERS = frozenset(header for field in SHEET_FIELDS for header in field.headers.split())


class SheetRow(NamedTuple):
    """``number`` as a spreadsheet shows it; ``cells`` beside the headers."""

    number: int
    cells: list[str]


@dataclass(frozen=True)
class ForeignSheet:
    """``headers`` are unique. ``fields`` are those chosen or guessed, by header."""

    sheets: list[str]
    sheet: str
    header_row: int
    headers: list[str]
    rows: list[SheetRow]
    fields: dict[str, str]

    def samples(self, header: str, count: int = 3) -> list[str]:
        place = self.headers.index(header)
        filled = (row.cells[place] for row in self.rows if row.cells[place])
        return list(islice(dict.fromkeys(filled), count))


def looks_like_table(document: Document) -> bool:
    """Whether one file is a workbook, or text in rows of cells."""
    if not document.is_one_file:
        return False
    content = document.content
    if content.startswith(table_files.XLS_SIGNATURE) or table_files.is_workbook(content):
        return True
    return table_files.equal_rows(_first_text(content)) > 1


def is_lone_header(document: Document) -> bool:
    """Whether the file is one line of several cells."""
    text = _first_text(document.content).strip() if document.is_one_file else ""
    return len(text.splitlines()) == 1 and table_files.equal_rows(text) == 1


def _first_text(content: bytes) -> str:
    """Return what may be rows of cells; nothing if the content is something else."""
    head = content[:100_000]
    if not content.startswith(table_files.UTF16_MARKS):
        if b"\0" in head:
            return ""
    elif len(head) % 2:
        head = head[:-1]
    try:
        text = table_files.decode_csv(head, FALLBACK_ENCODING)
    except TableError:
        return ""
    start = text.lstrip()[:16].upper()
    return "" if start[:1] in {"", "{", "[", "<"} or start.startswith("BEGIN:") else text


def open_sheet(document: Document, choices: ColumnChoices) -> ForeignSheet:
    """Raise ScheduleParseError for what cannot be read as a table."""
    content = document.content
    try:
        sheets = table_files.sheet_names(content)
        name = choices.sheet if choices.sheet in sheets else _likeliest_sheet(content, sheets)
        lines = [(number, [unescape_formula(cell.strip()) for cell in cells]) for number, cells in _filled_rows(content, name)]
    except TableError as error:
        raise ScheduleParseError(str(error), file=document.name) from error
    header_row, header = _header(lines, choices)
    headers = _unique_headers(header, lines)
    rows = [SheetRow(number, _padded(cells, len(headers))) for number, cells in lines if number > header_row and cells != header]
    if not rows:
        raise ScheduleParseError("has a header and no rows under it, or no header", file=document.name)
    if len(rows) > table_files.MAX_TABLE_ROWS:
        raise ScheduleParseError(f"has more than {table_files.MAX_TABLE_ROWS:,} rows: split it", file=document.name)
    fields = guess_fields(headers, choices.columns, [row.cells for row in rows])
    return ForeignSheet(sheets, name, header_row, headers, rows, fields)


def _filled_rows(content: bytes, sheet: str) -> Iterator[NumberedCells]:
    rows = table_files.read_rows(content, sheet=sheet, max_columns=MAX_SHEET_COLUMNS, encoding=FALLBACK_ENCODING)
    return ((number, cells) for number, cells in rows if any(cell.strip() for cell in cells))


def _likeliest_sheet(content: bytes, sheets: list[str]) -> str:
    """Return the name of the sheet whose header has most words of a programme: the first may have instructions."""
    if len(sheets) < 2:
        return sheets[0] if sheets else ""
    scores = {name: max(map(_score, _first_rows(content, name)), default=0) for name in sheets[:MAX_SEARCHED_SHEETS]}
    return max(scores, key=lambda name: scores[name])


def _first_rows(content: bytes, sheet: str) -> Iterator[list[str]]:
    return (cells for _, cells in islice(_filled_rows(content, sheet), MAX_HEADER_ROW))


def _score(cells: list[str]) -> int:
    return len({key for cell in cells if len(cell) <= 60 and (key := header_key(cell)) in _KNOWN_HEADERS})


def _header(lines: list[NumberedCells], choices: ColumnChoices) -> tuple[int, list[str]]:
    """Return the number and cells of the header: the chosen row, else the one with most words of headers."""
    first = lines[:MAX_HEADER_ROW]
    for number, cells in lines:
        if number == choices.header_row:
            return number, cells
    known = max(first, key=lambda line: _score(line[1]), default=(0, []))
    if _score(known[1]) >= 2:
        return known
    return next((line for line in first if sum(map(bool, line[1])) > 1), (0, []))


def _unique_headers(header: list[str], lines: list[NumberedCells]) -> list[str]:
    """Name columns without a header by their letter, and those of one name “Name (2)”."""
    width = max([len(header), *(len(cells) for _, cells in lines)])
    counts: Counter[str] = Counter()
    headers = []
    for place in range(width):
        name = " ".join(header[place].split())[:MAX_HEADER_CHARS] if place < len(header) else ""
        name = "".join(character for character in name if character.isprintable()) or f"Column {column_letter(place)}"
        counts[name] += 1
        headers.append(name if counts[name] == 1 else f"{name} ({counts[name]})")
    return headers


def column_letter(place: int) -> str:
    """Return “A” for the first column, “AA” for the 27th."""
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _padded(cells: list[str], width: int) -> list[str]:
    return cells + [""] * (width - len(cells))
