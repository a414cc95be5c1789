"""Until when an event takes questions, and how long it is known whose they are."""

from __future__ import annotations

import datetime as dt

from events.models.event import Event, Status

STAYS_OPEN = dt.timedelta(hours=1)
"""After the event: who stood in line at the microphone asks now."""
KEPT_AFTER = dt.timedelta(days=7)
"""After the conference it is known who asked and who voted; then what is left is what was asked."""


def closes_at(event: Event) -> dt.datetime:
    """What has no hour yet takes questions until the conference is over."""
    if event.end is not None:
        return event.end + STAYS_OPEN
    last = event.conference.end + dt.timedelta(days=1)
    return dt.datetime.combine(last, dt.time(), event.conference.zone)


def is_closed(event: Event, now: dt.datetime) -> bool:
    return event.status == Status.CANCELLED or now >= closes_at(event)


def is_forgotten(event: Event, now: dt.datetime) -> bool:
    """Whether it is over for so long, and its conference with it, that nobody's name is shown any more."""
    last = max(event.conference.end, closes_at(event).astimezone(event.conference.zone).date())
    return now.astimezone(event.conference.zone).date() > last + KEPT_AFTER
