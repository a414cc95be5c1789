"""What would be read of a spreadsheet, before anything is planned: for the page on which organisers choose its columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from events.core.parsing.errors import ColumnsNeededError, ScheduleParseError, TimeZoneNeededError
from events.imports.formats.document import Document, Hints
from events.imports.formats.spreadsheet.choices import ColumnChoices
from events.imports.formats.spreadsheet.reader import SpreadsheetReader
from events.imports.formats.spreadsheet.rows import CellProblem
from events.imports.formats.spreadsheet.sheet import ForeignSheet, RowNumber, open_sheet
from events.programme.data.schedule import EventData, ScheduleData, load_time_zone

SHOWN_ROWS = 12


class ReadRow(NamedTuple):
    """A row as it is understood, in words."""

    number: RowNumber
    title: str
    day: str
    hours: str
    room: str
    type: str
    track: str
    people: str


@dataclass(frozen=True)
class SheetLook:
    """``refusal`` says what must be chosen or corrected before the rest can be read."""

    sheet: ForeignSheet
    refusal: str = ""
    rows: list[ReadRow] = field(default_factory=list)
    problems: list[CellProblem] = field(default_factory=list)
    skipped: tuple[str, ...] = ()
    data: ScheduleData | None = None


def look_at_sheet(document: Document, hints: Hints) -> SheetLook:
    """Raise TimeZoneNeededError, or ScheduleParseError if it cannot be read as a table."""
    sheet = open_sheet(document, ColumnChoices.from_json(hints.columns))
    try:
        reader = SpreadsheetReader(sheet, hints, file=document.name)
    except ColumnsNeededError as error:
        return SheetLook(sheet, error.problem)
    try:
        data = reader.read()
    except TimeZoneNeededError:
        raise
    except ScheduleParseError as error:
        return SheetLook(sheet, error.problem, problems=reader.rows.problems, skipped=tuple(reader.builder.skipped))
    events = {event.key: event for event in data.events}
    understood = ((row.number, reader.events.understood.get(row.number)) for row in reader.rows.sheet.rows)
    shown = [(number, events[event.key]) for number, event in understood if event][:SHOWN_ROWS]
    names = _Names(data)
    return SheetLook(
        sheet, rows=[names.row(number, event) for number, event in shown], problems=reader.rows.problems,
        skipped=data.skipped, data=data,
    )  # fmt: skip


class _Names:
    """Names of what events refer to by key."""

    def __init__(self, data: ScheduleData) -> None:
        self.zone = load_time_zone(data.conference.timezone)
        self.rooms = {row.key: row.name for row in data.rooms}
        self.types = {row.key: row.name for row in data.types}
        self.tracks = {row.key: row.name for row in data.tracks}
        self.people = {row.key: row.name for row in data.people}
        self.authors = {row.key: row.authors for row in data.papers}

    def row(self, number: RowNumber, event: EventData) -> ReadRow:
        keys = [each.person for each in event.people] or list(self.authors.get(event.paper, ()))
        start, end = (at.astimezone(self.zone) if at else None for at in (event.start, event.end))
        hours = f"{start:%H:%M}–{end:%H:%M}" if start and end else "to be announced"
        return ReadRow(
            number,
            event.title,
            f"{start:%a %-d %b %Y}" if start else event.day,
            hours,
            self.rooms.get(event.room, ""),
            self.types.get(event.type, ""),
            self.tracks.get(event.track, ""),
            ", ".join(filter(None, map(self.people.get, keys))),
        )
