"""Why a row cannot be deleted yet: what refers to it, how many there are, and what to do first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from django.db import models

from events.programme.models.conference import Day
from events.programme.models.event import Event
from events.programme.models.labels import EventType
from events.programme.models.sponsors import Sponsor, SponsorLevel
from events.programme.models.venue import Room, Service, Venue, Zone
from events.venue.models import Route


class Use(NamedTuple):
    """Rows of ``model`` that refer by ``path`` to what is deleted. ``one`` and ``many`` stand between number and name."""

    model: type[models.Model]
    path: str
    one: str
    many: str
    remedy: str


IN_EVENTS = "in {their} list or {their} {form}"
OTHER_ZONE = "choose another zone in {their} {form}"

USES: dict[type[models.Model], tuple[Use, ...]] = {
    Day: (Use(Event, "day", "event is on", "events are on", f"move {{them}} with “Change day …” {IN_EVENTS}"),),
    EventType: (Use(Event, "type", "event is a", "events have the type", f"use “Change type …” {IN_EVENTS}"),),
    Room: (
        Use(Event, "room", "event is in", "events are in", f"move {{them}} with “Change room …” {IN_EVENTS}"),
        Use(Event, "overflow_room", "event overflows to", "events overflow to", "choose another overflow room in {their} {form}"),
        Use(Service, "room", "service is in", "services are in", "choose another room in {their} {form}"),
    ),
    Zone: (
        Use(Room, "zone", "room is in", "rooms are in", OTHER_ZONE),
        Use(Service, "zone", "service is in", "services are in", OTHER_ZONE),
        Use(Route, "zone", "route leads to", "routes lead to", OTHER_ZONE),
    ),
    Venue: (
        Use(
            Room,
            "zone__venue",
            "room is in",
            "rooms are in",
            "delete {them}, or choose a zone of another venue in {their} {form}",
        ),
        Use(Service, "zone__venue", "service is in", "services are in", OTHER_ZONE),
        Use(Route, "zone__venue", "route leads to", "routes lead to", OTHER_ZONE),
    ),
    SponsorLevel: (Use(Sponsor, "level", "sponsor is", "sponsors are", "choose another level in {their} {form}"),),
}


def in_use_texts(rows: Sequence[Any]) -> list[str]:
    return [text for use in USES.get(type(rows[0]), ()) for text in _texts(use, rows)] if rows else []


def _texts(use: Use, rows: Sequence[Any]) -> Iterator[str]:
    users = use.model._default_manager.filter(**{f"{use.path}__in": [row.pk for row in rows]}).order_by()
    counts = dict(users.values_list(use.path).annotate(models.Count("pk")))
    for row in rows:
        if count := counts.get(row.pk):
            words = (
                {"them": "it", "their": "its", "form": "form"}
                if count == 1
                else {"them": "them", "their": "their", "form": "forms"}
            )
            remedy = use.remedy.format(**words)
            yield f"{count} {use.one if count == 1 else use.many} {row}: {remedy}, then delete {row}."
