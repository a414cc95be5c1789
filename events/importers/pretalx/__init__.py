"""pretalx's REST objects: a page of submissions, or submissions, slots, rooms, speakers and the rest together."""

from __future__ import annotations

from events.importers.data import ScheduleData
from events.importers.document import Document
from events.importers.hints import Hints
from events.importers.pretalx.objects import collected, is_pretalx
from events.importers.pretalx.programme import Programme

__all__ = ["parse", "recognises"]


def recognises(document: Document) -> bool:
    return any(is_pretalx(content) for content in document.files.values())


def parse(document: Document, hints: Hints) -> ScheduleData:
    """The public programme; raises ScheduleParseError for objects that hold none, or only one page of several."""
    return Programme(collected(document), hints, file=document.name).read()
