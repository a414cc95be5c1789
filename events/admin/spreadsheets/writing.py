"""A list as the bytes of a CSV or XLSX file."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Font

from events.exports.escaping import escaped

# A cell of Excel holds no more, and would be cut off without a word.
LONGEST_IN_EXCEL = 32_767
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


class TooLongError(ValueError):
    """A text that the format cannot hold, named with its row."""


def as_csv(headers: list[str], rows: list[list[Any]]) -> bytes:
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(headers)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    # Excel takes a file without this mark for one of another age.
    return file.getvalue().encode("utf-8-sig", "replace")


def as_xlsx(headers: list[str], rows: list[list[Any]]) -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None  # noqa: S101 - a new workbook has a sheet
    sheet.append(headers)
    for number, row in enumerate(rows, start=2):
        for column, cell in enumerate(row, start=1):
            _write(sheet, number, column, _safe(cell), headers[column - 1])
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    sheet.freeze_panes = "A2"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _write(sheet: Any, number: int, column: int, value: Any, name: str) -> None:
    if isinstance(value, str) and len(value) > LONGEST_IN_EXCEL:
        raise TooLongError(
            f"Row {number}, {name}: {len(value):,} characters are more than a cell of Excel holds. Export it as CSV instead."
        )
    if value != "":
        cell = sheet.cell(number, column, value)
        # Also where a formula would be looked for.
        cell.data_type = "n" if isinstance(value, int) else "s"


def _safe(value: Any) -> Any:
    return escaped(_UNPRINTABLE.sub("", value)) if isinstance(value, str) else value


KINDS: dict[str, tuple[str, Callable[[list[str], list[list[Any]]], bytes]]] = {
    "csv": ("text/csv; charset=utf-8", as_csv),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", as_xlsx),
}
