"""The tables of an import: the model, references and children of each part of a ScheduleData."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from events.programme.data.place import AreaData, LegData
from events.programme.data.schedule import AppearanceData, LinkData, ScheduleData
from events.programme.models.changes import Announcement
from events.programme.models.conference import Day, Fact, PastEdition
from events.programme.models.event import Event
from events.programme.models.labels import EventType, Topic, Track
from events.programme.models.papers import Authorship, Award, Link, Paper
from events.programme.models.people import Appearance, Person
from events.programme.models.venue import Room, Service, Venue, Walk, Zone
from events.venue.models import Amenity, FloorPlan, Leg, PlanArea, Route, StartingPoint

IDENTITY_FIELDS = ("key", "guid")
"""Fields that identify a row and are not values of it."""


@dataclass(frozen=True)
class ChildTable:
    """Ordered rows that belong to one row and are replaced together."""

    model: Any
    owner: str
    fields: tuple[str, ...]
    refs: Mapping[str, str] = field(default_factory=dict)
    unique_fields: tuple[str, ...] = ()

    def values(self, items: Iterable[Any]) -> list[list[Any]]:
        """Return lists of JSON values; people by their key."""
        rows = [[item] if isinstance(item, str) else [getattr(item, name) for name in self.fields] for item in items]
        if not self.unique_fields:
            return rows
        # One author twice in a file is one author.
        columns = [self.fields.index(name) for name in self.unique_fields]
        return list({tuple(row[column] for column in columns): row for row in rows}.values())

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(f"{name}_id" if name in self.refs else name for name in self.fields)


@dataclass(frozen=True)
class SyncTable:
    """One part of the data, its model, and its references to other parts.

    ``label`` has the fields that name a row in the report, ``natural`` the fields that are unique in the database. ``alike``
    has further fields that identify a row of another source. ``together`` has groups of fields that are one value: each says
    something only beside the others, so they are merged as one.
    """

    part: str
    model: Any
    refs: Mapping[str, str] = field(default_factory=dict)
    children: Mapping[str, ChildTable] = field(default_factory=dict)
    natural: tuple[str, ...] = ()
    key_is_slug: bool = False
    label: tuple[str, ...] = ("name",)
    alike: tuple[str, ...] = ()
    together: tuple[tuple[str, ...], ...] = ()

    @property
    def models(self) -> list[Any]:
        """Its model and those of its children."""
        return [self.model, *(child.model for child in self.children.values())]

    @cached_property
    def _data_fields(self) -> tuple[dataclasses.Field[Any], ...]:
        return dataclasses.fields(typing.get_args(typing.get_type_hints(ScheduleData)[self.part])[0])

    @cached_property
    def fields(self) -> tuple[str, ...]:
        return tuple(field.name for field in self._data_fields if field.name not in IDENTITY_FIELDS)

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """What a file says of a field that it does not have."""
        return {field.name: field.default for field in self._data_fields if field.default is not dataclasses.MISSING}

    @cached_property
    def columns(self) -> dict[str, str]:
        return {name: f"{name}_id" if name in self.refs else name for name in self.fields if name not in self.children}

    @cached_property
    def required_refs(self) -> frozenset[str]:
        return frozenset(name for name in self.refs if not self.model._meta.get_field(name).null)

    @cached_property
    def has_guid(self) -> bool:
        return any(field.name == "guid" for field in self.model._meta.concrete_fields)

    @cached_property
    def has_history(self) -> bool:
        return hasattr(self.model._meta, "simple_history_manager_attribute")

    @property
    def row_label(self) -> str:
        return str(self.model._meta.verbose_name)

    def values(self, item: Any) -> dict[str, Any]:
        """Return what is stored and compared: plain fields, references as keys, children as lists."""
        values = {name: getattr(item, name) for name in self.fields}
        for name in self.required_refs:
            # A room without a zone in the file keeps the zone it has.
            if not values[name]:
                del values[name]
        return values | {name: child.values(values[name]) for name, child in self.children.items()}


TIME_FIELDS = ("day", "start", "end")
EVENT_GROUPS = (
    TIME_FIELDS,
    ("room", "place"),
    ("signup_state", "signup_checked_at"),
    ("recording_url", "recording_offset"),
    ("notes", "notes_source"),
)
PERSON_REFS = {"person": "people"}
EVENT_PEOPLE = ChildTable(Appearance, "event", tuple(AppearanceData.__dataclass_fields__), PERSON_REFS, ("person", "role"))
PAPER_AUTHORS = ChildTable(Authorship, "paper", ("person",), PERSON_REFS, ("person",))
EVENT_LINKS = ChildTable(Link, "event", tuple(LinkData.__dataclass_fields__))
PAPER_LINKS = ChildTable(Link, "paper", tuple(LinkData.__dataclass_fields__))
ROUTE_LEGS = ChildTable(Leg, "route", tuple(LegData.__dataclass_fields__))
PLAN_AREA_REFS = {"room": "rooms", "zone": "zones", "service": "services"}
PLAN_AREAS = ChildTable(PlanArea, "plan", tuple(AreaData.__dataclass_fields__), PLAN_AREA_REFS)

SYNC_TABLES = (
    SyncTable("facts", Fact, label=("label",)),
    SyncTable("past_editions", PastEdition, natural=("year",), label=("year",)),
    SyncTable("days", Day, natural=("date",), label=("date",)),
    SyncTable("types", EventType, natural=("slug",), key_is_slug=True),
    SyncTable("tracks", Track, natural=("slug",), key_is_slug=True),
    SyncTable("topics", Topic, natural=("slug",), key_is_slug=True, label=("area", "subarea"), together=(("area", "subarea"),)),
    SyncTable("venues", Venue, alike=("name",), together=(("address", "latitude", "longitude"),)),
    SyncTable("zones", Zone, refs={"venue": "venues"}, natural=("venue", "name")),
    SyncTable("rooms", Room, refs={"zone": "zones"}, natural=("zone", "name"), together=(("zone", "floor"),)),
    SyncTable(
        "walks",
        Walk,
        refs={"origin": "zones", "destination": "zones"},
        natural=("origin", "destination"),
        label=(),
        together=(("origin", "destination", "minutes", "minutes_back"),),
    ),
    SyncTable(
        "services",
        Service,
        refs={"zone": "zones", "room": "rooms"},
        alike=("name",),
        together=(("zone", "room", "place"),),
    ),
    SyncTable("plans", FloorPlan, refs={"venue": "venues"}, children={"areas": PLAN_AREAS}, natural=("venue", "name")),
    SyncTable("starting_points", StartingPoint, natural=("slug",), key_is_slug=True),
    SyncTable(
        "routes",
        Route,
        refs={"start": "starting_points", "zone": "zones"},
        children={"legs": ROUTE_LEGS},
        label=("title",),
        together=(("start", "zone", "legs"),),
    ),
    SyncTable("people", Person),
    SyncTable("papers", Paper, {"topic": "topics"}, {"authors": PAPER_AUTHORS, "links": PAPER_LINKS}, label=("title",)),
    SyncTable(
        "events",
        Event,
        refs={
            "type": "types",
            "day": "days",
            "room": "rooms",
            "overflow_room": "rooms",
            "track": "tracks",
            "topic": "topics",
            "session": "events",
            "paper": "papers",
            "service": "services",
        },
        children={"people": EVENT_PEOPLE, "links": EVENT_LINKS},
        label=("title",),
        together=EVENT_GROUPS,
    ),
    SyncTable(
        "awards",
        Award,
        refs={"paper": "papers", "event": "events"},
        label=("name", "year"),
        alike=("name", "year", "level", "paper", "event"),
        together=(("paper", "event"),),
    ),
    SyncTable(
        "amenities",
        Amenity,
        refs={"event": "events", "service": "services", "room": "rooms", "zone": "zones"},
        alike=("name", "event", "service", "room", "zone"),
        together=(("event", "service", "room", "zone"),),
    ),
    SyncTable("announcements", Announcement, label=("title",), together=(("starts_at", "until"),)),
)
