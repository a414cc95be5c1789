"""Bookmarks at the levels maybe and watch later."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from events.agenda.rules.itinerary import conflicts_among, itinerary
from events.programme.rules.overlaps import ConflictVerdict, conflict, conflicts_with, count_fitting
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import Walks
from tests.programme.rules.builders import programmes, slot, walks

EXPO = Walks([("Hall 1", "Garnet", 5, None, True, None)])


@pytest.mark.parametrize(
    ("mine", "other", "quiet"),
    [
        pytest.param({}, {}, False, id="must and must"),
        pytest.param({"maybe": True}, {}, True, id="maybe and must"),
        pytest.param({}, {"maybe": True}, True, id="must and maybe"),
        pytest.param({"maybe": True}, {"maybe": True}, True, id="maybe and maybe"),
        pytest.param({"later": True}, {}, None, id="later and must"),
        pytest.param({}, {"later": True}, None, id="must and later"),
        pytest.param({"later": True}, {"maybe": True}, None, id="later and maybe"),
    ],
)
def test_conflict_with_a_maybe_is_quiet(mine: dict[str, bool], other: dict[str, bool], quiet: bool | None) -> None:
    found = conflict(slot("10:00", "11:00", **mine), slot("10:30", "11:30", **other), EXPO)

    assert (found and (found.verdict, found.minutes, found.quiet)) == (
        None if quiet is None else (ConflictVerdict.CLASH, 30, quiet)
    )


def test_quiet_conflicts_come_after_all_others() -> None:
    bookmark = slot("10:00", "11:00", zone="Hall 1")
    perhaps = slot("10:00", "11:00", key="perhaps", maybe=True)
    next_door = slot("11:00", "12:00", key="next", zone="Garnet")

    assert [it.b.key for it in conflicts_with(bookmark, [perhaps, next_door], EXPO)] == ["next", "perhaps"]


def test_conflict_with_a_must_is_told_before_one_with_a_maybe() -> None:
    perhaps = slot("09:00", "11:00", key="perhaps", maybe=True)
    talk = slot("09:30", "10:29", key="talk", zone="Hall 1")
    next_talk = slot("10:30", "11:30", key="next", zone="Garnet")

    last = itinerary([perhaps, talk, next_talk], EXPO)[-1]

    assert [(it.a.key, it.verdict, it.quiet) for it in last.conflicts] == [
        ("talk", ConflictVerdict.TIGHT, False),
        ("perhaps", ConflictVerdict.CLASH, True),
    ]


def test_what_is_watched_later_takes_no_time() -> None:
    bookmarks = [slot("09:00", "10:00", key="a"), slot("09:30", "10:30", key="b", later=True), slot("11:00", "12:00", key="c")]

    last = itinerary(bookmarks, EXPO)[-1]

    assert last.free is not None
    assert (last.free.before.key, last.slot.key, last.conflicts) == ("a", "c", [])


@pytest.mark.parametrize(
    ("level", "fits"), [pytest.param({}, 0, id="must"), pytest.param({"maybe": True}, 1, id="maybe"),
                        pytest.param({"later": True}, 1, id="later")]
)  # fmt: skip
def test_only_a_must_keeps_something_from_fitting(level: dict[str, bool], fits: int) -> None:
    assert count_fitting({slot("10:00", "11:00", key="new"): ["new"]}, [slot("10:30", "11:30", **level)], EXPO) == fits


@given(programmes(), walks())
def test_level_changes_no_verdict_only_how_loud_it_is(programme: list[TimeSlot], some: Walks) -> None:
    loud = conflicts_among([replace(it, maybe=False) for it in programme], some)
    conflicts = conflicts_among(programme, some)

    assert {(it.a.key, it.b.key, it.verdict, it.minutes) for it in conflicts} == {
        (it.a.key, it.b.key, it.verdict, it.minutes) for it in loud
    }
    assert not any(it.quiet for it in loud)
    assert [it.quiet for it in conflicts] == sorted(it.a.maybe or it.b.maybe for it in conflicts)


@given(programmes(), walks())
def test_bookmark_for_later_counts_as_none(programme: list[TimeSlot], some: Walks) -> None:
    kept = [it for it in programme if not it.later]

    assert conflicts_among(programme, some) == conflicts_among(kept, some)
    assert [it for it in itinerary(programme, some) if not it.slot.later] == itinerary(kept, some)
