"""Which part of a ScheduleData becomes which rows, and how its rows refer to others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from events.importers.data import AppearanceData, LinkData
from events.importers.place import LegData
from events.models import (
    Announcement,
    Appearance,
    Authorship,
    Award,
    Day,
    Event,
    EventType,
    Fact,
    Leg,
    Link,
    Paper,
    PastEdition,
    Person,
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


@dataclass(frozen=True)
class Children:
    """Ordered rows that belong to one row and are replaced together."""

    model: Any
    owner: str
    related: str
    fields: tuple[str, ...]
    person_field: str = ""

    def values(self, items: Iterable[Any]) -> list[list[Any]]:
        """What the file says, as JSON; people by their key."""
        return [[item] if isinstance(item, str) else [getattr(item, name) for name in self.fields] for item in items]

    def stored(self, row: Any, keys: Mapping[int, str]) -> list[list[Any]]:
        """What the rows say, in the same shape."""
        return [[self._stored(child, name, keys) for name in self.fields] for child in getattr(row, self.related).all()]

    def _stored(self, child: Any, name: str, keys: Mapping[int, str]) -> Any:
        return keys.get(child.person_id, f"#{child.person_id}") if name == self.person_field else getattr(child, name)

    def build(self, row: Any, values: Iterable[list[Any]], people: Mapping[str, int]) -> list[Any]:
        """The unsaved rows that say it."""
        return [
            self.model(
                **{self.owner: row, "position": position},
                **{
                    f"{name}_id" if name == self.person_field else name: people[value] if name == self.person_field else value
                    for name, value in zip(self.fields, item, strict=True)
                },
            )
            for position, item in enumerate(values)
        ]


@dataclass(frozen=True)
class Table:
    """One part of the data: its model, its references by key, and what finds a row made by hand before."""

    part: str
    model: Any
    refs: Mapping[str, str] = field(default_factory=dict)
    children: Mapping[str, Children] = field(default_factory=dict)
    natural: tuple[str, ...] = ()
    key_is_slug: bool = False


PEOPLE = Children(Appearance, "event", "appearances", tuple(AppearanceData.__dataclass_fields__), "person")
AUTHORS = Children(Authorship, "paper", "authorships", ("person",), "person")
EVENT_LINKS = Children(Link, "event", "links", tuple(LinkData.__dataclass_fields__))
PAPER_LINKS = Children(Link, "paper", "links", tuple(LinkData.__dataclass_fields__))
LEGS = Children(Leg, "route", "legs", tuple(LegData.__dataclass_fields__))

TABLES = (
    Table("facts", Fact),
    Table("past_editions", PastEdition, natural=("year",)),
    Table("days", Day, natural=("date",)),
    Table("types", EventType, natural=("slug",), key_is_slug=True),
    Table("tracks", Track, natural=("slug",), key_is_slug=True),
    Table("topics", Topic, natural=("slug",), key_is_slug=True),
    Table("venues", Venue),
    Table("zones", Zone, refs={"venue": "venues"}, natural=("venue_id", "name")),
    Table("rooms", Room, refs={"zone": "zones"}, natural=("zone_id", "name")),
    Table("walks", Walk, refs={"origin": "zones", "destination": "zones"}, natural=("origin_id", "destination_id")),
    Table("services", Service, refs={"zone": "zones", "room": "rooms"}),
    Table("starting_points", StartingPoint, natural=("slug",), key_is_slug=True),
    Table("routes", Route, refs={"start": "starting_points", "zone": "zones"}, children={"legs": LEGS}),
    Table("people", Person),
    Table("papers", Paper, refs={"topic": "topics"}, children={"authors": AUTHORS, "links": PAPER_LINKS}),
    Table(
        "events",
        Event,
        refs={
            "type": "types",
            "day": "days",
            "room": "rooms",
            "track": "tracks",
            "topic": "topics",
            "session": "events",
            "paper": "papers",
            "service": "services",
        },
        children={"people": PEOPLE, "links": EVENT_LINKS},
    ),
    Table("awards", Award, refs={"paper": "papers", "event": "events"}),
    Table("announcements", Announcement),
)
