"""Sheets of sessions, invited talks and socials."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping
from typing import Any, ClassVar

from events.admin.clash_list import face_of
from events.admin.spreadsheets import columns as c
from events.admin.spreadsheets.columns import Cell, Column
from events.admin.spreadsheets.event_clashes import new_clashes
from events.admin.spreadsheets.event_times import complete_times
from events.admin.spreadsheets.names import Names, folded
from events.admin.spreadsheets.people import LINKS, build_links, links_of, people_of
from events.admin.spreadsheets.sheets import Sheet
from events.admin.spreadsheets.storing import (
    announce_events,
    log,
    store_changed,
    store_new,
    store_people,
    write_children,
)
from events.admin.times import TimeError
from events.importers import cells
from events.importers.cells import quoted
from events.models import Appearance, Event, InvitedTalk, Kind, Link, Session, SignupState, Social, Status

SIGN_UP = ("audience", "signup_url", "signup_state", "signup_checked_at", "signup_until", "cost", "capacity")
COMMON = ("guid", "title", "type", "status", "day", "start", "end", "room", "place")
REST = ("abstract", "official", "at_venue", "access_notes", "takes_questions", "people", "links")
RECORDING = ("overflow_room", "stream_url", "recording_url", "recording_from", "recording_offset", "notes", "notes_source")
INSIDE = ("track", "topic", "session", "position", "paper", "service", "board")


class EventSheet(Sheet):
    title: ClassVar[str] = "title"
    kinds: ClassVar[tuple[Kind, ...]]
    shown: ClassVar[tuple[str, ...]]

    def columns(self) -> list[Column]:
        self.types = {it.pk: it for it in self.conference.types.all()}
        self.days = {it.date: it for it in self.conference.days.all()}
        self.sessions = self._names("session", self._sessions())
        every = {column.column_name: column for column in [*self._plain(), *self._references()]}
        return [every[name] for name in self.shown]

    def _plain(self) -> list[Column]:
        zone = self.conference.zone
        moment = Cell(c.WALL.read, lambda value: f"{value.astimezone(zone):%Y-%m-%d %H:%M}" if value else "")
        return [
            Column("guid", c.TEXT),
            Column("title", c.TEXT),
            Column("status", c.choice(Status.choices, empty=None), "written_status", lambda event: event.status),
            Column("day", c.DATE, "written_day", lambda event: event.day.date if event.day else None),
            Column("start", moment, "written_start", lambda event: event.start),
            Column("end", moment, "written_end", lambda event: event.end),
            Column("official", c.YES),
            Column("at_venue", c.FLAG),
            Column("takes_questions", c.YES),
            Column("travel_minutes", c.WHOLE),
            Column("position", c.COUNT),
            Column("capacity", c.WHOLE),
            Column("signup_url", c.ADDRESS),
            Column("signup_state", c.choice(SignupState.choices)),
            Column("signup_checked_at", c.instant(zone)),
            Column("signup_until", c.instant(zone)),
            Column("recording_from", c.DATE),
            Column("recording_offset", c.SECONDS),
            Column("people", self.people.cell(roles=True), "planned_people", people_of),
            Column("links", LINKS, "planned_links", links_of),
            *(Column(name, c.TEXT) for name in ("place", "board", "audience", "cost")),
            *(Column(name, c.PROSE) for name in ("abstract", "notes", "access_notes")),
            *(Column(name, c.ADDRESS) for name in ("stream_url", "recording_url", "notes_source")),
        ]

    def _references(self) -> list[Column]:
        home = self.conference
        types = self._names("type", ((it.pk, [it.name, it.slug]) for it in self.types.values()))
        rooms = home.rooms.select_related("zone__venue").order_by("pk")
        room = c.reference(self._names("room", ((it.pk, names_of_room(it)) for it in rooms)))
        topics = ((it.pk, [str(it), it.slug]) for it in home.topics.order_by("pk")) if "topic" in self.shown else ()
        papers = home.papers.order_by("pk").values_list("pk", "title", "guid", "source_key") if "paper" in self.shown else ()
        return [
            Column("type", c.reference(types), "type_id"),
            Column("room", room, "room_id"),
            Column("overflow_room", room, "overflow_room_id"),
            Column(
                "track",
                c.reference(self._names("track", ((it.pk, [it.name, it.slug]) for it in home.tracks.order_by("pk")))),
                "track_id",
            ),
            Column("topic", c.reference(self._names("topic", topics)), "topic_id"),
            Column(
                "paper",
                c.reference(self._names("paper", ((pk, [title, str(guid), key]) for pk, title, guid, key in papers))),
                "paper_id",
            ),
            Column(
                "service",
                c.reference(self._names("service", ((it.pk, [it.name, it.source_key]) for it in home.services.order_by("pk")))),
                "service_id",
            ),
            Column("session", c.reference(self.sessions), "written_session", self._session_of),
        ]

    def _names(self, noun: str, entries: Any) -> Names:
        return Names(noun, str(self.conference), entries)

    def _sessions(self) -> Any:
        if "session" not in self.shown:
            return
        rows = self.conference.events.filter(type__kind=Kind.SESSION).order_by("pk")
        for pk, title, start, guid, key in rows.values_list("pk", "title", "start", "guid", "source_key"):
            yield pk, [title, f"{title} ({self._moment(start)})", str(guid), key]

    def _moment(self, start: dt.datetime | None) -> str:
        return f"{start.astimezone(self.conference.zone):%Y-%m-%d %H:%M}" if start else "no time"

    def _session_of(self, event: Event) -> Any:
        # A session of the same file has no number yet: its guid stands for it.
        return getattr(event, "written_session", event.session_id)

    def stored(self) -> Any:
        rows = self._meta.model.objects.filter(conference=self.conference).in_order()
        return rows.select_related("day", "type").prefetch_related("appearances", "links")

    def elsewhere(self, given: str) -> str:
        event = self.conference.events.filter(guid=given).select_related("type").first() if _is_guid(given) else None
        if event is None:
            return super().elsewhere(given)
        return f"it is among the {face_of(event.type.kind)._meta.verbose_name_plural}, and imported there."

    # An event is told from others of its title by its start.

    def names_of(self, instance: Event) -> tuple[Any, ...]:
        return folded(instance.title), self._moment(instance.start) if instance.start else ""

    def names_in(self, row: Mapping[str, str]) -> tuple[Any, ...]:
        start = row.get("start", "").replace("T", " ")
        date, _, hour = start.rpartition(" ")
        clock = cells.time(hour)
        return folded(row.get("title", "")), f"{date or row.get('day', '')} {clock:%H:%M}" if clock else start

    def before_import(self, dataset: Any, **kwargs: Any) -> None:
        super().before_import(dataset, **kwargs)
        self.coming: dict[uuid.UUID, Event] = {}
        self.first = not self.conference.events.exists()
        if "session" in self.shown:
            for place, values in enumerate(dataset, start=1):
                row, event = dict(zip(dataset.headers, values, strict=True)), self.planned.get(place)
                if event is not None and event.pk is None and row.get("title"):
                    event.title = row["title"]
                    self.coming[event.guid] = event
                    self.sessions.add(event.guid, [row["title"], row.get("key", ""), str(event.guid)])

    # Type, status, session and times.

    def complete(self, instance: Any, row: Mapping[str, str], errors: dict[str, str]) -> None:
        self._complete_type(instance, errors)
        self._complete_session(instance, errors)
        written = getattr(instance, "written_status", None)
        instance.status = written or instance.status or Status.DRAFT
        if not {"type", "day", "start", "end"} & set(errors):
            try:
                complete_times(instance, row, self.conference, self.days, self.types[instance.type_id].default_minutes or 60)
            except TimeError as error:
                errors[error.field or "start"] = str(error)

    def _complete_type(self, instance: Any, errors: dict[str, str]) -> None:
        if "type" in errors:
            return
        own = [it for it in self.types.values() if it.kind in self.kinds]
        if instance.type_id is None and len(own) == 1:
            instance.type_id = own[0].pk
        kind = self.types.get(instance.type_id)
        if kind is None:
            errors["type"] = f"It is empty: write one of {', '.join(it.name for it in own) or 'the types, once there are any'}."
        elif kind.kind not in self.kinds:
            where = face_of(kind.kind)._meta.verbose_name_plural
            errors["type"] = f"{quoted(kind.name)} is no type of {self.noun}: import it among the {where}."

    def _complete_session(self, instance: Any, errors: dict[str, str]) -> None:
        if "session" in errors or not hasattr(instance, "written_session"):
            return
        if not isinstance(instance.written_session, uuid.UUID):
            instance.session_id = instance.written_session

    def check_together(self) -> None:
        above: dict[Any, Any] = dict(self.conference.events.values_list("pk", "session"))
        written = {event.pk or event.guid: event for event in [*self.create_instances, *self.update_instances]}
        above |= {key: self._parent(event) for key, event in written.items()}
        for key, event in written.items():
            seen, parent = {key}, above[key]
            while parent is not None and parent not in seen:
                seen.add(parent)
                parent = above.get(parent)
            if parent is not None:
                raise ValueError(f"{quoted(event.title)} would be part of itself: mend the column session.")

    def _parent(self, event: Any) -> Any:
        """The number of the session it is in, or the guid of one that is not stored yet."""
        written = getattr(event, "written_session", None)
        if not isinstance(written, uuid.UUID):
            return event.session_id
        return self.coming[written].pk or written

    def new_clashes(self) -> list[str]:
        return new_clashes(self.conference, [*self.create_instances, *self.update_instances], self.people, self._parent)

    def store(self, made: list[Any], changed: list[Any], reason: str) -> None:
        store_people(self.people, self.user)
        waiting = list(made)
        while waiting:
            # Sessions before what is inside them.
            ready = [event for event in waiting if not isinstance(self._parent(event), uuid.UUID)]
            store_new([self._placed(event) for event in ready], self.user, reason)
            waiting = [event for event in waiting if event.pk is None]
        store_changed([self._placed(event) for event in changed], self.user, reason)
        every = [*made, *changed]
        write_children(every, "planned_people", Appearance._meta.get_field("event"), self._appearances)
        write_children(every, "planned_links", Link._meta.get_field("event"), lambda event: build_links(event, "event"))
        log(self.user, made, changed, self.file_name)
        announce_events(self.conference, [event.pk for event in [*made, *changed]], reason, quiet=self.first)

    def _placed(self, event: Any) -> Any:
        """With the number that its session, if that is new, has got meanwhile."""
        event.session_id = self._parent(event)
        return event

    def _appearances(self, event: Any) -> list[Appearance]:
        return [
            Appearance(event=event, person_id=self.people.person(part.who), role=part.role, remote=part.remote, position=place)
            for place, part in enumerate(event.planned_people)
        ]


def _is_guid(text: str) -> bool:
    try:
        return bool(uuid.UUID(text))
    except ValueError:
        return False


def names_of_room(room: Any) -> list[str]:
    within = f"{room.zone} › {room}"
    return [room.name, within, f"{room.zone.venue} › {within}", room.source_key, f"{within} ({room.pk})"]


class SessionSheet(EventSheet):
    noun = "session"
    kinds = Session.kinds
    shown = (*COMMON, *INSIDE, *REST, *SIGN_UP, *RECORDING)

    class Meta:
        model = Session


class InvitedTalkSheet(EventSheet):
    noun = "invited talk"
    kinds = InvitedTalk.kinds
    shown = (*COMMON, *(name for name in INSIDE if name not in {"service", "board"}), *REST, *RECORDING)

    class Meta:
        model = InvitedTalk


class SocialSheet(EventSheet):
    """The columns of the form: what is not the social chairs' stays where it is."""

    noun = "social"
    kinds = Social.kinds
    shown = (*COMMON, "travel_minutes", "track", "position", *REST, *SIGN_UP)

    class Meta:
        model = Social
