"""One row of a seeds file: its cells as text, where it stands, and the readings of a cell that can go wrong."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NoReturn

from events.importers import cells
from events.importers.cells import hint, quoted
from events.importers.errors import ScheduleParseError

# The lengths of the database's fields, so that a folder that parses can also be saved.
KEY, WORD, NAME, LINE, ADDRESS, SENTENCE, PROSE = 60, 30, 100, 300, 500, 1_000, 100_000
BIGGEST = 1_000_000
_YES_NO = {"yes": True, "no": False, "": None}


@dataclass(frozen=True, slots=True)
class Row:
    file: str
    line: int | None
    cells: Mapping[str, str]
    table: str = ""

    @property
    def place(self) -> str:
        """Where it stands in its file: the line of CSV, the table of TOML."""
        return self.table or f"line {self.line}"

    def error(self, column: str, problem: str) -> ScheduleParseError:
        return ScheduleParseError(problem, file=self.file, table=self.table, line=self.line, column=column)

    def refuse(self, column: str, remedy: str) -> ScheduleParseError:
        return self.error(column, f"{quoted(self.raw(column))} {remedy}")

    def raw(self, column: str) -> str:
        return self.cells.get(column, "").strip()

    def has(self, column: str) -> bool:
        return self.raw(column) != ""

    def prose(self, column: str, limit: int = PROSE) -> str:
        """Text of any number of lines."""
        value = self.raw(column).replace("\r\n", "\n").replace("\r", "\n")
        if len(value) > limit:
            raise self.refuse(column, f"has {len(value)} characters: keep it to {limit}")
        return value

    def text(self, column: str, limit: int = LINE) -> str:
        """Text of one line."""
        value = self.prose(column, limit)
        if len(value.splitlines()) > 1:
            raise self.refuse(column, "has a line break: write it on one line")
        return value

    def required(self, column: str, limit: int = LINE) -> str:
        value = self.text(column, limit)
        if not value:
            raise self.error(column, "is empty, and has to be filled in")
        return value

    def key(self, column: str = "key") -> str:
        value = self.required(column, KEY)
        if not cells.is_key(value):
            raise self.refuse(column, "is not a key: use the letters a to z, digits, and hyphens between, like poster-session-1")
        return value

    def choice(self, column: str, allowed: Collection[str], default: str = "") -> str:
        value = self.text(column).lower() or default
        if value and value not in allowed:
            raise self.refuse(column, f"is none of {', '.join(allowed)}")
        return value

    def flag(self, column: str) -> bool | None:
        value = self.text(column).lower()
        if value not in _YES_NO:
            raise self.refuse(column, "is neither yes nor no: leave it empty where it is not known")
        return _YES_NO[value]

    def whole(self, column: str, least: int = 0) -> int | None:
        if not self.has(column):
            return None
        number = cells.whole(self.raw(column))
        if number is None or not least <= number <= BIGGEST:
            raise self.refuse(column, f"is not a whole number from {least} to {BIGGEST}")
        return number

    def year(self, column: str = "year") -> int:
        number = cells.whole(self.required(column))
        if number is None or number not in cells.YEARS:
            raise self.refuse(column, "is not a year: write four digits like 2025")
        return number

    def decimal(self, column: str, limit: int) -> float | None:
        if not self.has(column):
            return None
        number = cells.decimal(self.raw(column))
        if number is None or abs(number) > limit:
            raise self.refuse(column, f"is not a decimal number from -{limit} to {limit}")
        return number

    def date(self, column: str) -> dt.date | None:
        return self.required_date(column) if self.has(column) else None

    def required_date(self, column: str) -> dt.date:
        value = self.required(column)
        return cells.date(value) or self._fail(column, value, "is not a date: write it like 2025-04-24")

    def time(self, column: str) -> dt.time | None:
        return self._time(column, self.raw(column)) if self.has(column) else None

    def date_and_time(self, column: str) -> tuple[dt.date, dt.time | None]:
        """“2025-04-23” or “2025-04-23 14:00”."""
        day, _, hour = self.required(column).replace("T", " ").partition(" ")
        date = cells.date(day) or self._fail(column, day, "is not a date: write it like 2025-04-24 or 2025-04-24 14:00")
        return date, self._time(column, hour.strip()) if hour.strip() else None

    def _time(self, column: str, value: str) -> dt.time:
        remedy = "is not a time: write it like 09:30, from 00:00 to 23:59"
        return cells.time(value) or self._fail(column, value, remedy)

    def seconds(self, column: str) -> int | None:
        if not self.has(column):
            return None
        found = cells.seconds(self.raw(column))
        if found is None:
            raise self.refuse(column, "is not minutes and seconds: write it like 23:00")
        return found

    def url(self, column: str) -> str:
        return self.checked_url(column, self.text(column, ADDRESS)) if self.has(column) else ""

    def checked_url(self, column: str, value: str) -> str:
        if not cells.is_address(value) or len(value) > ADDRESS:
            raise self.error(column, f"{quoted(value)} is not a web address: write it whole, like https://example.org/page")
        return value

    def colour(self, column: str, names: Collection[str] = ()) -> str:
        value = self.text(column).lower()
        if value and value not in names and not re.fullmatch("#[0-9a-f]{6}", value):
            named = f"{', '.join(names)}, or " if names else ""
            raise self.refuse(column, f"is not a colour: write {named}# and six hexadecimal digits like #1747b8")
        return value

    def icon(self, column: str = "icon") -> str:
        value = self.text(column, WORD)
        if value and not cells.is_key(value):
            raise self.refuse(column, "is not the name of an icon: write one word in small letters, like mic")
        return value

    def guid(self, column: str = "guid") -> str:
        value = self.text(column)
        try:
            return str(uuid.UUID(value)) if value else ""
        except ValueError as error:
            raise self.refuse(column, "is not a UUID: leave it empty and one is made from the key") from error

    def items(self, column: str) -> list[str]:
        """The cell's list: what stands between its semicolons."""
        return [item for part in self.prose(column).split(";") if (item := " ".join(part.split()))]

    def reference(self, column: str, known: Collection[str], noun: str) -> str:
        value = self.text(column)
        if value and value not in known:
            raise self.refuse(column, f"is not the key of {'an' if noun[0] in 'aeiou' else 'a'} {noun}{hint(value, known)}")
        return value

    def required_reference(self, column: str, known: Collection[str], noun: str) -> str:
        self.required(column)
        return self.reference(column, known, noun)

    def _fail(self, column: str, value: str, remedy: str) -> NoReturn:
        raise self.error(column, f"{quoted(value)} {remedy}")
