"""Rooms and people that an import would put in two places at once, told before it does."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from events.models import Status
from events.schedule.clash_words import sentence
from events.schedule.clashes import SHARING, Booking, Clash, clashes
from events.sync.steps import TablePlan


class Named(NamedTuple):
    """Prints as its name, and is told from its namesakes by its number."""

    name: str
    number: Hashable

    def __str__(self) -> str:
        return self.name


def new_clashes(plans: Mapping[str, TablePlan], targets: Mapping[str, Mapping[str, Any]], zone: ZoneInfo) -> list[str]:
    """In sentences, what the conference would have then and does not have now."""
    before = _Programme(plans, {}, planned=False)
    after = _Programme(plans, targets, planned=True)
    known = {_pair(clash) for clash in clashes(before.bookings())}
    return [sentence(clash, zone) for clash in clashes(after.bookings()) if _pair(clash) not in known]


def _pair(clash: Clash) -> tuple[str, Hashable, frozenset[Hashable]]:
    assert isinstance(clash.what, Named)  # noqa: S101 - a programme's bookings claim nothing else
    return clash.kind, clash.what.number, frozenset({clash.a.key, clash.b.key})


@dataclass
class _Programme:
    """The events of a conference as they are, or as they are planned."""

    plans: Mapping[str, TablePlan]
    targets: Mapping[str, Mapping[str, Any]]
    planned: bool

    def __post_init__(self) -> None:
        self._rooms, self._people = self._names("rooms", "name"), self._names("people", "name")
        self._kinds = self._names("types", "kind")

    def bookings(self) -> Iterator[Booking]:
        plan = self.plans["events"]
        changes = {it.read.pk: it.apply for it in plan.changed} if self.planned else {}
        for pk, row in plan.stored.items():
            yield from self._booking(pk, row.values | self._resolved(plan, changes.get(pk, {})))
        for new in plan.new_rows() if self.planned else ():
            yield from self._booking(id(new.row), self._resolved(plan, new.values))

    def _booking(self, key: Hashable, values: Mapping[str, Any]) -> Iterator[Booking]:
        if values["status"] == Status.CANCELLED:
            return
        room = Named(self._rooms[values["room"]], values["room"]) if values["room"] else None
        place = None if self._kinds[values["type"]] in SHARING else room
        people = frozenset(Named(self._people[it[0]], it[0]) for it in values["people"])
        yield Booking(key, values["start"], values["end"], place, people, values["session"], values["title"])

    def _resolved(self, plan: TablePlan, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values whose references are keys, with what tells their rows apart instead."""
        table = plan.table
        found: dict[str, Any] = {
            name: self._number(table.refs[name], it) if name in table.refs else it for name, it in values.items()
        }
        if "people" in found:
            found["people"] = [[self._number("people", it[0]), *it[1:]] for it in found["people"]]
        return found

    def _number(self, part: str, key: str) -> Hashable:
        target = self.targets[part][key] if key else None
        return target if target is None or isinstance(target, int) else id(target)

    def _names(self, part: str, field: str) -> dict[Hashable, str]:
        plan = self.plans[part]
        names: dict[Hashable, str] = {pk: row.values[field] for pk, row in plan.stored.items()}
        if self.planned:
            names |= {it.read.pk: it.apply[field] for it in plan.changed if field in it.apply}
            names |= {id(it.row): getattr(it.row, field) for it in plan.new_rows()}
        return names
