"""Copies of events, with their people and links."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from events.programme.models.conference import Imported
from events.programme.models.event import Event

UNREPEATED_FIELDS = frozenset(
    {
        *(it.name for it in Imported._meta.get_fields()),
        *("id", "guid", "announced", "sequence", "revised_at", "created_at"),
        *("export_number", "export_slug", "recording_url", "recording_from", "recording_offset", "notes", "notes_source"),
        *("signup_state", "signup_checked_at", "signup_until"),
    }
)
"""What is true of one event only: its identity, its recording, and how full it is."""


def twin_of(event: Event) -> Event:
    """An unsaved copy, in the same session."""
    fields = [it for it in Event._meta.concrete_fields if it.name not in UNREPEATED_FIELDS]
    twin = Event(guid=uuid.uuid4(), **{it.attname: getattr(event, it.attname) for it in fields})
    for name in ("conference", "type", "day", "room", "session"):
        setattr(twin, name, getattr(event, name))
    return twin


def save_twins(twins: Sequence[tuple[Event, Event]]) -> list[Event]:
    """Save pairs of an event and its copy. A talk goes into the copy of its session; alone on another day, into none."""
    made: dict[tuple[int | None, int | None], Event] = {}
    for event, twin in twins:
        own_session = event.session if twin.day_id == event.day_id else None
        twin.session = made.get((event.session_id, twin.day_id), own_session)
        twin.save()
        made[event.pk, twin.day_id] = twin
        _copy_parts(event, twin)
    return list(made.values())


def _copy_parts(event: Event, twin: Event) -> None:
    for parts in (event.appearances, event.links):
        for part in parts.all():
            part.pk, part._state.adding, part.event = None, True, twin
            part.save()
