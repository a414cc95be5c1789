"""Conflicts: each rule, seen from both sides."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest
from hypothesis import given

from events.core.spans import ONE_MINUTE
from events.programme.rules.overlaps import Conflict, ConflictVerdict, conflict, conflicts_with
from events.programme.rules.slots import TimeSlot, overlap_time
from events.programme.rules.walking import Walks, Way
from tests.programme.rules.builders import VIENNA, at, programmes, slot, to_be_announced, walks

EXPO = Walks([("Hall 1", "Garnet", 5, None, True, None), ("Hall 1", "Exit A", 8, 12, None, None)])
GARNET_WAY = Way(5, True, None)

WORKSHOP = slot("09:00", "17:00", key="workshop", zone="Garnet", is_container=True, gaps=((at("12:00"), at("13:00")),))
SESSION = slot("10:00", "11:30", key="session", zone="Hall 1")
POSTERS_INSIDE = slot("11:00", "12:00", key="posters", parent="another workshop", is_container=True)


@pytest.mark.parametrize(
    ("a", "b", "verdict", "minutes"),
    [
        pytest.param(slot("10:00", "11:00"), slot("10:45", "12:00"), ConflictVerdict.CLASH, 15, id="two talks that overlap"),
        pytest.param(slot("10:00", "11:00"), slot("10:00", "11:00"), ConflictVerdict.CLASH, 60, id="two talks at the same time"),
        pytest.param(slot("10:00", "13:00"), slot("10:00", "10:15"), ConflictVerdict.CLASH, 15, id="long, but not for leaving"),
        pytest.param(WORKSHOP, slot("10:00", "10:30"), ConflictVerdict.PARTIAL, 30, id="a talk during a workshop"),
        pytest.param(WORKSHOP, slot("16:30", "17:30"), ConflictVerdict.PARTIAL, 30, id="a talk that outlasts a workshop"),
        pytest.param(WORKSHOP, slot("11:30", "12:30"), ConflictVerdict.PARTIAL, 30, id="a talk half in its gap"),
        pytest.param(WORKSHOP, slot("09:00", "18:00", is_container=True), ConflictVerdict.CLASH, 420, id="two workshops"),
        pytest.param(WORKSHOP, POSTERS_INSIDE, ConflictVerdict.PARTIAL, 60, id="posters inside another workshop"),
        pytest.param(WORKSHOP, slot("09:00", "17:00"), ConflictVerdict.CLASH, 420, id="as long as the workshop"),
        pytest.param(WORKSHOP, slot("08:00", "17:00"), ConflictVerdict.CLASH, 420, id="longer than the workshop"),
    ],
)
def test_overlap_is_a_clash_unless_one_may_leave(a: TimeSlot, b: TimeSlot, verdict: ConflictVerdict, minutes: int) -> None:
    of_minutes = 420 if verdict is ConflictVerdict.PARTIAL else 0

    assert conflict(a, b, EXPO) == Conflict(a, b, verdict, minutes, of_minutes)
    assert conflict(b, a, EXPO) == Conflict(b, a, verdict, minutes, of_minutes)


def test_partial_without_gaps_counts_the_whole_container() -> None:
    workshop, talk = slot("09:00", "17:00", is_container=True), slot("10:00", "10:30")

    assert conflict(workshop, talk, EXPO) == Conflict(workshop, talk, ConflictVerdict.PARTIAL, 30, of_minutes=480)


@pytest.mark.parametrize(
    ("start", "end", "zone", "missed"),
    [
        pytest.param("09:00", "09:30", "Hall 1", [("09:00", "09:42")], id="at its beginning"),
        pytest.param("10:00", "10:30", "Hall 1", [("09:52", "10:42")], id="in the middle"),
        pytest.param("16:30", "17:00", "Hall 1", [("16:22", "17:00")], id="at its end"),
        pytest.param("11:30", "12:30", "Hall 1", [("11:22", "12:00")], id="back during its gap"),
        pytest.param("11:30", "12:55", "Hall 1", [("11:22", "12:00"), ("13:00", "13:07")], id="back after its gap"),
        pytest.param("10:00", "10:30", "Exit A", [("10:00", "10:30")], id="same zone"),
        pytest.param("10:00", "10:30", "Garnet", [("10:00", "10:30")], id="way unknown"),
    ],
)
def test_missed_time_has_the_ways_there_and_back(start: str, end: str, zone: str, missed: list[tuple[str, str]]) -> None:
    workshop, talk = replace(WORKSHOP, zone="Exit A"), slot(start, end, zone=zone)
    there_8_back_12 = Walks([("Exit A", "Hall 1", 8, 12, None, None)])

    found = conflict(workshop, talk, there_8_back_12), conflict(talk, workshop, there_8_back_12)

    assert [it and it.missed for it in found] == [[(at(since), at(until)) for since, until in missed]] * 2


def test_overlap_of_seconds_is_a_minute() -> None:
    a, b = slot("10:00", "11:00:30"), slot("11:00", "12:00")

    assert conflict(a, b, EXPO) == Conflict(a, b, ConflictVerdict.CLASH, 1)


def test_walk_longer_than_the_gap_is_tight() -> None:
    talk, next_talk = slot("10:00", "11:00", zone="Hall 1"), slot("11:00", "12:00", zone="Garnet")

    found = conflict(talk, next_talk, EXPO)

    assert found == Conflict(talk, next_talk, ConflictVerdict.TIGHT, 5, arrive=at("11:05"), way=GARNET_WAY)


@pytest.mark.parametrize(
    ("start", "late"),
    [
        pytest.param("11:01", 4, id="a gap of one minute"),
        pytest.param("11:04", 1, id="one minute short"),
    ],
)
def test_tight_says_how_late_one_arrives(start: str, late: int) -> None:
    talk, next_talk = slot("10:00", "11:00", zone="Hall 1"), slot(start, "12:00", zone="Garnet")

    found = conflict(next_talk, talk, EXPO)

    assert found == Conflict(next_talk, talk, ConflictVerdict.TIGHT, late, arrive=at("11:05"), way=GARNET_WAY)


def test_tight_walks_from_the_earlier_to_the_later_whoever_asks() -> None:
    hall, exit_a = slot("10:00", "11:00", zone="Hall 1"), slot("11:10", "12:00", zone="Exit A")
    from_exit_a = slot("08:30", "09:50", zone="Exit A")

    assert conflict(hall, exit_a, EXPO) is None
    assert conflict(exit_a, hall, EXPO) is None
    assert conflict(hall, from_exit_a, EXPO) == Conflict(
        hall, from_exit_a, ConflictVerdict.TIGHT, 2, arrive=at("10:02"), way=Way(12, None, None)
    )


def test_tight_counts_the_travel_to_an_off_site_social() -> None:
    poster, party = slot("18:00", "20:00", zone="Hall 1"), slot("20:00", "23:00", travel_minutes=15)

    found = conflict(poster, party, EXPO)

    assert found == Conflict(poster, party, ConflictVerdict.TIGHT, 15, arrive=at("20:15"), way=Way(15, None, None))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        pytest.param(slot("10:00", "11:00"), slot("11:00", "12:00"), id="touching, places unknown"),
        pytest.param(slot("10:00", "11:00", zone="Hall 1"), slot("11:00", "12:00", zone="Hall 1"), id="touching, same zone"),
        pytest.param(slot("10:00", "11:00", zone="Hall 1"), slot("11:00", "12:00", zone="Hall 9"), id="touching, way unknown"),
        pytest.param(
            slot("10:00", "11:00", zone="Hall 1"), slot("11:05", "12:00", zone="Garnet"), id="a gap as long as the walk"
        ),
        pytest.param(
            slot("10:00", "11:00", zone="Hall 1"), slot("11:06", "12:00", zone="Garnet"), id="a gap longer than the walk"
        ),
        pytest.param(
            slot("10:00", "11:00", zone="Garnet"), slot("11:04", "12:00", zone="Exit A"), id="no way through another zone"
        ),
        pytest.param(WORKSHOP, slot("12:00", "13:00", zone="Hall 1"), id="exactly in a programme gap"),
        pytest.param(SESSION, slot("10:15", "10:30", parent="session", zone="Garnet"), id="a talk in its own session"),
        pytest.param(SESSION, slot("11:30", "11:45", parent="session", zone="Garnet"), id="a talk right after its own session"),
        pytest.param(SESSION, slot("10:00", "11:30", key="session"), id="itself"),
        pytest.param(SESSION, slot("10:30", "11:00", is_break=True), id="a coffee break"),
        pytest.param(SESSION, slot("11:30", "12:00", zone="Garnet", is_break=True), id="a coffee break to walk to"),
        pytest.param(SESSION, slot("10:30", "11:00", cancelled=True), id="cancelled"),
        pytest.param(SESSION, to_be_announced(zone="Garnet"), id="to be announced"),
        pytest.param(to_be_announced(), to_be_announced(), id="both to be announced"),
        pytest.param(SESSION, TimeSlot(key="party", start=at("10:30"), end=None, zone="Garnet"), id="an end nobody knows"),
    ],
)
def test_no_conflict(a: TimeSlot, b: TimeSlot) -> None:
    assert (conflict(a, b, EXPO), conflict(b, a, EXPO)) == (None, None)


def test_talks_of_the_same_session_can_conflict() -> None:
    a, b = slot("10:00", "10:30", parent="session"), slot("10:15", "10:45", parent="session")

    assert conflict(a, b, EXPO) == Conflict(a, b, ConflictVerdict.CLASH, 15)


def test_talk_after_midnight_follows_the_evening() -> None:
    party = TimeSlot(key="party", start=at("21:00"), end=at("01:00", day=25), zone="Hall 1")
    after_party = TimeSlot(key="after", start=at("00:30", day=25), end=at("02:00", day=25), zone="Garnet")
    night_walk = TimeSlot(key="walk", start=at("01:00", day=25), end=at("02:00", day=25), zone="Garnet")

    assert conflict(party, after_party, EXPO) == Conflict(party, after_party, ConflictVerdict.CLASH, 30, way=GARNET_WAY)
    assert conflict(party, night_walk, EXPO) == Conflict(
        party, night_walk, ConflictVerdict.TIGHT, 5, arrive=at("01:05", day=25), way=GARNET_WAY
    )


@pytest.mark.parametrize(
    ("fold", "verdict"),
    [
        pytest.param(0, ConflictVerdict.CLASH, id="the first 02:30"),
        pytest.param(1, None, id="the second 02:30, an hour later"),
    ],
)
def test_conflict_tells_the_repeated_hour_from_the_first(fold: int, verdict: ConflictVerdict | None) -> None:
    night = dt.datetime(2025, 10, 26, tzinfo=VIENNA)
    party = TimeSlot(key="party", start=night.replace(hour=1), end=night.replace(hour=2, minute=45))
    encore = TimeSlot(key="encore", start=night.replace(hour=2, minute=30, fold=fold), end=night.replace(hour=4))

    found = conflict(party, encore, EXPO)

    assert (found and found.verdict) == verdict


def test_conflicts_with_lists_all_the_worst_first_then_by_time() -> None:
    bookmark = slot("11:00", "12:00", zone="Garnet")
    tight = slot("10:00", "11:00", zone="Hall 1")
    late_clash, early_clash = slot("11:45", "12:30"), slot("10:30", "11:15")
    fine = slot("08:00", "09:00", zone="Hall 1")
    workshop = slot("09:00", "17:00", is_container=True)

    found = conflicts_with(bookmark, [fine, tight, workshop, late_clash, bookmark, early_clash], EXPO)

    assert [(it.a, it.b, it.verdict, it.minutes) for it in found] == [
        (bookmark, early_clash, ConflictVerdict.CLASH, 15),
        (bookmark, late_clash, ConflictVerdict.CLASH, 15),
        (bookmark, workshop, ConflictVerdict.PARTIAL, 60),
        (bookmark, tight, ConflictVerdict.TIGHT, 5),
    ]


def test_conflicts_without_bookmarks_are_empty() -> None:
    assert conflicts_with(SESSION, [], EXPO) == []


def test_verdicts_are_words_a_stylesheet_can_match() -> None:
    assert [f"{verdict}" for verdict in ConflictVerdict] == ["clash", "partial", "tight", "fine"]


@given(programmes(6), walks())
def test_conflict_is_the_same_from_both_sides(programme: list[TimeSlot], some: Walks) -> None:
    for a in programme:
        for b in programme:
            one, other = conflict(a, b, some), conflict(b, a, some)
            assert _without_sides(one) == _without_sides(other)


def _without_sides(found: Conflict | None) -> tuple[object, ...] | None:
    return found and (found.verdict, found.minutes, found.of_minutes, found.arrive, found.way)


@given(programmes(6), walks())
def test_conflict_always_costs_minutes_and_never_more_than_there_are(programme: list[TimeSlot], some: Walks) -> None:
    for bookmark in programme:
        for found in conflicts_with(bookmark, programme, some):
            most = {
                ConflictVerdict.CLASH: min(overlap_time(bookmark, bookmark), overlap_time(found.b, found.b)) / ONE_MINUTE,
                ConflictVerdict.PARTIAL: found.of_minutes,
                ConflictVerdict.TIGHT: found.way.minutes if found.way else 0,
            }
            assert 0 < found.minutes <= most[found.verdict]
