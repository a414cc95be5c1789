"""Which changes of an event are mailed at once."""

from __future__ import annotations

import datetime as dt

from events.programme.rules.changes import MESSAGE_FIELD

ALERT_FIELDS = (MESSAGE_FIELD, "status", "start", "room")
ALERT_WINDOW = dt.timedelta(hours=3)


def is_urgent(field: str, old: str, new: str, start: dt.datetime | None, at: dt.datetime) -> bool:
    """Whether a change ``at`` a time comes shortly before the event starts, or would have started; as texts of a Change.

    A message of organisers always is.
    """
    if field not in ALERT_FIELDS or field == MESSAGE_FIELD:
        return field == MESSAGE_FIELD
    moved = [dt.datetime.fromisoformat(text) for text in (old, new) if text] if field == "start" else []
    return any(at <= moment <= at + ALERT_WINDOW for moment in (start, *moved) if moment)
