"""The events of a VEVENT: the times at which it takes place, and its fields."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from icalendar import Component, vBroken, vDDDTypes

from events.core.parsing import cells
from events.core.spans import ONE_DAY
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.icalendar.lines import property_language, property_text, property_values
from events.imports.formats.icalendar.times import (
    CalendarTimeZones,
    PrivateVEventError,
    UnusableVEventError,
    clock_change_warning,
    is_repeated,
    parse_ical_time,
    quoted_value,
    start_times,
)
from events.imports.formats.kinds import KIND_NAMES, event_kind, title_kind
from events.imports.formats.services import without_cancelled
from events.programme.data.schedule import EventData, LinkData
from events.programme.rules.days import board_text

_MAX_ROOM_CHARS = 100
_KINDS_BY_NAME = {name.lower(): kind for kind, names in KIND_NAMES.items() for name in names}
_ICAL_STATUSES = {"CANCELLED": "cancelled", "TENTATIVE": "tentative"}
# Our calendars add these to a title and to its categories.
_CANCELLED_PREFIX, _OFFICIAL_SUFFIX, _OFFICIAL_CATEGORY = "Cancelled: ", " *", "Official at the venue (*)"
# The line of the type in a description of our calendars: "Poster · Vision · board #43".
_BOARD_LINE = re.compile(r"^.+ · board #(.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Occurrence:
    """One time at which a VEVENT takes place; ``start`` is a date if it lasts whole days."""

    component: Component
    key: str
    start: dt.datetime | dt.date
    end: dt.datetime | dt.date | None

    @property
    def label(self) -> str:
        return vevent_label(self.component)

    @property
    def date(self) -> dt.date:
        return self.start.date() if isinstance(self.start, dt.datetime) else self.start

    @property
    def categories(self) -> list[str]:
        return [category for category in _vevent_categories(self.component) if category != _OFFICIAL_CATEGORY]


def vevent_label(component: Component) -> str:
    return f"event {cells.quoted((property_text(component, 'SUMMARY') or property_text(component, 'UID'))[:60])}"


def _vevent_categories(component: Component) -> list[str]:
    values = (value for listed in property_values(component, "CATEGORIES") for value in listed)
    return [category for value in values if (category := str(value).strip())]


def occurrences(component: Component, zones: CalendarTimeZones, moved: Mapping[str, Collection[str]]) -> list[Occurrence]:
    """Return every time of the VEVENT, or raise UnusableVEventError.

    The ``moved`` repetitions are left out, because they have a VEVENT with RECURRENCE-ID.
    """
    if property_text(component, "CLASS").upper() in {"PRIVATE", "CONFIDENTIAL"}:
        raise PrivateVEventError("it is private")
    start = _first_time(component, "DTSTART", zones)
    if start is None:
        raise UnusableVEventError("it has no DTSTART: give it a day")
    length = _vevent_length(component, start, zones)
    key = _vevent_key(component, start)
    if recurrence := _first_time(component, "RECURRENCE-ID", zones):
        return [Occurrence(component, f"{key}/{_time_stamp(recurrence)}", start, _end_after(start, length))]
    if not is_repeated(component):
        return [Occurrence(component, key, start, _end_after(start, length))]
    moved_stamps = moved.get(property_text(component, "UID"), ())
    starts = {_time_stamp(each): each for each in start_times(component, start, zones)}
    return [
        Occurrence(component, f"{key}/{stamp}", each, _end_after(each, length))
        for stamp, each in starts.items()
        if stamp not in moved_stamps
    ]


def _first_time(component: Component, name: str, zones: CalendarTimeZones) -> dt.datetime | dt.date | None:
    values = property_values(component, name)
    return parse_ical_time(values[0], zones) if values else None


def recurrence_stamp(component: Component, zones: CalendarTimeZones) -> str:
    """Return the RECURRENCE-ID, the repetition that the component replaces; "" if none."""
    try:
        recurrence = _first_time(component, "RECURRENCE-ID", zones)
    except UnusableVEventError:
        return ""
    return _time_stamp(recurrence) if recurrence else ""


def _vevent_length(component: Component, start: dt.datetime | dt.date, zones: CalendarTimeZones) -> dt.timedelta | None:
    end, durations = _first_time(component, "DTEND", zones), property_values(component, "DURATION")
    if isinstance(end, dt.datetime) and isinstance(start, dt.datetime):
        return end.astimezone(dt.UTC) - start.astimezone(dt.UTC)
    if end:
        return _date_of(end) - _date_of(start)
    return _checked_duration(durations[0]) if durations else None


def _checked_duration(value: vDDDTypes | vBroken) -> dt.timedelta:
    if isinstance(value, vBroken) or not isinstance(value.dt, dt.timedelta):
        raise UnusableVEventError(f"{quoted_value(value)} is not a duration: write one like PT45M")
    return value.dt


def _end_after(start: dt.datetime | dt.date, length: dt.timedelta | None) -> dt.datetime | dt.date | None:
    try:
        if length is None:
            return None
        return start.astimezone(dt.UTC) + length if isinstance(start, dt.datetime) else start + length
    except OverflowError as error:
        raise UnusableVEventError("its end is after the year 9999") from error


def _date_of(time: dt.datetime | dt.date) -> dt.date:
    return time.date() if isinstance(time, dt.datetime) else time


def known_key(component: Component) -> str:
    """Return the key that needs no start, "" if there is none."""
    return property_text(component, "UID") or property_text(component, "URL")


def _vevent_key(component: Component, start: dt.datetime | dt.date) -> str:
    return known_key(component) or f"{_time_stamp(start)}-{cells.key_of(property_text(component, 'SUMMARY'))}"


def _time_stamp(time: dt.datetime | dt.date) -> str:
    return f"{time.astimezone(dt.UTC):%Y%m%dT%H%M%SZ}" if isinstance(time, dt.datetime) else f"{time:%Y%m%d}"


def add_event(occurrence: Occurrence, builder: ScheduleBuilder, *, is_ours: bool) -> str:
    """Add an event; the titles of our calendars say nothing of a status."""
    component = occurrence.component
    title, official = _title_and_official(component)
    title, status = (title, "confirmed") if is_ours else without_cancelled(title)
    kind, type_name, track = _kind_type_track(occurrence.categories, title)
    board, location = _board_and_location(component, builder) if is_ours else ("", _location(component, builder))
    at = occurrence.start if isinstance(occurrence.start, dt.datetime) else None
    if builder.is_repeated(occurrence.key, at, location, occurrence.label):
        return ""
    is_url = cells.is_http_url(location)
    is_room = len(location) <= _MAX_ROOM_CHARS and not is_url
    data = EventData(
        key=occurrence.key,
        guid=occurrence.key,
        title=title,
        language=property_language(component, "SUMMARY"),
        type=builder.type(kind, type_name),
        room=builder.room(location) if is_room else "",
        place=location if not is_room and not is_url else "",
        board=board,
        status=_ICAL_STATUSES.get(property_text(component, "STATUS").upper(), status) if status == "confirmed" else status,
        track=builder.track(track),
        abstract=property_text(component, "DESCRIPTION"),
        official=official,
        at_venue=official or None,
        links=_vevent_links(component, builder, location),
    )
    return builder.event(_with_times(data, occurrence, builder), location=occurrence.label)


def _title_and_official(component: Component) -> tuple[str, bool]:
    """Return the title without the additions of our calendars, and whether it had the asterisk of an official social."""
    title = property_text(component, "SUMMARY")
    if property_text(component, "STATUS").upper() == "CANCELLED":
        title = title.removeprefix(_CANCELLED_PREFIX)
    official = _OFFICIAL_CATEGORY in _vevent_categories(component)
    return title.removesuffix(_OFFICIAL_SUFFIX) if official else title, official


def _location(component: Component, builder: ScheduleBuilder) -> str:
    return builder.line(property_text(component, "LOCATION"))


def _board_and_location(component: Component, builder: ScheduleBuilder) -> tuple[str, str]:
    """Our calendars write the board of a poster before its place."""
    location, line = _location(component, builder), _BOARD_LINE.search(property_text(component, "DESCRIPTION"))
    board = line[1].strip() if line else ""
    before = board_text(board)
    return (board, location.removeprefix(before).removeprefix(", ")) if board and location.startswith(before) else ("", location)


def _kind_type_track(categories: list[str], title: str) -> tuple[str, str, str]:
    """Use the first category that names a kind as the type, and the first of the others as the track."""
    kinds = {category: _KINDS_BY_NAME.get(category.lower()) or event_kind(category) for category in categories}
    type_name = next((name for name, kind in kinds.items() if kind != "talk" or name.lower() in _KINDS_BY_NAME), "")
    track = next((category for category in categories if category != type_name), "")
    if type_name:
        return kinds[type_name], type_name, track
    return title_kind(title), "", track


def _vevent_links(component: Component, builder: ScheduleBuilder, location: str) -> tuple[LinkData, ...]:
    links: tuple[LinkData, ...] = ()
    if url := property_text(component, "URL"):
        links += builder.link(url, location=vevent_label(component))
    if cells.is_http_url(location):
        links += builder.link(location, title="Where it takes place", location=vevent_label(component))
    return links


def _with_times(data: EventData, occurrence: Occurrence, builder: ScheduleBuilder) -> EventData:
    start, end = occurrence.start, occurrence.end
    if isinstance(start, dt.datetime):
        if warning := clock_change_warning(start):
            builder.warn(f"{occurrence.label}: {warning}")
        return dataclasses.replace(data, start=start.astimezone(dt.UTC), end=end if isinstance(end, dt.datetime) else None)
    last = (end or start + ONE_DAY) - ONE_DAY
    if last <= start:
        return dataclasses.replace(data, day=builder.day(start))
    builder.warn(f"{occurrence.label}: lasts from {start} to {last}; it is shown on its first day, without a time")
    abstract = "\n\n".join(filter(None, [f"From {start} to {last}.", data.abstract]))
    return dataclasses.replace(data, day=builder.day(start), abstract=abstract)
