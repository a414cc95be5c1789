"""Which of several events is the one that is on."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Protocol, TypeVar


class Timed(Protocol):
    """What has a start and an end."""

    @property
    def start(self) -> dt.datetime: ...

    @property
    def end(self) -> dt.datetime: ...

    @property
    def is_cancelled(self) -> bool: ...


TimedT = TypeVar("TimedT", bound=Timed)


def running_one(events: Iterable[TimedT], now: dt.datetime) -> TimedT | None:
    """Of several the one that began last: a long one is more likely an exhibition. Cancelled ones are the last choice."""
    running = [it for it in events if it.start <= now < it.end]
    return min(running, key=lambda it: (it.is_cancelled, -it.start.timestamp(), it.end), default=None)
