"""Small spreadsheets with the shapes of Google Sheets, Excel, Whova, ConfTool, EasyChair and Sched; all data is invented."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from openpyxl import Workbook

from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from events.programme.data.schedule import EventData, ScheduleData

FOLDER = Path(__file__).parents[3] / "data" / "spreadsheets"
ZONE = ZoneInfo("Europe/Vienna")
HINTS = Hints(slug="demo", timezone="Europe/Vienna")
CSV_FILES = ("google.csv", "whova.csv", "conftool.csv", "easychair.csv", "sched.csv")

HEADER = ["Date", "Start", "End", "Title"]
ROOMS: list[list[Any]] = [["Room", "Seats"], ["Hall", 40]]
DAYS: dict[str, list[list[Any]]] = {
    "Notes": [["Please fill in one sheet for each day"]],
    "Thu 23 Apr": [HEADER, [dt.date(2026, 4, 23), "9:00", "10:00", "Bees"]],
    "Rooms": ROOMS,
    "Fri 24 Apr": [["Our second day"], ["date ", "START", "End", "Title"], [dt.date(2026, 4, 24), "9:00", "soon", "Wasps"]],
}


def excel_file() -> bytes:
    """A workbook with a sheet of instructions, headings of days, real dates and numbers of days."""
    book, file = Workbook(), io.BytesIO()
    book.worksheets[0].append(["Please fill in the next sheet"])
    sheet = book.create_sheet("Agenda")
    sheet.append(["Meadow Days"])
    sheet.append(["Begin", "Until", "Title", "Hall", "Number"])
    sheet.append(["Thursday, 23 April 2026"])
    sheet.append([dt.time(9), dt.time(10, 30), "Opening", "Great Hall", 7])
    sheet.append([0.5, "1:30 PM", "Lunch", "Foyer", 8])
    sheet.append([46136.375, 46136.5, "Bees", "Great Hall", 9])
    sheet.append([dt.datetime(2026, 4, 24, 14), dt.time(15), "Wasps", "Great Hall", 10])
    book.save(file)
    return file.getvalue()


def workbook(sheets: dict[str, list[list[Any]]], hidden: Sequence[str] = ()) -> bytes:
    book, file = Workbook(), io.BytesIO()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        sheet.sheet_state = "hidden" if name in hidden else "visible"
        for row in rows:
            sheet.append(row)
    book.save(file)
    return file.getvalue()


def content_of(name: str) -> bytes:
    return excel_file() if name == "excel.xlsx" else (FOLDER / name).read_bytes()


def table(*rows: Sequence[Any]) -> bytes:
    return "\n".join(";".join(f'"{cell}"' for cell in row) for row in rows).encode()


def parsed(content: bytes, hints: Hints = HINTS, name: str = "talks.csv") -> ScheduleData:
    found, data = registry.parse_document(Document.from_upload(name, content), hints)
    assert found.name == "spreadsheet"
    return data


def slots(data: ScheduleData) -> dict[str, str]:
    """Day and hours at the venue, by title."""
    return {event.title: _slot(event) for event in data.events}


def _slot(event: EventData) -> str:
    if not event.start or not event.end:
        return "?"
    return f"{event.start.astimezone(ZONE):%d %H:%M}–{event.end.astimezone(ZONE):%H:%M}"
