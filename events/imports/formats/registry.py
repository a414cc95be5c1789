"""The formats that Hallway reads, and the detection of a document's format."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from events.core.parsing.errors import ScheduleParseError
from events.core.parsing.safe_xml import DOCTYPE_PROBLEM, WEB_PAGE_PROBLEM, has_document_type, root_tag
from events.imports.formats import (
    frab,
    hallway_json,
    hallway_xml,
    openreview,
    paperlists,
    pretalx,
    sched,
    schedule_json,
    sessionize,
    virtual_site,
)
from events.imports.formats.document import Document, Hints
from events.imports.formats.icalendar import reader as icalendar
from events.imports.formats.indico import reader as indico
from events.imports.formats.miniconf import reader as miniconf
from events.imports.formats.seeds import reader as seeds
from events.imports.formats.sigchi import reader as sigchi
from events.imports.formats.spreadsheet import reader as spreadsheet
from events.imports.formats.spreadsheet.sheet import is_lone_header
from events.programme.data.schedule import ScheduleData


@dataclass(frozen=True)
class ImportFormat:
    """``name`` is the value of ``--format``, and the source of the imported rows."""

    name: str
    label: str
    recognises: Callable[[Document], bool]
    parse: Callable[[Document, Hints], ScheduleData]


# Our formats come before those of which they are dialects.
IMPORT_FORMATS: tuple[ImportFormat, ...] = (
    ImportFormat("hallway-json", "schedule.json of another Hallway", hallway_json.recognises, hallway_json.parse),
    ImportFormat("hallway-xml", "schedule.xml of another Hallway", hallway_xml.recognises, hallway_xml.parse),
    ImportFormat("schedule.xml", "schedule.xml (frab, pretalx, pentabarf)", frab.recognises, frab.parse),
    ImportFormat("schedule.json", "schedule.json (frab, pretalx)", schedule_json.recognises, schedule_json.parse),
    ImportFormat("pretalx", "pretalx’ REST objects", pretalx.recognises, pretalx.parse),
    ImportFormat("sessionize", "Sessionize (All or GridSmart, as JSON)", sessionize.recognises, sessionize.parse),
    ImportFormat("indico", "Indico’s export of an event or its timetable (JSON)", indico.recognises, indico.parse),
    ImportFormat("sigchi", "a program of the SIGCHI app (JSON)", sigchi.recognises, sigchi.parse),
    ImportFormat("sched", "the sessions of Sched (JSON or CSV)", sched.recognises, sched.parse),
    ImportFormat("openreview", "notes of OpenReview’s API version 2 (JSON)", openreview.recognises, openreview.parse),
    ImportFormat("paperlists", "a list of papers as JSON or JSON lines", paperlists.recognises, paperlists.parse),
    ImportFormat("virtual-site", "orals-posters.json of a virtual site", virtual_site.recognises, virtual_site.parse),
    ImportFormat("icalendar", "a calendar (.ics)", icalendar.recognises, icalendar.parse),
    ImportFormat("seed-folder", "a conference folder with conference.toml (as a zip)", seeds.recognises, seeds.parse),
    ImportFormat("miniconf", "a Mini-Conf sitedata folder (as a zip)", miniconf.recognises, miniconf.parse),
    # Last, because any text with commas looks like one.
    ImportFormat(
        "spreadsheet", "a spreadsheet, such as one of Whova or ConfTool (CSV or XLSX)", spreadsheet.recognises, spreadsheet.parse
    ),
)


# JSON, XML or a calendar with two or four bytes for each character.
_WIDE_TEXT_PATTERN = re.compile(rb"\A(?:\xff\xfe|\xfe\xff)?\0{0,3}\s*\0{0,3}[{\[<Bb]\0|\A(?:\0\0)?\xfe\xff\0{1,3}[{\[<Bb]")
WORD_PART = "word/document.xml"
SPREADSHEET_FORMAT = IMPORT_FORMATS[-1].name
"""The format of which organisers choose the columns."""


def parse_document(document: Document, hints: Hints, *, name: str = "") -> tuple[ImportFormat, ScheduleData]:
    import_format = get_format(name) if name else detect_format(document)
    return import_format, import_format.parse(document, hints)


def get_format(name: str) -> ImportFormat:
    for import_format in IMPORT_FORMATS:
        if import_format.name == name:
            return import_format
    known = ", ".join(import_format.name for import_format in IMPORT_FORMATS)
    raise ScheduleParseError(f"“{name[:40]}” is not a format: known are {known}")


def detect_format(document: Document) -> ImportFormat:
    for import_format in IMPORT_FORMATS:
        if import_format.recognises(document):
            return import_format
    raise ScheduleParseError(_unknown_format_problem(document), file=document.name)


def _unknown_format_problem(document: Document) -> str:
    content = document.content if document.is_one_file else b""
    remedy = "copy its table into a spreadsheet, and save that as CSV UTF-8 or .xlsx"
    problems = [
        (document.is_one_file and not content.strip(), "is empty: export it again"),
        (content.startswith(b"%PDF"), f"is a PDF: {remedy}"),
        (WORD_PART in document.files, f"is a Word document: {remedy}"),
        (root_tag(content).lower() == "html", WEB_PAGE_PROBLEM),
        (has_document_type(content), DOCTYPE_PROBLEM),
        (_WIDE_TEXT_PATTERN.match(content), "is written in UTF-16 or UTF-32: save it as UTF-8"),
        (is_lone_header(document), "has only one row: a spreadsheet has a header, and a row for each event under it"),
    ]
    otherwise = (
        "is in no format Hallway knows. It reads schedule.xml, schedule.json, calendars, spreadsheets, papers and the exports "
        "of conference services"
    )
    return next((problem for applies, problem in problems if applies), otherwise)
