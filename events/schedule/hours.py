"""Opening hours: open until when, or closed until when."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from events.schedule.spans import merged


@dataclass(frozen=True)
class Opening:
    is_open: bool
    until: dt.datetime | None = None
    # None while it is open, and when it does not open again.
    opens_at: dt.datetime | None = None
    # Nobody gave it hours: a lift, a luggage room.
    always: bool = False


def opening(hours: Sequence[tuple[dt.datetime, dt.datetime]], now: dt.datetime) -> Opening:
    if not hours:
        return Opening(is_open=True, always=True)
    for start, end in merged(hours):
        if now < start:
            return Opening(is_open=False, opens_at=start)
        if now < end:
            return Opening(is_open=True, until=end)
    return Opening(is_open=False)
