"""A sheet of other people: its header, wherever it is, and the rows under it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from events.core.parsing import table_files
from events.core.parsing.cells import quoted, quoted_list, unescape_formula
from events.core.parsing.errors import ScheduleParseError
from events.core.parsing.table_files import NumberedCells, TableError
from events.imports.formats.document import Document
from events.imports.formats.spreadsheet.choices import MAX_HEADER_CHARS, ColumnChoices
from events.imports.formats.spreadsheet.fields import (
    FIELDS_BY_NAME,
    GRID_FIELD,
    SHEET_FIELDS,
    guess_fields,
    header_key,
    is_known_header,
    missed_headers,
)

MAX_SHEET_COLUMNS = 500
"""ConfTool writes up to ten columns for each talk of a session."""
MAX_HEADER_ROW = 40
MAX_SEARCHED_SHEETS = 10
FALLBACK_ENCODING = "cp1252"
"""Of CSV files that Excel saves without “UTF-8”."""
_KNOWN_HEADERS = frozenset(header for field in SHEET_FIELDS for header in field.headers.split())


RowNumber = int | str
"""As a spreadsheet shows it, or with the sheet if several are read: “5 of “Monday””."""


class SheetRow(NamedTuple):
    """``cells`` stand beside the headers."""

    number: RowNumber
    sheet: str
    cells: list[str]


@dataclass(frozen=True)
class ForeignSheet:
    """``headers`` are unique. ``fields`` are those chosen or guessed, by header.

    Of ``sheets``, those that are not hidden, ``sheet`` is the chosen or likeliest one, and ``alike`` have its header. Others
    in ``unread`` have rows too.
    """

    sheets: list[str]
    sheet: str
    alike: list[str]
    read: list[str]
    unread: list[str]
    header_row: int
    headers: list[str]
    rows: list[SheetRow]
    fields: dict[str, str]
    chosen: Mapping[str, str]

    @cached_property
    def left_out(self) -> list[str]:
        """Headers of cells that are not read, though nobody chose that."""
        missed = missed_headers(self.headers, self.fields, self.chosen)
        return [
            header for place, header in enumerate(self.headers) if header in missed and any(row.cells[place] for row in self.rows)
        ]

    def notes(self) -> Iterator[str]:
        """Yield a sentence on the sheets that are not read, and one on the columns."""
        if self.unread:
            yield f"the {_named('sheet', self.unread)} not read"
        places = [place for place, header in enumerate(self.headers) if header in self.left_out]
        count = sum(bool(row.cells[place]) for row in self.rows for place in places)
        if count:
            named = _named("column", self.left_out)
            yield f"the {named} not read ({count} {'cell' if count == 1 else 'cells'}){self._remedy()}"

    def _remedy(self) -> str:
        titles = [header for header, field in self.fields.items() if field == "title"]
        if len(self.left_out) < 2 or not titles or any(is_known_header(header, "title") for header in titles):
            return ""
        return f"; if each room has a column, choose “{FIELDS_BY_NAME[GRID_FIELD].label}” for all of them"

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
        heads = table_files.sheet_heads(
            content, max_sheets=MAX_SEARCHED_SHEETS, max_rows=MAX_HEADER_ROW, max_columns=MAX_SHEET_COLUMNS
        )
        name = choices.sheet if choices.sheet in heads else _likeliest_sheet(heads)
        lines = list(_filled_rows(content, name))
        header_row, header = _header(lines, choices)
        header_rows = {**_rows_with_header(heads, header), name: header_row}
        alike = [each for each in heads if each in header_rows]
        read = [name] if name == choices.sheet or not heads else alike
        rows: list[SheetRow] = []
        for sheet in read:
            found = lines if sheet == name else _filled_rows(content, sheet)
            rows += _rows_under_header(found, header_rows[sheet], sheet, is_only=len(read) == 1)
            if len(rows) > table_files.MAX_TABLE_ROWS:
                raise TableError(f"has more than {table_files.MAX_TABLE_ROWS:,} rows: split it")
            table_files.refuse_many_cells(sum(len(row.cells) for row in rows))
    except TableError as error:
        raise ScheduleParseError(str(error), file=document.name) from error
    if not rows:
        raise ScheduleParseError("has a header and no rows under it, or no header", file=document.name)
    headers = _unique_headers(header, max(len(row.cells) for row in rows))
    rows = [row._replace(cells=_padded(row.cells, len(headers))) for row in rows]
    fields = guess_fields(headers, choices.columns, [row.cells for row in rows])
    unread = [
        each for place, each in enumerate(heads) if each not in read and (len(heads[each]) > 1 or place >= MAX_SEARCHED_SHEETS)
    ]
    return ForeignSheet(list(heads), name, alike, read, unread, header_row, headers, rows, fields, choices.columns)


def _named(noun: str, names: list[str]) -> str:
    return f"{noun} {quoted_list(names)} is" if len(names) == 1 else f"{noun}s {quoted_list(names)} are"


def _filled_rows(content: bytes, sheet: str) -> Iterator[NumberedCells]:
    rows = table_files.read_rows(content, sheet=sheet, max_columns=MAX_SHEET_COLUMNS, encoding=FALLBACK_ENCODING)
    for number, cells in rows:
        if any(cell.strip() for cell in cells):
            yield number, [unescape_formula(cell.strip()) for cell in cells]


def _likeliest_sheet(heads: Mapping[str, list[NumberedCells]]) -> str:
    """Return the name of the sheet whose header has most words of a programme: the first may have instructions."""
    scores = {name: max((_score(cells) for _, cells in rows), default=0) for name, rows in heads.items()}
    return max(scores, key=lambda name: scores[name], default="")


def _rows_with_header(heads: Mapping[str, list[NumberedCells]], header: list[str]) -> dict[str, int]:
    """Return the number of the header of each sheet that has it."""
    wanted = _folded(header)
    found = {name: next((number for number, cells in rows if _folded(cells) == wanted), 0) for name, rows in heads.items()}
    return {name: number for name, number in found.items() if number}


def _folded(header: list[str]) -> list[str]:
    texts = [" ".join(cell.split()).casefold() for cell in header]
    while texts and not texts[-1]:
        texts.pop()
    return texts


def _rows_under_header(lines: Iterable[NumberedCells], header_row: int, sheet: str, *, is_only: bool) -> Iterator[SheetRow]:
    header: list[str] = []
    for number, cells in lines:
        if number == header_row:
            header = cells
        elif number > header_row and cells != header:
            yield SheetRow(number if is_only else f"{number} of {quoted(sheet)}", sheet, cells)


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


def _unique_headers(header: list[str], width: int) -> list[str]:
    """Name columns without a header by their letter, and those of one name “Name (2)”."""
    counts: Counter[str] = Counter()
    headers = []
    for place in range(max(len(header), width)):
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
