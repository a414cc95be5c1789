"""Which of pretalx's objects a document holds, told apart by what they carry and not by how their files are called."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from events.importers import values
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.safe_json import load_json

# The first whose keys an object has is what it is; the order matters where one's keys are another's too.
SHAPES: dict[str, frozenset[str]] = {
    "schedules": frozenset({"version", "published"}),
    "slots": frozenset({"submission", "start"}),
    "submissions": frozenset({"code", "title"}),
    "events": frozenset({"slug", "date_from"}),
    "speakers": frozenset({"code", "name"}),
    "types": frozenset({"name", "default_duration"}),
    "tracks": frozenset({"name", "color"}),
    "rooms": frozenset({"name", "capacity"}),
}


@dataclass
class Objects:
    """Each sort in the order of the files; whatever else there is (answers, reviews, mails) is not even kept."""

    events: list[dict[str, Any]] = field(default_factory=list)
    schedules: list[dict[str, Any]] = field(default_factory=list)
    submissions: list[dict[str, Any]] = field(default_factory=list)
    slots: list[dict[str, Any]] = field(default_factory=list)
    speakers: list[dict[str, Any]] = field(default_factory=list)
    types: list[dict[str, Any]] = field(default_factory=list)
    tracks: list[dict[str, Any]] = field(default_factory=list)
    rooms: list[dict[str, Any]] = field(default_factory=list)

    def add(self, found: dict[str, Any]) -> None:
        if sort := _sort(found):
            getattr(self, sort).append(found)


def _sort(found: dict[str, Any]) -> str:
    return next((sort for sort, keys in SHAPES.items() if keys <= found.keys()), "")


def is_pretalx(content: bytes) -> bool:
    return values.has_keys(content, "code", "title", "submission_type")


def collected(document: Document) -> Objects:
    """All objects; raises ScheduleParseError for what is no JSON, or one page of several."""
    found = Objects()
    totals: Counter[str] = Counter()
    for name, content in document.files.items():
        if values.has_keys(content):
            _collect(load_json(content, file=name), found, totals)
    for sort, total in totals.items():
        if (there := len(getattr(found, sort))) < total:
            problem = f"holds {there} of {total} {sort}, one page of several: fetch all pages"
            raise ScheduleParseError(problem, file=document.name)
    return found


def _collect(value: Any, found: Objects, totals: Counter[str]) -> None:
    """Take the objects of an answer, of a list, or of one object that holds several of these by name."""
    top = values.row(value)
    if _sort(top):
        found.add(top)
        return
    parts = [value] if isinstance(value, list) or "results" in top else list(top.values())
    for part in parts:
        inside = values.row(part)
        listed = values.rows(inside.get("results") if "results" in inside else part) or [inside]
        for it in listed:
            found.add(it)
        if inside.get("next") and (sort := _sort(listed[0])):
            # A missing page must not look like events that were taken out of the programme.
            totals[sort] = max(totals[sort], values.whole(inside.get("count")) or len(listed) + 1)
