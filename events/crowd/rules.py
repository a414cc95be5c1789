"""The crowd of a room or line from reports; its outlook from bookmarks; and rooms that would seat more."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Any

from events.agenda.rules.impact import MIN_SHOWN_COUNT
from events.core.spans import Span

REPORT_TTL = dt.timedelta(minutes=15)
"""A report never counts beyond the end of its event."""
REPORT_LEAD = dt.timedelta(minutes=15)
"""Reports are accepted from so long before the start."""
MIN_SURE_WEIGHT = 4
MIN_SURE_REPORTERS = 2
# From the emptiest to the fullest.
CROWD_STATES = ("open", "filling", "full")


@dataclass(frozen=True, slots=True)
class Report:
    """``who`` is None for staff; ``ends`` is the end of the event."""

    state: str
    at: dt.datetime
    who: Hashable | None = None
    weight: int = 1
    ends: dt.datetime | None = None

    def is_live(self, now: dt.datetime) -> bool:
        return self.at <= now < self.at + REPORT_TTL and (self.ends is None or now < self.ends)


@dataclass(frozen=True, slots=True)
class Crowd:
    """``sure`` if staff or enough people report the state; ``stale`` if all reports are too old."""

    state: str = ""
    reported_at: dt.datetime | None = None
    sure: bool = False
    stale: bool = False

    @property
    def is_full(self) -> bool:
        return self.sure and self.state == "full"


UNKNOWN_CROWD = Crowd()


def crowd_of(reports: Iterable[Report], now: dt.datetime) -> Crowd:
    """Combine all reports about one place.

    The latest report of staff counts alone until it is too old. Otherwise the latest report of each person counts: more if it
    is newer, and more if the person is better known. A single person's report is never sure, and overrides no sure one.
    """
    reported = [report for report in reports if report.at <= now]
    live = [report for report in reported if report.is_live(now)]
    if not live:
        return Crowd(stale=bool(reported))
    if by_staff := [report for report in live if report.who is None]:
        last = max(by_staff, key=_newness)
        return Crowd(last.state, last.at, sure=True)
    groups = _by_state(live)
    sure = [group for group in groups if _is_sure(group)]
    winning = max(sure or groups, key=lambda group: (_weight_over_time(group, now), max(map(_newness, group))))
    return Crowd(winning[0].state, max(report.at for report in winning), sure=bool(sure))


def _newness(report: Report) -> tuple[dt.datetime, int]:
    # Of two at the same moment the fuller one counts, so that nobody walks there in vain.
    return report.at, CROWD_STATES.index(report.state)


def _by_state(live: Iterable[Report]) -> list[list[Report]]:
    latest = {report.who: report for report in sorted(live, key=_newness)}
    groups = [[report for report in latest.values() if report.state == state] for state in CROWD_STATES]
    return [group for group in groups if group]


def _is_sure(group: Sequence[Report]) -> bool:
    return len(group) >= MIN_SURE_REPORTERS and sum(report.weight for report in group) >= MIN_SURE_WEIGHT


def _weight_over_time(group: Iterable[Report], now: dt.datetime) -> dt.timedelta:
    return sum((report.weight * (report.at + REPORT_TTL - now) for report in group), dt.timedelta())


class Outlook(StrEnum):
    QUIET = "quiet"
    BUSY = "busy"
    FULLER = "fuller"


def expected_people(must: int, maybe: int) -> int:
    """Count half of the maybes, rounded up."""
    return must + -(-maybe // 2)


MAX_COUNTED_NEWCOMERS = 100
"""Of the agendas that were begun within NEWCOMER_DEMAND_AGE, so many count for each event."""
NEWCOMER_DEMAND_AGE = dt.timedelta(hours=1)


def outlook(
    must: int, maybe: int, seats: int | None, *, newcomers: int = 0, uncounted: int = 0, for_all: bool = False
) -> Outlook | None:
    """What attendees see before an event begins; None makes no claim.

    There is none for fewer than MIN_SHOWN_COUNT people, and none for an unknown number of seats.

    ===============================  ==================================
    expected people per seat         outlook
    ===============================  ==================================
    more than 1                      FULLER
    1/2 to 1                         BUSY
    1/4 to 1/2                       None: either may come true
    less than 1/4                    QUIET, but None if ``for_all``
    ===============================  ==================================

    ``for_all`` is a keynote: people come without bookmarking it, so a small number means nothing.
    ``newcomers`` are the counted ones: FULLER needs others for half of the seats, because a script can make them. With
    ``uncounted`` ones more may come, so there is no QUIET.
    """
    if not seats or must + maybe < MIN_SHOWN_COUNT:
        return None
    people = expected_people(must, maybe)
    if people > seats and 2 * (people - newcomers) >= seats:
        return Outlook.FULLER
    if 2 * people >= seats:
        return Outlook.BUSY
    return Outlook.QUIET if 4 * people < seats and not (for_all or uncounted) else None


SeatsByRoom = Mapping[Any, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedEvent:
    """An event with a room to itself, and how many people are expected."""

    key: Any
    room: Any
    span: Span
    expected: int = 0
    # It has begun, or its bookmarks do not show how many come.
    is_fixed: bool = False

    def meets(self, other: PlacedEvent) -> bool:
        return self.span.shared_with(other.span) is not None


@dataclass(frozen=True, slots=True)
class RoomSwap:
    """Two events that could change rooms; ``gain`` is how many more people get a seat."""

    a: Any
    b: Any
    gain: int


def people_without_seat(event: PlacedEvent, seats: SeatsByRoom, room: Any = None) -> int:
    room = event.room if room is None else room
    return max(0, event.expected - seats[room]) if room in seats else 0


def room_swaps(placed: Collection[PlacedEvent], seats: SeatsByRoom) -> list[RoomSwap]:
    """Return overlapping pairs that seat more people in each other's rooms, if those are free; the largest gain first."""
    swaps = []
    for a, b in combinations([it for it in placed if it.room in seats and not it.is_fixed], 2):
        gain = (
            people_without_seat(a, seats)
            + people_without_seat(b, seats)
            - people_without_seat(a, seats, b.room)
            - people_without_seat(b, seats, a.room)
        )
        if gain > 0 and a.room != b.room and a.meets(b) and _can_swap(a, b, placed):
            swaps.append(RoomSwap(a.key, b.key, gain))
    return sorted(swaps, key=lambda swap: (-swap.gain, str(swap.a), str(swap.b)))


def _can_swap(a: PlacedEvent, b: PlacedEvent, placed: Iterable[PlacedEvent]) -> bool:
    others = [it for it in placed if it.key not in {a.key, b.key}]
    return _is_free(b.room, a, others) and _is_free(a.room, b, others)


def _is_free(room: Any, event: PlacedEvent, others: Iterable[PlacedEvent]) -> bool:
    return not any(other.room == room and other.meets(event) for other in others)


def roomier_rooms(event: PlacedEvent, placed: Collection[PlacedEvent], seats: SeatsByRoom) -> list[Any]:
    """Return free rooms that seat more of its people: the smallest that seats all, else the largest first."""
    others = [other for other in placed if other.key != event.key]
    without_seat = people_without_seat(event, seats)
    rooms = [room for room in seats if people_without_seat(event, seats, room) < without_seat and _is_free(room, event, others)]
    return sorted(rooms, key=lambda room: (people_without_seat(event, seats, room), seats[room], str(room)))
