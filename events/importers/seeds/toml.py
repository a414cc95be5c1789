"""TOML text as the same rows CSV gives, each with the line it stands on, which tomllib does not tell."""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from events.importers.cells import hint, quoted
from events.importers.errors import ScheduleParseError
from events.importers.seeds.files import known_columns, no_control_characters
from events.importers.seeds.rows import Row
from events.importers.seeds.tables import Table

_HEADER = re.compile(r"\s*\[\[?\s*([\w.-]+)\s*\]")
_ASSIGNMENT = re.compile(r"\s*([\w-]+)\s*=\s*(.*)")
_QUOTES = ('"""', "'''")


@dataclass(slots=True)
class Place:
    """Where a table of a TOML file starts, and where each of its keys stands."""

    line: int | None = None
    keys: dict[str, int] = field(default_factory=dict)


class TomlFile:
    def __init__(self, file: str, text: str, tables: Mapping[str, Table]) -> None:
        self.file, self.tables = file, tables
        self.places = _places(text)
        self.content = _loads(file, text)
        for name in self.content:
            if name not in tables:
                raise self._error(name, 0, f"there is no table {quoted(name)} here{hint(name, tables)}")

    def rows(self, name: str) -> list[Row]:
        """The [[name]] tables in their order; their own sub-tables are left to nested()."""
        return [self._row(name, index, table) for index, table in enumerate(self._tables(name, self.content, 0))]

    def nested(self, parent: str, name: str) -> list[list[Row]]:
        """For each [[parent]] table, its [[parent.name]] tables."""
        path, found, count = f"{parent}.{name}", [], 0
        for table in self._tables(parent, self.content, 0):
            inner = self._tables(path, table, count, name)
            found.append([self._row(path, count + index, each) for index, each in enumerate(inner)])
            count += len(inner)
        return found

    def one(self, name: str) -> Row:
        table = self.content.get(name)
        if not isinstance(table, dict):
            raise self._error(name, 0, f"the table [{name}] is missing" if table is None else f"write [{name}] as one table")
        return self._row(name, 0, table)

    def _tables(self, path: str, content: Mapping[str, Any], index: int, name: str = "") -> list[dict[str, Any]]:
        tables = content.get(name or path, [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise self._error(path, index, f"write every entry of {quoted(path)} under a line [[{path}]]")
        return tables

    def _row(self, name: str, index: int, table: Mapping[str, Any]) -> Row:
        place = self._place(name, index)
        known_columns(self.file, place.line, table, self.tables[name], noun="key")
        row = Row(self.file, place.line, {}, place.keys)
        cells = {key: _cell(row, key, value) for key, value in table.items() if f"{name}.{key}" not in self.tables}
        return no_control_characters(Row(self.file, place.line, cells, place.keys))

    def _place(self, name: str, index: int) -> Place:
        places = self.places.get(name, [])
        return places[index] if index < len(places) else Place()

    def _error(self, name: str, index: int, problem: str) -> ScheduleParseError:
        return ScheduleParseError(problem, file=self.file, line=self._place(name, index).line)


def _loads(file: str, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ScheduleParseError("its brackets are nested too deep", file=file) from error
    except ValueError as error:
        line = re.search(r"at line (\d+)", str(error))
        problem = f"is not TOML: {re.sub(r' [(]at .*[)]$', '', str(error))}"
        raise ScheduleParseError(problem, file=file, line=int(line[1]) if line else None) from error


def _cell(row: Row, key: str, value: object) -> str:
    """The value as a spreadsheet would hold it, so that both sorts of file are read by the same rules."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, int | float | dt.date | dt.time) and not _is_huge(value):
        return str(value)
    raise row.error(key, "takes one text, number, date or true/false: write that")


def _is_huge(value: object) -> bool:
    """Python refuses to write out integers of thousands of digits."""
    return isinstance(value, int) and value.bit_length() > 64


def _places(text: str) -> dict[str, list[Place]]:
    places: dict[str, list[Place]] = {}
    here, inside = Place(), ""
    for number, line in enumerate(text.split("\n"), start=1):
        if inside:
            inside = "" if inside in line else inside
        elif header := _HEADER.match(line):
            here = Place(number)
            places.setdefault(header[1], []).append(here)
        elif assignment := _ASSIGNMENT.match(line):
            here.keys[assignment[1]] = number
            if here.line is None:
                places.setdefault(assignment[1], [Place(number)])
            inside = next((q for q in _QUOTES if assignment[2].startswith(q) and q not in assignment[2][3:]), "")
    return places
