"""The calendar as a programme: which events are its, in which zone, on which days."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from zoneinfo import ZoneInfo

from icalendar import Component

from events.importers import cells
from events.importers.builder import ScheduleBuilder
from events.importers.data import ScheduleData
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints, zone_of
from events.importers.icalendar_file.lines import TZID, CalendarFile, load, text, values
from events.importers.icalendar_file.moments import NotTakenError, Zones
from events.importers.icalendar_file.vevent import Occurrence, event, occurrences, place_of, stamp_of
from events.importers.limits import MOST_EVENTS

APART = dt.timedelta(days=60)
"""A gap that no conference has."""
MOSTLY = 0.8
_IGNORED = {"VTIMEZONE", "STANDARD inside VTIMEZONE", "DAYLIGHT inside VTIMEZONE", "VALARM inside VEVENT"}


def recognises(document: Document) -> bool:
    return document.is_one_file and document.content[:200].lstrip(b"\xef\xbb\xbf \t\r\n").upper().startswith(b"BEGIN:VCALENDAR")


def parse(document: Document, hints: Hints) -> ScheduleData:
    """The events of an .ics; who is invited is never read.

    Whole days stand on their first day, to be announced. Events far from all others (another year's, left behind) are
    skipped. Raises ScheduleParseError when the file is no calendar or nothing in it can be taken.
    """
    content = load(document.content, file=document.name)
    zone = _zone(content, hints)
    builder = ScheduleBuilder(hints, zone, file=document.name)
    builder.warnings += content.warnings
    if not hints.timezone and not _named_zones(content):
        builder.warn("names no time zone: its days and hours are taken to be UTC's")
    for name, count in content.others.items():
        if name not in _IGNORED:
            builder.skip(f"{count} {cells.quoted(name)}", "no event of the programme")
    found = [it for calendar in content.calendars for it in _occurrences(calendar, content, zone, builder)]
    for occurrence in _together(found, builder):
        event(occurrence, builder)
    _tell_categories(found, builder)
    name = next((said for it in content.calendars for key in ("X-WR-CALNAME", "NAME", "SUMMARY") if (said := text(it, key))), "")
    # icalendar leaves the escapes in properties that RFC 5545 does not know.
    return builder.build(name=re.sub(r"\\(.)", r"\1", name))


def _named_zones(content: CalendarFile) -> list[str]:
    """The zones that the file's events and calendars name, most starts first."""
    starts = [it for calendar in content.calendars for event in calendar.subcomponents for it in values(event, "DTSTART")[:1]]
    named = Counter(it.params[TZID] for it in starts if TZID in it.params)
    return [name for name, _ in named.most_common()] + [said for it in content.calendars if (said := text(it, "X-WR-TIMEZONE"))]


def _zone(content: CalendarFile, hints: Hints) -> ZoneInfo:
    """The conference's zone: the one we know, else the one most starts are in, else the calendar's own, else UTC."""
    if hints.timezone:
        return zone_of(hints.timezone)
    for name in _named_zones(content):
        try:
            return Zones(ZoneInfo("UTC"), content.zones).named(name)
        except NotTakenError:
            continue
    return ZoneInfo("UTC")


def _floating(calendar: Component, zones: Zones, builder: ScheduleBuilder) -> ZoneInfo:
    """Where clocks stand that name no zone."""
    said = text(calendar, "X-WR-TIMEZONE")
    try:
        return zones.named(said) if said else zones.floating
    except NotTakenError as error:
        builder.warn(f"X-WR-TIMEZONE: {error}; {zones.floating.key} is taken")
        return zones.floating


def _occurrences(calendar: Component, content: CalendarFile, zone: ZoneInfo, builder: ScheduleBuilder) -> list[Occurrence]:
    zones = Zones(_floating(calendar, Zones(zone, content.zones), builder), content.zones)
    found: list[Occurrence] = []
    moved = _moved(calendar, zones)
    for component in calendar.subcomponents:
        try:
            found += occurrences(component, zones, moved)
        except NotTakenError as error:
            builder.skip(place_of(component), str(error))
        if len(found) > MOST_EVENTS:
            raise ScheduleParseError(
                f"has more than {MOST_EVENTS:,} events, counted with repetitions: split it", file=builder.file
            )
    return found


def _moved(calendar: Component, zones: Zones) -> dict[str, set[str]]:
    """By UID, the repetitions that have an entry of their own."""
    found: dict[str, set[str]] = {}
    for component in calendar.subcomponents:
        if said := stamp_of(component, zones):
            found.setdefault(text(component, "UID"), set()).add(said)
    return found


def _together(found: list[Occurrence], builder: ScheduleBuilder) -> list[Occurrence]:
    """Without the few that are months or years away from all others."""
    groups: list[list[dt.date]] = []
    for date in sorted({it.date for it in found}):
        if groups and date - groups[-1][-1] <= APART:
            groups[-1].append(date)
        else:
            groups.append([date])
    counted = Counter(it.date for it in found)
    largest = max(groups, key=lambda dates: sum(counted[date] for date in dates), default=[])
    if sum(counted[date] for date in largest) < MOSTLY * len(found):
        return found
    for it in found:
        if not largest[0] <= it.date <= largest[-1]:
            builder.skip(it.place, f"it is on {it.date}, and the others from {largest[0]} to {largest[-1]}: correct its date")
    return [it for it in found if largest[0] <= it.date <= largest[-1]]


def _tell_categories(found: list[Occurrence], builder: ScheduleBuilder) -> None:
    many = [it for it in found if len(it.categories) > 1]
    if many:
        shown = cells.quoted(", ".join(many[0].categories))
        builder.warn(f"{len(many)} events have several categories ({shown}); of each, one is its track")
