"""A walk past the posters one has picked, in the order of their boards."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from events.schedule.boards import board_key
from events.schedule.spans import NO_TIME, Span, merged

_BOARD = re.compile(r"(?P<row>[^0-9]*)(?P<number>[0-9]*)")


@dataclass(frozen=True)
class Stop:
    """One poster; ``people`` are those who may stand at it."""

    key: Hashable
    board: str
    people: frozenset[Hashable] = frozenset()
    visited: bool = False


@dataclass(frozen=True)
class Round:
    """``stops`` in walking order; ``shared`` names, for a stop, the others that somebody has to stand at as well."""

    stops: list[Stop]
    shared: Mapping[Hashable, list[Hashable]]
    # All the time there is for it, and what is left of that.
    time: dt.timedelta
    left: dt.timedelta

    @property
    def visited(self) -> int:
        return sum(stop.visited for stop in self.stops)

    @property
    def to_go(self) -> int:
        return len(self.stops) - self.visited

    @property
    def next(self) -> Stop | None:
        return next((stop for stop in self.stops if not stop.visited), None)


def plan(stops: Iterable[Stop], session: Span | None, taken: Iterable[Span], now: dt.datetime) -> Round:
    """The round through a session of posters; ``taken`` is when other picks call."""
    ordered = sorted(stops, key=lambda stop: (board_key(stop.board), str(stop.key)))
    taken = merged(taken)
    left = Span.of(max(session.start, now), session.end) if session else None
    return Round(ordered, _shared(ordered), _free(session, taken), _free(left, taken))


def _free(span: Span | None, taken: Iterable[Span]) -> dt.timedelta:
    if span is None:
        return NO_TIME
    return span.length - sum((part.length for it in taken if (part := span.shared_with(it))), NO_TIME)


def _shared(stops: Collection[Stop]) -> dict[Hashable, list[Hashable]]:
    """Nobody can stand at two boards at once: whoever comes to one may find them at the other."""
    boards: dict[Hashable, list[Hashable]] = {}
    for stop in stops:
        for person in stop.people:
            boards.setdefault(person, []).append(stop.key)
    together = {stop.key: {key for person in stop.people for key in boards[person]} - {stop.key} for stop in stops}
    return {stop.key: [it.key for it in stops if it.key in together[stop.key]] for stop in stops if together[stop.key]}


def clusters(stops: Iterable[Stop]) -> list[list[Stop]]:
    """What hangs together: the stops of one row of boards, or of one hundred where boards have numbers alone."""
    return [list(some) for _, some in groupby(stops, key=lambda stop: _row(stop.board))]


def _row(board: str) -> tuple[str, str]:
    found = _BOARD.match(board.strip().lstrip("# ").casefold())
    # A letter names a row of its own, however many boards it has.
    letters, number = (found["row"].strip(), found["number"].lstrip("0")) if found else (board, "")
    return letters, "" if letters else number[:-2]
