"""Sheets of sessions, invited talks and socials."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from events.admin.clash_list import face_of
from events.admin.spreadsheets import columns as c
from events.admin.spreadsheets import storing
from events.admin.spreadsheets.columns import Column, Names, folded
from events.admin.spreadsheets.people import LINKS, Part
from events.admin.spreadsheets.sheets import Children, MistakesError, Planned, Sheet, named_links
from events.admin.times import TimeError, Wall, read
from events.importers.cells import quoted
from events.importers.cells import time as clock_time
from events.models import Appearance, Event, InvitedTalk, Kind, Session, SignupState, Social, Status
from events.queries.clashes import Named, bookings
from events.schedule.clash_words import sentence
from events.schedule.clashes import SHARING, Booking, Clash, clashes
from events.schedule.clock import programme_date

SIGN_UP = ("audience", "signup_url", "signup_state", "signup_checked_at", "signup_until", "cost", "capacity")
COMMON = ("guid", "title", "type", "status", "day", "start", "end", "room", "place")
REST = ("abstract", "official", "at_venue", "access_notes", "takes_questions", "people", "links")
RECORDING = ("overflow_room", "stream_url", "recording_url", "recording_from", "recording_offset", "notes", "notes_source")
INSIDE = ("track", "topic", "session", "position", "paper", "service", "board")
MINUTE = dt.timedelta(minutes=1)


class EventSheet(Sheet):
    title: ClassVar[str] = "title"
    kinds: ClassVar[tuple[Kind, ...]]
    shown: ClassVar[tuple[str, ...]]

    def make_columns(self) -> list[Column]:
        self.types = {it.pk: it for it in self.conference.types.all()}
        self.days = {it.date: it for it in self.conference.days.all()}
        self.rooms = {it.pk: it for it in self.conference.rooms.select_related("zone__venue").order_by("pk")}
        self.sessions = Names("session", self.conference, self._sessions())
        self.new: dict[uuid.UUID, Event] = {}
        """Events of the file that the database does not have yet: what stands inside them names their guid."""
        every = {column.name: column for column in [*self._plain(), *self._references()]}
        return [every[name] for name in self.shown]

    def _plain(self) -> list[Column]:
        zone = self.conference.zone
        return [
            Column("status", c.choice(Status.choices), value=lambda event: event.status),
            Column("day", c.DATE, value=lambda event: event.day.date if event.day else None),
            Column("start", c.wall(zone), value=lambda event: event.start),
            Column("end", c.wall(zone), value=lambda event: event.end),
            Column("at_venue", c.FLAG),
            Column("position", c.COUNT),
            Column("signup_state", c.choice(SignupState.choices)),
            Column("recording_from", c.DATE),
            Column("recording_offset", c.SECONDS),
            Column("people", self.people.roles, "named_people"),
            Column("links", LINKS, "named_links"),
            *(Column(name, c.YES) for name in ("official", "takes_questions")),
            *(Column(name, c.WHOLE) for name in ("travel_minutes", "capacity")),
            *(Column(name, c.instant(zone)) for name in ("signup_checked_at", "signup_until")),
            *(Column(name, c.TEXT) for name in ("guid", "title", "place", "board", "audience", "cost")),
            *(Column(name, c.PROSE) for name in ("abstract", "notes", "access_notes")),
            *(Column(name, c.ADDRESS) for name in ("signup_url", "stream_url", "recording_url", "notes_source")),
        ]

    def _references(self) -> list[Column]:
        home = self.conference
        topics = ((it.pk, [str(it), it.slug]) for it in home.topics.order_by("pk")) if "topic" in self.shown else ()
        papers = home.papers.order_by("pk").values_list("pk", "title", "guid", "source_key") if "paper" in self.shown else ()
        found: dict[str, Any] = {
            "type": ((it.pk, [it.name, it.slug]) for it in self.types.values()),
            "track": ((it.pk, [it.name, it.slug]) for it in home.tracks.order_by("pk")),
            "topic": topics,
            "paper": ((pk, [title, str(guid), key]) for pk, title, guid, key in papers),
            "service": ((it.pk, [it.name, it.source_key]) for it in home.services.order_by("pk")),
        }
        room = Names("room", home, ((it.pk, names_of_room(it)) for it in self.rooms.values())).cell
        return [
            *(Column(noun, Names(noun, home, entries).cell, f"{noun}_id") for noun, entries in found.items()),
            Column("room", room, "room_id"),
            Column("overflow_room", room, "overflow_room_id"),
            Column("session", self.sessions.cell, "named_session"),
        ]

    def _sessions(self) -> Any:
        if "session" not in self.shown:
            return
        rows = self.conference.events.filter(type__kind=Kind.SESSION).order_by("pk")
        for pk, title, start, guid, key in rows.values_list("pk", "title", "start", "guid", "source_key"):
            yield pk, [title, f"{title} ({self._moment(start)})", str(guid), key]

    def _moment(self, start: dt.datetime | None) -> str:
        return f"{start.astimezone(self.conference.zone):%Y-%m-%d %H:%M}" if start else "no time"

    def stored(self) -> Any:
        rows = self.model.objects.filter(conference=self.conference).in_order()
        return rows.select_related("day", "type").prefetch_related("appearances", "links")

    def attach(self, row: Any) -> None:
        row.named_people = [Part(it.person_id, it.role, it.remote) for it in row.appearances.all()] if row.pk else []
        row.named_links = named_links(row)
        row.named_session = row.session_id

    def elsewhere(self, given: str) -> str:
        try:
            event = self.conference.events.filter(guid=uuid.UUID(given)).select_related("type").first()
        except ValueError:
            event = None
        if event is None:
            return super().elsewhere(given)
        return f"it is among the {face_of(event.type.kind)._meta.verbose_name_plural}, and imported there."

    # An event is told from others of its title by its start.

    def names_of(self, row: Event) -> tuple[Any, ...]:
        return folded(row.title), self._moment(row.start) if row.start else ""

    def names_in(self, cells: Mapping[str, str]) -> tuple[Any, ...]:
        start = cells.get("start", "").replace("T", " ")
        date, _, hour = start.rpartition(" ")
        clock = clock_time(hour)
        return folded(cells.get("title", "")), f"{date or cells.get('day', '')} {clock:%H:%M}" if clock else start

    def match(self, planned: Sequence[Planned]) -> None:
        super().match(planned)
        for it in planned:
            title = it.cells.get("title")
            if not it.errors and it.is_new and title and "session" in self.shown:
                it.row.title = title
                self.new[it.row.guid] = it.row
                self.sessions.add(it.row.guid, [title, it.cells.get("key", ""), str(it.row.guid)])

    # Type, status, session and times.

    def complete(self, planned: Planned) -> None:
        event, errors = planned.row, planned.errors
        if "type" not in errors:
            self._complete_type(event, errors)
        if not isinstance(event.named_session, uuid.UUID):
            event.session_id = event.named_session
        event.status = planned.values.get("status") or event.status
        if not {"type", "day", "start", "end"} & errors.keys():
            try:
                self._complete_times(planned)
            except TimeError as error:
                errors[error.field or "start"] = str(error)

    def _complete_type(self, event: Any, errors: dict[str, str]) -> None:
        own = [it for it in self.types.values() if it.kind in self.kinds]
        if event.type_id is None and len(own) == 1:
            event.type_id = own[0].pk
        kind = self.types.get(event.type_id)
        if kind is None:
            errors["type"] = f"It is empty: write one of {', '.join(it.name for it in own) or 'the types, once there are any'}."
        elif kind.kind not in self.kinds:
            where = face_of(kind.kind)._meta.verbose_name_plural
            errors["type"] = f"{quoted(kind.name)} is no type of {self.noun}: import it among the {where}."

    def _complete_times(self, planned: Planned) -> None:
        """Set day, start and end as their cells say together; TimeError if they cannot be."""
        event, values, zone = planned.row, planned.values, self.conference.zone
        if not {"day", "start", "end"} & values.keys():
            return
        # What a cell says, or what clocks show now where it differs in nothing.
        first, last = (values[name] if name in values else _wall(getattr(event, name), zone) for name in ("start", "end"))
        minutes = self.types[event.type_id].default_minutes or 60
        if "start" in values and "end" not in planned.cells and event.start:
            # Without a column for the end it keeps its length.
            last, minutes = None, (event.end - event.start) // MINUTE
        # A day that was not touched gives way to a date in the start.
        is_dated = first is not None and first.date is not None
        day = values.get("day", None if is_dated or not event.day else event.day.date)
        start, event.end, _ = read(day, first, last, zone=zone, minutes=minutes)
        # The second of two equal hours survives a file that does not touch it.
        event.start = start if {"start", "day"} & values.keys() else event.start
        date = programme_date(event.start, zone) if event.start else day
        if date is not None and date not in self.days:
            field = "day" if day == date else "start"
            raise TimeError(field, f"{date:%Y-%m-%d} is no day of {self.conference}: add it under Days first.")
        event.day = self.days[date] if date else None

    def check_together(self, planned: Sequence[Planned]) -> None:
        above = dict(self.conference.events.values_list("pk", "session")) | {_key(it.row): self._parent(it.row) for it in planned}
        for event in (it.row for it in planned):
            seen, parent = {_key(event)}, above[_key(event)]
            while parent is not None and parent not in seen:
                seen.add(parent)
                parent = above.get(parent)
            if parent is not None:
                raise MistakesError([f"{quoted(event.title)} would be part of itself: mend the column session."])

    def _parent(self, event: Any) -> Any:
        """The number of the session it is in, or the guid of one that is not stored yet."""
        if not isinstance(event.named_session, uuid.UUID):
            return event.session_id
        return self.new[event.named_session].pk or event.named_session

    def clashes(self, planned: Sequence[Planned]) -> list[str]:
        before = bookings(self.conference)
        after = dict(before)
        for event in (it.row for it in planned if it.is_new or it.differences):
            after.pop(_key(event), None)
            if event.status != Status.CANCELLED:
                after[_key(event)] = self._booking(event)
        known = {_pair(clash) for clash in clashes(before.values())}
        return [sentence(clash, self.conference.zone) for clash in clashes(after.values()) if _pair(clash) not in known]

    def _booking(self, event: Any) -> Booking:
        is_shared = self.types[event.type_id].kind in SHARING
        room = None if is_shared or not event.room_id else Named(self.rooms[event.room_id].name, event.room_id)
        people = frozenset(Named(self.people.name(part.who), part.who) for part in event.named_people)
        return Booking(_key(event), event.start, event.end, room, people, self._parent(event), event.title)

    # Writing.

    def store_rows(self, made: list[Any], changed: list[Any], reason: str) -> None:
        self.is_first = not self.conference.events.exists()
        while waiting := [event for event in made if event.pk is None]:
            # Sessions before what is inside them.
            ready = [event for event in waiting if not isinstance(self._parent(event), uuid.UUID)]
            storing.store_new([self._placed(event) for event in ready], self.user, reason)
        storing.store_changed([self._placed(event) for event in changed], self.user, reason)

    def _placed(self, event: Any) -> Any:
        """With the number that its session, if that is new, has got meanwhile."""
        event.session_id = self._parent(event)
        return event

    def children(self) -> list[Children]:
        return [Children("people", Appearance._meta.get_field("event"), self._appearances), self.link_children()]

    def _appearances(self, event: Any) -> list[Appearance]:
        return [
            Appearance(event=event, person_id=self.people.number(part.who), role=part.role, remote=part.remote, position=place)
            for place, part in enumerate(event.named_people)
        ]

    def announce(self, rows: Sequence[Any], reason: str) -> None:
        # Also what is inside a session that changed.
        paths = ("pk", "session", "session__session")
        storing.announce(self.conference, rows, paths, reason, quiet=self.is_first)


def _key(event: Any) -> Any:
    return event.pk or event.guid


def _pair(clash: Clash) -> Any:
    return clash.kind, clash.what, frozenset({clash.a.key, clash.b.key})


def _wall(instant: dt.datetime | None, zone: dt.tzinfo) -> Wall | None:
    there = instant.astimezone(zone) if instant else None
    return Wall(there.time(), there.date()) if there else None


def names_of_room(room: Any) -> list[str]:
    within = f"{room.zone} › {room}"
    return [room.name, within, f"{room.zone.venue} › {within}", room.source_key, f"{within} ({room.pk})"]


class SessionSheet(EventSheet):
    model = Session
    noun = "session"
    kinds = Session.kinds
    shown = (*COMMON, *INSIDE, *REST, *SIGN_UP, *RECORDING)


class InvitedTalkSheet(EventSheet):
    model = InvitedTalk
    noun = "invited talk"
    kinds = InvitedTalk.kinds
    shown = (*COMMON, *(name for name in INSIDE if name not in {"service", "board"}), *REST, *RECORDING)


class SocialSheet(EventSheet):
    """The columns of the form: what is not the social chairs' stays where it is."""

    model = Social
    noun = "social"
    kinds = Social.kinds
    shown = (*COMMON, "travel_minutes", "track", "position", *REST, *SIGN_UP)
