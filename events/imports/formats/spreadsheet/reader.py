"""A spreadsheet as a programme: whether it is one, which columns and dates it has, and its rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from events.core.clock import programme_date
from events.core.parsing import cells
from events.core.parsing.errors import ColumnsNeededError
from events.imports.formats import times
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.document import Document, Hints
from events.imports.formats.spreadsheet import moments
from events.imports.formats.spreadsheet.choices import ColumnChoices
from events.imports.formats.spreadsheet.events import PEOPLE_FIELDS, RowEvents
from events.imports.formats.spreadsheet.fields import FIELDS_BY_NAME, GRID_FIELD, TALK_PREFIX, WHEN_FIELDS
from events.imports.formats.spreadsheet.grid import one_event_a_row
from events.imports.formats.spreadsheet.moments import DateReading
from events.imports.formats.spreadsheet.names import may_name_institution
from events.imports.formats.spreadsheet.rows import RowReader, RowValues
from events.imports.formats.spreadsheet.sheet import ForeignSheet, looks_like_table, open_sheet
from events.imports.formats.times import find_time_zone
from events.programme.data.schedule import ScheduleData


def recognises(document: Document) -> bool:
    return looks_like_table(document)


def parse(document: Document, hints: Hints) -> ScheduleData:
    """Raise ColumnsNeededError if a column or the order of dates is to be chosen."""
    return SpreadsheetReader(open_sheet(document, ColumnChoices.from_json(hints.columns)), hints, file=document.name).read()


class SpreadsheetReader:
    """After ``read``, ``events.understood`` has the event of each row, and ``rows.problems`` what was not read."""

    def __init__(self, sheet: ForeignSheet, hints: Hints, *, file: str) -> None:
        self.sheet, self.file = sheet, file
        _check_columns(sheet, file)
        date_texts = [row.cells[place] for row in sheet.rows for place in _time_places(sheet)]
        zone, warning = find_time_zone("", hints, moments=times.datetimes(date_texts), file=file)
        self.builder = ScheduleBuilder(hints, zone, file=file)
        if warning:
            self.builder.warn(warning)
        reading = self._date_reading(date_texts, hints)
        self.rows = RowReader(one_event_a_row(sheet, reading), reading, zone)
        self.events = RowEvents(self.builder, self.rows)

    @property
    def is_grid(self) -> bool:
        return GRID_FIELD in self.sheet.fields.values()

    def _date_reading(self, texts: Iterable[str], hints: Hints) -> DateReading:
        days = DateReading(first=hints.start, last=hints.end).days
        order, example = moments.date_order(texts, days)
        order = ColumnChoices.from_json(hints.columns).dates or order
        if not order and example:
            raise ColumnsNeededError(
                f"{cells.quoted(example)} may be two dates: say whether the day or the month comes first",
                file=self.file,
                field="dates",
            )
        return DateReading(order, hints.start, hints.end)

    def read(self) -> ScheduleData:
        read = list(self.rows)
        for note in self.sheet.notes():
            self.builder.warn(note)
        self.events.add(read)
        for warning in self._dates_outside(read):
            self.builder.warn(warning)
        for warning in self._unclear_people(read):
            self.builder.warn(warning)
        if count := self.rows.dates_from_above:
            noun = "event" if self.is_grid else "row"
            rows = f"1 {noun} has no date of its own" if count == 1 else f"{count} {noun}s have no date of their own"
            self.builder.warn(f"{rows}; that {' or '.join(['of the row above', *self.rows.other_dates])} is used")
        for problem in self.rows.problems:
            self.builder.warn(str(problem))
        return self.builder.build()

    def _dates_outside(self, rows: Iterable[RowValues]) -> Iterator[str]:
        """Yield a warning for each new date before or after the conference, at its first row."""
        first, last = self.builder.hints.start, self.builder.hints.end
        if not first or not last:
            return
        seen = set(self.builder.hints.days)
        for row in rows:
            date = programme_date(row.times.start, self.builder.zone) if row.times.start else row.times.date
            if date is None or date in seen or first <= date <= last or row.number not in self.events.understood:
                continue
            seen.add(date)
            field = next(name for name in ("date", "start") if name == "start" or row.text(name))
            value = cells.quoted(row.text(field) or str(date))
            days, side = ((first - date).days, "before") if date < first else ((date - last).days, "after")
            yield (
                f"row {row.number}, {self.rows.header_of(field)}: {value} is {days} {'day' if days == 1 else 'days'} {side} the "
                f"conference ({first} to {last}): correct it, or the dates of the conference"
            )

    def _unclear_people(self, rows: Iterable[RowValues]) -> Iterator[str]:
        """Yield a warning for each cell that may name a person and an institution instead of two people."""
        for row in rows:
            if row.number not in self.events.understood:
                continue
            for field, cell in _cells_of_people(row):
                if may_name_institution(cell) and field.removeprefix(TALK_PREFIX) not in self.events.surname_first:
                    name, other = (" ".join(part.split()) for part in cell.split(","))
                    turned = "" if " " in name + other else f"“{other} {name}” or "
                    yield (
                        f"row {row.number}, {self.rows.header_of(field)}: {cells.quoted(cell)} is read as two people; "
                        f"if it is one, write {turned}“{name} ({other})”, with the institution in brackets"
                    )


def _cells_of_people(row: RowValues) -> Iterator[tuple[str, str]]:
    for texts in (row.texts, *row.talks.values()):
        for field in texts:
            if field.removeprefix(TALK_PREFIX) in PEOPLE_FIELDS:
                yield from ((field, cell) for cell in texts[field])


def _check_columns(sheet: ForeignSheet, file: str) -> None:
    fields = set(sheet.fields.values())
    if not fields & WHEN_FIELDS:
        raise ColumnsNeededError(
            "has no column with dates or hours. A list of papers, people or rooms goes into the import of that list",
            file=file,
            field="date",
        )
    if not {"title", GRID_FIELD} & fields:
        raise ColumnsNeededError("has no column with titles: choose the one that has them", file=file, field="title")
    for name in ("title", "room") if GRID_FIELD in fields else ():
        if header := next((header for header, field in sheet.fields.items() if field == name), ""):
            label = FIELDS_BY_NAME[GRID_FIELD].label
            raise ColumnsNeededError(
                f"{cells.quoted(header)} has a {name}, and so have the columns “{label}”: leave it or them out",
                file=file,
                field=name,
            )
    for name in fields - {""}:
        headers = [header for header, field in sheet.fields.items() if field == name]
        if len(headers) > 1 and not FIELDS_BY_NAME[name].several:
            named = " and ".join(map(cells.quoted, headers[:3]))
            label = FIELDS_BY_NAME[name].label
            raise ColumnsNeededError(f"{named} are both “{label}”: leave one of them out", file=file, field=name)


def _time_places(sheet: ForeignSheet) -> list[int]:
    return [place for place, header in enumerate(sheet.headers) if sheet.fields[header] in WHEN_FIELDS]
