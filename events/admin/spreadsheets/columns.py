"""Columns: how a cell is read, how a value is shown in it, and how a row that a cell names is found."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError

from events.admin.times import TimeError, Wall, at_venue
from events.importers import cells
from events.importers.cells import hint, quoted
from events.models.validators import web_address

BIGGEST = 1_000_000
HINTS = 20
NEAR = 400


class Cell(NamedTuple):
    """``read`` turns text into a value or raises ValueError with a sentence; ``show`` turns a value into what a cell holds."""

    read: Callable[[str], Any]
    show: Callable[[Any], str | int]


@dataclass(frozen=True)
class Column:
    """``attribute`` of a row, called like the column if it is empty; with ``value``, ``Sheet.complete`` sets what was read."""

    name: str
    cell: Cell
    attribute: str = ""
    value: Callable[[Any], Any] | None = None

    def set(self, row: Any, value: Any) -> None:
        if self.value is None:
            setattr(row, self.attribute or self.name, value)

    def shown(self, row: Any) -> str | int:
        return self.cell.show(self.value(row) if self.value else getattr(row, self.attribute or self.name))


def _line(text: str) -> str:
    if len(text.splitlines()) > 1:
        raise ValueError(f"{quoted(text)} has a line break: write it on one line.")
    return " ".join(text.split())


def _whole(text: str) -> int | None:
    number = cells.whole(text)
    if text and (number is None or number > BIGGEST):
        raise ValueError(f"{quoted(text)} is not a whole number from 0 to {BIGGEST:,}.")
    return number


def _flag(text: str) -> bool | None:
    known = {"yes": True, "no": False, "true": True, "false": False, "": None}
    if text.lower() not in known:
        raise ValueError(f"{quoted(text)} is neither yes nor no: leave it empty where it is not known.")
    return known[text.lower()]


def _address(text: str) -> str:
    if text:
        try:
            web_address(text)
        except ValidationError as error:
            raise ValueError(error.messages[0]) from error
    return text


def _date(text: str) -> dt.date | None:
    found = cells.date(text.removesuffix(" 00:00"))
    if text and found is None:
        raise ValueError(f"{quoted(text)} is not a date: write it as 2025-04-24.")
    return found


def _wall(text: str) -> Wall | None:
    """“2025-04-24 09:30”, or “09:30” of the day in its own column."""
    if not text:
        return None
    date, _, hour = text.replace("T", " ").rpartition(" ")
    clock, day = cells.time(hour.strip()), cells.date(date.strip())
    if clock is None or (date.strip() and day is None):
        raise ValueError(f"{quoted(text)} is not a time: write it as 2025-04-24 09:30.")
    return Wall(clock, day)


def _seconds(text: str) -> int | None:
    found = cells.seconds(text)
    if text and found is None:
        raise ValueError(f"{quoted(text)} is not minutes and seconds: write it as 23:00.")
    return found


def _show(value: Any) -> str | int:
    return "" if value is None else value if isinstance(value, int) else str(value)


def _show_flag(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"


TEXT = Cell(_line, _show)
PROSE = Cell(lambda text: text.replace("\r\n", "\n").replace("\r", "\n"), _show)
ADDRESS = Cell(_address, _show)
WHOLE = Cell(_whole, _show)
COUNT = Cell(lambda text: _whole(text) or 0, _show)
FLAG = Cell(_flag, _show_flag)
YES = Cell(lambda text: bool(_flag(text)), _show_flag)
DATE = Cell(_date, _show)
SECONDS = Cell(_seconds, lambda value: "" if value is None else f"{value // 60}:{value % 60:02}")


def wall(zone: ZoneInfo) -> Cell:
    """A time by the clock at the venue, which may leave the date to another column."""
    return Cell(_wall, lambda value: f"{value.astimezone(zone):%Y-%m-%d %H:%M}" if value else "")


def instant(zone: ZoneInfo) -> Cell:
    """A moment by the clock at the venue."""

    def read(text: str) -> dt.datetime | None:
        found = _wall(text)
        if found is None:
            return None
        if found.date is None:
            raise ValueError(f"{quoted(text)} has no date: write it as 2025-04-24 09:30.")
        try:
            return at_venue("", dt.datetime.combine(found.date, found.time), zone)[0]
        except TimeError as error:
            raise ValueError(str(error)) from error

    return Cell(read, wall(zone).show)


def choice(choices: Iterable[tuple[str, str]]) -> Cell:
    """One of the values a field chooses from, or what organisers see in its place; "" for an empty cell."""
    words = dict(choices)
    known = {name.casefold(): value for value, label in words.items() for name in (value, label.partition(":")[0])} | {"": ""}

    def read(text: str) -> str:
        if text.casefold() not in known:
            raise ValueError(f"{quoted(text)} is none of {', '.join(value for value in words if value)}.")
        return known[text.casefold()]

    return Cell(read, _show)


def folded(text: str) -> str:
    """Names are compared without regard to capitals and spaces."""
    return " ".join(text.split()).casefold()


class Names:
    """Rows that cells refer to: each under its key with all that it may be called, the usual name first."""

    def __init__(self, noun: str, home: object, entries: Iterable[tuple[Any, Iterable[str]]], plural: str = "") -> None:
        self.noun, self.home, self.plural = noun, home, plural or f"{noun}s"
        self._names: dict[Any, list[str]] = {}
        self._keys: dict[str, list[Any]] = defaultdict(list)
        self._hints = HINTS
        for key, names in entries:
            self.add(key, names)

    @property
    def cell(self) -> Cell:
        return Cell(self.find, lambda key: "" if key is None else self.label(key))

    def add(self, key: Any, names: Iterable[str]) -> None:
        self._names[key] = [name for name in names if name]
        for name in dict.fromkeys(filter(None, map(folded, self._names[key]))):
            self._keys[name].append(key)

    def find(self, text: str) -> Any:
        """The key of the row that is called so, None for an empty cell; ValueError with a sentence."""
        found = self.known(text)
        if found is None and text.strip():
            raise ValueError(f"{quoted(text)} is not a {self.noun} of {self.home}{self.near(text)}")
        return found

    def known(self, text: str) -> Any:
        """The same, None also where nothing is called so."""
        found = self._keys.get(folded(text), [])
        if len(found) > 1:
            one = quoted(self.label(found[0]))
            raise ValueError(
                f"{quoted(text)} is the name of {len(found)} {self.plural}: write {one}, or what the export calls the other."
            )
        return found[0] if found else None

    def label(self, key: Any) -> str:
        """The first of its names that nothing else has."""
        names = self._names.get(key, [])
        return next((name for name in names if len(self._keys[folded(name)]) == 1), names[-1] if names else "")

    def usual(self, key: Any) -> str:
        return self._names[key][0]

    def near(self, text: str) -> str:
        """The name that was probably meant; worked out for the first few mistakes of a file only."""
        self._hints -= 1
        if self._hints < 0:
            return "."
        words = set(folded(text).split())
        usual = [names[0] for names in self._names.values() if names]
        like = [name for name in usual if len(usual) <= NEAR or words & set(folded(name).split())]
        return hint(text, like[:NEAR]) if usual else ": there is none yet."
