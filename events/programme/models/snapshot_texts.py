"""Values of events as the texts that published snapshots compare."""

from __future__ import annotations

import datetime as dt
import hashlib

from events.programme.models.conference import Conference
from events.programme.models.venue import Room


def instant_text(value: dt.datetime | None) -> str:
    return value.astimezone(dt.UTC).isoformat(timespec="seconds") if value else ""


def venue_texts(conference: Conference, room: Room | None) -> list[str]:
    zone = room.zone if room else None
    venue = zone.venue if zone else None
    address = venue.address if zone and venue and zone.off_site else ""
    point = f"{venue.latitude} {venue.longitude}" if venue and venue.latitude is not None else ""
    return [conference.timezone, conference.city, point, address]


def digest(*texts: str) -> str:
    """Empty without any text."""
    joined = "\x1f".join(texts)
    return hashlib.sha256(joined.encode("utf-8", "replace")).hexdigest()[:16] if any(texts) else ""
