"""A calendar (.ics) as a programme: its events, their time zone and their days."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from zoneinfo import ZoneInfo

from icalendar import Component

from events.core.parsing import cells
from events.core.parsing.errors import MAX_IMPORT_EVENTS, TimeZoneNeededError, raised, too_many_error
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.document import Document, Hints
from events.imports.formats.icalendar.lines import TZID_PARAMETER, CalendarFile, load_calendars, property_text, property_values
from events.imports.formats.icalendar.times import CalendarTimeZones, PrivateVEventError, UnusableVEventError
from events.imports.formats.icalendar.vevent import (
    Occurrence,
    add_event,
    known_key,
    occurrences,
    recurrence_stamp,
    vevent_label,
)
from events.imports.formats.times import EXAMPLE_TIME_ZONE
from events.programme.data.schedule import ScheduleData, load_time_zone

MAX_DATE_GAP = dt.timedelta(days=60)
"""A longer gap between two dates does not occur within one conference."""
MIN_MAIN_GROUP_SHARE = 0.8
_OUR_PRODUCT = "-//Hallway//"
_NAME_PROPERTIES = ("X-WR-CALNAME", "NAME", "SUMMARY")
_UNREPORTED_COMPONENTS = {"VTIMEZONE", "STANDARD inside VTIMEZONE", "DAYLIGHT inside VTIMEZONE", "VALARM inside VEVENT"}


def recognises(document: Document) -> bool:
    return document.is_one_file and document.content[:200].lstrip(b"\xef\xbb\xbf \t\r\n").upper().startswith(b"BEGIN:VCALENDAR")


def parse(document: Document, hints: Hints) -> ScheduleData:
    """Raise ScheduleParseError for a file that is not a calendar, or has no event that can be imported."""
    return CalendarReader(load_calendars(document.content, file=document.name), hints, file=document.name).read()


class CalendarReader:
    """Reads the events and never the attendees.

    A whole day becomes an event on its first day, with its time to be announced. Events months away from all others, from
    another year, are skipped.
    """

    def __init__(self, content: CalendarFile, hints: Hints, *, file: str) -> None:
        self.content = content
        self.zone = _conference_time_zone(content, hints, file)
        self.builder = ScheduleBuilder(hints, self.zone, file=file)
        self.builder.warnings += content.warnings

    def read(self) -> ScheduleData:
        for name, count in self.content.others.items():
            if name not in _UNREPORTED_COMPONENTS:
                self.builder.skip(f"{count} {cells.quoted(name)}", "not an event of the programme")
        is_ours = any(property_text(calendar, "PRODID").startswith(_OUR_PRODUCT) for calendar in self.content.calendars)
        all_occurrences = [each for calendar in self.content.calendars for each in self._occurrences(calendar)]
        for occurrence in self._without_outliers(all_occurrences):
            add_event(occurrence, self.builder, is_ours=is_ours)
        self._warn_of_categories(all_occurrences)
        names = (property_text(calendar, name) for calendar in self.content.calendars for name in _NAME_PROPERTIES)
        # icalendar leaves the escapes in properties that RFC 5545 does not know.
        return self.builder.build(name=re.sub(r"\\(.)", r"\1", next(filter(None, names), "")))

    def _occurrences(self, calendar: Component) -> list[Occurrence]:
        zones = CalendarTimeZones(self._floating_time_zone(calendar), self.content.zones)
        found: list[Occurrence] = []
        moved = _moved_stamps(calendar, zones)
        for component in calendar.subcomponents:
            try:
                found += occurrences(component, zones, moved)
            except UnusableVEventError as error:
                is_hidden = isinstance(error, PrivateVEventError)
                self.builder.skip(vevent_label(component), str(error), key=known_key(component), is_hidden=is_hidden)
            if len(found) > raised(MAX_IMPORT_EVENTS):
                remark = ", counted with repetitions"
                raise too_many_error("events", MAX_IMPORT_EVENTS, file=self.builder.file, remark=remark)
        return found

    def _floating_time_zone(self, calendar: Component) -> ZoneInfo:
        """Return the zone of times without one: that of the calendar, else that of the conference."""
        name = property_text(calendar, "X-WR-TIMEZONE")
        try:
            return CalendarTimeZones(self.zone, self.content.zones).named(name) if name else self.zone
        except UnusableVEventError as error:
            self.builder.warn(f"X-WR-TIMEZONE: {error}; {self.zone.key} is used")
            return self.zone

    def _without_outliers(self, all_occurrences: list[Occurrence]) -> list[Occurrence]:
        counts = Counter(occurrence.date for occurrence in all_occurrences)
        groups: list[list[dt.date]] = []
        for date in sorted(counts):
            if groups and date - groups[-1][-1] <= MAX_DATE_GAP:
                groups[-1].append(date)
            else:
                groups.append([date])
        largest = max(groups, key=lambda dates: sum(counts[date] for date in dates), default=[])
        if sum(counts[date] for date in largest) < MIN_MAIN_GROUP_SHARE * len(all_occurrences):
            return all_occurrences
        inside = []
        for occurrence in all_occurrences:
            if largest[0] <= occurrence.date <= largest[-1]:
                inside.append(occurrence)
            else:
                reason = f"it is on {occurrence.date}, and the others from {largest[0]} to {largest[-1]}: correct its date"
                self.builder.skip(occurrence.label, reason, key=occurrence.key)
        return inside

    def _warn_of_categories(self, all_occurrences: list[Occurrence]) -> None:
        several = [occurrence for occurrence in all_occurrences if len(occurrence.categories) > 1]
        if several:
            example = cells.quoted(", ".join(several[0].categories))
            self.builder.warn(f"{len(several)} events have several categories ({example}); of each, one is its track")


def _time_zone_names(content: CalendarFile) -> list[str]:
    """Return the zones that the events and calendars of the file name, the most frequent of DTSTART first.

    The last is that of a single VTIMEZONE: a file with its hours in UTC, as ours, names the zone of its venue there.
    """
    starts = [
        start
        for calendar in content.calendars
        for event in calendar.subcomponents
        for start in property_values(event, "DTSTART")[:1]
    ]
    counts = Counter(start.params[TZID_PARAMETER] for start in starts if TZID_PARAMETER in start.params)
    of_calendars = (property_text(calendar, "X-WR-TIMEZONE") for calendar in content.calendars)
    defined = content.defined_zones if len(content.defined_zones) == 1 else ()
    return [name for name, _ in counts.most_common()] + list(filter(None, of_calendars)) + list(defined)


def _conference_time_zone(content: CalendarFile, hints: Hints, file: str) -> ZoneInfo:
    """Raise TimeZoneNeededError if neither the file nor an organiser names a zone: UTC is only the form of its hours."""
    if hints.timezone:
        return load_time_zone(hints.timezone)
    for name in _time_zone_names(content):
        try:
            return CalendarTimeZones(ZoneInfo("UTC"), content.zones).named(name)
        except UnusableVEventError:
            continue
    raise TimeZoneNeededError("names no time zone", example=EXAMPLE_TIME_ZONE, file=file)


def _moved_stamps(calendar: Component, zones: CalendarTimeZones) -> dict[str, set[str]]:
    """Return by UID the repetitions that have a VEVENT with RECURRENCE-ID."""
    stamps: dict[str, set[str]] = {}
    for component in calendar.subcomponents:
        if stamp := recurrence_stamp(component, zones):
            stamps.setdefault(property_text(component, "UID"), set()).add(stamp)
    return stamps
