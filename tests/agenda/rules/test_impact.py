"""What a move does to agendas: against counting by hand, and never so exactly that few could be told."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.agenda.rules.impact import MIN_SHOWN_COUNT, Impact, impact
from events.agenda.rules.itinerary import conflicts_among
from events.programme.rules.overlaps import ConflictVerdict
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import Walks
from tests.programme.rules.builders import programmes, slot, slots, walks

EXPO = Walks([("Hall 1", "Garnet", 10, None, True, None)])
HERE = slot("10:00", "11:00", key="talk", zone="Hall 1")


def _pairs(bookmarks: Sequence[TimeSlot], walks: Walks, verdict: ConflictVerdict) -> set[frozenset[object]]:
    return {frozenset({it.a.key, it.b.key}) for it in conflicts_among(bookmarks, walks) if it.verdict is verdict}


def _by_hand(before: Sequence[TimeSlot], after: Sequence[TimeSlot], walks: Walks) -> tuple[bool, bool, bool, bool]:
    """What one agenda gets and loses, by all of its conflicts as its owner would see them."""
    clashes, tights = (
        [_pairs(bookmarks, walks, verdict) for bookmarks in (before, after)]
        for verdict in (ConflictVerdict.CLASH, ConflictVerdict.TIGHT)
    )
    late, in_time = tights[1] - tights[0], tights[0] - tights[1] - clashes[1]
    return bool(clashes[1] - clashes[0]), bool(clashes[0] - clashes[1]), bool(late), bool(in_time)


@st.composite
def plans(draw: st.DrawFn) -> tuple[list[TimeSlot], list[TimeSlot], set[int], list[set[int]]]:
    """A programme, the same with some of it elsewhere, which events that is, and agendas of it."""
    before = draw(programmes())
    moved = draw(st.sets(st.sampled_from([it.key for it in before]), max_size=3)) if before else set()
    after = [draw(slots(it.key)) if it.key in moved else it for it in before]  # type: ignore[arg-type]
    agendas = draw(st.lists(st.sets(st.integers(0, 9)), max_size=8))
    return before, after, moved, agendas  # type: ignore[return-value]


@given(plans(), walks())
def test_impact_is_what_counting_by_hand_finds(
    plan: tuple[list[TimeSlot], list[TimeSlot], set[int], list[set[int]]], walks: Walks
) -> None:
    before, after, moved, agendas = plan
    holding = [agenda for agenda in agendas if agenda & moved]
    found = [
        _by_hand([it for it in before if it.key in agenda], [it for it in after if it.key in agenda], walks) for agenda in holding
    ]

    counted = impact({it.key: it for it in before}, {it.key: it for it in after}, moved, agendas, walks)

    assert (counted.have, counted.clash, counted.freed, counted.late, counted.in_time) == (
        len(holding),
        *(sum(it[place] for it in found) for place in range(4)),
    )
    assert sorted(counted.event_counts) == sorted(sum(key in agenda for agenda in agendas) for key in moved)


@pytest.mark.parametrize(
    ("new", "other", "expected"),
    [
        pytest.param(slot("12:00", "13:00", key="talk"), slot("12:30", "13:30", key="other"), (1, 0, 0, 0), id="a-new-clash"),
        pytest.param(slot("12:00", "13:00", key="talk"), slot("10:30", "11:30", key="other"), (0, 1, 0, 0), id="a-clash-gone"),
        pytest.param(slot("10:00", "10:30", key="talk"), slot("10:00", "10:30", key="other"), (0, 0, 0, 0), id="still-a-clash"),
        pytest.param(
            slot("10:55", "11:55", key="talk", zone="Hall 1"),
            slot("12:00", "13:00", key="other", zone="Garnet"),
            (0, 0, 1, 0),
            id="too-far-to-walk",
        ),
        pytest.param(
            slot("09:00", "10:00", key="talk", zone="Hall 1"),
            slot("11:05", "12:00", key="other", zone="Garnet"),
            (0, 0, 0, 1),
            id="in-time-again",
        ),
        pytest.param(None, slot("10:30", "11:30", key="other"), (0, 1, 0, 0), id="hidden"),
        pytest.param(
            slot("10:00", "11:00", key="talk", cancelled=True), slot("10:30", "11:30", key="other"), (0, 1, 0, 0), id="cancelled"
        ),
    ],
)
def test_impact_of_one_move_on_one_agenda(new: TimeSlot | None, other: TimeSlot, expected: tuple[int, ...]) -> None:
    found = impact({"talk": HERE, "other": other}, {"talk": new, "other": other}, {"talk"}, [{"talk", "other"}], EXPO)

    assert (found.have, found.clash, found.freed, found.late, found.in_time) == (1, *expected)


def test_impact_leaves_out_agendas_without_the_event() -> None:
    slots = {"talk": HERE, "other": slot("12:00", "13:00", key="other")}

    found = impact(slots, slots | {"talk": slot("12:00", "13:00", key="talk")}, {"talk"}, [{"other"}, set()], EXPO)

    assert found == Impact(event_counts=(0,))


@pytest.mark.parametrize(
    ("have", "part", "told"),
    [
        pytest.param(412, 57, "57", id="many-of-many"),
        pytest.param(412, 0, "0", id="nobody"),
        pytest.param(412, 4, "<5", id="few"),
        pytest.param(412, 5, "5", id="five"),
        pytest.param(412, 408, "all but <5", id="few-are-left"),
        pytest.param(412, 407, "407", id="five-are-left"),
        pytest.param(412, 412, "all", id="everybody"),
        pytest.param(9, 5, "all but <5", id="five-of-nine"),
    ],
)
def test_number_tells_of_nobody_by_itself_or_by_what_is_left(have: int, part: int, told: str) -> None:
    assert Impact(have).shown_count(part) == told


@given(st.integers(0, 40), st.data())
def test_no_number_and_no_difference_tells_of_fewer_than_five(have: int, data: st.DataObject) -> None:
    counted = Impact(have, event_counts=(have,))
    part = data.draw(st.integers(0, have))

    whole, told = counted.shown_total, counted.shown_count(part)

    exact = [int(it) for it in (whole, told) if re.fullmatch(r"\d+", it)]
    assert all(it == 0 or it >= MIN_SHOWN_COUNT for it in exact)
    assert len(exact) < 2 or exact[0] - exact[1] in {0, exact[0]} or exact[0] - exact[1] >= MIN_SHOWN_COUNT


@pytest.mark.parametrize(
    ("have", "each", "told"),
    [
        pytest.param(3, (3,), "<5", id="few"),
        pytest.param(412, (412,), "412", id="one-event"),
        pytest.param(20, (10, 10), "20", id="two-events-apart"),
        pytest.param(17, (10, 8), "at least 15", id="one-has-both"),
        pytest.param(12, (10, 7), "at least 10", id="two-have-only-the-second"),
        pytest.param(30, (20, 20), "30", id="ten-have-both"),
    ],
)
def test_number_of_several_events_tells_of_no_few_who_have_both_or_one(have: int, each: tuple[int, ...], told: str) -> None:
    assert Impact(have, event_counts=each).shown_total == told
