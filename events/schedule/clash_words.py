"""How a clash is told: which place or person, when, in which two events, and what to do."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

ROOM_ADVICE, PERSON_ADVICE = "Move one, or give it another room.", "Move one, or ask somebody else."


def advice(kind: str) -> str:
    return ROOM_ADVICE if kind == "room" else PERSON_ADVICE


def sentence(clash: Any, zone: ZoneInfo) -> str:
    """A clash by the clock in ``zone``: it has kind, what, start and end, and its two sides a title, a start and an end."""
    held = "holds" if clash.kind == "room" else "is in"
    minutes = -(-(clash.end - clash.start) // dt.timedelta(minutes=1))
    return (
        f"{when(clash.start, clash.end, zone)}: {clash.what} {held} two events for {minutes} min: "
        f"“{clash.a.title}” ({_times(clash.a, zone)}) and “{clash.b.title}” ({_times(clash.b, zone)}). {advice(clash.kind)}"
    )


def when(start: dt.datetime, end: dt.datetime, zone: ZoneInfo) -> str:
    """Thu 24 April, 10:00–10:30."""
    start, end = start.astimezone(zone), end.astimezone(zone)
    return f"{start:%a} {start.day} {start:%B}, {start:%H:%M}–{end:%H:%M}"


def _times(claim: Any, zone: ZoneInfo) -> str:
    return f"{claim.start.astimezone(zone):%H:%M}–{claim.end.astimezone(zone):%H:%M}"
