"""What organisers chose for a spreadsheet: the field of each column, the order of dates, the sheet and its header."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from events.core.parsing.cells import quoted, spelling_hint
from events.core.parsing.errors import ScheduleParseError
from events.core.parsing.values import as_int, as_object
from events.imports.formats.spreadsheet.fields import FIELDS_BY_NAME, SHEET_FIELDS
from events.imports.formats.spreadsheet.moments import DATE_ORDERS

MAX_MAP_BYTES = 200_000
MAX_HEADER_CHARS = 200
MAX_CHOSEN_COLUMNS = 1_000
_MAP_KEYS = ("sheet", "header_row", "dates", "columns")


@dataclass(frozen=True)
class ColumnChoices:
    """``columns`` are fields by header, "" for one that is left out. Empty values are guessed."""

    columns: Mapping[str, str] = field(default_factory=dict)
    dates: str = ""
    sheet: str = ""
    header_row: int = 0

    @classmethod
    def from_json(cls, value: Any) -> ColumnChoices:
        """Read what ``as_json`` made; unknown fields of another release are guessed again."""
        found = as_object(value)
        columns = {name: each for name, each in as_object(found.get("columns")).items() if each == "" or each in FIELDS_BY_NAME}
        return cls(
            columns=columns,
            dates=next((order for order in DATE_ORDERS if order == found.get("dates")), ""),
            sheet=str(found.get("sheet") or "")[:MAX_HEADER_CHARS],
            header_row=as_int(found.get("header_row")) or 0,
        )

    def as_json(self) -> dict[str, Any]:
        values = {"columns": dict(self.columns), "dates": self.dates, "sheet": self.sheet, "header_row": self.header_row}
        return {name: value for name, value in values.items() if value}


def read_column_map(content: bytes, *, file: str) -> ColumnChoices:
    """Read a map in TOML. Raise ScheduleParseError."""
    if len(content) > MAX_MAP_BYTES:
        raise ScheduleParseError("is too large for a map of columns: print a new one", file=file)
    try:
        table = tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        line = re.search(r"at line (\d+)", str(error))
        raise ScheduleParseError(f"is not TOML: {error}", file=file, line=int(line[1]) if line else None) from error
    for name in table:
        if name not in _MAP_KEYS:
            raise ScheduleParseError(f"{quoted(name)} is not read here{spelling_hint(name, _MAP_KEYS)}", file=file)
    _check_map_columns(table.get("columns", {}), file)
    if table.get("dates", "") not in {"", *DATE_ORDERS}:
        raise ScheduleParseError(f"dates is {quoted(str(table['dates']))}: write {' or '.join(DATE_ORDERS)}", file=file)
    row = table.get("header_row", 0)
    if isinstance(row, bool) or not isinstance(row, int) or row < 0:
        raise ScheduleParseError("header_row is the number of a row, such as 3", file=file)
    if not isinstance(table.get("sheet", ""), str):
        raise ScheduleParseError("sheet is the name of a sheet in quotation marks", file=file)
    return ColumnChoices.from_json(table)


def _check_map_columns(columns: Any, file: str) -> None:
    if not isinstance(columns, dict) or not columns:
        raise ScheduleParseError('write the columns under a line [columns], as "Their header" = "title"', file=file)
    for header, name in columns.items():
        if name == "" or (isinstance(name, str) and name in FIELDS_BY_NAME):
            continue
        near = get_close_matches(str(name), FIELDS_BY_NAME, n=1)
        remedy = f"did you mean {quoted(near[0])}?" if near else f"known are {', '.join(FIELDS_BY_NAME)}"
        raise ScheduleParseError(f"{quoted(str(name))} is no field: {remedy}", file=file, table="[columns]", column=header)


def write_column_map(choices: ColumnChoices, samples: Mapping[str, Iterable[str]], *, file: str) -> str:
    """Return a map to edit, with the first values of each column as comments."""
    lines = [
        f"# How the columns of {_comment(file)} are read. Left of each = is their header, right of it our field;",
        '# "" leaves a column out. Fields:',
        *(f"#   {field.name:<14} {field.label}" for field in SHEET_FIELDS),
        "",
        f"dates = {_toml(choices.dates)}  # day-first or month-first, for dates such as 4/5/2026; empty: from the column",
    ]
    lines.append(f"sheet = {_toml(choices.sheet)}  # of a workbook; empty: the likeliest, and those with its header")
    lines.append(f"header_row = {choices.header_row}  # the number of the row with the headers; 0: found")
    lines += ["", "[columns]"]
    for header, name in choices.columns.items():
        shown = " | ".join(_comment(text[:40]) for text in samples.get(header, ()))
        lines.append(f"{_toml(header)} = {_toml(name)}" + (f"  # {shown}" if shown else ""))
    return "\n".join(lines) + "\n"


def _toml(text: str) -> str:
    # The escapes of JSON are those of TOML, which forbids DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _comment(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text)
