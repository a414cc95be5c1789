"""Columns: how a cell is read, and how a row's value is shown in it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from import_export.fields import Field

from events.admin.spreadsheets.names import Names
from events.admin.times import TimeError, Wall, at_venue
from events.importers import cells
from events.importers.cells import quoted
from events.models.validators import web_address

BIGGEST = 1_000_000


class Cell(NamedTuple):
    """``read`` turns text into a value or raises ValueError in words; ``show`` turns a value into what a cell holds."""

    read: Callable[[str], Any]
    show: Callable[[Any], str | int]


class Column(Field):
    """One column of a sheet and the attribute of the row it stands for."""

    def __init__(self, name: str, cell: Cell, attribute: str = "", value: Callable[[Any], Any] | None = None) -> None:
        super().__init__(attribute=attribute or name, column_name=name)
        self.cell = cell
        self.value = value

    def save(self, instance: Any, row: Mapping[str, str], is_m2m: bool = False, **kwargs: Any) -> None:
        setattr(instance, self.attribute, self.cell.read(row[self.column_name]))

    def export(self, instance: Any, **kwargs: Any) -> str | int:
        found = self.value(instance) if self.value else getattr(instance, self.attribute)
        return self.cell.show(found)


def _line(text: str) -> str:
    if len(text.splitlines()) > 1:
        raise ValueError(f"{quoted(text)} has a line break: write it on one line.")
    return " ".join(text.split())


def _prose(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _whole(text: str) -> int | None:
    if not text:
        return None
    number = cells.whole(text)
    if number is None or number > BIGGEST:
        raise ValueError(f"{quoted(text)} is not a whole number from 0 to {BIGGEST:,}.")
    return number


def _flag(text: str) -> bool | None:
    known = {"yes": True, "no": False, "true": True, "false": False, "": None}
    try:
        return known[text.lower()]
    except KeyError:
        raise ValueError(f"{quoted(text)} is neither yes nor no: leave it empty where it is not known.") from None


def _address(text: str) -> str:
    if text:
        try:
            web_address(text)
        except ValidationError as error:
            raise ValueError(error.messages[0]) from error
    return text


def _date(text: str) -> dt.date | None:
    if not text:
        return None
    found = cells.date(text.partition(" ")[0] if text.endswith(" 00:00") else text)
    if found is None:
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
    found = cells.seconds(text) if text else None
    if text and found is None:
        raise ValueError(f"{quoted(text)} is not minutes and seconds: write it as 23:00.")
    return found


def _show(value: Any) -> str | int:
    return "" if value is None else value if isinstance(value, int) else str(value)


def _show_flag(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"


TEXT = Cell(_line, _show)
PROSE = Cell(_prose, _show)
ADDRESS = Cell(_address, _show)
WHOLE = Cell(_whole, _show)
COUNT = Cell(lambda text: _whole(text) or 0, _show)
FLAG = Cell(_flag, _show_flag)
YES = Cell(lambda text: bool(_flag(text)), _show_flag)
DATE = Cell(_date, _show)
SECONDS = Cell(_seconds, lambda value: "" if value is None else f"{value // 60}:{value % 60:02}")
WALL = Cell(_wall, _show)


def choice(choices: Iterable[tuple[str, str]], empty: str | None = "") -> Cell:
    """One of the words a field chooses from, or what organisers see in its place; ``empty`` is what nothing means."""
    words = dict(choices)
    known = {name.casefold(): value for value, label in words.items() for name in (value, label.partition(":")[0])}

    def read(text: str) -> str | None:
        if not text:
            return empty
        if text.casefold() not in known:
            raise ValueError(f"{quoted(text)} is none of {', '.join(value for value in words if value)}.")
        return known[text.casefold()]

    return Cell(read, _show)


def reference(names: Names) -> Cell:
    return Cell(names.find, lambda key: names.label(key) if key is not None else "")


def instant(zone: ZoneInfo) -> Cell:
    """A moment by the clock at the venue."""

    def read(text: str) -> dt.datetime | None:
        wall = _wall(text)
        if wall is None:
            return None
        if wall.date is None:
            raise ValueError(f"{quoted(text)} has no date: write it as 2025-04-24 09:30.")
        try:
            return at_venue("", dt.datetime.combine(wall.date, wall.time), zone)[0]
        except TimeError as error:
            raise ValueError(str(error)) from error

    return Cell(read, lambda value: f"{value.astimezone(zone):%Y-%m-%d %H:%M}" if value else "")
