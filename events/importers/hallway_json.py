"""Our own schedule.json: what any program reads of it, and the part that only Hallway does (``events.importers.own``)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from events.importers import cells, own, plans, values
from events.importers.data import ConferenceData, ScheduleData
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints, zone_of
from events.importers.limits import MOST_EVENTS
from events.importers.place import PlanData
from events.importers.safe_json import load_json

OWN = re.compile(rb'"%s"\s*:\s*\{\s*"version"\s*:' % own.NAME.encode())
SAID = {"title": "title", "abstract": "abstract", "day": "day", "start": "date", "end": "end"}
"""By field, what the voc schema calls it."""
Row = dict[str, Any]


def recognises(document: Document) -> bool:
    is_schedule = document.is_one_file and values.has_keys(document.content, "schedule", "conference", first="{")
    return is_schedule and OWN.search(document.content) is not None


def parse(document: Document, hints: Hints) -> ScheduleData:
    """The programme, whole; raises ScheduleParseError that says which row cannot be taken."""
    schedule = values.row(values.row(load_json(document.content, file=document.name)).get("schedule"))
    return _Reader(document.name, hints, schedule).read()


class _Reader:
    def __init__(self, file: str, hints: Hints, schedule: Row) -> None:
        self.file, self.hints = file, hints
        self.own = values.row(schedule.get(own.NAME))
        if self.own.get("version") != own.VERSION:
            raise ScheduleParseError(
                f"is not of version {own.VERSION} of Hallway’s own format: bring Hallway up to date", file=file
            )
        self.shown = dict(_shown(values.row(schedule.get("conference"))))
        self.abstracts = dict(self._abstracts())
        self.skipped: list[str] = []

    def _abstracts(self) -> Iterator[tuple[str, str]]:
        """Those of papers, from the events that show them."""
        for event in values.rows(self.own.get("events")):
            paper, key = values.text(event.get("paper")), values.text(event.get("key"))
            if paper and key in self.shown:
                yield paper, values.text(self.shown[key].get("description"))

    def read(self) -> ScheduleData:
        parts = {name: self._part(name, kind) for name, kind in own.PARTS.items()}
        known = {it.guid for it in parts["events"]}
        for guid, event in self.shown.items():
            if guid not in known:
                said = cells.quoted(values.text(event.get("title")))
                self.skipped.append(f"event {said}: it is not in “{own.NAME}”; add it there, or take “{own.NAME}” out")
        return ScheduleData(conference=self._conference(), **parts, skipped=tuple(self.skipped))

    def _conference(self) -> ConferenceData:
        name = {"name": self.hints.name} if self.hints.name else {}
        found: ConferenceData = self._row("conference", ConferenceData, self.own.get("conference"), slug=self.hints.slug, **name)
        zone_of(found.timezone, file=self.file)
        return found

    def _part(self, name: str, kind: type[Any]) -> tuple[Any, ...]:
        listed = self.own.get(name, [])
        if not isinstance(listed, list) or len(listed) > 5 * MOST_EVENTS or (name == "events" and len(listed) > MOST_EVENTS):
            raise ScheduleParseError(
                f"its {name} are no list, or one of more than {MOST_EVENTS:,}: export it again", file=self.file
            )
        found: dict[str, Any] = {}
        for number, row in enumerate(listed, start=1):
            made = self._row(f"{name}, number {number}", kind, self._whole(name, row))
            if made.key in found:
                raise ScheduleParseError(f"{name}: the key {cells.quoted(made.key)} stands twice: delete one", file=self.file)
            found[made.key] = made
        return tuple(found.values())

    def _whole(self, part: str, row: Any) -> Any:
        """The row with what the file says of it in the places that everybody reads."""
        key = values.text(values.row(row).get("key"))
        if part == "papers" and key in self.abstracts:
            return {"abstract": self.abstracts[key], **row}
        if part == "events" and key in self.shown:
            return {**row, **{name: self.shown[key].get(said) for name, said in SAID.items()}}
        return row

    def _row(self, place: str, kind: type[Any], row: Any, **known: Any) -> Any:
        try:
            made = own.unpacked(kind, row, **known)
            return plans.sound(made) if isinstance(made, PlanData) else made
        except (ValueError, OverflowError) as error:
            raise ScheduleParseError(f"{own.NAME}, {place}: {error}", file=self.file) from error


def _shown(conference: Row) -> Iterator[tuple[str, Row]]:
    """The events of days and rooms by guid, each with its day."""
    for day in values.rows(conference.get("days")):
        for events in values.row(day.get("rooms")).values():
            for event in values.rows(events):
                yield values.text(event.get("guid")), {**event, "day": day.get("date")}
