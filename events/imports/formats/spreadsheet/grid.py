"""A grid, with a column for each room and a row for each hour, as rows of one event each."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from events.imports.formats.kinds import title_kind
from events.imports.formats.spreadsheet.fields import GRID_FIELD
from events.imports.formats.spreadsheet.moments import DateReading, parse_moment
from events.imports.formats.spreadsheet.sheet import ForeignSheet, SheetRow
from events.imports.formats.texts import is_placeholder

MAX_PEOPLE_LINE_CHARS = 200
"""A longer line under a title belongs to the abstract."""
_ADDED_FIELDS = {"room": "Room", "title": "Title", "people": "Speakers", "abstract": "Abstract", "end": "End"}


@dataclass(frozen=True)
class _Slot:
    """A row of hours: ``texts`` are by the place of their room; ``start`` and ``end`` as far as the row has them."""

    row: SheetRow
    texts: Mapping[int, str]
    start: dt.time | None
    end: dt.time | None
    has_length: bool


def one_event_a_row(sheet: ForeignSheet, reading: DateReading) -> ForeignSheet:
    """Return the sheet with columns for room, title, speakers and end instead of those of rooms; itself if it is no grid.

    A text in adjoining rows of a room is one event, and so is a text in several rooms of a row. Without an end, and without a
    length, an event ends when the next row starts.
    """
    rooms = {place: header for place, header in enumerate(sheet.headers) if sheet.fields[header] == GRID_FIELD}
    return _Grid(sheet, rooms, reading).unfolded() if rooms else sheet


class _Grid:
    def __init__(self, sheet: ForeignSheet, rooms: Mapping[int, str], reading: DateReading) -> None:
        self.sheet, self.rooms, self.reading = sheet, rooms, reading
        self.places = {field: place for place, header in enumerate(sheet.headers) if (field := sheet.fields[header])}

    def unfolded(self) -> ForeignSheet:
        headers = list(self.sheet.headers)
        added = {}
        for field, name in _ADDED_FIELDS.items():
            header = name if name not in headers else f"{name} of the grid"
            headers.append(header)
            added[header] = field
        # The columns of rooms are read already, and so is an end, of which there is one column.
        fields = {
            header: "" if field in {GRID_FIELD, "room", "title", "end"} else field for header, field in self.sheet.fields.items()
        }
        return dataclasses.replace(self.sheet, headers=headers, fields=fields | added, rows=list(self._rows()))

    def _rows(self) -> Iterator[SheetRow]:
        block: list[_Slot] = []
        for row in self.sheet.rows:
            texts = {place: row.cells[place] for place in self.rooms if not is_placeholder(row.cells[place])}
            is_header = bool(texts) and all(text == self.rooms[place] for place, text in texts.items())
            slot = None if is_header else self._slot(row, texts)
            if block and (slot is None or self._begins_day(block[-1].row, row)):
                yield from self._events(block)
                block = []
            if slot:
                block.append(slot)
            else:
                yield self._row(row, {}, keeps_rooms=not is_header)
        yield from self._events(block)

    def _begins_day(self, above: SheetRow, row: SheetRow) -> bool:
        place = self.places.get("date")
        has_date = place is not None and bool(row.cells[place])
        return above.sheet != row.sheet or (has_date and self._cell(row, "date") != self._cell(above, "date"))

    def _slot(self, row: SheetRow, texts: Mapping[int, str]) -> _Slot | None:
        """Return None for a row without an hour that has no events or is the heading of a day."""
        hours = [parse_moment(self._cell(row, name), self.reading, bare_hours=True) for name in ("start", "date", "end")]
        start = next((each.start for each in hours[:2] if each and each.start), None)
        ends = [*(each.end for each in hours[:2] if each), hours[2].start if hours[2] else None]
        if not start and all(parse_moment(text, self.reading) for text in texts.values()):
            return None
        return _Slot(row, texts, start, next(filter(None, ends), None), bool(self._cell(row, "duration")))

    def _cell(self, row: SheetRow, field: str) -> str:
        return row.cells[self.places[field]] if field in self.places else ""

    def _events(self, block: Sequence[_Slot]) -> Iterator[SheetRow]:
        for number, slot in enumerate(block):
            above = block[number - 1].texts if number else {}
            places: dict[tuple[str, int], list[int]] = {}
            for place, text in slot.texts.items():
                if above.get(place) != text:
                    places.setdefault((text, _last_slot(block, number, place)), []).append(place)
            for (text, last), in_rooms in places.items():
                yield self._event(block, slot, text, last, in_rooms)

    def _event(self, block: Sequence[_Slot], slot: _Slot, text: str, last: int, in_rooms: Sequence[int]) -> SheetRow:
        title, *lines = filter(None, map(str.strip, text.splitlines()))
        is_everywhere = len(in_rooms) == len(self.rooms) > 1
        # Cells that are merged over all rooms of a row are the first one alone.
        is_break = len(slot.texts) == 1 and title_kind(title) == "break"
        is_long = block[last] is not slot
        end = block[last].end
        if end is None and (is_long or not slot.has_length) and last + 1 < len(block):
            end = block[last + 1].start
        room = self.rooms[in_rooms[0]]
        cells = {
            "room": "" if is_everywhere or is_break else room,
            "title": title,
            "people": "\n".join(line for line in lines if len(line) <= MAX_PEOPLE_LINE_CHARS),
            "abstract": "\n".join(line for line in lines if len(line) > MAX_PEOPLE_LINE_CHARS),
            "end": f"{end:%H:%M}" if end else "",
        }
        return self._row(slot.row, cells)._replace(number=f"{slot.row.number}, {room}")

    def _row(self, row: SheetRow, cells: Mapping[str, str], *, keeps_rooms: bool = False) -> SheetRow:
        others = ["" if place in self.rooms and not keeps_rooms else cell for place, cell in enumerate(row.cells)]
        return row._replace(cells=[*others, *(cells.get(field, "") for field in _ADDED_FIELDS)])


def _last_slot(block: Sequence[_Slot], first: int, place: int) -> int:
    """Return the number of the last adjoining row with the same text in this room."""
    last = first
    while last + 1 < len(block) and block[last + 1].texts.get(place) == block[first].texts[place]:
        last += 1
    return last
