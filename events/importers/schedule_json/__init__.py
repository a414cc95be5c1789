"""schedule.json as frab, pretalx and the c3 hub write it: version 1, and what is fixed of version 2."""

from __future__ import annotations

from events.importers import values
from events.importers.data import ScheduleData
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints
from events.importers.safe_json import load_json
from events.importers.schedule_json.reader import Reader

__all__ = ["parse", "recognises"]


def recognises(document: Document) -> bool:
    return document.is_one_file and values.has_keys(document.content, "schedule", "conference", first="{")


def parse(document: Document, hints: Hints) -> ScheduleData:
    """The programme; raises ScheduleParseError for a file that holds none."""
    schedule = values.row(values.row(load_json(document.content, file=document.name)).get("schedule"))
    conference = schedule.get("conference")
    if not isinstance(conference, dict):
        problem = "has no “conference” inside a “schedule”: export schedule.json again"
        raise ScheduleParseError(problem, file=document.name)
    return Reader(document.name, hints, schedule, conference).read()
