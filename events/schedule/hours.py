"""Opening hours: open until when, or closed until when."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from events.schedule.spans import merged, whole_minutes

CLOSES_SOON = dt.timedelta(hours=2)
OPENS_SOON = dt.timedelta(hours=12)


@dataclass(frozen=True)
class Opening:
    is_open: bool
    until: dt.datetime | None = None
    # None while it is open, and when it does not open again.
    opens_at: dt.datetime | None = None
    # Nobody gave it hours: a lift, a luggage room.
    always: bool = False
    # Minutes until either, once it is worth saying.
    closes_in: int | None = field(default=None, compare=False)
    opens_in: int | None = field(default=None, compare=False)


def opening(hours: Sequence[tuple[dt.datetime, dt.datetime]], now: dt.datetime) -> Opening:
    if not hours:
        return Opening(is_open=True, always=True)
    for start, end in merged(hours):
        if now < start:
            return Opening(is_open=False, opens_at=start, opens_in=_soon(start - now, OPENS_SOON))
        if now < end:
            return Opening(is_open=True, until=end, closes_in=_soon(end - now, CLOSES_SOON))
    return Opening(is_open=False)


def _soon(wait: dt.timedelta, most: dt.timedelta) -> int | None:
    return whole_minutes(wait) if wait <= most else None
