"""The itinerary: where one comes from, how much time is free, and every conflict among picks."""

from __future__ import annotations

import datetime as dt
from itertools import combinations

from hypothesis import given

from events.agenda.rules.itinerary import SlotTransition, conflicts_among, itinerary
from events.core.spans import ONE_MINUTE, sort_by_span
from events.programme.rules.overlaps import Conflict, ConflictVerdict, conflict
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import ZERO_WAY, Walks, Way
from tests.programme.rules.builders import at, programmes, slot, to_be_announced, walks

EXPO = Walks([("Hall 1", "Garnet", 5, None, True, None)])
GARNET_WAY = Way(5, True, None)


def _told(slots: list[TimeSlot]) -> list[tuple[object, object, ConflictVerdict, float]]:
    return [
        (stretch.before.key, stretch.after.key, stretch.verdict, stretch.free / ONE_MINUTE) for stretch in itinerary(slots, EXPO)
    ]


def test_itinerary_of_no_picks_is_empty() -> None:
    assert itinerary([], EXPO) == []


def test_itinerary_of_one_pick_is_empty() -> None:
    assert itinerary([slot("09:00", "10:00")], EXPO) == []


def test_itinerary_gives_the_free_time_and_the_way() -> None:
    talk, poster = slot("10:00", "11:00", zone="Hall 1"), slot("11:35", "13:00", zone="Garnet")

    stretches = itinerary([poster, talk], EXPO)

    assert stretches == [
        SlotTransition(talk, poster, 35 * ONE_MINUTE, ConflictVerdict.FINE, GARNET_WAY, arrive=at("11:05"), conflict=None),
    ]


def test_itinerary_makes_no_claim_about_an_unknown_way() -> None:
    talk, poster = slot("10:00", "11:00", zone="Hall 1"), slot("11:00", "13:00", zone="Hall 9")

    assert itinerary([talk, poster], EXPO) == [
        SlotTransition(talk, poster, 0 * ONE_MINUTE, ConflictVerdict.FINE, way=None, arrive=None, conflict=None),
    ]


def test_itinerary_tells_a_tight_change() -> None:
    talk, poster = slot("10:00", "11:00", zone="Hall 1"), slot("11:02", "13:00", zone="Garnet")

    tight = Conflict(talk, poster, ConflictVerdict.TIGHT, 3, arrive=at("11:05"), way=GARNET_WAY)
    assert itinerary([talk, poster], EXPO) == [
        SlotTransition(talk, poster, 2 * ONE_MINUTE, ConflictVerdict.TIGHT, GARNET_WAY, arrive=at("11:05"), conflict=tight),
    ]


def test_itinerary_tells_a_clash_as_negative_time() -> None:
    talk, other = slot("10:00", "11:00", zone="Hall 1"), slot("10:45", "12:00", zone="Hall 1")

    clash = Conflict(talk, other, ConflictVerdict.CLASH, 15)
    assert itinerary([talk, other], EXPO) == [
        SlotTransition(talk, other, -15 * ONE_MINUTE, ConflictVerdict.CLASH, ZERO_WAY, arrive=None, conflict=clash),
    ]


def test_itinerary_leaves_out_what_nobody_walks_to() -> None:
    bookmarks = [
        slot("09:00", "10:00", key="talk"),
        slot("10:00", "10:30", is_break=True),
        slot("10:15", "10:30", cancelled=True),
        to_be_announced(),
        slot("11:00", "12:00", key="keynote"),
    ]

    assert _told(bookmarks) == [("talk", "keynote", ConflictVerdict.FINE, 60)]


def test_itinerary_returns_to_a_workshop_between_talks() -> None:
    bookmarks = [
        slot("09:00", "17:00", key="workshop", is_container=True),
        slot("10:00", "10:30", key="morning talk"),
        slot("14:00", "14:30", key="afternoon talk"),
        slot("18:00", "21:00", key="dinner"),
    ]

    assert _told(bookmarks) == [
        ("workshop", "morning talk", ConflictVerdict.PARTIAL, -30),
        ("workshop", "afternoon talk", ConflictVerdict.PARTIAL, -30),
        ("workshop", "dinner", ConflictVerdict.FINE, 60),
    ]


def test_itinerary_does_not_return_to_a_workshop_on_the_run() -> None:
    bookmarks = [
        slot("09:00", "17:00", key="workshop", is_container=True),
        slot("10:00", "10:30", key="talk", zone="Hall 1"),
        slot("10:32", "11:00", key="next talk", zone="Garnet"),
    ]

    assert _told(bookmarks) == [
        ("workshop", "talk", ConflictVerdict.PARTIAL, -30),
        ("talk", "next talk", ConflictVerdict.TIGHT, 2),
    ]


def test_itinerary_tells_two_talks_that_clash_during_a_workshop() -> None:
    bookmarks = [
        slot("09:00", "17:00", key="workshop", is_container=True),
        slot("10:00", "10:30", key="talk"),
        slot("10:20", "11:00", key="other talk"),
    ]

    assert _told(bookmarks)[1] == ("talk", "other talk", ConflictVerdict.CLASH, -10)


def test_itinerary_prefers_the_clash_to_the_tight_change() -> None:
    bookmarks = [
        slot("09:00", "10:40", key="long talk"),
        slot("10:00", "10:30", key="far talk", zone="Hall 1"),
        slot("10:32", "11:00", key="next talk", zone="Garnet"),
    ]

    assert _told(bookmarks)[1] == ("long talk", "next talk", ConflictVerdict.CLASH, -8)


def test_itinerary_prefers_the_longer_of_two_clashes() -> None:
    bookmarks = [
        slot("09:00", "11:00", key="long talk"),
        slot("09:30", "10:15", key="short talk"),
        slot("10:00", "12:00", key="next talk"),
    ]

    assert _told(bookmarks)[1] == ("long talk", "next talk", ConflictVerdict.CLASH, -60)


def test_itinerary_comes_from_the_pick_that_ends_last() -> None:
    bookmarks = [
        slot("09:00", "12:00", key="long talk"),
        slot("09:30", "10:00", key="short talk"),
        slot("12:30", "13:00", key="keynote"),
    ]

    assert _told(bookmarks)[1] == ("long talk", "keynote", ConflictVerdict.FINE, 30)


def test_itinerary_comes_from_the_talk_when_its_session_ends_with_it() -> None:
    bookmarks = [
        slot("10:00", "11:30", key="session"),
        slot("11:15", "11:30", key="talk", parent="session"),
        slot("12:00", "13:00", key="lunch"),
    ]

    assert _told(bookmarks) == [("session", "talk", ConflictVerdict.FINE, 0), ("talk", "lunch", ConflictVerdict.FINE, 30)]


def test_itinerary_has_no_free_time_inside_a_programme_gap() -> None:
    bookmarks = [
        slot("08:30", "17:00", key="workshop", is_container=True, gaps=((at("09:00"), at("10:00")),)),
        slot("09:00", "10:00", key="keynote"),
    ]

    assert _told(bookmarks) == [("workshop", "keynote", ConflictVerdict.FINE, 0)]


def test_itinerary_spans_midnight() -> None:
    bookmarks = [
        TimeSlot(key="breakfast", start=at("08:00", day=25), end=at("09:00", day=25)),
        TimeSlot(key="party", start=at("21:00"), end=at("01:00", day=25)),
    ]

    assert _told(bookmarks) == [("party", "breakfast", ConflictVerdict.FINE, 420)]


def test_conflicts_among_lists_the_worst_first_then_by_time() -> None:
    workshop = slot("09:00", "17:00", is_container=True)
    talk, tight = slot("10:00", "11:00", zone="Hall 1"), slot("11:00", "12:00", zone="Garnet")
    clash = slot("11:30", "12:30")

    found = conflicts_among([tight, clash, talk, workshop], EXPO)

    assert [(it.a, it.b, it.verdict, it.minutes) for it in found] == [
        (tight, clash, ConflictVerdict.CLASH, 30),
        (workshop, talk, ConflictVerdict.PARTIAL, 60),
        (workshop, tight, ConflictVerdict.PARTIAL, 60),
        (workshop, clash, ConflictVerdict.PARTIAL, 60),
        (talk, tight, ConflictVerdict.TIGHT, 5),
    ]


def test_conflicts_among_reaches_as_far_as_the_longest_travel() -> None:
    poster, party = slot("18:00", "20:00", zone="Hall 1"), slot("20:50", "23:00", travel_minutes=60)

    found = conflicts_among([poster, party], Walks())

    assert found == [Conflict(poster, party, ConflictVerdict.TIGHT, 10, arrive=at("21:00"), way=Way(60, None, None))]


@given(programmes(), walks())
def test_conflicts_among_agrees_with_comparing_everything(programme: list[TimeSlot], some: Walks) -> None:
    found = conflicts_among(programme, some)

    pairs = combinations([slot for _, slot in sort_by_span(programme)], 2)
    expected = [it for a, b in pairs if (it := conflict(a, b, some))]
    assert sorted(found, key=_sides) == sorted(expected, key=_sides)


def _sides(found: Conflict) -> tuple[str, str]:
    return str(found.a.key), str(found.b.key)


@given(programmes(), walks())
def test_itinerary_is_fine_exactly_where_no_earlier_pick_conflicts(programme: list[TimeSlot], some: Walks) -> None:
    stretches = itinerary(programme, some)

    troubled = {found.b.key for found in conflicts_among(programme, some)}
    assert {stretch.after.key for stretch in stretches if stretch.verdict is not ConflictVerdict.FINE} == troubled


def _is_walked_to(slot: TimeSlot) -> bool:
    return not (slot.is_break or slot.cancelled or slot.later)


@given(programmes(), walks())
def test_itinerary_leads_to_every_pick_but_the_first(programme: list[TimeSlot], some: Walks) -> None:
    stretches = itinerary(programme, some)

    bookmarks = [slot for _, slot in sort_by_span(programme) if _is_walked_to(slot)]
    assert [stretch.after for stretch in stretches] == bookmarks[1:]
    assert all(bookmarks.index(stretch.before) < bookmarks.index(stretch.after) for stretch in stretches)


@given(programmes(), walks())
def test_itinerary_time_is_negative_exactly_where_picks_overlap(programme: list[TimeSlot], some: Walks) -> None:
    for stretch in itinerary(programme, some):
        overlapping = stretch.verdict in (ConflictVerdict.CLASH, ConflictVerdict.PARTIAL)
        assert (stretch.free < dt.timedelta()) is overlapping


@given(programmes(), walks())
def test_itinerary_time_that_is_free_is_free_of_every_earlier_pick(programme: list[TimeSlot], some: Walks) -> None:
    for place, stretch in enumerate(itinerary(programme, some), start=1):
        if stretch.verdict is ConflictVerdict.FINE and stretch.free:
            bookmarks = [(span, slot) for span, slot in sort_by_span(programme) if _is_walked_to(slot)]
            assert bookmarks[place][0].start - stretch.free == max(span.end for span, _ in bookmarks[:place])
