"""What all readers must agree on."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple


class Entry(NamedTuple):
    uid: str
    start: dt.date
    end: dt.date
    summary: str
    status: str


def utc(value: dt.date) -> dt.date:
    return value.astimezone(dt.UTC) if isinstance(value, dt.datetime) else value
