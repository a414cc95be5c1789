"""The order, time and shared people of a round."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
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


@pytest.mark.parametrize(
    ("ticks", "following"),
    [
        pytest.param({}, "1", id="nothing seen"),
        pytest.param({"1": 0}, "2", id="after the first"),
        pytest.param({"3": 0}, "4", id="what was passed by comes last"),
        pytest.param({"3": 0, "1": 5}, "2", id="after the latest tick"),
        pytest.param({"2": 0, "1": 0}, "3", id="of two at once after the later board"),
        pytest.param({"4": 0}, "1", id="from the end to the beginning"),
        pytest.param({"4": 9, "1": 0, "2": 3}, "3", id="to what was left out"),
        pytest.param({"1": 0, "2": 1, "3": 2, "4": 3}, "", id="done"),
    ],
)
def test_next_is_the_first_to_see_after_the_latest_tick(ticks: dict[str, int], following: str) -> None:
    stops = [Stop(board, board, visited_at=at(ticks[board]) if board in ticks else None) for board in "1234"]

    found = plan_round(stops, SESSION, [], at(0))

    assert (found.next.board if found.next else "", found.visited, found.to_go) == (following, len(ticks), 4 - len(ticks))


def test_cancelled_stop_stays_in_its_place_and_is_neither_counted_nor_next() -> None:
    ada = frozenset({"ada"})
    stops = [Stop("a", "1", ada), Stop("b", "2", ada, visited_at=at(0), cancelled=True), Stop("c", "3", visited_at=at(1))]

    found = plan_round(stops, SESSION, [], at(0))

    assert [stop.board for stop in found.stops] == ["1", "2", "3"]
    assert (found.count, found.visited, found.to_go, found.next, found.shared) == (2, 1, 1, stops[0], {})


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
