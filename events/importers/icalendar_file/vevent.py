"""One VEVENT: when it takes place, and what is said of it."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from icalendar import Component, vBroken, vDDDTypes

from events.importers import cells
from events.importers.builder import ScheduleBuilder
from events.importers.data import EventData, LinkData
from events.importers.icalendar_file.lines import text, values
from events.importers.icalendar_file.moments import NotTakenError, Zones, doubt, moment, shown
from events.importers.icalendar_file.repeats import repeats, starts
from events.importers.kinds import kind_of
from events.importers.labels import KINDS

_LONGEST_ROOM = 100
_NAMED = {name.lower(): kind for kind, names in KINDS.items() for name in names}
_TELLING_WORDS = 6
"""A longer title is about something, and “The game of life” is no game."""
_STATUSES = {"CANCELLED": "cancelled", "TENTATIVE": "tentative"}
_ONE_DAY = dt.timedelta(days=1)
# What our own calendars add to a title and to its categories.
_CANCELLED, _ASTERISK, _OFFICIAL = "Cancelled: ", " *", "Official at the venue (*)"


@dataclass(frozen=True)
class Occurrence:
    """One time at which a VEVENT takes place; ``start`` is a date for what lasts whole days."""

    component: Component
    key: str
    start: dt.datetime | dt.date
    end: dt.datetime | dt.date | None

    @property
    def place(self) -> str:
        return place_of(self.component)

    @property
    def date(self) -> dt.date:
        return self.start.date() if isinstance(self.start, dt.datetime) else self.start

    @property
    def categories(self) -> list[str]:
        return [it for it in _categories(self.component) if it != _OFFICIAL]


def place_of(component: Component) -> str:
    return f"event {cells.quoted((text(component, 'SUMMARY') or text(component, 'UID'))[:60])}"


def _categories(component: Component) -> list[str]:
    return [said for listed in values(component, "CATEGORIES") for it in listed if (said := str(it).strip())]


def occurrences(component: Component, zones: Zones, moved: Mapping[str, Collection[str]]) -> list[Occurrence]:
    """Every time it takes place; a repetition that has an entry of its own is left to that. Raises NotTakenError."""
    if text(component, "CLASS").upper() in {"PRIVATE", "CONFIDENTIAL"}:
        raise NotTakenError("it is private")
    start = _first(component, "DTSTART", zones)
    if start is None:
        raise NotTakenError("it has no DTSTART: give it a day")
    length = _length(component, start, zones)
    key = _key(component, start)
    if instead := _first(component, "RECURRENCE-ID", zones):
        return [Occurrence(component, f"{key}/{_stamp(instead)}", start, _after(start, length))]
    if not repeats(component):
        return [Occurrence(component, key, start, _after(start, length))]
    elsewhere = moved.get(text(component, "UID"), ())
    stamps = {_stamp(it): it for it in starts(component, start, zones)}
    return [
        Occurrence(component, f"{key}/{stamp}", it, _after(it, length)) for stamp, it in stamps.items() if stamp not in elsewhere
    ]


def _first(component: Component, name: str, zones: Zones) -> dt.datetime | dt.date | None:
    found = values(component, name)
    return moment(found[0], zones) if found else None


def stamp_of(component: Component, zones: Zones) -> str:
    """Which repetition a component stands for; "" if for none."""
    try:
        found = _first(component, "RECURRENCE-ID", zones)
    except NotTakenError:
        return ""
    return _stamp(found) if found else ""


def _length(component: Component, start: dt.datetime | dt.date, zones: Zones) -> dt.timedelta | None:
    """From DTEND or DURATION; None where neither is there."""
    end, lasts = _first(component, "DTEND", zones), values(component, "DURATION")
    if isinstance(end, dt.datetime) and isinstance(start, dt.datetime):
        return end.astimezone(dt.UTC) - start.astimezone(dt.UTC)
    if end:
        return _day_of(end) - _day_of(start)
    return _duration(lasts[0]) if lasts else None


def _duration(said: vDDDTypes | vBroken) -> dt.timedelta:
    if isinstance(said, vBroken) or not isinstance(said.dt, dt.timedelta):
        raise NotTakenError(f"{shown(said)} is no duration: write one like PT45M")
    return said.dt


def _after(start: dt.datetime | dt.date, length: dt.timedelta | None) -> dt.datetime | dt.date | None:
    try:
        if length is None:
            return None
        return start.astimezone(dt.UTC) + length if isinstance(start, dt.datetime) else start + length
    except OverflowError as error:
        raise NotTakenError("it ends after the end of all calendars") from error


def _day_of(it: dt.datetime | dt.date) -> dt.date:
    return it.date() if isinstance(it, dt.datetime) else it


def _key(component: Component, start: dt.datetime | dt.date) -> str:
    """The UID; what has none is known by its address, else by its start and title."""
    return text(component, "UID") or text(component, "URL") or f"{_stamp(start)}-{cells.key_of(text(component, 'SUMMARY'))}"


def _stamp(it: dt.datetime | dt.date) -> str:
    return f"{it.astimezone(dt.UTC):%Y%m%dT%H%M%SZ}" if isinstance(it, dt.datetime) else f"{it:%Y%m%d}"


def event(found: Occurrence, builder: ScheduleBuilder) -> str:
    """Its key, or "" if the builder skips it."""
    component, place = found.component, found.place
    title, official = _title(component)
    kind, type_name, track = _labels(found.categories, title)
    location = text(component, "LOCATION")
    where = builder.line(location)
    is_room = len(where) <= _LONGEST_ROOM and not cells.is_address(where)
    made = EventData(
        key=found.key,
        guid=found.key,
        title=title,
        type=builder.type(kind, type_name),
        room=builder.room(where) if is_room else "",
        place=where if not is_room and not cells.is_address(where) else "",
        status=_STATUSES.get(text(component, "STATUS").upper(), "confirmed"),
        track=builder.track(track),
        abstract=text(component, "DESCRIPTION"),
        official=official,
        at_venue=official or None,
        links=_links(component, builder, where),
    )
    return builder.event(_timed(made, found, builder), place=place)


def _title(component: Component) -> tuple[str, bool]:
    """Without what our own calendars add to it; and whether it had the asterisk of an official social."""
    said = text(component, "SUMMARY")
    if text(component, "STATUS").upper() == "CANCELLED":
        said = said.removeprefix(_CANCELLED)
    official = _OFFICIAL in _categories(component)
    return said.removesuffix(_ASTERISK) if official else said, official


def _labels(categories: list[str], title: str) -> tuple[str, str, str]:
    """Kind, type and track: the category that names a kind is the type, the first of the others the track."""
    told = {it: _NAMED.get(it.lower()) or kind_of(it) for it in categories}
    telling = next((it for it, kind in told.items() if kind != "talk" or it.lower() in _NAMED), "")
    track = next((it for it in categories if it != telling), "")
    if telling:
        return told[telling], telling, track
    return kind_of(title) if len(title.split()) <= _TELLING_WORDS else "talk", "", track


def _links(component: Component, builder: ScheduleBuilder, where: str) -> tuple[LinkData, ...]:
    found = builder.link(text(component, "URL"), place=place_of(component)) if text(component, "URL") else ()
    if cells.is_address(where):
        found += builder.link(where, title="Where it takes place", place=place_of(component))
    return found


def _timed(made: EventData, found: Occurrence, builder: ScheduleBuilder) -> EventData:
    if isinstance(found.start, dt.datetime):
        if told := doubt(found.start):
            builder.warn(f"{found.place}: {told}")
        end = found.end if isinstance(found.end, dt.datetime) else None
        return dataclasses.replace(made, start=found.start.astimezone(dt.UTC), end=end)
    last = (found.end or found.start + _ONE_DAY) - _ONE_DAY
    if last <= found.start:
        return dataclasses.replace(made, day=builder.day(found.start))
    builder.warn(f"{found.place}: lasts from {found.start} to {last}; it stands on its first day, without an hour")
    told = f"From {found.start} to {last}."
    return dataclasses.replace(made, day=builder.day(found.start), abstract="\n\n".join(filter(None, [told, made.abstract])))
