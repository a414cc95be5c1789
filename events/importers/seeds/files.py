"""The folder's files as text, and CSV text as rows. Whatever stands in them, only ScheduleParseError leaves here."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from events.importers.cells import hint, quoted, unprintable
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.seeds.rows import Row
from events.importers.seeds.tables import Table

NOTES, PLANS = "notes", "plans"


class Folder(Protocol):
    """A conference folder, wherever its files are: each by its path inside, as “notes/opening.md”."""

    @property
    def name(self) -> str: ...

    def files(self) -> Collection[str]:
        """The paths of the files in it, in its notes and its plans; raises ScheduleParseError when it cannot be looked into."""

    def read(self, file: str) -> bytes:
        """The file's bytes, none if there is no such file."""


@dataclass(frozen=True)
class FolderOnDisk:
    path: Path

    @property
    def name(self) -> str:
        return self.path.resolve().name

    def files(self) -> Collection[str]:
        try:
            names = [path.name for path in self.path.iterdir()]
        except (OSError, ValueError) as error:
            raise ScheduleParseError("cannot be read: name a folder that is there", file=self.path.name) from error
        inside = [f"{folder}/{path.name}" for folder in (NOTES, PLANS) for path in self.path.glob(f"{folder}/*")]
        return sorted(names) + sorted(inside)

    def read(self, file: str) -> bytes:
        path = self.path / file
        try:
            return path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise ScheduleParseError(f"cannot be read: {error.strerror}", file=file) from error


@dataclass(frozen=True)
class FolderHandedIn:
    """A folder or zip as it was handed in; ``base`` is where in it the conference's files are."""

    document: Document
    base: str = ""

    @property
    def name(self) -> str:
        return self.document.name

    def files(self) -> Collection[str]:
        return sorted(path.removeprefix(self.base) for path in self.document.files if path.startswith(self.base))

    def read(self, file: str) -> bytes:
        return self.document.files.get(self.base + file, b"")


def read_text(folder: Folder, file: str) -> str:
    """The file's text, or nothing if there is no such file."""
    content = folder.read(file)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        problem = f"byte 0x{content[error.start]:02X} is not UTF-8: save the file as UTF-8 (in a spreadsheet, “CSV UTF-8”)"
        raise ScheduleParseError(problem, file=file, line=line) from error


def csv_rows(file: str, text: str, table: Table) -> list[Row]:
    """Rows under the header; blank lines and lines of nothing but commas are passed over."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    header: list[str] = []
    rows = []
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if header:
                    rows.append(_row(file, line, header, cells))
                else:
                    header = _header(file, line, cells, table)
            line = reader.line_num + 1
    except csv.Error as error:
        problem = (
            f"cannot be read as CSV ({error}): put a cell that holds a quotation mark in quotation marks, and double the mark"
        )
        raise ScheduleParseError(problem, file=file, line=line) from error
    return rows


def no_control_characters(row: Row) -> Row:
    for column in row.cells:
        if found := unprintable(row.raw(column)):
            raise row.refuse(column, f"holds the control character {found}: delete it and type the text again")
    return row


def known_columns(row: Row, table: Table, noun: str = "column") -> None:
    for column in row.cells:
        if column not in table.columns:
            raise row.error("", f"{quoted(column)} is not a {noun} here{_suggestion(column, table)}")
    for column in table.required:
        if column not in row.cells:
            raise row.error("", f"the {noun} {quoted(column)} is missing")


def _suggestion(column: str, table: Table) -> str:
    near = hint(column, table.columns)
    return near if near.endswith("?") else f": known are {', '.join(table.columns)}"


def _delimiter(text: str) -> str:
    """Spreadsheets of half of Europe write semicolons; some write tabs."""
    header = next((line for line in text.splitlines() if line.strip()), "")
    return next((mark for mark in ";\t" if mark in header and "," not in header), ",")


def _header(file: str, line: int, cells: list[str], table: Table) -> list[str]:
    header = [cell.strip().lower() for cell in cells]
    while header and not header[-1]:
        header.pop()
    for number, column in enumerate(header, start=1):
        if not column:
            raise ScheduleParseError(f"column {number} has no name: name it, or delete it", file=file, line=line)
        if column in header[: number - 1]:
            raise ScheduleParseError(f"the column {quoted(column)} is there twice: delete one", file=file, line=line)
    known_columns(Row(file, line, dict.fromkeys(header, "")), table)
    return header


def _row(file: str, line: int, header: list[str], cells: list[str]) -> Row:
    over = next((cell.strip() for cell in cells[len(header) :] if cell.strip()), "")
    if over:
        problem = f"{quoted(over)} stands beyond the last column: put a cell that holds a comma in quotation marks"
        raise ScheduleParseError(problem, file=file, line=line)
    return no_control_characters(Row(file, line, dict(zip(header, cells, strict=False))))
