"""What attendees see of an event, as plain text per field: the ground on which changes are told."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from events.models.event import Event

SEQUENCE_FIELDS = frozenset({"title", "day", "start", "end", "room", "status"})
"""A change of these raises SEQUENCE (RFC 5545 3.8.7.4)."""

TOLD_FIELDS = (
    *("status", "day", "start", "end", "room", "title", "people", "session", "board", "signup_state", "official"),
    *("recording_from", "track", "type", "signup_url", "signup_until", "cost", "capacity", "overflow"),
)
"""A change of these is a Change row; the others (a corrected abstract, a renamed venue) only move the calendars."""


def face(event: Event) -> dict[str, str]:
    """The event's public fields, empty ones left out; nothing at all while it is hidden."""
    if not event.is_public:
        return {}
    paper = event.paper if event.paper and event.paper.is_public else None
    seen = {
        "title": event.title,
        "type": event.type.name,
        "track": event.track.name if event.track else "",
        "topic": str(event.topic or ""),
        "day": event.day.date.isoformat() if event.day else "",
        "start": _instant(event.start),
        "end": _instant(event.end),
        "room": event.room.name if event.room else event.place,
        "location": event.location,
        "venue": _digest(*_venue(event)),
        "status": event.status,
        "session": event.session.title if event.session else "",
        "within": str(event.session.guid) if event.session else "",
        "talks": _digest(*(_line(talk) for talk in event.talks)),
        "people": ", ".join(event.people_names),
        "board": event.board,
        "official": "yes" if event.official else "",
        "audience": event.audience,
        "signup_url": event.signup_url,
        "signup_state": event.signup_state,
        "signup_until": _instant(event.signup_until),
        "cost": event.cost,
        "capacity": str(event.capacity or ""),
        "access": _digest(event.access_notes),
        "overflow": event.overflow_room.name if event.overflow_room else "",
        "stream_url": event.stream_url,
        "recording_url": event.recording_url,
        "recording_from": event.recording_from.isoformat() if event.recording_from else "",
        "paper": f"{paper.title} {', '.join(a.person.name for a in paper.authorships.all())}" if paper else "",
        "text": _digest(event.abstract, event.notes, paper.tldr if paper else "", paper.abstract if paper else ""),
        "extras": _digest(
            *(event.notes_source, str(event.recording_offset or ""), str(event.at_venue), str(event.travel_minutes)),
            *(f"{link.kind} {link.url} {link.title}" for link in event.links.all()),
            *(f"{it.role} {it.remote}" for it in event.appearances.all()),
        ),
    }
    return {name: value for name, value in seen.items() if value}


def _venue(event: Event) -> list[str]:
    """What calendars say of the place besides its name: where on earth it is, and how its time is called."""
    zone = event.room.zone if event.room else None
    venue = zone.venue if zone else None
    address = venue.address if zone and venue and zone.off_site else ""
    point = f"{venue.latitude} {venue.longitude}" if venue and venue.latitude is not None else ""
    return [event.conference.timezone, event.conference.city, point, address]


def _line(talk: Event) -> str:
    """What the entry of its session says of a talk."""
    return " ".join(
        [_instant(talk.start), _instant(talk.end), talk.place, talk.room.name if talk.room else "", talk.status, talk.title]
    )


def _instant(value: dt.datetime | None) -> str:
    return value.astimezone(dt.UTC).isoformat(timespec="seconds") if value else ""


def _digest(*texts: str) -> str:
    joined = "\x1f".join(texts)
    return hashlib.sha256(joined.encode("utf-8", "replace")).hexdigest()[:16] if any(texts) else ""
