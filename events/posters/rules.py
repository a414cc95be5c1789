"""A round past posters: order of boards, time, and boards with the same people."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from events.core.spans import NO_TIME, Span, merge_spans
from events.programme.rules.days import board_key

_BOARD_PATTERN = re.compile(r"(?P<row>[^0-9]*)(?P<number>[0-9]*)")


@dataclass(frozen=True)
class Stop:
    """One poster; ``people`` are its authors and speakers. A cancelled one stays in its place, and takes no time."""

    key: Hashable
    board: str
    people: frozenset[Hashable] = frozenset()
    visited_at: dt.datetime | None = None
    level: str = ""
    cancelled: bool = False

    @property
    def visited(self) -> bool:
        return self.visited_at is not None and not self.cancelled


@dataclass(frozen=True)
class Round:
    """``stops`` are in walking order; ``shared`` has, by stop, the other stops with one of its people."""

    stops: list[Stop]
    shared: Mapping[Hashable, list[Hashable]]
    # Free time in the whole session, and from now.
    time: dt.timedelta
    left: dt.timedelta

    @property
    def count(self) -> int:
        return sum(not stop.cancelled for stop in self.stops)

    @property
    def visited(self) -> int:
        return sum(stop.visited for stop in self.stops)

    @property
    def to_go(self) -> int:
        return self.count - self.visited

    @property
    def next(self) -> Stop | None:
        """The first to see after the one that was ticked last; at the end of the round, from its beginning."""
        ticked = [(stop.visited_at, place) for place, stop in enumerate(self.stops) if stop.visited_at and stop.visited]
        start = max(ticked)[1] + 1 if ticked else 0
        walk = [*self.stops[start:], *self.stops[:start]]
        return next((stop for stop in walk if not stop.visited and not stop.cancelled), None)


def plan_round(stops: Iterable[Stop], session: Span | None, busy: Iterable[Span], now: dt.datetime) -> Round:
    ordered = sorted(stops, key=lambda stop: (board_key(stop.board), str(stop.key)))
    busy = merge_spans(busy)
    left = Span.from_times(max(session.start, now), session.end) if session else None
    return Round(ordered, _boards_with_same_people(ordered), _free_length(session, busy), _free_length(left, busy))


def _free_length(span: Span | None, busy: Iterable[Span]) -> dt.timedelta:
    if span is None:
        return NO_TIME
    return span.length - sum((part.length for other in busy if (part := span.shared_with(other))), NO_TIME)


def _boards_with_same_people(stops: Collection[Stop]) -> dict[Hashable, list[Hashable]]:
    """Return by stop the other stops with one of its people: nobody can be at two boards at once."""
    boards: dict[Hashable, list[Hashable]] = {}
    stops = [stop for stop in stops if not stop.cancelled]
    for stop in stops:
        for person in stop.people:
            boards.setdefault(person, []).append(stop.key)
    together = {stop.key: {key for person in stop.people for key in boards[person]} - {stop.key} for stop in stops}
    return {stop.key: [other.key for other in stops if other.key in together[stop.key]] for stop in stops if together[stop.key]}


def board_clusters(stops: Iterable[Stop]) -> list[list[Stop]]:
    """Return the stops of each row of boards, or of each hundred where boards have only numbers."""
    return [list(stops_of_row) for _, stops_of_row in groupby(stops, key=lambda stop: _board_row(stop.board))]


def _board_row(board: str) -> tuple[str, str]:
    match = _BOARD_PATTERN.match(board.strip().lstrip("# ").casefold())
    # A letter is a row, however many boards it has.
    letters, number = (match["row"].strip(), match["number"].lstrip("0")) if match else (board, "")
    return letters, "" if letters else number[:-2]
