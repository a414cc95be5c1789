"""The files of a seed folder, and their CSV and TOML as rows; any error is a ScheduleParseError."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from events.core.parsing.cells import first_unprintable, quoted, spelling_hint
from events.core.parsing.errors import ScheduleParseError
from events.imports.formats.document import Document
from events.imports.formats.seeds.tables import SeedRow, SeedTable

NOTES_FOLDER, PLANS_FOLDER = "notes", "plans"


class SeedFolder(Protocol):
    """A conference folder on disk or uploaded; files are named by their path inside, as “notes/opening.md”."""

    @property
    def name(self) -> str: ...

    def files(self) -> Collection[str]:
        """Return the paths of its files, with notes and plans; raise ScheduleParseError if it cannot be read."""

    def read(self, file: str) -> bytes:
        """Return the file's bytes; b"" if it is missing."""


@dataclass(frozen=True)
class DiskFolder:
    path: Path

    @property
    def name(self) -> str:
        return self.path.resolve().name

    def files(self) -> Collection[str]:
        try:
            names = [path.name for path in self.path.iterdir()]
        except (OSError, ValueError) as error:
            raise ScheduleParseError("cannot be read: name an existing folder", file=self.path.name) from error
        nested = [f"{folder}/{path.name}" for folder in (NOTES_FOLDER, PLANS_FOLDER) for path in self.path.glob(f"{folder}/*")]
        return sorted(names) + sorted(nested)

    def read(self, file: str) -> bytes:
        path = self.path / file
        try:
            return path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise ScheduleParseError(f"cannot be read: {error.strerror}", file=file) from error


@dataclass(frozen=True)
class UploadedFolder:
    """An uploaded folder or zip; ``base`` is the path of the conference's files in it."""

    document: Document
    base: str = ""

    @property
    def name(self) -> str:
        return self.document.name

    def files(self) -> Collection[str]:
        return sorted(path.removeprefix(self.base) for path in self.document.files if path.startswith(self.base))

    def read(self, file: str) -> bytes:
        return self.document.files.get(self.base + file, b"")


def read_text(folder: SeedFolder, file: str) -> str:
    content = folder.read(file)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        problem = f"byte 0x{content[error.start]:02X} is not UTF-8: save the file as UTF-8 (in a spreadsheet, “CSV UTF-8”)"
        raise ScheduleParseError(problem, file=file, line=line) from error


def csv_rows(file: str, text: str, table: SeedTable) -> list[SeedRow]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_csv_delimiter(text), strict=True)
    header: list[str] = []
    rows = []
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if header:
                    rows.append(_csv_row(file, line, header, cells))
                else:
                    header = _csv_header(file, line, cells, table)
            line = reader.line_num + 1
    except csv.Error as error:
        problem = (
            f"cannot be read as CSV ({error}): put a cell that holds a quotation mark in quotation marks, and double the mark"
        )
        raise ScheduleParseError(problem, file=file, line=line) from error
    return rows


def check_control_characters(row: SeedRow) -> SeedRow:
    for column in row.cells:
        if unprintable := first_unprintable(row.raw(column)):
            raise row.refuse(column, f"holds the control character {unprintable}: delete it and type the text again")
    return row


def check_columns(row: SeedRow, table: SeedTable, noun: str = "column") -> None:
    for column in row.cells:
        if column not in table.columns:
            raise row.error("", f"{quoted(column)} is not a {noun} here{_column_hint(column, table)}")
    for column in table.required:
        if column not in row.cells:
            raise row.error("", f"the {noun} {quoted(column)} is missing")


def _column_hint(column: str, table: SeedTable) -> str:
    near = spelling_hint(column, table.columns)
    return near if near.endswith("?") else f": known are {', '.join(table.columns)}"


def _csv_delimiter(text: str) -> str:
    """Detect a comma; many European spreadsheets write semicolons, some write tabs."""
    header = next((line for line in text.splitlines() if line.strip()), "")
    return next((mark for mark in ";\t" if mark in header and "," not in header), ",")


def _csv_header(file: str, line: int, cells: list[str], table: SeedTable) -> list[str]:
    header = [cell.strip().lower() for cell in cells]
    while header and not header[-1]:
        header.pop()
    for number, column in enumerate(header, start=1):
        if not column:
            raise ScheduleParseError(f"column {number} has no name: name it, or delete it", file=file, line=line)
        if column in header[: number - 1]:
            raise ScheduleParseError(f"the column {quoted(column)} is there twice: delete one", file=file, line=line)
    check_columns(SeedRow(file, line, dict.fromkeys(header, "")), table)
    return header


def _csv_row(file: str, line: int, header: list[str], cells: list[str]) -> SeedRow:
    extra = next((cell.strip() for cell in cells[len(header) :] if cell.strip()), "")
    if extra:
        problem = f"{quoted(extra)} is beyond the last column: put a cell that holds a comma in quotation marks"
        raise ScheduleParseError(problem, file=file, line=line)
    return check_control_characters(SeedRow(file, line, dict(zip(header, cells, strict=False))))


class TomlFile:
    def __init__(self, file: str, text: str, tables: Mapping[str, SeedTable]) -> None:
        self.file, self.tables = file, tables
        self.content = _load_toml(file, text)
        for name in self.content:
            if name not in tables:
                raise ScheduleParseError(f"there is no table {quoted(name)} here{spelling_hint(name, tables)}", file=file)

    def rows(self, name: str) -> list[SeedRow]:
        return [self._row(name, location, table) for location, table in self._tables(name, self.content.get(name, []))]

    def nested(self, parent: str, name: str) -> list[list[SeedRow]]:
        path = f"{parent}.{name}"
        return [
            [self._row(path, f"{location}, {inner}", each) for inner, each in self._tables(path, table.get(name, []))]
            for location, table in self._tables(parent, self.content.get(parent, []))
        ]

    def one(self, name: str) -> SeedRow:
        table = self.content.get(name)
        if not isinstance(table, dict):
            problem = f"the table [{name}] is missing" if table is None else f"write [{name}] as one table"
            raise ScheduleParseError(problem, file=self.file)
        return self._row(name, f"[{name}]", table)

    def _tables(self, path: str, tables: Any) -> list[tuple[str, dict[str, Any]]]:
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise ScheduleParseError(f"write every entry of {quoted(path)} under a line [[{path}]]", file=self.file)
        keys = [table.get("key") for table in tables]
        names = [quoted(key) if isinstance(key, str) and key else f"number {n}" for n, key in enumerate(keys, start=1)]
        return [(f"[[{path}]] {name}", table) for name, table in zip(names, tables, strict=True)]

    def _row(self, name: str, location: str, table: Mapping[str, Any]) -> SeedRow:
        row = SeedRow(self.file, None, dict.fromkeys(table, ""), location)
        check_columns(row, self.tables[name], noun="key")
        cells = {key: _cell_text(row, key, value) for key, value in table.items() if f"{name}.{key}" not in self.tables}
        return check_control_characters(SeedRow(self.file, None, cells, location))


def _load_toml(file: str, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ScheduleParseError("its brackets are nested too deep", file=file) from error
    except ValueError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else None
        reason = re.sub(r" [(]at .*[)]$", "", str(error))
        written = f" in {quoted(text.splitlines()[line - 1].strip())}" if line else ""
        remedy = "; write texts in quotes" if reason == "Invalid value" else ""
        raise ScheduleParseError(f"is not TOML: {reason}{written}{remedy}", file=file, line=line) from error


def _cell_text(row: SeedRow, key: str, value: object) -> str:
    """Convert to the text of a spreadsheet's cell, so that TOML and CSV are read by the same rules."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, int | float | dt.date | dt.time) and not _is_huge(value):
        return str(value)
    raise row.error(key, "takes one text, number, date or true/false: write that")


def _is_huge(value: object) -> bool:
    """Detect integers of thousands of digits, which Python refuses to convert to text."""
    return isinstance(value, int) and value.bit_length() > 64


def unique_rows(
    rows: Iterable[SeedRow], key: Callable[[SeedRow], str] = lambda row: row.key(), column: str = "key"
) -> dict[str, SeedRow]:
    """Return the rows by key, in their order; raise ScheduleParseError for a duplicate."""
    unique: dict[str, SeedRow] = {}
    for row in rows:
        value = key(row)
        if value in unique:
            first = unique[value]
            location = first.location if first.file == row.file else f"{first.file}, {first.location}"
            raise row.error(column, f"{quoted(value)} is taken already ({location}): choose another")
        unique[value] = row
    return unique
