"""The values of each row: its times from one cell or several, and the cells that cannot be read."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple
from zoneinfo import ZoneInfo

from events.core.parsing.cells import quoted
from events.core.spans import utc
from events.imports.formats.spreadsheet import lengths, moments
from events.imports.formats.spreadsheet.fields import FIELDS_BY_NAME, TALK_PREFIX, WHEN_FIELDS, talk_number
from events.imports.formats.spreadsheet.moments import CellMoment, DateReading
from events.imports.formats.spreadsheet.sheet import ForeignSheet, RowNumber, SheetRow
from events.imports.formats.texts import is_placeholder
from events.imports.formats.times import StartTime, at_venue

START_OF_DAY = dt.time()
_SPREADSHEET_ERROR = re.compile(r"#(?:REF!|N/A|NAME\?|VALUE!|DIV/0!|NULL!|NUM!|ERROR!|#+)|Err:[0-9]{3}")
LONGEST_NIGHT = dt.timedelta(hours=12)
"""An end without a date that is before the start is on the next day, if the event is no longer than this."""
WHERE_FIELDS = {"room", "place"}
LENGTH_FIELDS = {"duration", f"{TALK_PREFIX}duration"}
ROW_TIME_FIELDS = WHEN_FIELDS | {"duration"}
TALK_TIME_FIELDS = {f"{TALK_PREFIX}{name}" for name in ("start", "end", "duration")}
REMEDIES = {
    "date": "write it as 2026-04-23",
    "start": "write it as 9:30 or 2026-04-23 9:30, without a time zone",
    "end": "write it as 10:30 or 2026-04-23 10:30, without a time zone",
    "end_date": "write it as 2026-04-23",
    "duration": "write it as 45 or 1:30",
    "capacity": "write it as 50",
}


class CellProblem(NamedTuple):
    """A cell that is not read; ``column`` is its header."""

    row: RowNumber
    column: str
    value: str
    remedy: str

    def __str__(self) -> str:
        return f"row {self.row}, {self.column}: {quoted(self.value)} cannot be read and is left out; {self.remedy}"


@dataclass(frozen=True)
class RowTimes:
    """``date`` is the day of a row without an hour; ``is_unread`` says that one of its cells cannot be read."""

    date: dt.date | None = None
    start: dt.datetime | None = None
    end: dt.datetime | None = None
    warning: str = ""
    is_unread: bool = False


@dataclass(frozen=True)
class RowValues:
    """``texts`` are by field, of several columns the filled ones in order; ``talks`` those of talks inside, by number."""

    number: RowNumber
    texts: dict[str, list[str]]
    talks: dict[int, dict[str, list[str]]]
    times: RowTimes

    def text(self, name: str) -> str:
        return next(iter(self.texts.get(name, [])), "")

    def talk_texts(self, number: int) -> dict[str, list[str]]:
        return {name.removeprefix(TALK_PREFIX): found for name, found in self.talks[number].items()}

    @property
    def location(self) -> str:
        return f"row {self.number}, {quoted(' '.join(self.text('title').split())[:80])}"


class RowReader:
    """Reads rows one after the other: an empty date is that of the row above, or one of ``other_dates``.

    ``without_year`` names the first date that lacks one.
    """

    def __init__(self, sheet: ForeignSheet, reading: DateReading, zone: ZoneInfo) -> None:
        self.sheet, self.reading, self.zone = sheet, reading, zone
        self.problems: list[CellProblem] = []
        self.notes: list[str] = []
        self.without_year = ""
        self.dates_from_above = 0
        self.other_dates: dict[str, None] = {}
        self.date: dt.date | None = None
        self.places = [
            (place, header, sheet.fields[header]) for place, header in enumerate(sheet.headers) if sheet.fields[header]
        ]
        self.units_of_lengths = {
            header: lengths.unit_of_column(header, (row.cells[place] for row in sheet.rows))
            for place, header, field in self.places
            if field in LENGTH_FIELDS
        }

    def __iter__(self) -> Iterator[RowValues]:
        sheet = None
        for row in self.sheet.rows:
            if row.sheet != sheet:
                sheet = row.sheet
                self.date = self._first_date(sheet)
                if self.date is None and moments.lacks_year(sheet, self.reading):
                    self.without_year = self.without_year or f"sheet {quoted(sheet)} has no year: {self._with_year(sheet)}"
            if not self._is_heading(row):
                yield self._read(row)

    def _first_date(self, sheet: str) -> dt.date | None:
        """Return the date of rows above the first one with a date."""
        headers = [header for _, header, field in self.places if field == "start"]
        is_one_day = self.reading.first == self.reading.last
        dates = {
            "of the sheet": self._date_of(sheet),
            "of the header": next(filter(None, map(self._date_of, headers)), None),
            "of the conference": self.reading.first if is_one_day else None,
        }
        source = next((source for source, date in dates.items() if date), "")
        if source:
            self.other_dates[source] = None
        return dates.get(source)

    def _date_of(self, heading: str) -> dt.date | None:
        moment = moments.parse_moment(heading, self.reading)
        return moment.date if moment and not moment.start else None

    def _is_heading(self, row: SheetRow) -> bool:
        """Whether the row is the heading of a day, in one cell or in merged ones; its date is then that of the rows below."""
        filled = {cell for cell in row.cells if cell}
        if len(filled) != 1:
            return False
        text = filled.pop()
        date = self._date_of(text)
        if date is None and moments.lacks_year(text, self.reading):
            self._add_without_year(row.number, self.sheet.headers[row.cells.index(text)], text)
            self.date = None
            return True
        self.date = date or self.date
        return date is not None

    def _read(self, row: SheetRow) -> RowValues:
        problems = len(self.problems)
        texts: dict[str, list[str]] = {}
        talks: dict[int, dict[str, list[str]]] = {}
        for place, header, name in self.places:
            cell = row.cells[place]
            if not cell or (name in WHERE_FIELDS and is_placeholder(cell)):
                continue
            if _SPREADSHEET_ERROR.fullmatch(cell):
                self.problems.append(CellProblem(row.number, header, cell, "correct the formula in the spreadsheet"))
            elif name.startswith(TALK_PREFIX):
                talks.setdefault(talk_number(header) or 1, {}).setdefault(name, []).append(cell)
            else:
                texts.setdefault(name, []).append(cell)
        times = self._times(row.number, texts)
        return RowValues(row.number, texts, talks, self._marked(times, problems, ROW_TIME_FIELDS))

    def _marked(self, times: RowTimes, problems: int, fields: Collection[str]) -> RowTimes:
        """Mark times of which a cell cannot be read; ``problems`` is their number before the row."""
        is_unread = any(self.sheet.fields.get(problem.column) in fields for problem in self.problems[problems:])
        return dataclasses.replace(times, is_unread=True) if is_unread else times

    def header_of(self, name: str) -> str:
        return next((header for _, header, field in self.places if field == name), FIELDS_BY_NAME[name].label)

    def problem(self, number: RowNumber, name: str, value: str, remedy: str = "") -> None:
        self.problems.append(CellProblem(number, self.header_of(name), value, remedy or REMEDIES[name]))

    def moment(self, number: RowNumber, name: str, text: str, header: str = "") -> CellMoment:
        """Return what a cell says of a time; nothing, and a problem, for one that cannot be read."""
        if is_placeholder(text):
            return CellMoment()
        if (read := moments.parse_moment(text, self.reading, bare_hours=name == "start")) is None:
            header = header or self.header_of(name)
            if moments.lacks_year(text, self.reading):
                self._add_without_year(number, header, text)
            else:
                self.problems.append(CellProblem(number, header, text, REMEDIES[name]))
            return CellMoment()
        return read

    def _add_without_year(self, number: RowNumber, header: str, text: str) -> None:
        remedy = self._with_year(text)
        self.problems.append(CellProblem(number, header, text, f"it has no year: {remedy}"))
        self.without_year = self.without_year or f"row {number}, {header}: {quoted(text)} has no year: {remedy}"

    def _with_year(self, text: str) -> str:
        written = f"{' '.join(text.split())} {dt.datetime.now(dt.UTC).year}"
        is_date = moments.parse_moment(written, self.reading) is not None
        return f"write {written}" if is_date else "write the year behind the month"

    def _times(self, number: RowNumber, texts: dict[str, list[str]]) -> RowTimes:
        found = {name: self.moment(number, name, (texts.get(name) or [""])[0]) for name in WHEN_FIELDS}
        day, begin, finish = found["date"], found["start"], found["end"]
        # A column of dates has midnight where a program wrote a date with an hour.
        start = begin.start or (day.start if day.start != START_OF_DAY or "start" not in self.sheet.fields.values() else None)
        date = begin.date or day.date
        is_unread = date is None and day == CellMoment() and bool("".join(texts.get("date") or []).strip())
        has_hours = start is not None or any(texts.get(name) for name in ("start", "end"))
        if date is None and has_hours and self.date and not is_unread:
            date = self.date
            self.dates_from_above += 1
        # Nor is the date above an unread one that of the rows below it.
        self.date = None if is_unread else date or self.date
        if date is None or start is None:
            if start is not None:
                self.problem(number, "start", (texts.get("start") or texts["date"])[0], "give it a date in this row or above")
            return RowTimes(date)
        starts_next_day = moments.is_end_of_day((texts.get("start") or [""])[0])
        at = self._at(date + dt.timedelta(days=starts_next_day), start, begin.offset or day.offset)
        end = self._end(number, at.at, date, texts, [finish, begin, day], found["end_date"].date)
        return RowTimes(date, at.at, end, at.warning)

    def _at(self, date: dt.date, clock: dt.time, offset: dt.tzinfo | None) -> StartTime:
        naive = dt.datetime.combine(date, clock)
        return StartTime(naive.replace(tzinfo=offset)) if offset else at_venue(naive, self.zone)

    def _end(
        self,
        number: RowNumber,
        start: dt.datetime,
        date: dt.date,
        texts: dict[str, list[str]],
        cells: list[CellMoment],
        end_date: dt.date | None,
    ) -> dt.datetime | None:
        finish, begin, day = cells
        if clock := finish.start or begin.end or day.end:
            listed = finish.date or end_date or begin.end_date or day.end_date
            end = self._at(listed or date, clock, finish.offset or begin.offset).at
            if utc(end) < utc(start) and listed in {None, date}:
                # An end before the start is on the next day; a date that is only repeated says nothing else.
                end = self._at(date + dt.timedelta(days=1), clock, finish.offset or begin.offset).at
                is_possible = utc(end) - utc(start) <= LONGEST_NIGHT
            else:
                is_possible = utc(end) >= utc(start)
            if is_possible:
                return end
            self.problem(number, "end", (texts.get("end") or [""])[0], "it is before the start: give the date of the end too")
        return self.length_after(number, start, (texts.get("duration") or [""])[0], "duration")

    def length_after(self, number: RowNumber, start: dt.datetime, text: str, name: str, header: str = "") -> dt.datetime | None:
        if is_placeholder(text):
            return None
        header = header or self.header_of(name)
        unit = self.units_of_lengths.get(header, "")
        if (length := lengths.parse_length(text, unit)) is None:
            self.problems.append(CellProblem(number, header, text, REMEDIES["duration"]))
            return None
        if note := lengths.unusual_length(text, length, unit):
            self.notes.append(f"row {number}, {header}: {quoted(text)} {note}")
        # In UTC, so that an hour stays one where the clocks change.
        return utc(start) + length

    def talk_times(self, row: RowValues, number: int) -> RowTimes:
        """Return the times of a talk inside a row, on the day of the row; only the day if its hour is not in the file."""
        problems = len(self.problems)
        return self._marked(self._talk_times(row, number), problems, TALK_TIME_FIELDS)

    def _talk_times(self, row: RowValues, number: int) -> RowTimes:
        talk = row.talks[number]
        date = row.times.date
        start_text, end_text = ((talk.get(f"{TALK_PREFIX}{name}") or [""])[0] for name in ("start", "end"))
        begin = self.moment(row.number, "start", start_text, self._talk_header("start", number))
        if (clock := begin.start) is None or (begin.date or date) is None:
            return RowTimes(date)
        day = begin.date or date or dt.date.min
        at = self._at(day, clock, begin.offset)
        finish = self.moment(row.number, "end", end_text, self._talk_header("end", number))
        end = self._at(finish.date or day, finish.start, finish.offset).at if finish.start else None
        if end and utc(end) < utc(at.at):
            self.problems.append(
                CellProblem(row.number, self._talk_header("end", number), end_text, "an event ends after it starts")
            )
            end = None
        length = (talk.get(f"{TALK_PREFIX}duration") or [""])[0]
        end = end or self.length_after(row.number, at.at, length, "duration", self._talk_header("duration", number))
        return RowTimes(day, at.at, end, at.warning)

    def _talk_header(self, name: str, number: int) -> str:
        names = (header for _, header, field in self.places if field == f"{TALK_PREFIX}{name}" and talk_number(header) == number)
        return next(names, name)
