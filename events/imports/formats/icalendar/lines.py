"""The bytes of a calendar as components; icalendar only parses the properties that we read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from icalendar import Calendar, Component

from events.core.parsing import cells
from events.core.parsing.errors import MAX_IMPORT_EVENTS, ScheduleParseError, raised, refuse_large_text, too_many_error
from events.core.parsing.values import MAX_WARNINGS

MAX_CALENDAR_LINES, MAX_EVENT_LINES = 1_000_000, 300_000
"""Lines of a file, and those of them that are read: about fifteen for each event."""
TZID_PARAMETER = "X-TZID"
"""Our name for TZID. Under its real name icalendar would look the zone up, which can take long."""
# Characters of all values that icalendar splits into a list of objects: one megabyte takes seconds.
_MAX_LIST_CHARS = {"CATEGORIES": 1_000_000, "RDATE": 500_000, "EXDATE": 500_000, "RRULE": 200_000}
# Longer values are cut, far beyond the limits of our fields.
_MAX_VALUE_CHARS = {"DESCRIPTION": 200_000, "RDATE": 20_000, "EXDATE": 20_000}
_MAX_OTHER_VALUE_CHARS = 2_000
_PROPERTY_NAMES = (
    "UID|RECURRENCE-ID|SUMMARY|DESCRIPTION|LOCATION|DTSTART|DTEND|DURATION|STATUS|CLASS|CATEGORIES|URL|RRULE|RDATE|EXDATE"
    "|NAME|PRODID|X-WR-CALNAME|X-WR-TIMEZONE"
)
_PROPERTY_PATTERN = re.compile(rf'({_PROPERTY_NAMES})(?:((?:;(?:[^":]|"[^"]{{0,200}}"){{1,200}})?):(.*)|;)', re.IGNORECASE)
_LANGUAGE_PATTERN = re.compile(r";[ \t]*LANGUAGE[ \t]*=[ \t]*\"?([A-Za-z0-9-]{1,35})(?=[\";]|$)", re.IGNORECASE)
_TZID_PATTERN = re.compile(r';[ \t]*TZID[ \t]*=[ \t]*"?([^";]{1,100})', re.IGNORECASE)
_VTIMEZONE_PATTERN = re.compile(r"^TZID:(.*)\n(?:.*\n){0,3}?X-LIC-LOCATION:(.*)$", re.IGNORECASE | re.MULTILINE)
_DEFINED_ZONE_PATTERN = re.compile(r"^BEGIN:VTIMEZONE[ \t]*\n(?:.*\n){0,3}?TZID:(.*)$", re.IGNORECASE | re.MULTILINE)
_READ_COMPONENTS = (["VCALENDAR"], ["VCALENDAR", "VEVENT"])
_FOLD_PATTERN = re.compile(rb"(?:\r\n|\r|\n)[ \t]")


@dataclass
class CalendarFile:
    """The VCALENDARs of a file with their VEVENTs, and a count of its other components."""

    calendars: list[Component] = field(default_factory=list)
    # Names in the time zone database, by the name of the VTIMEZONE in the file.
    zones: dict[str, str] = field(default_factory=dict)
    # The name of each VTIMEZONE once.
    defined_zones: tuple[str, ...] = ()
    # The number of components that are not events of the programme, by name.
    others: Counter[str] = field(default_factory=Counter)
    warnings: list[str] = field(default_factory=list)
    # Characters of the properties in _MAX_LIST_CHARS.
    list_chars: Counter[str] = field(default_factory=Counter)


def load_calendars(content: bytes, *, file: str) -> CalendarFile:
    """Raise ScheduleParseError for a file that is not a calendar."""
    refuse_large_text(content, file=file)
    if content.count(b"\n") + content.count(b"\r") > raised(MAX_CALENDAR_LINES):
        raise too_many_error("lines", MAX_CALENDAR_LINES, file=file)
    calendar_file = CalendarFile()
    text = _unfolded_text(content, calendar_file)
    calendar_file.zones = {match[1].strip(): match[2].strip() for match in _VTIMEZONE_PATTERN.finditer(text)}
    calendar_file.defined_zones = tuple(dict.fromkeys(match[1].strip() for match in _DEFINED_ZONE_PATTERN.finditer(text)))
    lines = list(_event_lines(text, calendar_file, file))
    if not lines:
        raise ScheduleParseError("has no line BEGIN:VCALENDAR: export it again", file=file)
    if lines.count("BEGIN:VEVENT") > raised(MAX_IMPORT_EVENTS):
        raise too_many_error("events", MAX_IMPORT_EVENTS, file=file)
    if len(lines) > raised(MAX_EVENT_LINES):
        raise too_many_error("lines of events", MAX_EVENT_LINES, file=file)
    try:
        calendar_file.calendars = list(Calendar.from_ical("\r\n".join(lines), multiple=True))
    except ValueError as error:
        raise ScheduleParseError(f"cannot be read ({cells.quoted(str(error))}): export it again", file=file) from error
    return calendar_file


def property_values(component: Component, name: str) -> list[Any]:
    values = component.get(name, [])
    return values if isinstance(values, list) else [values]


def property_text(component: Component, name: str) -> str:
    return next((text for value in property_values(component, name) if (text := str(value).strip())), "")


def property_language(component: Component, name: str) -> str:
    """Return its LANGUAGE (RFC 5545 3.2.10), "" if it has none."""
    return next((str(value.params.get("LANGUAGE", "")) for value in property_values(component, name)), "")


def _unfolded_text(content: bytes, calendar_file: CalendarFile) -> str:
    """Unfold before decoding, as a fold may cut a character in two; read other encodings than UTF-8 as Latin-1."""
    unfolded = _FOLD_PATTERN.sub(b"", content.removeprefix(b"\xef\xbb\xbf"))
    try:
        text = unfolded.decode()
    except UnicodeDecodeError:
        calendar_file.warnings.append("is not UTF-8; it is read as Latin-1")
        text = unfolded.decode("cp1252", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _event_lines(text: str, calendar_file: CalendarFile, file: str) -> Iterator[str]:
    inside: list[str] = []
    for line in text.split("\n"):
        delimiter, _, name = (part.strip() for part in line[:80].upper().partition(":"))
        if delimiter == "BEGIN":
            _check_nesting(line, bool(inside) or name == "VCALENDAR", inside, file)
            inside.append(name)
            if inside[:3] in _READ_COMPONENTS:
                yield f"BEGIN:{name}"
            else:
                calendar_file.others[" inside ".join(reversed(inside[1:3]))] += 1
        elif delimiter == "END":
            _check_nesting(line, inside[-1:] == [name], inside, file)
            if inside[:3] in _READ_COMPONENTS:
                yield f"END:{name}"
            inside.pop()
        elif inside[:3] in _READ_COMPONENTS and (match := _PROPERTY_PATTERN.match(line)):
            yield from _property_line(match, calendar_file, file)
    if inside:
        raise ScheduleParseError(f"ends inside a {inside[-1]}: export it again", file=file)


def _check_nesting(line: str, is_valid: bool, inside: list[str], file: str) -> None:
    if not is_valid:
        expected = f"END:{inside[-1]}" if inside else "BEGIN:VCALENDAR"
        raise ScheduleParseError(f"{cells.quoted(line)} is where {expected} should be: export it again", file=file)


def _property_line(match: re.Match[str], calendar_file: CalendarFile, file: str) -> Iterator[str]:
    """Yield the property without parameters other than its zone or a title's language; nothing without a value."""
    name, parameters, value = match[1].upper(), match[2], (match[3] or "").strip()
    if parameters is None and len(calendar_file.warnings) < MAX_WARNINGS:
        calendar_file.warnings.append(f"{cells.quoted(match.string)} cannot be read as a property and is left out")
    if name in _MAX_LIST_CHARS:
        calendar_file.list_chars[name] += len(value)
        if calendar_file.list_chars[name] > _MAX_LIST_CHARS[name]:
            raise ScheduleParseError(f"has more {name} than any programme: remove them", file=file)
    if value:
        zone = _TZID_PATTERN.search(parameters)
        parameter = f';{TZID_PARAMETER}="{zone[1]}"' if zone else ""
        if name == "SUMMARY" and (language := _LANGUAGE_PATTERN.search(parameters)):
            parameter += f";LANGUAGE={language[1]}"
        yield f"{name}{parameter}:{value[: _MAX_VALUE_CHARS.get(name, _MAX_OTHER_VALUE_CHARS)]}"
