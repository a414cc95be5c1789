"""Walking time between zones."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given

from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import ZERO_WAY, Need, Walks, Way, arrival_time, way_between
from tests.programme.rules.builders import at, slot, to_be_announced, walks

EXPO = Walks([("Hall 1", "Garnet", 5, None, True, False), ("Hall 1", "Exit A", 8, 12, None, True)])


@pytest.mark.parametrize(
    ("origin", "destination", "way"),
    [
        pytest.param("Hall 1", "Garnet", Way(5, True, False), id="as entered"),
        pytest.param("Garnet", "Hall 1", Way(5, True, False), id="back, the same"),
        pytest.param("Hall 1", "Exit A", Way(8, None, True), id="there"),
        pytest.param("Exit A", "Hall 1", Way(12, None, True), id="back, uphill"),
        pytest.param("Garnet", "Exit A", None, id="not through another zone"),
        pytest.param("Hall 1", "Hall 9", None, id="an unknown zone"),
        pytest.param("Hall 9", "Hall 9", Way(0, True, True), id="within a zone"),
        pytest.param("Hall 1", None, None, id="to somewhere"),
        pytest.param(None, "Hall 1", None, id="from somewhere"),
        pytest.param(None, None, None, id="from somewhere to somewhere"),
    ],
)
def test_way_is_what_was_entered(origin: str | None, destination: str | None, way: Way | None) -> None:
    assert EXPO.way(origin, destination) == way


def test_way_back_can_take_no_time_at_all() -> None:
    assert Walks([("Top", "Bottom", 4, 0, None, None)]).way("Bottom", "Top") == Way(0, None, None)


@pytest.mark.parametrize("backwards", [pytest.param(False, id="entered first"), pytest.param(True, id="entered last")])
def test_way_entered_itself_beats_one_inferred_from_its_opposite(backwards: bool) -> None:
    entered = [("A", "B", 5, None, None, None), ("B", "A", 7, None, None, None)]

    both = Walks(reversed(entered) if backwards else entered)

    assert (both.way("A", "B"), both.way("B", "A")) == (Way(5, None, None), Way(7, None, None))


def test_way_within_a_zone_is_none_to_go_even_if_entered() -> None:
    assert Walks([("A", "A", 9, None, False, False)]).way("A", "A") == ZERO_WAY


@given(walks())
def test_way_exists_in_both_directions_or_in_neither(some: Walks) -> None:
    zones = ["Hall 1", "Hall 2", "Garnet", "Peridot"]

    assert all((some.way(a, b) is None) == (some.way(b, a) is None) for a in zones for b in zones)


STAIRS, LIFT = ("A", "B", 3, None, True, False), ("B", "A", 7, 8, False, True)
OUTDOORS, UNTOLD = ("A", "C", 4, None, False, None), ("A", "D", 2, None, None, None)


@pytest.mark.parametrize(
    ("needs", "destination", "way", "barred"),
    [
        pytest.param([], "B", Way(3, True, False), False, id="what was entered"),
        pytest.param(["step-free"], "B", Way(8, False, True), False, id="the step-free way, though longer"),
        pytest.param(["dry"], "B", Way(3, True, False), False, id="the dry way"),
        pytest.param(["dry", "step-free"], "B", Way(8, False, True), False, id="steps bar, rain does not"),
        pytest.param(["dry"], "C", Way(4, False, None), False, id="no dry way: outdoors"),
        pytest.param(["step-free"], "C", Way(4, False, None), False, id="nobody said there are steps"),
        pytest.param(["dry", "step-free"], "D", Way(2, None, None), False, id="nobody said anything"),
        pytest.param(["step-free"], "E", None, False, id="unknown is not barred"),
        pytest.param(["step-free"], "A", ZERO_WAY, False, id="within a zone"),
    ],
)
def test_way_is_one_the_visitor_can_take(needs: list[str], destination: str, way: Way | None, barred: bool) -> None:
    walks = Walks([STAIRS, LIFT, OUTDOORS, UNTOLD], frozenset(Need(it) for it in needs))

    assert (walks.way("A", destination), walks.is_barred("A", destination)) == (way, barred)


def test_way_with_steps_only_is_none_and_makes_no_claim_about_time() -> None:
    walks = Walks([STAIRS], frozenset([Need.STEP_FREE]))

    assert [(walks.way(*pair), walks.is_barred(*pair)) for pair in (("A", "B"), ("B", "A"))] == [(None, True)] * 2
    assert way_between(slot("09:00", "10:00", zone="A"), slot("10:00", "11:00", zone="B", travel_minutes=9), walks) is None


def test_longest_counts_both_directions() -> None:
    assert (EXPO.longest, Walks().longest) == (12, 0)


HALL = slot("09:00", "10:00", zone="Hall 1")
NOWHERE = slot("09:00", "10:00")
PARTY = slot("20:00", "23:00", travel_minutes=25)
DINNER = slot("20:00", "23:00", travel_minutes=40, zone="Garnet")


@pytest.mark.parametrize(
    ("a", "b", "way"),
    [
        pytest.param(HALL, slot("11:00", "12:00", zone="Garnet"), Way(5, True, False), id="between halls"),
        pytest.param(HALL, PARTY, Way(25, None, None), id="off-site from a hall"),
        pytest.param(PARTY, HALL, Way(25, None, None), id="from off-site to a hall"),
        pytest.param(HALL, slot("20:00", "23:00", travel_minutes=0), Way(0, None, None), id="off-site next door"),
        pytest.param(HALL, DINNER, Way(5, True, False), id="off-site, but this very way is known"),
        pytest.param(slot("09:00", "10:00", zone="Hall 9"), DINNER, Way(40, None, None), id="off-site, another way is known"),
        pytest.param(NOWHERE, PARTY, None, id="off-site from nobody knows where"),
        pytest.param(PARTY, DINNER, None, id="from off-site to off-site"),
        pytest.param(DINNER, DINNER, Way(0, True, True), id="the same place off-site"),
        pytest.param(HALL, NOWHERE, None, id="to nobody knows where"),
        pytest.param(NOWHERE, NOWHERE, None, id="nothing known"),
    ],
)
def test_way_between_slots_counts_travel(a: TimeSlot, b: TimeSlot, way: Way | None) -> None:
    assert way_between(a, b, EXPO) == way


FIVE = Way(5, None, None)


@pytest.mark.parametrize(
    ("a", "b", "way", "arrive"),
    [
        pytest.param(slot("10:00", "11:00"), slot("11:00", "12:00"), FIVE, at("11:05"), id="late"),
        pytest.param(slot("10:00", "11:00"), slot("11:30", "12:00"), FIVE, at("11:05"), id="early"),
        pytest.param(slot("10:00", "11:00"), slot("10:59", "12:00"), FIVE, None, id="overlapping"),
        pytest.param(slot("10:00", "11:00"), slot("11:00", "12:00"), None, None, id="unknown way"),
        pytest.param(to_be_announced(), slot("11:00", "12:00"), FIVE, None, id="from what has no time"),
        pytest.param(slot("10:00", "11:00"), to_be_announced(), FIVE, None, id="to what has no time"),
    ],
)
def test_arrival_is_the_end_and_the_walk(a: TimeSlot, b: TimeSlot, way: Way | None, arrive: dt.datetime | None) -> None:
    assert arrival_time(a, b, way) == arrive
