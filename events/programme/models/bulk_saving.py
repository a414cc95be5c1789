"""Many changed events at once, with the history that saving each of them would write."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db import transaction

from events.core.db.bulk import insert_history
from events.core.db.writing import update_rows
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.event_columns import UNANNOUNCED_FIELDS
from events.programme.models.publishing import SNAPSHOT_FIELDS


def save_changed_events(events: Collection[Event], reason: str = "") -> None:
    """As ``Event.save_changed`` of each, but in few statements, because SQLite has one writer at a time."""
    with transaction.atomic():
        for conference in Conference.objects.filter(pk__in={event.conference_id for event in events}).order_by("pk"):
            conference.lock()
        stored = Event.objects.in_bulk([event.pk for event in events])
        differing = {event.pk: _differing_columns(event, stored[event.pk]) for event in events if event.pk in stored}
        changed = [event for event in events if differing.get(event.pk)]
        for conference in _changed_unannounced(changed, stored, differing):
            conference.bump_revision()
        columns: set[str] = set().union(*differing.values())
        update_rows(Event, changed, [field.name for field in Event._meta.concrete_fields if field.attname in columns])
        insert_history(Event, changed, "~", {"history_change_reason": reason[:100] or None})


def _differing_columns(event: Event, stored: Event) -> set[str]:
    columns = {field.attname for field in Event._meta.concrete_fields} - {*SNAPSHOT_FIELDS}
    return {name for name in columns if getattr(event, name) != getattr(stored, name)}


def _changed_unannounced(
    changed: Collection[Event], stored: Mapping[int, Event], differing: Mapping[int, set[str]]
) -> set[Conference]:
    """The conferences of events of which the snapshots do not show that pages change."""
    found = {event.conference for event in changed if differing[event.pk] & UNANNOUNCED_FIELDS}
    # One event of each pair of rooms, because each takes a query.
    moves = {(event.room_id, stored[event.pk].room_id): event for event in changed if "room_id" in differing[event.pk]}
    return found | {event.conference for (_, before), event in moves.items() if event.is_namesake(before)}
