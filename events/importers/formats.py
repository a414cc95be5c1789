"""Every format Hallway reads, and which one a document is in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from events.importers import (
    frab_xml,
    hallway_json,
    hallway_xml,
    icalendar_file,
    miniconf,
    paperlists,
    pretalx,
    schedule_json,
    seeds,
    virtual_site,
)
from events.importers.data import ScheduleData
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints
from events.importers.safe_xml import WEB_PAGE, root_tag


@dataclass(frozen=True)
class Format:
    """``name`` is what ``--format`` takes and what an import's rows remember as their source."""

    name: str
    label: str
    recognises: Callable[[Document], bool]
    parse: Callable[[Document, Hints], ScheduleData]


# Our own before what they are dialects of.
FORMATS: tuple[Format, ...] = (
    Format("hallway-json", "schedule.json of another Hallway", hallway_json.recognises, hallway_json.parse),
    Format("hallway-xml", "schedule.xml of another Hallway", hallway_xml.recognises, hallway_xml.parse),
    Format("schedule.xml", "schedule.xml (frab, pretalx, pentabarf)", frab_xml.recognises, frab_xml.parse),
    Format("schedule.json", "schedule.json (frab, pretalx)", schedule_json.recognises, schedule_json.parse),
    Format("pretalx", "pretalx’ REST objects", pretalx.recognises, pretalx.parse),
    Format("paperlists", "a list of papers as JSON or JSON lines", paperlists.recognises, paperlists.parse),
    Format("virtual-site", "orals-posters.json of a virtual site", virtual_site.recognises, virtual_site.parse),
    Format("icalendar", "a calendar (.ics)", icalendar_file.recognises, icalendar_file.parse),
    Format("seed-folder", "a conference folder with conference.toml (as a zip)", seeds.recognises, seeds.parse),
    Format("miniconf", "a Mini-Conf sitedata folder (as a zip)", miniconf.recognises, miniconf.parse),
)


def parse(document: Document, hints: Hints, *, name: str = "") -> tuple[Format, ScheduleData]:
    """The document's programme, read as ``name`` or as what its content shows it to be.

    Raises ScheduleParseError when it is none of the formats, or cannot be taken.
    """
    found = named(name) if name else detected(document)
    return found, found.parse(document, hints)


def named(name: str) -> Format:
    for it in FORMATS:
        if it.name == name:
            return it
    raise ScheduleParseError(f"“{name[:40]}” is no format: known are {', '.join(it.name for it in FORMATS)}")


def detected(document: Document) -> Format:
    for it in FORMATS:
        if it.recognises(document):
            return it
    if document.is_one_file and not document.content.strip():
        raise ScheduleParseError("is empty: export it again", file=document.name)
    if document.is_one_file and root_tag(document.content).lower() == "html":
        raise ScheduleParseError(WEB_PAGE, file=document.name)
    known = "; ".join(it.label for it in FORMATS)
    raise ScheduleParseError(f"is in no format Hallway knows. It reads {known}", file=document.name)
