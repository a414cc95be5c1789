"""Starts on a clock of twelve hours without AM or PM, which are read as hours of the night or morning."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from events.core.parsing import cells
from events.imports.formats.spreadsheet import moments
from events.imports.formats.spreadsheet.fields import WHEN_FIELDS
from events.imports.formats.spreadsheet.rows import RowReader, RowValues

NOON_HOUR = 12
USUAL_FIRST_HOUR = 8
_HALF_OF_DAY = re.compile(r"[0-9]\s?[ap]\.?\s?m\b", re.IGNORECASE)


def unclear_afternoon(rows: Sequence[RowValues], reader: RowReader) -> str:
    """Return a note on the first start before that of a row above, on the same date in the same room; else "".

    A file with AM or PM is clear, and so is a date with an hour from 13:00 on, except for ranges such as “3-4”. If any
    part of a file is clear, only starts before the usual first hour count.
    """
    has_halves = any(_HALF_OF_DAY.search(text) for row in rows for field in WHEN_FIELDS for text in row.texts.get(field, ()))
    timed = [(row, row.times.start) for row in rows if row.times.start]
    clear_dates = {start.date() for row, start in timed if _is_on_24_hours(row, start)}
    latest: dict[tuple[dt.date, str], tuple[dt.datetime, RowValues]] = {}
    unclear: list[tuple[dt.datetime, RowValues, RowValues]] = []
    for row, start in timed:
        place = start.date(), cells.key_of(row.text("room"))
        latest_start, above = latest.setdefault(place, (start, row))
        if start >= latest_start:
            latest[place] = start, row
        elif start.hour < (USUAL_FIRST_HOUR if has_halves or clear_dates else NOON_HOUR):
            is_clear = has_halves or start.date() in clear_dates
            if not is_clear or moments.parse_moment(row.text(_field(row)), reader.reading) is None:
                unclear.append((start, row, above))
    if not unclear:
        return ""
    start, row, above = unclear[0]
    more = f" (and {len(unclear) - 1} more like it)" if len(unclear) > 1 else ""
    later = start + dt.timedelta(hours=NOON_HOUR)
    return (
        f"row {row.number}, {reader.header_of(_field(row))}: {_shown(row)} is before {_shown(above)} above{more}: "
        f"if it is in the afternoon, write {later:%H:%M} or {later:{'%-I:%M' if later.minute else '%-I'}} PM"
    )


def _is_on_24_hours(row: RowValues, start: dt.datetime) -> bool:
    # An end that follows from a length is not in the file.
    end = None if row.text("duration") else row.times.end
    return start.hour > NOON_HOUR or bool(end and end.hour > NOON_HOUR)


def _field(row: RowValues) -> str:
    return "start" if row.text("start") else "date"


def _shown(row: RowValues) -> str:
    return cells.quoted(row.text(_field(row)))
