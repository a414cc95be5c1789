"""The order, time and shared people of a round."""

from __future__ import annotations

import datetime as dt
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from events.core.spans import Span
from events.posters.rules import Stop, board_clusters, plan_round

TEN = dt.datetime(2025, 4, 24, 10, tzinfo=dt.UTC)


def at(minutes: int) -> dt.datetime:
    return TEN + dt.timedelta(minutes=minutes)


SESSION = Span(at(0), at(120))


def test_stops_are_in_the_order_of_their_boards() -> None:
    boards = ["100", "#10", "9", "B1", "A10", "", "A9"]

    found = plan_round([Stop(board, board) for board in boards], SESSION, [], at(-60))

    assert [stop.board for stop in found.stops] == ["9", "#10", "100", "A9", "A10", "B1", ""]


def test_time_is_what_other_picks_leave() -> None:
    taken = [Span(at(30), at(60)), Span(at(45), at(75)), Span(at(110), at(180))]

    found = plan_round([], SESSION, taken, at(-60))

    assert (found.time, found.left) == (dt.timedelta(minutes=65), dt.timedelta(minutes=65))


def test_time_left_runs_down() -> None:
    found = plan_round([], SESSION, [Span(at(60), at(90))], at(75))

    assert found.left == dt.timedelta(minutes=30)


def test_nothing_is_left_when_it_is_over_or_unknown() -> None:
    assert plan_round([], SESSION, [], at(121)).left == dt.timedelta()
    assert plan_round([], None, [], at(0)).time == dt.timedelta()


def test_two_boards_of_one_person_are_told_at_both() -> None:
    stops = [Stop("a", "1", frozenset({"ada"})), Stop("b", "2"), Stop("c", "3", frozenset({"ada", "bob"}))]

    assert plan_round(stops, SESSION, [], at(0)).shared == {"a": ["c"], "c": ["a"]}


def test_next_is_the_first_that_is_not_visited() -> None:
    found = plan_round([Stop("b", "2"), Stop("a", "1", visited=True), Stop("c", "3")], SESSION, [], at(0))

    assert (found.next, found.visited, found.to_go) == (Stop("b", "2"), 1, 2)


def test_round_that_is_done_has_no_next() -> None:
    assert plan_round([Stop("a", "1", visited=True)], SESSION, [], at(0)).next is None


spans = st.tuples(st.integers(-30, 130), st.integers(1, 60)).map(lambda it: Span(at(it[0]), at(it[0] + it[1])))


@given(st.lists(spans, max_size=5), st.integers(-30, 150))
def test_time_agrees_with_a_count_of_minutes(taken: list[Span], now: int) -> None:
    free = [m for m in range(120) if not any(it.start <= at(m) < it.end for it in taken)]

    found: Any = plan_round([], SESSION, taken, at(now))

    assert found.time == dt.timedelta(minutes=len(free))
    assert found.left == dt.timedelta(minutes=sum(m >= now for m in free))


def test_boards_of_a_row_or_a_hundred_hang_together() -> None:
    boards = ["#9", "99", "100", "#107", "A1", "a 250", "B12", ""]

    found = board_clusters(plan_round([Stop(board, board) for board in boards], SESSION, [], at(0)).stops)

    assert [[stop.board for stop in row] for row in found] == [["#9", "99"], ["100", "#107"], ["A1", "a 250"], ["B12"], [""]]
