"""How full a place is, by what people there say, and how full it is likely to be, by what people picked."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from events.schedule.impact import FEW

LASTS = dt.timedelta(minutes=15)
"""A word is believed for so long, and never beyond the end of what was on."""
AHEAD = dt.timedelta(minutes=15)
"""So long before its start people can say how full the room is."""
ENOUGH = 4
WITNESSES = 2
# From the emptiest to the fullest.
STATES = ("open", "filling", "full")


@dataclass(frozen=True, slots=True)
class Report:
    """One word; ``who`` is None for staff, ``ends`` when what it is about does."""

    state: str
    at: dt.datetime
    who: Hashable | None = None
    weight: int = 1
    ends: dt.datetime | None = None

    def is_live(self, now: dt.datetime) -> bool:
        return self.at <= now < self.at + LASTS and (self.ends is None or now < self.ends)


@dataclass(frozen=True, slots=True)
class Crowd:
    """What is known; ``sure`` when staff or enough people say so, ``stale`` when all that was said is too old."""

    state: str = ""
    said_at: dt.datetime | None = None
    sure: bool = False
    stale: bool = False

    @property
    def is_full(self) -> bool:
        return self.sure and self.state == "full"


NOTHING_SAID = Crowd()


def crowd_of(reports: Iterable[Report], now: dt.datetime) -> Crowd:
    """What follows from all that was said about one place.

    Staff's latest word stands until it is too old. Otherwise each person's latest word counts, the more the newer it is
    and the more is known of who says it; what one person says, whoever it is, is not sure, and overturns nothing that is.
    """
    said = [it for it in reports if it.at <= now]
    live = [it for it in said if it.is_live(now)]
    if not live:
        return Crowd(stale=bool(said))
    if by_staff := [it for it in live if it.who is None]:
        last = max(by_staff, key=_newness)
        return Crowd(last.state, last.at, sure=True)
    by_state = _by_state(live)
    sure = [it for it in by_state if _is_sure(it)]
    winning = max(sure or by_state, key=lambda it: (_force(it, now), max(map(_newness, it))))
    return Crowd(winning[0].state, max(it.at for it in winning), sure=bool(sure))


def _newness(report: Report) -> tuple[dt.datetime, int]:
    """Of two at the same moment the fuller one counts: nobody walks in vain."""
    return report.at, STATES.index(report.state)


def _by_state(live: Iterable[Report]) -> list[list[Report]]:
    """Everybody's latest word, those who say the same together."""
    latest = {it.who: it for it in sorted(live, key=_newness)}
    groups = [[it for it in latest.values() if it.state == state] for state in STATES]
    return [group for group in groups if group]


def _is_sure(group: Sequence[Report]) -> bool:
    return len(group) >= WITNESSES and sum(it.weight for it in group) >= ENOUGH


def _force(group: Iterable[Report], now: dt.datetime) -> dt.timedelta:
    """Weights times what is left of each word's life."""
    return sum((it.weight * (it.at + LASTS - now) for it in group), dt.timedelta())


class Outlook(StrEnum):
    QUIET = "quiet"
    BUSY = "busy"
    FULLER = "fuller"


def expected(must: int, maybe: int) -> int:
    """People: of those who may come half do. A half person is one who needs a seat."""
    return must + -(-maybe // 2)


def outlook(must: int, maybe: int, seats: int | None, *, for_all: bool = False) -> Outlook | None:
    """What attendees are told before it begins; None makes no claim.

    Of fewer than five people nothing is said, nor where nobody knows how many seats there are.

    ===============================  ==================================
    expected of the seats            said
    ===============================  ==================================
    more than all                    fuller than the room
    half to all                      busy
    a quarter to half                nothing: either may come true
    less than a quarter              quiet, but not of what is ``for_all``
    ===============================  ==================================

    Who goes to what is for everybody, a keynote, does not pick it: few picks say nothing there.
    """
    if not seats or must + maybe < FEW:
        return None
    people = expected(must, maybe)
    if people > seats:
        return Outlook.FULLER
    if 2 * people >= seats:
        return Outlook.BUSY
    return Outlook.QUIET if 4 * people < seats and not for_all else None
