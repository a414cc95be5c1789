from __future__ import annotations

import datetime as dt
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core.spans import ONE_MINUTE, Span
from events.crowd.rules import PlacedEvent, RoomSwap, people_without_seat, room_swaps, roomier_rooms

NINE = dt.datetime(2025, 4, 24, 9, tzinfo=dt.UTC)
SEATS = {"big": 300, "middle": 100, "small": 30}


def placed(key: str, room: str, expected: int, start: int = 0, end: int = 60) -> PlacedEvent:
    return PlacedEvent(key=key, room=room, span=Span(NINE + start * ONE_MINUTE, NINE + end * ONE_MINUTE), expected=expected)


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        pytest.param([placed("a", "small", 200), placed("b", "big", 20)], [RoomSwap("a", "b", 170)], id="all-seated"),
        pytest.param([placed("a", "small", 400), placed("b", "big", 20)], [RoomSwap("a", "b", 270)], id="more-seated"),
        pytest.param([placed("a", "small", 30), placed("b", "big", 20)], [], id="nobody-stands"),
        pytest.param([placed("a", "small", 200), placed("b", "big", 200)], [], id="others-would-stand"),
        pytest.param([placed("a", "small", 200), placed("b", "big", 20, 60, 120)], [], id="one-after-the-other"),
        pytest.param([placed("a", "small", 200), placed("b", "yard", 20)], [], id="nobody-knows-the-seats"),
        pytest.param(
            [placed("a", "small", 200), placed("b", "big", 20, 0, 30), placed("c", "big", 5, 30, 60)],
            [],
            id="the-next-one-is-in-the-way",
        ),
        pytest.param(
            [placed("a", "small", 200), placed("b", "big", 20, 0, 90), placed("c", "small", 5, 60, 90)],
            [],
            id="in-the-way-of-the-next-one",
        ),
        pytest.param(
            [placed("a", "small", 100), placed("b", "big", 20), placed("c", "middle", 20)],
            [RoomSwap("a", "b", 70), RoomSwap("a", "c", 70)],
            id="two-ways",
        ),
    ],
)
def test_swaps_that_help(rows: list[PlacedEvent], found: list[RoomSwap]) -> None:
    assert room_swaps(rows, SEATS) == found


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        pytest.param([placed("a", "small", 90)], ["middle", "big"], id="the-smallest-that-seats-all"),
        pytest.param([placed("a", "small", 400)], ["big", "middle"], id="none-seats-all"),
        pytest.param([placed("a", "small", 30)], [], id="nobody-stands"),
        pytest.param([placed("a", "small", 90), placed("b", "middle", 0, 59, 70)], ["big"], id="taken-for-a-minute"),
        pytest.param([placed("a", "small", 90), placed("b", "middle", 0, 60, 70)], ["middle", "big"], id="back-to-back"),
        pytest.param([placed("a", "yard", 90)], [], id="nobody-knows-the-seats"),
    ],
)
def test_freer_rooms(rows: list[PlacedEvent], found: list[str]) -> None:
    assert roomier_rooms(rows[0], rows, SEATS) == found


ROOMS = st.dictionaries(st.sampled_from("ABCDE"), st.integers(1, 50), min_size=1)
PROGRAMMES = st.lists(
    st.tuples(
        st.sampled_from("ABCDEF"), st.integers(0, 5), st.integers(1, 4), st.integers(0, 60), st.sampled_from([False] * 4 + [True])
    ),
    max_size=7,
).map(
    lambda rows: [
        replace(placed(str(number), room, expected, start * 30, (start + length) * 30), is_fixed=is_fixed)
        for number, (room, start, length, expected, is_fixed) in enumerate(rows)
    ]
)


def standing(rows: list[PlacedEvent], seats: dict[str, int]) -> int:
    return sum(people_without_seat(it, seats) for it in rows)


def double_booked(rows: list[PlacedEvent]) -> set[tuple[str, str]]:
    return {(str(a.key), str(b.key)) for a, b in combinations(rows, 2) if a.room == b.room and a.meets(b)}


@given(PROGRAMMES, ROOMS)
def test_swaps_are_what_trying_them_all_finds(rows: list[PlacedEvent], seats: dict[str, int]) -> None:
    best = []
    for a, b in combinations(rows, 2):
        tried = [
            replace(it, room=b.room) if it.key == a.key else replace(it, room=a.room) if it.key == b.key else it for it in rows
        ]
        gain = standing(rows, seats) - standing(tried, seats)
        moved = {pair for pair in double_booked(tried) if {a.key, b.key} & set(pair)}
        known = a.room in seats and b.room in seats and not (a.is_fixed or b.is_fixed)
        if known and a.meets(b) and a.room != b.room and gain > 0 and not moved:
            best.append(RoomSwap(a.key, b.key, gain))

    found = room_swaps(rows, seats)

    assert {(it.a, it.b, it.gain) for it in found} == {(it.a, it.b, it.gain) for it in best}
    assert [it.gain for it in found] == sorted((it.gain for it in best), reverse=True)


@given(PROGRAMMES, ROOMS)
def test_freer_rooms_seat_more_and_displace_nobody(rows: list[PlacedEvent], seats: dict[str, int]) -> None:
    for it in rows:
        others = [other for other in rows if other.key != it.key]
        for room in roomier_rooms(it, rows, seats):
            moved = replace(it, room=room)
            assert people_without_seat(moved, seats) < people_without_seat(it, seats)
            assert not any(other.room == room and other.meets(moved) for other in others)
