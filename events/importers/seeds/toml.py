"""TOML text as the same rows CSV gives, each with the table it stands in."""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from events.importers.cells import hint, quoted
from events.importers.errors import ScheduleParseError
from events.importers.seeds.files import known_columns, no_control_characters
from events.importers.seeds.rows import Row
from events.importers.seeds.tables import Table


class TomlFile:
    def __init__(self, file: str, text: str, tables: Mapping[str, Table]) -> None:
        self.file, self.tables = file, tables
        self.content = _loads(file, text)
        for name in self.content:
            if name not in tables:
                raise ScheduleParseError(f"there is no table {quoted(name)} here{hint(name, tables)}", file=file)

    def rows(self, name: str) -> list[Row]:
        """The [[name]] tables in their order; their own sub-tables are left to nested()."""
        return [self._row(name, place, table) for place, table in self._tables(name, self.content.get(name, []))]

    def nested(self, parent: str, name: str) -> list[list[Row]]:
        """For each [[parent]] table, its [[parent.name]] tables."""
        path = f"{parent}.{name}"
        return [
            [self._row(path, f"{place}, {inner}", each) for inner, each in self._tables(path, table.get(name, []))]
            for place, table in self._tables(parent, self.content.get(parent, []))
        ]

    def one(self, name: str) -> Row:
        table = self.content.get(name)
        if not isinstance(table, dict):
            problem = f"the table [{name}] is missing" if table is None else f"write [{name}] as one table"
            raise ScheduleParseError(problem, file=self.file)
        return self._row(name, f"[{name}]", table)

    def _tables(self, path: str, tables: Any) -> list[tuple[str, dict[str, Any]]]:
        """Each table with what errors call it: by its key, or where it has none by its number."""
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise ScheduleParseError(f"write every entry of {quoted(path)} under a line [[{path}]]", file=self.file)
        keys = [table.get("key") for table in tables]
        names = [quoted(key) if isinstance(key, str) and key else f"number {n}" for n, key in enumerate(keys, start=1)]
        return [(f"[[{path}]] {name}", table) for name, table in zip(names, tables, strict=True)]

    def _row(self, name: str, place: str, table: Mapping[str, Any]) -> Row:
        row = Row(self.file, None, dict.fromkeys(table, ""), place)
        known_columns(row, self.tables[name], noun="key")
        cells = {key: _cell(row, key, value) for key, value in table.items() if f"{name}.{key}" not in self.tables}
        return no_control_characters(Row(self.file, None, cells, place))


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
