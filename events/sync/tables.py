"""Which part of a ScheduleData becomes which rows, and how its rows refer to others."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from events.importers.data import AppearanceData, LinkData, ScheduleData
from events.importers.place import AreaData, LegData
from events.models import (
    Amenity,
    Announcement,
    Appearance,
    Authorship,
    Award,
    Day,
    Event,
    EventType,
    Fact,
    FloorPlan,
    Leg,
    Link,
    Paper,
    PastEdition,
    Person,
    PlanArea,
    Room,
    Route,
    Service,
    StartingPoint,
    Topic,
    Track,
    Venue,
    Walk,
    Zone,
)

IDENTITY = ("key", "guid")
"""What says which row is meant, and is no value of it."""


@dataclass(frozen=True)
class Children:
    """Ordered rows that belong to one row and are replaced together."""

    model: Any
    owner: str
    fields: tuple[str, ...]
    refs: Mapping[str, str] = field(default_factory=dict)
    once: tuple[str, ...] = ()

    def values(self, items: Iterable[Any]) -> list[list[Any]]:
        """What the file says, as JSON; people by their key."""
        found = ([item] if isinstance(item, str) else [getattr(item, name) for name in self.fields] for item in items)
        # One author twice in a file is one author.
        once = {tuple(it[self.fields.index(name)] for name in self.once): it for it in found} if self.once else None
        return list(once.values()) if once is not None else list(found)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(f"{name}_id" if name in self.refs else name for name in self.fields)


@dataclass(frozen=True)
class Table:
    """One part of the data: its model, its references by key, what finds a row made by hand before, and what names a row.

    ``natural`` is what the database holds unique; ``alike`` is what a row of another source is known by besides.
    """

    part: str
    model: Any
    refs: Mapping[str, str] = field(default_factory=dict)
    children: Mapping[str, Children] = field(default_factory=dict)
    natural: tuple[str, ...] = ()
    key_is_slug: bool = False
    label: tuple[str, ...] = ("name",)
    alike: tuple[str, ...] = ()

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Every value the data has for a row."""
        sort = typing.get_args(typing.get_type_hints(ScheduleData)[self.part])[0]
        return tuple(it.name for it in dataclasses.fields(sort) if it.name not in IDENTITY)

    @cached_property
    def columns(self) -> dict[str, str]:
        """The same without children, each with the column that holds it."""
        return {name: f"{name}_id" if name in self.refs else name for name in self.fields if name not in self.children}

    @cached_property
    def required_refs(self) -> frozenset[str]:
        return frozenset(name for name in self.refs if not self.model._meta.get_field(name).null)

    @cached_property
    def has_guid(self) -> bool:
        return any(it.name == "guid" for it in self.model._meta.concrete_fields)

    @cached_property
    def has_history(self) -> bool:
        return hasattr(self.model._meta, "simple_history_manager_attribute")

    @property
    def one(self) -> str:
        """What one row is called: room, event type."""
        return str(self.model._meta.verbose_name)

    def values(self, item: Any) -> dict[str, Any]:
        """The item's plain fields, its references as keys, its children as lists: what is remembered and compared."""
        values = {name: getattr(item, name) for name in self.fields}
        for name in self.required_refs:
            # A room whose hall the file does not know says nothing about its hall.
            if not values[name]:
                del values[name]
        return values | {name: child.values(values[name]) for name, child in self.children.items()}


PERSON = {"person": "people"}
PEOPLE = Children(Appearance, "event", tuple(AppearanceData.__dataclass_fields__), PERSON, ("person", "role"))
AUTHORS = Children(Authorship, "paper", ("person",), PERSON, ("person",))
EVENT_LINKS = Children(Link, "event", tuple(LinkData.__dataclass_fields__))
PAPER_LINKS = Children(Link, "paper", tuple(LinkData.__dataclass_fields__))
LEGS = Children(Leg, "route", tuple(LegData.__dataclass_fields__))
ON_PLAN = {"room": "rooms", "zone": "zones", "service": "services"}
AREAS = Children(PlanArea, "plan", tuple(AreaData.__dataclass_fields__), ON_PLAN)

TABLES = (
    Table("facts", Fact, label=("label",)),
    Table("past_editions", PastEdition, natural=("year",), label=("year",)),
    Table("days", Day, natural=("date",), label=("date",)),
    Table("types", EventType, natural=("slug",), key_is_slug=True),
    Table("tracks", Track, natural=("slug",), key_is_slug=True),
    Table("topics", Topic, natural=("slug",), key_is_slug=True, label=("area", "subarea")),
    Table("venues", Venue, alike=("name",)),
    Table("zones", Zone, refs={"venue": "venues"}, natural=("venue", "name")),
    Table("rooms", Room, refs={"zone": "zones"}, natural=("zone", "name")),
    Table("walks", Walk, refs={"origin": "zones", "destination": "zones"}, natural=("origin", "destination"), label=()),
    Table("services", Service, refs={"zone": "zones", "room": "rooms"}, alike=("name",)),
    Table("plans", FloorPlan, refs={"venue": "venues"}, children={"areas": AREAS}, natural=("venue", "name")),
    Table("starting_points", StartingPoint, natural=("slug",), key_is_slug=True),
    Table("routes", Route, refs={"start": "starting_points", "zone": "zones"}, children={"legs": LEGS}, label=("title",)),
    Table("people", Person),
    Table("papers", Paper, {"topic": "topics"}, {"authors": AUTHORS, "links": PAPER_LINKS}, label=("title",)),
    Table(
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
        children={"people": PEOPLE, "links": EVENT_LINKS},
        label=("title",),
    ),
    Table(
        "awards",
        Award,
        refs={"paper": "papers", "event": "events"},
        label=("name", "year"),
        alike=("name", "year", "level", "paper", "event"),
    ),
    Table(
        "amenities",
        Amenity,
        refs={"event": "events", "service": "services", "room": "rooms", "zone": "zones"},
        alike=("name", "event", "service", "room", "zone"),
    ),
    Table("announcements", Announcement, label=("title",)),
)
