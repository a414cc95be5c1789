"""Labels and places that attendees may read about: a name that only drafts use is as hidden as they are.

Services have their own entries in lists, and are public before their hours are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from events.programme.drafts import drafts_are_shown
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import EventType, Status, Topic, Track
from events.programme.models.papers import Paper
from events.programme.models.venue import Room, Service, Venue, Zone

ModelT = TypeVar("ModelT", bound=Model)


def only_public(rows: QuerySet[ModelT]) -> QuerySet[ModelT]:
    """Labels of something public, and places except those that only drafts use."""
    return rows.filter(PUBLIC_NAME_CONDITIONS[rows.model]())


def _refers(rows: QuerySet[Any], *names: str) -> Q:
    """Whether one of these rows refers to the row of the outer query by one of these fields."""
    # One subquery for each field, because an OR of two columns uses no index.
    return Q(*(Exists(rows.filter(**{name: OuterRef("pk")})) for name in names), _connector=Q.OR)


def public_events_by_row() -> EventQuerySet:
    """The rows of ``EventQuerySet.public()``, for conditions that ask for one of them.

    PostgreSQL stops at the first row it finds, where the joins of ``public()`` make it read all events for each name.
    """
    if drafts_are_shown():
        return Event.objects.all()
    in_draft = Event.objects.filter(Q(status=Status.DRAFT) | Q(session__status=Status.DRAFT), pk=OuterRef("session"))
    return Event.objects.filter(~Exists(in_draft), conference__status="published").exclude(status=Status.DRAFT)


def _topic() -> Q:
    return _refers(public_events_by_row(), "topic") | _refers(Paper.objects.public(), "topic")


def _room() -> Q:
    names = ("room", "overflow_room")
    # A room without events is no secret, for example a quiet room, and a service is listed with its room.
    shown = _refers(public_events_by_row(), *names) | _refers(Service.objects.all(), "room")
    # Rows of an import that is being written are in a hidden conference until all are there.
    return shown | ~_refers(Event.objects.filter(conference__status="published"), *names)


def _zone() -> Q:
    rooms = Room.objects.all()
    shown = _refers(only_public(rooms), "zone") | _refers(Service.objects.all(), "zone")
    return shown | ~_refers(rooms.filter(conference__status="published"), "zone")


def _venue() -> Q:
    zones = Zone.objects.all()
    return _refers(only_public(zones), "venue") | ~_refers(zones, "venue")


PUBLIC_NAME_CONDITIONS: dict[type[Model], Callable[[], Q]] = {
    EventType: lambda: _refers(public_events_by_row(), "type"),
    Track: lambda: _refers(public_events_by_row(), "track"),
    Topic: _topic,
    Room: _room,
    Zone: _zone,
    Venue: _venue,
}
