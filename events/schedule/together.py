"""Several people's days side by side."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from events.schedule.spans import Span, without

Stretch = tuple[dt.datetime, dt.datetime]

WORTH_MEETING = dt.timedelta(minutes=30)


def free_for_all(within: Span, busy: Iterable[Iterable[Stretch]], least: dt.timedelta = WORTH_MEETING) -> list[Span]:
    """When nobody is anywhere, for long enough to meet; in order of time."""
    taken = [stretch for stretches in busy for stretch in stretches]
    return [free for free in without(within, taken) if free.length >= least]
