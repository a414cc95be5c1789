"""The bytes of a calendar to icalendar's components: only what is read of a programme reaches icalendar."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from icalendar import Calendar, Component

from events.importers import cells
from events.importers.errors import ScheduleParseError
from events.importers.limits import MOST_EVENTS, refuse_large_text
from events.importers.texts import MOST_WARNINGS

MAX_LINES, MAX_READ = 1_000_000, 300_000
"""Lines of a file, and those of them that are read: fifteen for each event."""
TZID = "X-TZID"
"""The parameter that names a zone; under its own name icalendar would look the zone up, however long that takes."""
# Characters of all values together that icalendar splits into a list of objects: a megabyte takes it seconds.
_MAX_LISTS = {"CATEGORIES": 1_000_000, "RDATE": 500_000, "EXDATE": 500_000, "RRULE": 200_000}
# Longer values are cut, far beyond what is kept of them.
_MAX_CHARS = {"DESCRIPTION": 200_000, "RDATE": 20_000, "EXDATE": 20_000}
_MAX_OTHER_CHARS = 2_000
_NAMES = (
    "UID|RECURRENCE-ID|SUMMARY|DESCRIPTION|LOCATION|DTSTART|DTEND|DURATION|STATUS|CLASS|CATEGORIES|URL|RRULE|RDATE|EXDATE"
    "|NAME|X-WR-CALNAME|X-WR-TIMEZONE"
)
_PROPERTY = re.compile(rf'({_NAMES})(?:((?:;(?:[^":]|"[^"]{{0,200}}"){{1,200}})?):(.*)|;)', re.IGNORECASE)
_ZONE = re.compile(r';[ \t]*TZID[ \t]*=[ \t]*"?([^";]{1,100})', re.IGNORECASE)
_ZONE_NAMES = re.compile(r"^TZID:(.*)\n(?:.*\n){0,3}?X-LIC-LOCATION:(.*)$", re.IGNORECASE | re.MULTILINE)
_READ = (["VCALENDAR"], ["VCALENDAR", "VEVENT"])
_FOLD = re.compile(rb"(?:\r\n|\r|\n)[ \t]")


@dataclass
class CalendarFile:
    """The VCALENDARs of a file with their VEVENTs, and what else the file holds."""

    calendars: list[Component] = field(default_factory=list)
    # By the name a VTIMEZONE has in the file, its name in the time zone database.
    zones: dict[str, str] = field(default_factory=dict)
    # How many components are no events of the programme, by their name.
    others: Counter[str] = field(default_factory=Counter)
    warnings: list[str] = field(default_factory=list)
    # Characters of what _MAX_LISTS bounds.
    lists: Counter[str] = field(default_factory=Counter)


def load(content: bytes, *, file: str) -> CalendarFile:
    """The calendars of the file; raises ScheduleParseError for what is no calendar."""
    refuse_large_text(content, file=file)
    if content.count(b"\n") + content.count(b"\r") > MAX_LINES:
        raise ScheduleParseError(f"has more than {MAX_LINES:,} lines: split it", file=file)
    found = CalendarFile()
    decoded = _decoded(content, found)
    found.zones = {it[1].strip(): it[2].strip() for it in _ZONE_NAMES.finditer(decoded)}
    lines = list(_lines(decoded, found, file))
    if not lines:
        raise ScheduleParseError("has no line BEGIN:VCALENDAR: export it again", file=file)
    if lines.count("BEGIN:VEVENT") > MOST_EVENTS:
        raise ScheduleParseError(f"has more than {MOST_EVENTS:,} events: split it", file=file)
    if len(lines) > MAX_READ:
        raise ScheduleParseError(f"has more than {MAX_READ:,} lines of events: split it", file=file)
    try:
        found.calendars = list(Calendar.from_ical("\r\n".join(lines), multiple=True))
    except ValueError as error:
        raise ScheduleParseError(f"cannot be read ({cells.quoted(str(error))}): export it again", file=file) from error
    return found


def values(component: Component, name: str) -> list[Any]:
    """All values of a property that may be given several times, as icalendar's."""
    found = component.get(name, [])
    return found if isinstance(found, list) else [found]


def text(component: Component, name: str) -> str:
    """The first that says something."""
    return next((said for it in values(component, name) if (said := str(it).strip())), "")


def _decoded(content: bytes, found: CalendarFile) -> str:
    """Text without folds, which may cut a character in two; Latin-1 where it is not UTF-8."""
    whole = _FOLD.sub(b"", content.removeprefix(b"\xef\xbb\xbf"))
    try:
        decoded = whole.decode()
    except UnicodeDecodeError:
        found.warnings.append("is not UTF-8; it is read as Latin-1")
        decoded = whole.decode("cp1252", "replace")
    return decoded.replace("\r\n", "\n").replace("\r", "\n")


def _lines(content: str, found: CalendarFile, file: str) -> Iterator[str]:
    """The lines for icalendar: those of calendars and events, and none of alarms, tasks and time zones."""
    inside: list[str] = []
    for line in content.split("\n"):
        word, _, name = (it.strip() for it in line[:80].upper().partition(":"))
        if word == "BEGIN":
            _in_place(line, bool(inside) or name == "VCALENDAR", inside, file)
            inside.append(name)
            if inside[:3] in _READ:
                yield f"BEGIN:{name}"
            else:
                found.others[" inside ".join(reversed(inside[1:3]))] += 1
        elif word == "END":
            _in_place(line, inside[-1:] == [name], inside, file)
            if inside[:3] in _READ:
                yield f"END:{name}"
            inside.pop()
        elif inside[:3] in _READ and (said := _PROPERTY.match(line)):
            yield from _property(said, found, file)
    if inside:
        raise ScheduleParseError(f"ends inside a {inside[-1]}: export it again", file=file)


def _in_place(line: str, is_so: bool, inside: list[str], file: str) -> None:
    if not is_so:
        wanted = f"END:{inside[-1]}" if inside else "BEGIN:VCALENDAR"
        raise ScheduleParseError(f"{cells.quoted(line)} stands where {wanted} should: export it again", file=file)


def _property(said: re.Match[str], found: CalendarFile, file: str) -> Iterator[str]:
    """The property with no parameter but its zone."""
    name, parameters, value = said[1].upper(), said[2], (said[3] or "").strip()
    if parameters is None and len(found.warnings) < MOST_WARNINGS:
        found.warnings.append(f"{cells.quoted(said.string)} cannot be read as a property and is passed over")
    if name in _MAX_LISTS:
        found.lists[name] += len(value)
        if found.lists[name] > _MAX_LISTS[name]:
            raise ScheduleParseError(f"holds more {name} than any programme: take them out", file=file)
    if value:
        zone = _ZONE.search(parameters)
        named = f';{TZID}="{zone[1]}"' if zone else ""
        yield f"{name}{named}:{value[: _MAX_CHARS.get(name, _MAX_OTHER_CHARS)]}"
