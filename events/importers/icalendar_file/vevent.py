"""One VEVENT: when it takes place, and what is said of it."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from icalendar import vDuration

from events.importers import cells
from events.importers.builder import ScheduleBuilder
from events.importers.data import EventData, LinkData
from events.importers.icalendar_file.lines import Component, listed
from events.importers.icalendar_file.moments import NotTakenError, Zones, doubt, moment
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
        return [it for said in self.component.all("CATEGORIES") for it in listed(said.value) if it != _OFFICIAL]


def place_of(component: Component) -> str:
    return f"line {component.line}, {cells.quoted(component.text('SUMMARY')[:60])}"


def occurrences(component: Component, zones: Zones, moved: Mapping[str, Collection[str]]) -> list[Occurrence]:
    """Every time it takes place; a repetition that has an entry of its own is left to that. Raises NotTakenError."""
    if component.text("CLASS").upper() in {"PRIVATE", "CONFIDENTIAL"}:
        raise NotTakenError("it is private")
    said = component.get("DTSTART")
    if said is None:
        raise NotTakenError("it has no DTSTART: give it a day")
    start = moment(said, zones)
    length = _length(component, start, zones)
    key = _key(component, start)
    if instead := component.get("RECURRENCE-ID"):
        return [Occurrence(component, f"{key}/{_stamp(moment(instead, zones))}", start, _after(start, length))]
    if not repeats(component):
        return [Occurrence(component, key, start, _after(start, length))]
    elsewhere = moved.get(component.text("UID"), ())
    stamps = {_stamp(it): it for it in starts(component, start, zones)}
    return [
        Occurrence(component, f"{key}/{stamp}", it, _after(it, length)) for stamp, it in stamps.items() if stamp not in elsewhere
    ]


def stamp_of(component: Component, zones: Zones) -> str:
    """Which repetition a component stands for; "" if for none."""
    said = component.get("RECURRENCE-ID")
    try:
        return _stamp(moment(said, zones)) if said else ""
    except NotTakenError:
        return ""


def _length(component: Component, start: dt.datetime | dt.date, zones: Zones) -> dt.timedelta | None:
    """From DTEND or DURATION; None where neither is there."""
    said, lasts = component.get("DTEND"), component.get("DURATION")
    if said:
        end = moment(said, zones)
        if isinstance(end, dt.datetime) and isinstance(start, dt.datetime):
            return end.astimezone(dt.UTC) - start.astimezone(dt.UTC)
        return _day_of(end) - _day_of(start)
    try:
        return _duration(lasts.value.strip()) if lasts else None
    except ValueError as error:
        raise NotTakenError(f"{cells.quoted(lasts.value if lasts else '')} is no duration: write one like PT45M") from error


def _duration(said: str) -> dt.timedelta:
    found: dt.timedelta = vDuration.from_ical(said)  # type: ignore[no-untyped-call]
    return found


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
    return component.text("UID") or component.text("URL") or f"{_stamp(start)}-{cells.key_of(component.text('SUMMARY'))}"


def _stamp(it: dt.datetime | dt.date) -> str:
    return f"{it.astimezone(dt.UTC):%Y%m%dT%H%M%SZ}" if isinstance(it, dt.datetime) else f"{it:%Y%m%d}"


def event(found: Occurrence, builder: ScheduleBuilder) -> str:
    """Its key, or "" if the builder skips it."""
    component, place = found.component, found.place
    title, official = _title(component)
    kind, type_name, track = _labels(found.categories, title)
    location = component.text("LOCATION")
    where = builder.line(location)
    is_room = len(where) <= _LONGEST_ROOM and not cells.is_address(where)
    made = EventData(
        key=found.key,
        guid=found.key,
        title=title,
        type=builder.type(kind, type_name),
        room=builder.room(where) if is_room else "",
        place=where if not is_room and not cells.is_address(where) else "",
        status=_STATUSES.get(component.text("STATUS").upper(), "confirmed"),
        track=builder.track(track),
        abstract=component.text("DESCRIPTION"),
        official=official,
        at_venue=official or None,
        links=_links(component, builder, where),
    )
    return builder.event(_timed(made, found, builder), place=place)


def _title(component: Component) -> tuple[str, bool]:
    """Without what our own calendars add to it; and whether it had the asterisk of an official social."""
    said = component.text("SUMMARY")
    if component.text("STATUS").upper() == "CANCELLED":
        said = said.removeprefix(_CANCELLED)
    official = any(_OFFICIAL in it.text for it in component.all("CATEGORIES"))
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
    found = builder.link(component.text("URL"), place=place_of(component)) if component.text("URL") else ()
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
