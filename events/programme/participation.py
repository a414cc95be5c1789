"""Until when attendees sign up, ask and vote at an event, and how long it is stored who did."""

from __future__ import annotations

import datetime as dt

from events.programme.models.event import Event
from events.programme.models.labels import Status

PARTICIPATION_AFTER_END = dt.timedelta(hours=1)
"""Those who did not get to the microphone ask after the event."""
PARTICIPATION_RETENTION = dt.timedelta(days=7)
"""After the conference. Then names and votes are erased; questions and polls stay."""


def sign_up_closes_at(event: Event) -> dt.datetime | None:
    """The deadline of a list on this site, which is never after the start of the event."""
    return min((moment for moment in (event.signup_until, event.start) if moment is not None), default=None)


def sign_up_deadline(event: Event) -> dt.datetime | None:
    """The last moment to sign up, here or on another site. The event was loaded with its list."""
    return sign_up_closes_at(event) if hasattr(event, "sign_up") else event.signup_until


def participation_closes_at(event: Event) -> dt.datetime:
    if event.end is not None:
        return event.end + PARTICIPATION_AFTER_END
    # An event without a time is open until the end of the conference.
    last = event.conference.end + dt.timedelta(days=1)
    return dt.datetime.combine(last, dt.time(), event.conference.zone)


def is_participation_closed(event: Event, now: dt.datetime) -> bool:
    return event.status == Status.CANCELLED or now >= participation_closes_at(event)


def is_past_retention(event: Event, now: dt.datetime) -> bool:
    """Return whether names and votes are erased: PARTICIPATION_RETENTION after the conference and the event."""
    last = max(event.conference.end, participation_closes_at(event).astimezone(event.conference.zone).date())
    return now.astimezone(event.conference.zone).date() > last + PARTICIPATION_RETENTION
