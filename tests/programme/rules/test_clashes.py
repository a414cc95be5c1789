"""Clashes: one room or one person in two events at the same time."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.programme.rules.clashes import Booking, Clash, added_clashes, clashes
from tests.programme.rules.builders import VIENNA, at, spans


def _booking(key: str, start: str, end: str, room: str | None = None, people: str = "", parent: str | None = None) -> Booking:
    return Booking(key, at(start), at(end), room, frozenset(people.split()), parent, title=key.title())


def _pairs(bookings: list[Booking]) -> list[tuple[str, object, object, object]]:
    return [(clash.kind, clash.what, clash.a.key, clash.b.key) for clash in clashes(bookings)]


def test_clashes_of_nothing_are_none() -> None:
    assert clashes([]) == []


def test_clash_of_a_room_says_from_when_to_when() -> None:
    a, b = _booking("a", "09:00", "10:00", "Hall 1"), _booking("b", "09:45", "11:00", "Hall 1")

    assert clashes([b, a]) == [Clash("room", "Hall 1", a, b, at("09:45"), at("10:00"))]


def test_clash_of_a_person_in_two_rooms() -> None:
    a, b = _booking("a", "09:00", "12:00", "Hall 1", "Bo"), _booking("b", "10:00", "11:00", "Hall 2", "Ann Bo")

    assert clashes([a, b]) == [Clash("person", "Bo", a, b, at("10:00"), at("11:00"))]


def test_clash_of_room_and_people_counts_each() -> None:
    bookings = [_booking("a", "09:00", "10:00", "Hall 1", "Ann Bo Cy"), _booking("b", "09:00", "10:00", "Hall 1", "Cy Bo")]

    assert _pairs(bookings) == [("person", "Bo", "a", "b"), ("person", "Cy", "a", "b"), ("room", "Hall 1", "a", "b")]


def test_clashes_are_in_order_of_time() -> None:
    bookings = [
        _booking("c", "14:00", "15:00", "Hall 1"),
        _booking("d", "14:00", "15:00", "Hall 1"),
        _booking("a", "09:00", "10:00", people="Ann"),
        _booking("b", "09:00", "10:00", people="Ann"),
    ]

    assert _pairs(bookings) == [("person", "Ann", "a", "b"), ("room", "Hall 1", "c", "d")]


SESSION = _booking("session", "09:00", "10:30", "Hall 1", "Chair")


@pytest.mark.parametrize(
    "bookings",
    [
        pytest.param([SESSION], id="alone"),
        pytest.param([SESSION, _booking("next", "10:30", "12:00", "Hall 1", "Chair")], id="touching"),
        pytest.param([SESSION, _booking("other", "09:00", "10:30", "Hall 2", "Ann")], id="another room, another person"),
        pytest.param([SESSION, _booking("talk", "09:00", "09:15", "Hall 1", "Chair", "session")], id="a talk in its session"),
        pytest.param(
            [
                _booking("track", "08:00", "18:00", "Hall 1", "Chair"),
                _booking("session", "09:00", "10:30", "Hall 1", "Chair", "track"),
                _booking("talk", "09:00", "09:15", "Hall 1", "Chair", "session"),
            ],
            id="a talk in a session in a track",
        ),
        pytest.param(
            [
                _booking("track", "08:00", "18:00", "Hall 1"),
                Booking("session", None, None, "Hall 1", parent="track"),
                _booking("talk", "09:00", "09:15", "Hall 1", parent="session"),
            ],
            id="a session between them to be announced",
        ),
        pytest.param([_booking("a", "09:00", "10:00"), _booking("b", "09:00", "10:00")], id="no room, nobody"),
        pytest.param([SESSION, Booking("tba", None, None, "Hall 1", frozenset({"Chair"}))], id="to be announced"),
        pytest.param([SESSION, Booking("open", at("09:30"), None, "Hall 1")], id="an end nobody knows"),
    ],
)
def test_no_clash(bookings: list[Booking]) -> None:
    assert (clashes(bookings), clashes(bookings[::-1])) == ([], [])


def test_talks_of_one_session_clash_with_each_other() -> None:
    bookings = [
        SESSION,
        _booking("a", "09:00", "09:30", "Hall 1", parent="session"),
        _booking("b", "09:15", "09:45", "Hall 1", parent="session"),
    ]

    assert _pairs(bookings) == [("room", "Hall 1", "a", "b")]


def test_talk_clashes_with_a_session_that_is_not_its_own() -> None:
    bookings = [SESSION, _booking("talk", "09:00", "09:15", "Hall 1", parent="elsewhere")]

    assert _pairs(bookings) == [("room", "Hall 1", "talk", "session")]


HALL = {"room": "Hall 1"}
TWO_SESSIONS = [
    _booking("a", "09:00", "10:30", **HALL),
    _booking("a1", "09:00", "09:30", **HALL, parent="a"),
    _booking("a2", "10:00", "10:30", **HALL, parent="a"),
    _booking("b", "09:00", "10:30", **HALL),
    _booking("b1", "09:00", "09:30", **HALL, parent="b"),
    _booking("b2", "10:00", "10:30", **HALL, parent="b"),
]


def test_two_sessions_in_one_room_are_one_clash() -> None:
    assert _pairs(TWO_SESSIONS) == [("room", "Hall 1", "a", "b")]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        pytest.param(
            [_booking("c", "09:00", "09:30", **HALL)],
            [("a", "c"), ("b", "c")],
            id="a third event clashes with both sessions, and not again with their talks",
        ),
        pytest.param(
            [_booking("a3", "10:15", "11:00", **HALL, parent="a"), _booking("b3", "10:15", "11:00", **HALL, parent="b")],
            [("a2", "a3"), ("a3", "b3"), ("b2", "b3")],
            id="talks that go on after the clash of their sessions",
        ),
        pytest.param(
            [_booking("a4", "09:15", "09:30", "Hall 2", parent="a"), _booking("b4", "09:15", "09:30", "Hall 2", parent="b")],
            [("a4", "b4")],
            id="talks in another room than their sessions",
        ),
    ],
)
def test_what_the_clash_of_two_sessions_does_not_cover_is_a_clash(more: list[Booking], expected: list[tuple[str, str]]) -> None:
    found = {frozenset(pair) for _, _, *pair in _pairs([*TWO_SESSIONS, *more])}

    assert found == {frozenset("ab"), *map(frozenset, expected)}


def test_people_clash_also_inside_sessions_that_clash() -> None:
    talks = [replace(it, people=frozenset({"Ann"})) for it in TWO_SESSIONS if it.key in {"a1", "b1"}]
    sessions = [it for it in TWO_SESSIONS if it.parent is None]

    assert _pairs([*sessions, *talks]) == [("person", "Ann", "a1", "b1"), ("room", "Hall 1", "a", "b")]


def test_clash_that_was_inside_another_is_not_new() -> None:
    moved = [replace(it, room="Hall 2") if it.key == "a" else it for it in TWO_SESSIONS]

    assert clashes(moved)
    assert added_clashes(TWO_SESSIONS, moved) == []
    assert [it.key for it in added_clashes(moved, TWO_SESSIONS)] == [("room", "Hall 1", frozenset("ab"))]


def test_three_in_one_room_clash_in_three_pairs() -> None:
    bookings = [_booking(key, "09:00", "10:00", "Hall 1") for key in "abc"]

    assert _pairs(bookings) == [("room", "Hall 1", *pair) for pair in combinations("abc", 2)]


@pytest.mark.parametrize(
    "parents",
    [
        pytest.param({"a": "a", "b": None}, id="its own parent"),
        pytest.param({"a": "x", "x": "y", "y": "x", "b": None}, id="parents of each other"),
        pytest.param({"a": "x", "x": "a", "b": None}, id="a parent that is inside it"),
    ],
)
def test_clashes_survive_parents_that_go_in_circles(parents: dict[str, str | None]) -> None:
    bookings = [_booking(key, "09:00", "10:00", "Hall 1" if key in "ab" else None, parent=up) for key, up in parents.items()]

    assert _pairs(bookings) == [("room", "Hall 1", "a", "b")]


def test_clashes_tell_the_repeated_hour_from_the_first() -> None:
    night = dt.datetime(2025, 10, 26, 2, tzinfo=VIENNA)
    first = Booking("first", night, night.replace(minute=30), "Club")
    second = Booking("second", night.replace(fold=1), night.replace(minute=30, fold=1), "Club")

    assert clashes([first, second]) == []


@st.composite
def _programmes(draw: st.DrawFn) -> list[Booking]:
    room, people = st.sampled_from([None, "Hall 1", "Hall 2"]), st.frozensets(st.sampled_from("ABC"), max_size=2)
    parent = st.none() | st.integers(0, 4)
    drawn = draw(st.lists(st.tuples(spans(), room, people, parent), max_size=10))
    return [Booking(key, *span, room, people, up) for key, (span, room, people, up) in enumerate(drawn)]


@given(_programmes())
def test_clashes_agree_with_comparing_everything(bookings: list[Booking]) -> None:
    pairs = {
        (kind, what, frozenset({a.key, b.key})): (max(a.span.start, b.span.start), min(a.span.end, b.span.end))
        for a, b in combinations(bookings, 2)
        if a.span
        and b.span
        and a.span.shared_with(b.span)
        and b.key not in _above(a, bookings)
        and a.key not in _above(b, bookings)
        for kind, what in _shared(a, b)
    }

    found = {clash.key for clash in clashes(bookings)}

    assert found == {key for key in pairs if not any(_covers(outer, key, pairs, bookings) for outer in pairs.keys() - {key})}
    assert all(key in found or any(_covers(outer, key, pairs, bookings) for outer in found) for key in pairs)


def _covers(outer: Any, inner: Any, pairs: dict[Any, tuple[dt.datetime, dt.datetime]], bookings: list[Booking]) -> bool:
    """Whether ``outer`` is the clash of sessions with the events of ``inner``, in the same room for at least as long."""
    if outer[:2] != inner[:2] or outer[0] != "room":
        return False
    (start, end), (inner_start, inner_end) = pairs[outer], pairs[inner]
    a, b = ({it.key} | _sessions(it, bookings) for it in bookings if it.key in inner[2])
    x, y = outer[2]
    return start <= inner_start and inner_end <= end and ((x in a and y in b) or (y in a and x in b))


def _sessions(booking: Booking, bookings: list[Booking]) -> set[object]:
    above = _above(booking, bookings)
    return set() if booking.key in above else above


def _shared(a: Booking, b: Booking) -> list[tuple[str, object]]:
    rooms = [("room", a.room)] if a.room == b.room and a.room else []
    return [*rooms, *(("person", person) for person in a.people & b.people)]


def _above(booking: Booking, bookings: list[Booking]) -> set[object]:
    above: set[object] = set()
    for _ in bookings:
        above |= {it.parent for it in bookings if it.key == booking.key or it.key in above}
    return above


@given(_programmes())
def test_clashes_happen_during_both(bookings: list[Booking]) -> None:
    for clash in clashes(bookings):
        assert clash.a.span
        assert clash.b.span
        assert clash.a.span.start <= clash.b.span.start == clash.start < clash.end == min(clash.a.span.end, clash.b.span.end)
