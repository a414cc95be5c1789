"""Minimal valid slots, and Hypothesis strategies for all others."""

from __future__ import annotations

import datetime as dt
from itertools import count
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import Need, Walks

SINGAPORE = ZoneInfo("Asia/Singapore")
VIENNA = ZoneInfo("Europe/Vienna")
NEW_ORLEANS = ZoneInfo("America/Chicago")
ZONES = [SINGAPORE, VIENNA, NEW_ORLEANS]

_keys = count(1)


def at(time: str, *, day: int = 24, zone: ZoneInfo = SINGAPORE) -> dt.datetime:
    """The time on a day of April 2025."""
    return dt.datetime.combine(dt.date(2025, 4, day), dt.time.fromisoformat(time), zone)


def slot(start: str, end: str, **fields: object) -> TimeSlot:
    fields.setdefault("key", next(_keys))
    return TimeSlot(start=at(start), end=at(end), **fields)  # type: ignore[arg-type]


def to_be_announced(**fields: object) -> TimeSlot:
    fields.setdefault("key", next(_keys))
    return TimeSlot(start=None, end=None, **fields)  # type: ignore[arg-type]


# Around the night of 26 October 2025, in which the clocks of Vienna go back.
_FIRST = dt.datetime(2025, 10, 25, 20, tzinfo=dt.UTC)
_PLACES = [None, "Hall 1", "Hall 2", "Garnet", "Peridot"]


def instants(hours: int = 10) -> st.SearchStrategy[dt.datetime]:
    """Instants close enough to overlap, in different time zones."""
    steps = st.integers(0, hours * 12).map(lambda step: _FIRST + dt.timedelta(minutes=5 * step))
    return st.builds(lambda instant, zone: instant.astimezone(zone), steps, st.sampled_from(ZONES))


def spans(hours: int = 10) -> st.SearchStrategy[tuple[dt.datetime, dt.datetime]]:
    lengths = st.sampled_from([5, 10, 15, 30, 60, 90, 480, 1440]).map(lambda minutes: dt.timedelta(minutes=minutes))
    return st.builds(
        lambda start, length: (start, (start.astimezone(dt.UTC) + length).astimezone(start.tzinfo)), instants(hours), lengths
    )


@st.composite
def slots(draw: st.DrawFn, key: int) -> TimeSlot:
    start, end = draw(spans())
    timed = draw(st.integers(0, 9)) > 0
    return TimeSlot(
        key=key,
        start=start if timed else None,
        end=end if timed else None,
        zone=draw(st.sampled_from(_PLACES)),
        is_break=draw(st.integers(0, 4)) == 0,
        is_container=draw(st.integers(0, 3)) == 0,
        gaps=tuple(draw(st.lists(spans(), max_size=2))),
        parent=draw(st.sampled_from([None, None, 0, 1])),
        travel_minutes=draw(st.sampled_from([None, None, None, 0, 25, 70])),
        cancelled=draw(st.integers(0, 9)) == 0,
        maybe=draw(st.integers(0, 3)) == 0,
        later=draw(st.integers(0, 9)) == 0,
    )


@st.composite
def programmes(draw: st.DrawFn, size: int = 10) -> list[TimeSlot]:
    """Slots in any order, each with a key of its own."""
    return draw(st.permutations([draw(slots(key)) for key in range(draw(st.integers(0, size)))]))


def walks() -> st.SearchStrategy[Walks]:
    place = st.sampled_from(_PLACES[1:])
    minutes = st.integers(0, 40)
    fact = st.sampled_from([None, False, True])
    ways = st.lists(st.tuples(place, place, minutes, st.none() | minutes, fact, fact), max_size=6)
    return st.builds(Walks, ways, st.frozensets(st.sampled_from(Need)))
