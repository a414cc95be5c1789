"""What an import or its undo does to agendas, as plain values that are stored with the preview of an import."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.admin.programme.impact import impact_context
from events.programme.models.conference import Day
from events.programme.models.event import Event
from events.programme.models.venue import Room


def import_impact(slot_changes: Mapping[int, Mapping[str, Any]], *, every_event: bool = False) -> dict[str, Any] | None:
    """Return the context of ``admin/_impact.html``; None if no agenda has a changed event."""
    impact = impact_context(_planned_events(slot_changes), every_event=every_event) if slot_changes else None
    if impact is None:
        return None
    short = [{name: getattr(it, name) for name in ("room", "seats", "have", "title")} for it in impact["short"]]
    # Free rooms are offered for one move, not for a programme.
    return {**impact, "short": [{**it, "room": str(it["room"])} for it in short], "offers_rooms": False, "rooms": []}


def _planned_events(slot_changes: Mapping[int, Mapping[str, Any]]) -> dict[int, Event]:
    events = Event.objects.filter(pk__in=slot_changes).select_related("conference", "type", "day", "room", "session__session")
    rooms = Room.objects.select_related("zone").in_bulk(_stored_keys(slot_changes, "room"))
    days = Day.objects.in_bulk(_stored_keys(slot_changes, "day"))
    planned = {}
    for event in events:
        changes = slot_changes[event.pk]
        for name in ("start", "end", "place", "status"):
            if name in changes:
                setattr(event, name, changes[name])
        if "day" in changes:
            event.day = days.get(changes["day"]) if isinstance(changes["day"], int) else changes["day"]
        if "room" in changes:
            _set_room(event, changes["room"], rooms)
        planned[event.pk] = event
    return planned


def _set_room(event: Event, room: Any, rooms: Mapping[int, Room]) -> None:
    event.room = rooms.get(room) if isinstance(room, int) else None
    if isinstance(room, Room):
        # A room of the file has neither distances nor seats yet: its name is shown as a place.
        event.place = ", ".join(filter(None, [event.place, room.name]))


def _stored_keys(slot_changes: Mapping[int, Mapping[str, Any]], name: str) -> set[int]:
    return {changes[name] for changes in slot_changes.values() if isinstance(changes.get(name), int)}
