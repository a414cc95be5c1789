"""Columns of events that some queries read, and those that no snapshot shows."""

from __future__ import annotations

UNANNOUNCED_FIELDS = frozenset(
    {
        *("conference_id", "type_id", "track_id", "topic_id", "session_id", "paper_id", "service_id", "overflow_room_id"),
        *("day_id", "position", "signup_checked_at", "takes_questions"),
    }
)
"""Columns that snapshots do not have, or only as a text that another row may have too: pages may change where they do not."""

CALENDAR_TEXTS = ("subtitle", "abstract", "description", "paper__abstract", "paper__tldr")
EVENT_PLACES = ("room__zone__venue", "service__zone__venue", "service__room__zone__venue")
SHARED_BY_EVENTS = (
    *("conference", "type", "track", "topic", "day", "session__session", "room__zone__venue", "overflow_room"),
    *("service__zone__venue", "service__room__zone__venue"),
)
"""What snapshots show and few rows hold for many events."""
CALENDAR_RELATED = ("conference", "type", "track", "day", "paper", *EVENT_PLACES)
CALENDAR_COLUMNS = (
    *("guid", "title", "language", "status", "start", "end", "place", "travel_minutes", "board", "official", "at_venue"),
    *("do_not_record", "sequence", "created_at", "revised_at"),
)
CALENDAR_FIELDS = (
    *CALENDAR_TEXTS,
    *CALENDAR_COLUMNS,
    *(f"conference__{name}" for name in ("slug", "timezone", "city", "country", "start")),
    *("type__name", "type__kind", "track__name", "day__date", "paper__is_public", "room__name", "room__floor"),
    *("service__place", "service__room__name", "service__room__floor"),
    *(f"{path.removesuffix('__venue')}__{name}" for path in EVENT_PLACES for name in ("name", "off_site")),
    *(f"{path}__{name}" for path in EVENT_PLACES for name in ("name", "address", "latitude", "longitude")),
)
