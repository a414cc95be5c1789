"""What a door shows at a minute, and where to go when it is full."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from events.screens.rules import (
    AlternativeRoom,
    NowAndNext,
    ScreenTurn,
    best_alternative_room,
    current_sheet,
    is_worth_going,
    now_and_next,
    split_into_sheets,
)

HALL, OTHER = "hall", "other"


def at(clock: str) -> dt.datetime:
    return dt.datetime.combine(dt.date(2025, 4, 24), dt.time.fromisoformat(clock), dt.UTC)


def turn(key: str, start: str, end: str, room: str | None = HALL, **known: Any) -> ScreenTurn:
    return ScreenTurn(key, room, at(start), at(end), **known)


def seen(shown: NowAndNext) -> tuple[Any, Any, list[Any]]:
    return (shown.now and shown.now.key, shown.inside and shown.inside.key, [it.key for it in shown.coming])


def door(*turns: ScreenTurn, now: str = "09:40") -> tuple[Any, Any, list[Any]]:
    return seen(now_and_next(turns, HALL, at(now)))


SESSION = turn("session", "09:00", "10:30")
TALK = turn("talk", "09:30", "10:00", parent="session")
LUNCH = turn("lunch", "12:00", "13:00", None, is_pause=True)
AFTERNOON = turn("afternoon", "14:00", "15:00")


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        pytest.param("08:59", (None, None, ["session", "afternoon"]), id="a minute before"),
        pytest.param("09:00", ("session", None, ["talk", "afternoon"]), id="it begins"),
        pytest.param("09:30", ("session", "talk", ["afternoon"]), id="a part of it begins"),
        pytest.param("10:00", ("session", None, ["afternoon"]), id="between its parts"),
        pytest.param("10:30", (None, None, ["afternoon"]), id="it is over at its end"),
        pytest.param("12:30", ("lunch", None, ["afternoon"]), id="a pause everywhere"),
        pytest.param("15:00", (None, None, []), id="the day is over"),
    ],
)
def test_door_goes_through_its_day(now: str, expected: tuple[Any, Any, list[Any]]) -> None:
    assert door(SESSION, TALK, LUNCH, AFTERNOON, turn("elsewhere", "09:00", "17:00", OTHER), now=now) == expected


def test_pause_everywhere_does_not_hide_what_goes_on_through_it() -> None:
    assert door(turn("workshop", "09:00", "17:00"), LUNCH, now="12:30")[0] == "workshop"


def test_what_was_cancelled_is_named_when_nothing_took_its_place() -> None:
    gone = turn("gone", "09:30", "10:30", is_cancelled=True)

    assert (door(gone)[0], door(gone, SESSION)[0]) == ("gone", "session")


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        pytest.param("08:59", (None, None, ["gone", "talk", "second"]), id="before"),
        pytest.param("09:40", ("talk", None, ["second"]), id="during a talk"),
        pytest.param("10:05", ("gone", "coffee", ["second"]), id="between its talks"),
    ],
)
def test_talks_that_take_place_are_not_part_of_a_cancelled_session(now: str, expected: tuple[Any, Any, list[Any]]) -> None:
    session = turn("gone", "09:00", "10:30", is_cancelled=True)
    coffee = turn("coffee", "10:00", "10:10", parent="gone", is_pause=True)
    talks = [turn("talk", "09:30", "10:00", parent="gone"), turn("second", "10:10", "10:30", parent="gone")]

    assert door(session, coffee, *talks, now=now) == expected


def test_of_several_the_one_that_began_last_is_on() -> None:
    assert door(turn("exhibition", "08:00", "18:00"), SESSION)[0] == "session"


def test_part_that_is_somewhere_else_stands_at_its_own_door() -> None:
    away = turn("away", "09:30", "10:00", OTHER, parent="session")

    assert seen(now_and_next([SESSION, away], OTHER, at("09:40"))) == ("away", None, [])
    assert door(SESSION, away) == ("session", None, [])


def test_three_that_come_are_enough() -> None:
    later = [turn(f"later-{hour}", f"{hour}:00", f"{hour}:30") for hour in range(12, 18)]

    assert door(*reversed(later)) == (None, None, ["later-12", "later-13", "later-14"])


@pytest.mark.parametrize(
    ("turned", "expected"),
    [
        (SESSION, True),
        (turn("soon", "09:55", "10:30"), True),
        (turn("later", "09:56", "10:30"), False),
        (turn("cancelled", "09:00", "10:30", is_cancelled=True), False),
        (turn("coffee", "09:00", "10:30", is_pause=True), False),
        (turn("over", "09:00", "09:40"), False),
        (None, False),
    ],
    ids=["on", "in a quarter of an hour", "later than that", "cancelled", "a pause", "over", "nothing"],
)
def test_worth_going_is_what_takes_place_now_or_soon(turned: ScreenTurn | None, expected: bool) -> None:
    assert is_worth_going(turned, at("09:40")) is expected


def instead(room: str, minutes: int | None, **known: bool) -> AlternativeRoom:
    return AlternativeRoom(room, SESSION, minutes, **known)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (instead("far", 9, shows_the_same=True), instead("near", 1, shares=True)),
        (instead("far", 9, shares=True), instead("near", 1)),
        (instead("near", 2), instead("far", 3)),
        (instead("known", 20), instead("unknown", None)),
        (instead("same hall", 0), instead("near", 1)),
        (instead("far", 9), instead("near", 1, shows_the_same=True, is_filling=True)),
    ],
    ids=["the same before the like", "the like before the near", "the nearer", "a known way", "next door", "seats before all"],
)
def test_best_room_to_go_to_instead(better: AlternativeRoom, worse: AlternativeRoom) -> None:
    assert best_alternative_room([worse, better]) == better
    assert best_alternative_room([better, worse]) == better


def test_nowhere_to_go() -> None:
    assert best_alternative_room([]) is None


@pytest.mark.parametrize(
    ("count", "expected"),
    [(0, []), (1, [1]), (4, [4]), (5, [3, 2]), (9, [3, 3, 3]), (40, [4] * 10)],
)
def test_sheets_are_as_even_as_can_be(count: int, expected: list[int]) -> None:
    rows = list(range(count))

    found = split_into_sheets(rows, 4)

    assert [len(it) for it in found] == expected
    assert [row for sheet in found for row in sheet] == rows


def test_sheets_take_turns_by_the_minute() -> None:
    shown = [current_sheet("abc", at("09:40") + dt.timedelta(seconds=20 * number)) for number in range(12)]

    assert [shown[place : place + 3] for place in (0, 3, 6, 9)] == [[it] * 3 for it in (shown[0], shown[3], shown[6], shown[0])]
    assert {shown[0], shown[3], shown[6]} == {0, 1, 2}
    assert current_sheet("", at("09:40")) == 0
