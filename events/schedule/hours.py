"""Opening hours: open until when, or closed until when."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from events.schedule.spans import merged, whole_minutes

CLOSES_SOON = dt.timedelta(hours=2)
OPENS_SOON = dt.timedelta(hours=12)
# Until then a time of day names one moment.
ONE_DAY = dt.timedelta(days=1)


@dataclass(frozen=True)
class Opening:
    is_open: bool
    until: dt.datetime | None = None
    # None while it is open, and when it does not open again.
    opens_at: dt.datetime | None = None
    # Nobody gave it hours: a lift, which is always there, or a luggage room, of which nobody has said.
    always: bool = False
    # Minutes until either, once it is worth saying.
    closes_in: int | None = field(default=None, compare=False)
    opens_in: int | None = field(default=None, compare=False)
    # Open for so long that the day of closing has to be named.
    for_days: bool = field(default=False, compare=False)


def opening(hours: Sequence[tuple[dt.datetime, dt.datetime]], now: dt.datetime) -> Opening:
    if not hours:
        return Opening(is_open=True, always=True)
    for start, end in merged(hours):
        if now < start:
            return Opening(is_open=False, opens_at=start, opens_in=_soon(start - now, OPENS_SOON))
        if now < end:
            wait = end - now
            return Opening(is_open=True, until=end, closes_in=_soon(wait, CLOSES_SOON), for_days=wait > ONE_DAY)
    return Opening(is_open=False)


def _soon(wait: dt.timedelta, most: dt.timedelta) -> int | None:
    return whole_minutes(wait) if wait <= most else None
