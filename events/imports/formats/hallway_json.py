"""schedule.json of another Hallway: the fields of the voc schema, and the rows in ``generator.hallway``."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Iterator
from typing import Any
from zoneinfo import ZoneInfo

from events.core.parsing import cells, values
from events.core.parsing.errors import MAX_IMPORT_EVENTS, ScheduleParseError, or_command, raised
from events.core.parsing.safe_json import load_json
from events.core.parsing.values import JsonObject
from events.imports.formats.document import Document, Hints
from events.imports.formats.languages import EventLanguages
from events.imports.formats.times import parse_datetime, parse_duration
from events.programme.data import hallway_part
from events.programme.data.place import PlanData
from events.programme.data.schedule import ConferenceData, EventData, LeftOutEvent, ScheduleData, load_time_zone
from events.venue.rules import checked_plans

HALLWAY_PART_PATTERN = re.compile(rb'"%s"\s*:\s*\{\s*"version"\s*:' % hallway_part.HALLWAY_KEY.encode())
VOC_NAMES_BY_FIELD = {"title": "title", "abstract": "abstract", "day": "day", "start": "date"}
"""Our fields, each with its name in the voc schema."""


def recognises(document: Document) -> bool:
    is_schedule = document.is_one_file and values.has_json_keys(document.content, "schedule", "conference", first="{")
    return is_schedule and HALLWAY_PART_PATTERN.search(document.content) is not None


def parse(document: Document, hints: Hints) -> ScheduleData:
    """Raise ScheduleParseError with the row that is malformed."""
    content = values.as_object(load_json(document.content, file=document.name))
    return HallwayJsonReader(document.name, hints, content).read()


class HallwayJsonReader:
    def __init__(self, file: str, hints: Hints, content: JsonObject) -> None:
        self.file, self.hints = file, hints
        schedule, generator = (values.as_object(content.get(name)) for name in ("schedule", "generator"))
        # Files of the first releases have it in the schedule.
        parts = (values.as_object(each.get(hallway_part.HALLWAY_KEY)) for each in (generator, schedule))
        self.hallway: JsonObject = next(filter(None, parts), {})
        if self.hallway.get("version") != hallway_part.HALLWAY_VERSION:
            raise ScheduleParseError(
                f"is not of version {hallway_part.HALLWAY_VERSION} of Hallway’s own format: bring Hallway up to date", file=file
            )
        self.voc_events = dict(_voc_events(values.as_object(schedule.get("conference"))))
        self.abstracts = dict(self._paper_abstracts())
        self.left_out: dict[str, LeftOutEvent] = {}
        self.skipped: list[str] = []

    def _paper_abstracts(self) -> Iterator[tuple[str, str]]:
        """Yield (key, abstract); in the voc schema they are descriptions of the papers' events."""
        for event in values.as_objects(self.hallway.get("events")):
            paper, key = values.as_text(event.get("paper")), values.as_text(event.get("key"))
            if paper and key in self.voc_events and "description" not in event:
                yield paper, values.as_text(self.voc_events[key].get("description"))

    def read(self) -> ScheduleData:
        parts: dict[str, Any] = {name: self._part(name, kind) for name, kind in hallway_part.HALLWAY_PARTS.items()}
        guids = {event.guid for event in parts["events"]}
        for guid, event in self.voc_events.items():
            if guid not in guids:
                title, key = cells.quoted(values.as_text(event.get("title"))), hallway_part.HALLWAY_KEY
                problem = f"it is not in “{key}”; add it there, or remove “{key}”"
                self.skipped.append(f"event {title}: {problem}")
                self.left_out[guid] = LeftOutEvent(key=guid, reason=problem)
        languages = EventLanguages()
        parts["events"] = tuple(_with_language(event, languages) for event in parts["events"])
        conference, warnings = self._conference(), tuple(languages.warnings())
        left_out = tuple(self.left_out.values())
        return ScheduleData(conference=conference, **parts, warnings=warnings, skipped=tuple(self.skipped), left_out=left_out)

    def _conference(self) -> ConferenceData:
        name = {"name": self.hints.name} if self.hints.name else {}
        values_of_file = self.hallway.get("conference")
        conference: ConferenceData = self._row("conference", ConferenceData, values_of_file, slug=self.hints.slug, **name)
        load_time_zone(conference.timezone, file=self.file)
        return conference

    def _part(self, name: str, kind: type[Any]) -> tuple[Any, ...]:
        listed = self.hallway.get(name, [])
        if (
            not isinstance(listed, list)
            or len(listed) > 5 * raised(MAX_IMPORT_EVENTS)
            or (name == "events" and len(listed) > raised(MAX_IMPORT_EVENTS))
        ):
            problem = f"its {name} are not a list, or more than {raised(MAX_IMPORT_EVENTS):,}: {or_command('export it again')}"
            raise ScheduleParseError(problem, file=self.file)
        rows: dict[str, Any] = {}
        for number, row in enumerate(listed, start=1):
            data = self._row(f"{name}, number {number}", kind, self._with_voc_fields(name, row))
            if data.key in rows:
                raise ScheduleParseError(f"{name}: the key {cells.quoted(data.key)} is there twice: delete one", file=self.file)
            rows[data.key] = data
        return tuple(rows.values())

    def _with_voc_fields(self, part: str, row: Any) -> Any:
        key = values.as_text(values.as_object(row).get("key"))
        if part == "papers" and key in self.abstracts:
            return {"abstract": self.abstracts[key], **row}
        if part == "events" and key in self.voc_events:
            return {**row, **_voc_fields(self.voc_events[key], row)}
        return row

    def _row(self, location: str, kind: type[Any], row: Any, **known: Any) -> Any:
        try:
            data = hallway_part.unpack_row(kind, row, **known)
            return checked_plans.checked_plan(data) if isinstance(data, PlanData) else data
        except (ValueError, OverflowError) as error:
            raise ScheduleParseError(f"{hallway_part.HALLWAY_KEY}, {location}: {error}", file=self.file) from error


def _voc_fields(voc_event: JsonObject, row: JsonObject) -> JsonObject:
    """Return the fields of our row that are in the event of the schema."""
    fields = {name: voc_event.get(voc_name) for name, voc_name in VOC_NAMES_BY_FIELD.items()}
    texts = {name: values.as_text(voc_event.get(name)) for name in ("language", "recording_license")}
    # Beside a paper, the description of the schema may be the paper's abstract.
    texts |= {} if row.get("paper") else {"description": values.as_text(voc_event.get("description"))}
    end = {} if "end" in row else {"end": voc_event.get("end") or _end_after_duration(voc_event)}
    return {**fields, **texts, **end, "do_not_record": values.as_flag(voc_event.get("do_not_record"))}


def _end_after_duration(voc_event: JsonObject) -> str | None:
    start = parse_datetime(values.as_text(voc_event.get("date")), ZoneInfo("UTC"))
    length = parse_duration(values.as_text(voc_event.get("duration")))
    return (start.astimezone(dt.UTC) + length).isoformat() if start and length is not None else None


def _with_language(event: EventData, languages: EventLanguages) -> EventData:
    return dataclasses.replace(event, language=languages.read(event.language, f"event {cells.quoted(event.title)}"))


def _voc_events(conference: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    for day in values.as_objects(conference.get("days")):
        for events in values.as_object(day.get("rooms")).values():
            for event in values.as_objects(events):
                yield values.as_text(event.get("guid")), {**event, "day": day.get("date")}
