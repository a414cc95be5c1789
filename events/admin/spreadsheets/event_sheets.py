"""Sheets of sessions, invited talks and socials."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from events.admin.base.clash_rows import proxy_of_kind
from events.admin.base.times import TimeError, WallTime, parse_event_times
from events.admin.base.visible import hidden_keys
from events.admin.spreadsheets import columns
from events.admin.spreadsheets.columns import LINKS_CELL, Column, NameIndex, PersonPart, normalized_name
from events.admin.spreadsheets.sheets import (
    ChildColumn,
    MistakesError,
    PlannedRow,
    Sheet,
    link_parts,
    record_event_changes,
    store_changed,
    store_new,
)
from events.core.clock import programme_date
from events.core.parsing.cells import parse_time as clock_time
from events.core.parsing.cells import quoted
from events.core.spans import ONE_MINUTE
from events.imports.sync.report import slot_text
from events.programme.models.changes import ChangeGroup
from events.programme.models.event import Event
from events.programme.models.event_kinds import InvitedTalk, Session, Social
from events.programme.models.labels import Kind, SignupState, Status
from events.programme.models.people import Appearance
from events.programme.queries.clashes import NamedResource, bookings
from events.programme.rules.clashes import ROOM_SHARING_KINDS, Booking, added_clashes, clash_sentence

SIGN_UP_COLUMNS = ("audience", "signup_url", "signup_state", "signup_checked_at", "signup_until", "cost", "capacity")
COMMON_COLUMNS = ("guid", "title", "subtitle", "type", "status", "day", "start", "end", "room", "place")
DETAIL_COLUMNS = (
    *("language", "abstract", "description", "official", "at_venue", "access_notes", "takes_questions", "people", "links"),
    *("do_not_record", "recording_license", "export_number", "export_slug", "logo_url"),
)
RECORDING_COLUMNS = (
    "overflow_room",
    "stream_url",
    "recording_url",
    "recording_from",
    "recording_offset",
    "notes",
    "notes_source",
)
TEXT_COLUMNS = ("guid", "title", "subtitle", "place", "board", "audience", "cost", "recording_license", "export_slug")
URL_COLUMNS = ("signup_url", "stream_url", "recording_url", "notes_source", "logo_url")
PROGRAMME_COLUMNS = ("track", "topic", "session", "position", "paper", "service", "board")


class EventSheet(Sheet):
    title: ClassVar[str] = "title"
    kinds: ClassVar[tuple[Kind, ...]]
    column_names: ClassVar[tuple[str, ...]]

    def make_columns(self) -> list[Column]:
        self.types = {it.pk: it for it in self.conference.types.all()}
        self.days = {it.date: it for it in self.conference.days.all()}
        self.rooms = {it.pk: it for it in self.conference.rooms.select_related("zone__venue").order_by("pk")}
        self.sessions = NameIndex("session", self.conference, self._session_names())
        self.new: dict[uuid.UUID, Event] = {}
        """New events of the file by guid, which events inside them refer to."""
        columns_by_name = {column.name: column for column in [*self._value_columns(), *self._reference_columns()]}
        return [columns_by_name[name] for name in self.column_names]

    def _value_columns(self) -> list[Column]:
        zone = self.conference.zone
        return [
            Column("status", columns.choice_cell(Status.choices), value=lambda event: event.status),
            Column("day", columns.DATE_CELL, value=lambda event: event.day.date if event.day else None),
            Column("start", columns.wall_time_cell(zone), value=lambda event: event.start),
            Column("end", columns.wall_time_cell(zone), value=lambda event: event.end),
            Column("language", columns.LANGUAGE_CELL),
            *(Column(name, columns.NULL_BOOLEAN_CELL) for name in ("at_venue", "do_not_record")),
            Column("export_number", columns.EXPORT_NUMBER_CELL),
            Column("position", columns.COUNT_CELL),
            Column("signup_state", columns.choice_cell(SignupState.choices)),
            Column("recording_from", columns.DATE_CELL),
            Column("recording_offset", columns.SECONDS_CELL),
            Column("people", self.people.roles, "named_people"),
            Column("links", LINKS_CELL, "named_links"),
            *(Column(name, columns.BOOLEAN_CELL) for name in ("official", "takes_questions")),
            *(Column(name, columns.WHOLE_NUMBER_CELL) for name in ("travel_minutes", "capacity")),
            *(Column(name, columns.instant_cell(zone)) for name in ("signup_checked_at", "signup_until")),
            *(Column(name, columns.TEXT_CELL) for name in TEXT_COLUMNS),
            *(Column(name, columns.PROSE_CELL) for name in ("abstract", "description", "notes", "access_notes")),
            *(Column(name, columns.URL_CELL) for name in URL_COLUMNS),
        ]

    def _reference_columns(self) -> list[Column]:
        home = self.conference
        topics = ((it.pk, [str(it), it.slug]) for it in home.topics.order_by("pk")) if "topic" in self.column_names else ()
        papers = (
            home.papers.order_by("pk").values_list("pk", "title", "guid", "source_key") if "paper" in self.column_names else ()
        )
        entries_by_noun: dict[str, Any] = {
            "type": ((it.pk, [it.name, it.slug]) for it in self.types.values()),
            "track": ((it.pk, [it.name, it.slug]) for it in home.tracks.order_by("pk")),
            "topic": topics,
            "paper": ((pk, [title, str(guid), key]) for pk, title, guid, key in papers),
            "service": ((it.pk, [it.name, it.source_key]) for it in home.services.order_by("pk")),
        }
        hidden = {"type": hidden_keys(self.user, home.types.all()), "track": hidden_keys(self.user, home.tracks.all())}
        self.names_of_rooms = NameIndex("room", home, ((it.pk, room_names(it)) for it in self.rooms.values()))
        room = self.names_of_rooms.cell
        return [
            *(
                Column(noun, NameIndex(noun, home, entries, hidden=hidden.get(noun, ())).cell, f"{noun}_id")
                for noun, entries in entries_by_noun.items()
            ),
            Column("room", room, "room_id"),
            Column("overflow_room", room, "overflow_room_id"),
            Column("session", self.sessions.cell, "named_session"),
        ]

    def _session_names(self) -> Any:
        if "session" not in self.column_names:
            return
        rows = self.conference.events.filter(type__kind=Kind.SESSION).order_by("pk")
        for pk, title, start, guid, key in rows.values_list("pk", "title", "start", "guid", "source_key"):
            yield pk, [title, f"{title} ({self._start_text(start)})", str(guid), key]

    def _start_text(self, start: dt.datetime | None) -> str:
        return f"{start.astimezone(self.conference.zone):%Y-%m-%d %H:%M}" if start else "no time"

    def stored(self) -> Any:
        rows = self.model.objects.filter(conference=self.conference).in_order()
        return rows.select_related("day", "type").prefetch_related("appearances", "links")

    def attach(self, row: Any) -> None:
        row.named_people = [PersonPart(it.person_id, it.role, it.remote) for it in row.appearances.all()] if row.pk else []
        row.named_links = link_parts(row)
        row.named_session = row.session_id

    def unknown_identifier_hint(self, given: str) -> str:
        try:
            event = self.conference.events.filter(guid=uuid.UUID(given)).select_related("type").first()
        except ValueError:
            event = None
        if event is None:
            return super().unknown_identifier_hint(given)
        return f"it is among the {proxy_of_kind(event.type.kind)._meta.verbose_name_plural}, and imported there."

    # Events of the same title differ in their start.

    def row_match_key(self, row: Event) -> tuple[Any, ...]:
        return normalized_name(row.title), self._start_text(row.start) if row.start else ""

    def cells_match_key(self, cells: Mapping[str, str]) -> tuple[Any, ...]:
        start = cells.get("start", "").replace("T", " ")
        date, _, hour = start.rpartition(" ")
        clock = clock_time(hour)
        return normalized_name(cells.get("title", "")), f"{date or cells.get('day', '')} {clock:%H:%M}" if clock else start

    def match(self, planned: Sequence[PlannedRow]) -> None:
        super().match(planned)
        for plan in planned:
            title = plan.cells.get("title")
            if not plan.errors and plan.is_new and title and "session" in self.column_names:
                plan.row.title = title
                self.new[plan.row.guid] = plan.row
                self.sessions.add(plan.row.guid, [title, plan.cells.get("key", ""), str(plan.row.guid)])

    # Type, status, session and times.

    def slot_changes(self, planned: Sequence[PlannedRow]) -> dict[int, dict[str, Any]]:
        changed = [it.row for it in planned if it.differences and not it.is_new]
        return {
            event.pk: {"day": event.day_id or event.day, "room": event.room_id}
            | {name: getattr(event, name) for name in ("start", "end", "place", "status")}
            for event in changed
        }

    def complete(self, planned: PlannedRow) -> None:
        event, errors = planned.row, planned.errors
        if "type" not in errors:
            self._complete_type(event, errors)
        if not isinstance(event.named_session, uuid.UUID):
            event.session_id = event.named_session
        event.status = planned.values.get("status") or event.status
        if not planned.cells.get("room") and self.is_room(planned.values.get("place", "")):
            event.room_id, event.place = self.names_of_rooms.find(event.place), ""
        if not {"type", "day", "start", "end"} & errors.keys():
            try:
                self._complete_times(planned)
            except TimeError as error:
                errors[error.field or "start"] = str(error)

    def is_room(self, text: str) -> bool:
        try:
            return self.names_of_rooms.find_or_none(text) is not None
        except ValueError:
            return False

    def _complete_type(self, event: Any, errors: dict[str, str]) -> None:
        choices = [it for it in self.types.values() if it.kind in self.kinds]
        if event.type_id is None and len(choices) == 1:
            event.type_id = choices[0].pk
        kind = self.types.get(event.type_id)
        if kind is None:
            errors["type"] = (
                f"It is empty: write one of {', '.join(it.name for it in choices) or 'the types, once there are any'}."
            )
        elif kind.kind not in self.kinds:
            where = proxy_of_kind(kind.kind)._meta.verbose_name_plural
            errors["type"] = f"{quoted(kind.name)} is not a type of {self.noun}: import it with the {where}."

    def _complete_times(self, planned: PlannedRow) -> None:
        """Set day, start and end from all their cells together. Raises TimeError."""
        event, values, zone = planned.row, planned.values, self.conference.zone
        if not {"day", "start", "end"} & values.keys():
            return
        # The value of the cell, or the stored wall-clock time if the cell has not changed.
        first, last = (values[name] if name in values else _to_wall_time(getattr(event, name), zone) for name in ("start", "end"))
        minutes = self.types[event.type_id].default_minutes or 60
        if "start" in values and "end" not in planned.cells and event.start:
            # Without a column for the end, the event keeps its length.
            last, minutes = None, (event.end - event.start) // ONE_MINUTE
        # A date in the start overrides a day that has not changed.
        is_dated = first is not None and first.date is not None
        day = values.get("day", None if is_dated or not event.day else event.day.date)
        start, event.end, _ = parse_event_times(day, first, last, zone=zone, minutes=minutes)
        # Unchanged times keep the second of two equal hours.
        event.start = start if {"start", "day"} & values.keys() else event.start
        date = programme_date(event.start, zone) if event.start else day
        if date is not None and date not in self.days:
            field = "day" if day == date else "start"
            raise TimeError(field, f"{date:%Y-%m-%d} is no day of {self.conference}: add it under Days first.")
        event.day = self.days[date] if date else None

    def slot_of(self, row: Event) -> str:
        room = self.rooms[row.room_id].name if row.room_id else ""
        where = ", ".join(filter(None, [row.place, room]))
        return slot_text(row.start, row.end, str(row.day or ""), where, self.conference.zone)

    def check_together(self, planned: Sequence[PlannedRow]) -> None:
        above = dict(self.conference.events.values_list("pk", "session")) | {
            _event_key(item.row): self._parent(item.row) for item in planned
        }
        for event in (it.row for it in planned):
            seen, parent = {_event_key(event)}, above[_event_key(event)]
            while parent is not None and parent not in seen:
                seen.add(parent)
                parent = above.get(parent)
            if parent is not None:
                raise MistakesError([f"{quoted(event.title)} would be inside itself: fix the column session."])

    def _parent(self, event: Any) -> Any:
        """The key of its session, or the guid of a session that is not stored yet."""
        if not isinstance(event.named_session, uuid.UUID):
            return event.session_id
        return self.new[event.named_session].pk or event.named_session

    def clashes(self, planned: Sequence[PlannedRow]) -> list[str]:
        before: dict[Any, Booking] = {**bookings(self.conference)}
        # Social chairs do not see drafts that are not socials.
        for key in hidden_keys(self.user, self.conference.events.exclude(type__kind__in=self.kinds)) & before.keys():
            before[key] = replace(before[key], title="an event that is hidden now")
        after = dict(before)
        for event in (it.row for it in planned if it.is_new or it.differences):
            after.pop(_event_key(event), None)
            if event.status != Status.CANCELLED:
                after[_event_key(event)] = self._booking(event)
        return [clash_sentence(clash, self.conference.zone) for clash in added_clashes(before.values(), after.values())]

    def _booking(self, event: Any) -> Booking:
        is_shared = self.types[event.type_id].kind in ROOM_SHARING_KINDS
        room = None if is_shared or not event.room_id else NamedResource(self.rooms[event.room_id].name, event.room_id)
        people = frozenset(NamedResource(self.people.name(part.who), part.who) for part in event.named_people)
        return Booking(_event_key(event), event.start, event.end, room, people, self._parent(event), event.title)

    def examples(self) -> list[dict[str, str]]:
        kinds = [it.name for it in self.types.values() if it.kind in self.kinds]
        if not kinds:
            raise MistakesError([f"Add a type of {self.noun} first: every row needs one."])
        common = {"type": kinds[0], "status": Status.DRAFT.value}
        days = sorted(self.days)
        first = common | {"title": f"Example {self.noun}: delete this row", "abstract": "What it is about. Markdown is fine."}
        second = common | {"title": f"Second example {self.noun}: delete this row", "people": "Ada Example; Bo Example (host)"}
        if days:
            first |= {"day": f"{days[0]:%Y-%m-%d}", "start": "09:00", "end": "10:30"}
            second |= {"start": f"{days[-1]:%Y-%m-%d} 14:00", "end": f"{days[-1]:%Y-%m-%d} 15:00"}
        if self.rooms:
            first["room"] = room_names(next(iter(self.rooms.values())))[2]
        return [first, second | {"place": "By the fountain"}]

    # Writing.

    def store_rows(self, created: list[Any], changed: list[Any], reason: str) -> None:
        self.is_first = not self.conference.events.exists()
        while waiting := [event for event in created if event.pk is None]:
            # Sessions are stored before the events inside them.
            ready = [event for event in waiting if not isinstance(self._parent(event), uuid.UUID)]
            store_new([self._set_session_id(event) for event in ready], self.user, reason)
        store_changed([self._set_session_id(event) for event in changed], self.user, reason)

    def _set_session_id(self, event: Any) -> Any:
        """Set the key of a session that was stored meanwhile."""
        event.session_id = self._parent(event)
        return event

    def children(self) -> list[ChildColumn]:
        return [ChildColumn("people", Appearance._meta.get_field("event"), self._appearances), self.link_children()]

    def _appearances(self, event: Any) -> list[Appearance]:
        return [
            Appearance(event=event, person_id=self.people.number(part.who), role=part.role, remote=part.remote, position=place)
            for place, part in enumerate(event.named_people)
        ]

    def record_changes(self, rows: Sequence[Any], reason: str, group: ChangeGroup) -> None:
        self.conference.bump_revision()
        # Also events inside a session that changed.
        paths = ("pk", "session", "session__session")
        record_event_changes(self.conference, rows, paths, reason, group, quiet=self.is_first)


def _event_key(event: Any) -> Any:
    return event.pk or event.guid


def _to_wall_time(instant: dt.datetime | None, zone: dt.tzinfo) -> WallTime | None:
    local = instant.astimezone(zone) if instant else None
    return WallTime(local.time(), local.date()) if local else None


def room_names(room: Any) -> list[str]:
    within = f"{room.zone} › {room}"
    return [room.name, within, f"{room.zone.venue} › {within}", room.source_key, f"{within} ({room.pk})"]


class SessionSheet(EventSheet):
    model = Session
    noun = "session"
    kinds = Session.kinds
    column_names = (*COMMON_COLUMNS, *PROGRAMME_COLUMNS, *DETAIL_COLUMNS, *SIGN_UP_COLUMNS, *RECORDING_COLUMNS)


class InvitedTalkSheet(EventSheet):
    model = InvitedTalk
    noun = "invited talk"
    kinds = InvitedTalk.kinds
    column_names = (
        *COMMON_COLUMNS,
        *(name for name in PROGRAMME_COLUMNS if name not in {"service", "board"}),
        *DETAIL_COLUMNS,
        *RECORDING_COLUMNS,
    )


class SocialSheet(EventSheet):
    """Only the columns of the form of socials."""

    model = Social
    noun = "social"
    kinds = Social.kinds
    column_names = (*COMMON_COLUMNS, "travel_minutes", "track", "position", *DETAIL_COLUMNS, *SIGN_UP_COLUMNS)
