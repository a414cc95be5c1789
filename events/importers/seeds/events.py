"""events.csv and socials.csv: everything that happens."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from events.importers.cells import quoted
from events.importers.data import EventData, EventTypeData
from events.importers.seeds.keys import unique
from events.importers.seeds.papers import links
from events.importers.seeds.people import People
from events.importers.seeds.rows import LINE, NAME, Row
from events.importers.seeds.tables import SIGNUP_STATES, STATUSES
from events.importers.seeds.times import beginning, span

_BOARD, _PLACE = 20, 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Programme:
    """All that a row of events.csv may refer to."""

    zone: ZoneInfo
    types: Mapping[str, EventTypeData]
    days: Collection[str]
    # Room key -> whether it is at the venue.
    rooms: Mapping[str, bool]
    tracks: Collection[str]
    topics: Collection[str]
    papers: Collection[str]
    services: Collection[str]
    notes: Mapping[str, str]
    people: People


def events(event_rows: list[Row], social_rows: list[Row], programme: Programme) -> tuple[EventData, ...]:
    rows = unique([*event_rows, *social_rows])
    unique([row for row in rows.values() if row.has("guid")], lambda row: row.guid(), "guid")
    found = {
        key: _event(key, row, programme, social=position >= len(event_rows)) for position, (key, row) in enumerate(rows.items())
    }
    for key, row in rows.items():
        _check_session(key, row, found, programme)
    return tuple(found.values())


def _event(key: str, row: Row, programme: Programme, *, social: bool) -> EventData:
    kind = row.text("type") or ("social" if social else row.required("type"))
    if kind not in programme.types:
        row.reference("type", programme.types, "type")
        raise row.error("type", f"is empty, and conference.toml has no type {quoted(kind)}: name the type")
    day = row.date("day")
    if day is not None and day.isoformat() not in programme.days:
        raise row.refuse("day", "is not one of the [[days]] in conference.toml: add it there")
    start, end = span(row, day, programme.zone, programme.types[kind].default_minutes)
    room = row.reference("room", programme.rooms, "room")
    official, at_venue = row.flag("official"), row.flag("at_venue")
    event = EventData(
        key=key,
        guid=row.guid(),
        title=row.required("title"),
        type=kind,
        status=row.choice("status", STATUSES) or _usual_status(row),
        day=day.isoformat() if day else "",
        start=start,
        end=end,
        room=room,
        place=row.text("place", _PLACE),
        travel_minutes=row.whole("travel_minutes"),
        track=row.reference("track", programme.tracks, "track"),
        topic=row.reference("topic", programme.topics, "topic"),
        session=row.text("session"),
        position=row.whole("position") or 0,
        paper=row.reference("paper", programme.papers, "paper"),
        service=row.reference("service", programme.services, "service"),
        board=row.text("board", _BOARD),
        abstract=row.prose("abstract"),
        official=not social if official is None else official,
        at_venue=programme.rooms.get(room) if at_venue is None else at_venue,
        access_notes=row.prose("access_notes"),
        overflow_room=row.reference("overflow_room", programme.rooms, "room"),
        takes_questions=bool(row.flag("takes_questions")),
        people=programme.people.appearances(row),
        links=links(row),
    )
    return _with_sign_up(_with_recording(event, row, programme), row, programme)


def _usual_status(row: Row) -> str:
    """An end that nobody published is a guess, and so is the calendar entry made of it."""
    return "confirmed" if row.has("start") and row.has("end") else "tentative"


def _with_recording(event: EventData, row: Row, programme: Programme) -> EventData:
    notes = row.prose("notes")
    if notes and event.key in programme.notes:
        raise row.error("notes", f"is filled in, and there is a file notes/{event.key}.md too: keep one")
    return dataclasses.replace(
        event,
        stream_url=row.url("stream_url"),
        recording_url=row.url("recording_url"),
        recording_from=row.date("recording_from"),
        recording_offset=row.seconds("recording_offset"),
        notes=notes or programme.notes.get(event.key, ""),
        notes_source=row.url("notes_source"),
    )


def _with_sign_up(event: EventData, row: Row, programme: Programme) -> EventData:
    return dataclasses.replace(
        event,
        audience=row.text("audience", LINE),
        signup_url=row.url("signup_url"),
        signup_state=row.choice("signup_state", SIGNUP_STATES),
        signup_checked_at=_moment(row, "signup_checked_at", programme.zone),
        signup_until=_moment(row, "signup_until", programme.zone),
        cost=row.text("cost", NAME),
        capacity=row.whole("capacity", 1),
    )


def _moment(row: Row, column: str, zone: ZoneInfo) -> dt.datetime | None:
    return beginning(row, column, zone) if row.has(column) else None


def _check_session(key: str, row: Row, found: Mapping[str, EventData], programme: Programme) -> None:
    session = row.reference("session", found, "session")
    if session and programme.types[found[session].type].kind != "session":
        raise row.refuse("session", f"is an event of the type {quoted(found[session].type)}, whose kind is not session")
    seen = {key}
    while session:
        if session in seen:
            raise row.refuse("session", "leads back to this event: an event cannot be part of itself")
        seen.add(session)
        session = found[session].session if session in found else ""
