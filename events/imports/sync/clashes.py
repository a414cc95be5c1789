"""Clashes that an import would add: rooms and people in two places at once, wrong days, and boards given twice."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from events.imports.sync.plan_rows import TablePlan
from events.programme.models.labels import Kind, Status
from events.programme.rules.boards import BoardPoster, shared_board_sentence, shared_boards
from events.programme.rules.clashes import (
    ROOM_SHARING_KINDS,
    Booking,
    added_clashes,
    clash_sentence,
    starts_on_other_day,
    wrong_day_sentence,
)


@dataclass(frozen=True)
class PlannedResource:
    """A room or person that prints as its name and is compared by its number."""

    name: str = field(compare=False)
    number: Hashable

    def __str__(self) -> str:
        return self.name


def clashes_after_import(plans: Mapping[str, TablePlan], targets: Mapping[str, Mapping[str, Any]], zone: ZoneInfo) -> list[str]:
    before = _PlannedProgramme(plans, {}, planned=False)
    after = _PlannedProgramme(plans, targets, planned=True)
    new = [clash_sentence(clash, zone) for clash in added_clashes(before.bookings(), after.bookings())]
    known_strays = {(stray.key, stray.day) for stray in before.wrong_days(zone)}
    strays = [stray for stray in after.wrong_days(zone) if (stray.key, stray.day) not in known_strays]
    known_boards = {frozenset(it.key for it in posters) for posters in shared_boards(before.posters())}
    boards = [some for some in shared_boards(after.posters()) if frozenset(it.key for it in some) not in known_boards]
    return [
        *new,
        *(wrong_day_sentence(stray.title, stray.start, stray.day, zone) for stray in strays),
        *(after.board_sentence(some) for some in boards),
    ]


class PlannedStray(NamedTuple):
    """An event that is listed under a day on which it does not start."""

    key: Hashable
    title: str
    start: dt.datetime
    day: dt.date


@dataclass
class _PlannedProgramme:
    """The events of a conference, as stored or as planned."""

    plans: Mapping[str, TablePlan]
    targets: Mapping[str, Mapping[str, Any]]
    planned: bool

    def __post_init__(self) -> None:
        self._rooms, self._people = self._names("rooms", "name"), self._names("people", "name")
        self._kinds = self._names("types", "kind")

    def bookings(self) -> Iterator[Booking]:
        for key, values in self._events():
            yield from self._booking(key, values)

    def wrong_days(self, zone: ZoneInfo) -> Iterator[PlannedStray]:
        dates = self._names("days", "date")
        for key, values in self._events():
            start, day = values["start"], dates.get(values["day"])
            if day and values["status"] != Status.CANCELLED and starts_on_other_day(start, day, zone):
                yield PlannedStray(key, values["title"], start, day)

    def posters(self) -> Iterator[BoardPoster]:
        for key, values in self._events():
            if values["session"] and values["status"] != Status.CANCELLED and self._kinds[values["type"]] == Kind.POSTER:
                yield BoardPoster(key, values["session"], values["board"], values["title"])

    def board_sentence(self, posters: Sequence[BoardPoster]) -> str:
        session = next(values["title"] for key, values in self._events() if key == posters[0].session)
        return shared_board_sentence(posters[0].board, session, [poster.title for poster in posters])

    def _events(self) -> Iterator[tuple[Hashable, Mapping[str, Any]]]:
        plan = self.plans["events"]
        changes = {row.read.pk: row.apply for row in plan.changed} if self.planned else {}
        for pk, row in plan.stored.items():
            yield pk, row.values | self._resolved(plan, changes.get(pk, {}))
        for new in plan.new_rows() if self.planned else ():
            yield id(new.row), self._resolved(plan, new.values)

    def _booking(self, key: Hashable, values: Mapping[str, Any]) -> Iterator[Booking]:
        if values["status"] == Status.CANCELLED:
            return
        room = PlannedResource(self._rooms[values["room"]], values["room"]) if values["room"] else None
        claimed = None if self._kinds[values["type"]] in ROOM_SHARING_KINDS else room
        people = frozenset(PlannedResource(self._people[number], number) for number, *_ in values["people"])
        yield Booking(key, values["start"], values["end"], claimed, people, values["session"], values["title"])

    def _resolved(self, plan: TablePlan, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return numbers for keys: primary keys, or ``id()`` of unsaved rows."""
        table = plan.table
        resolved: dict[str, Any] = {
            name: self._number(table.refs[name], value) if name in table.refs else value for name, value in values.items()
        }
        if "people" in resolved:
            resolved["people"] = [[self._number("people", key), *rest] for key, *rest in resolved["people"]]
        return resolved

    def _number(self, part: str, key: str) -> Hashable:
        target = self.targets[part][key] if key else None
        return target if target is None or isinstance(target, int) else id(target)

    def _names(self, part: str, field: str) -> dict[Hashable, Any]:
        plan = self.plans[part]
        names: dict[Hashable, Any] = {pk: row.values[field] for pk, row in plan.stored.items()}
        if self.planned:
            names |= {row.read.pk: row.apply[field] for row in plan.changed if field in row.apply}
            names |= {id(new.row): getattr(new.row, field) for new in plan.new_rows()}
        return names
