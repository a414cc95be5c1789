"""The itinerary: where one comes from, how much time is free, and every conflict among picks."""

from __future__ import annotations

import datetime as dt
from itertools import combinations

from hypothesis import given

from events.agenda.rules.itinerary import AgendaStop, FreeTime, conflicts_among, in_time_order, itinerary
from events.core.spans import ONE_MINUTE, Span, sort_by_span
from events.programme.rules.overlaps import Conflict, ConflictVerdict, conflict
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import ZERO_WAY, Walks, Way
from tests.programme.rules.builders import at, programmes, slot, to_be_announced, walks

EXPO = Walks([("Hall 1", "Garnet", 5, None, True, None)])
GARNET_WAY = Way(5, True, None)


Told = list[tuple[object, object, float | None, list[tuple[object, ConflictVerdict]]]]


def _told(slots: list[TimeSlot]) -> Told:
    """Each stop: what ended last before it, the free minutes since then, and its conflicts with earlier ones."""
    return [
        (
            stop.slot.key,
            stop.free.before.key if stop.free else None,
            stop.free.length / ONE_MINUTE if stop.free else None,
            [(found.a.key, found.verdict) for found in stop.conflicts],
        )
        for stop in itinerary(slots, EXPO)
    ]


def test_itinerary_of_no_picks_is_empty() -> None:
    assert itinerary([], EXPO) == []


def test_itinerary_of_one_pick_has_nothing_before_it() -> None:
    talk = slot("09:00", "10:00")

    assert itinerary([talk], EXPO) == [AgendaStop(talk)]


def test_itinerary_gives_the_free_time_and_the_way() -> None:
    talk, poster = slot("10:00", "11:00", zone="Hall 1"), slot("11:35", "13:00", zone="Garnet")

    assert itinerary([poster, talk], EXPO) == [
        AgendaStop(talk),
        AgendaStop(poster, FreeTime(talk, poster, 35 * ONE_MINUTE, origin=talk, way=GARNET_WAY)),
    ]


def test_itinerary_makes_no_claim_about_an_unknown_way() -> None:
    talk, poster = slot("10:00", "11:00", zone="Hall 1"), slot("11:00", "13:00", zone="Hall 9")

    assert itinerary([talk, poster], EXPO)[1].free == FreeTime(talk, poster, 0 * ONE_MINUTE, origin=talk, way=None)


def test_itinerary_tells_a_tight_change() -> None:
    talk, poster = slot("10:00", "11:00", zone="Hall 1"), slot("11:02", "13:00", zone="Garnet")

    tight = Conflict(talk, poster, ConflictVerdict.TIGHT, 3, arrive=at("11:05"), way=GARNET_WAY)
    assert itinerary([talk, poster], EXPO)[1].conflicts == [tight]


def test_itinerary_tells_a_clash_and_no_free_time() -> None:
    talk, other = slot("10:00", "11:00", zone="Hall 1"), slot("10:45", "12:00", zone="Hall 1")

    assert itinerary([talk, other], EXPO) == [
        AgendaStop(talk),
        AgendaStop(other, conflicts=[Conflict(talk, other, ConflictVerdict.CLASH, 15, way=ZERO_WAY)]),
    ]


def test_equal_starts_stand_by_their_end_and_tell_the_clash_at_the_later_one() -> None:
    bookmarks = [slot("13:00", "13:45", key="long"), slot("09:30", "10:00", key="early"), slot("13:00", "13:30", key="short")]

    assert _told(bookmarks) == [
        ("early", None, None, []),
        ("short", "early", 180, []),
        ("long", None, None, [("short", ConflictVerdict.CLASH)]),
    ]


def test_equal_times_stand_as_given() -> None:
    bookmarks = [slot("13:00", "13:45", key=key) for key in ("z", "a", "m")]

    assert [it.key for it in in_time_order(bookmarks)] == ["z", "a", "m"]


def test_gap_with_a_break_in_it_is_measured_before_and_after_the_break() -> None:
    bookmarks = [
        slot("09:00", "11:00", key="talk", zone="Hall 1"),
        slot("12:05", "13:00", key="lunch", is_break=True),
        slot("13:20", "14:00", key="keynote", zone="Garnet"),
    ]

    assert _told(bookmarks) == [("talk", None, None, []), ("lunch", "talk", 65, []), ("keynote", "lunch", 20, [])]
    assert [it.free and it.free.way for it in itinerary(bookmarks, EXPO)] == [None, None, GARNET_WAY]


def test_hours_of_a_service_and_what_is_off_take_no_time() -> None:
    bookmarks = [
        slot("07:30", "19:00", key="registration", is_break=True, is_service=True),
        slot("09:00", "10:00", key="talk"),
        slot("10:15", "10:30", key="off", cancelled=True),
        to_be_announced(key="tba"),
        slot("11:00", "12:00", key="keynote"),
    ]

    assert _told(bookmarks) == [
        ("registration", None, None, []),
        ("talk", None, None, []),
        ("off", None, None, []),
        ("keynote", "talk", 60, []),
        ("tba", None, None, []),
    ]


def test_itinerary_returns_to_a_workshop_between_talks() -> None:
    bookmarks = [
        slot("09:00", "17:00", key="workshop", is_container=True),
        slot("10:00", "10:30", key="morning talk"),
        slot("14:00", "14:30", key="afternoon talk"),
        slot("18:00", "21:00", key="dinner"),
    ]

    assert _told(bookmarks)[1:] == [
        ("morning talk", None, None, [("workshop", ConflictVerdict.PARTIAL)]),
        ("afternoon talk", None, None, [("workshop", ConflictVerdict.PARTIAL)]),
        ("dinner", "workshop", 60, []),
    ]


def test_every_conflict_of_a_pick_is_told_the_worst_first() -> None:
    bookmarks = [
        slot("09:00", "17:00", key="workshop", is_container=True),
        slot("09:30", "10:15", key="far talk", zone="Hall 1"),
        slot("10:00", "10:16", key="short talk"),
        slot("10:15", "12:00", key="next talk", zone="Garnet"),
    ]

    assert _told(bookmarks)[3][3] == [
        ("short talk", ConflictVerdict.CLASH),
        ("workshop", ConflictVerdict.PARTIAL),
        ("far talk", ConflictVerdict.TIGHT),
    ]


def test_itinerary_comes_from_the_pick_that_ends_last() -> None:
    bookmarks = [
        slot("09:00", "12:00", key="long talk"),
        slot("09:30", "10:00", key="short talk"),
        slot("12:30", "13:00", key="keynote"),
    ]

    assert _told(bookmarks)[2] == ("keynote", "long talk", 30, [])


def test_talk_in_its_session_has_no_gap_before_it() -> None:
    bookmarks = [
        slot("10:00", "11:30", key="session"),
        slot("11:15", "11:30", key="talk", parent="session"),
        slot("12:00", "13:00", key="lunch"),
    ]

    assert _told(bookmarks)[1:] == [("talk", None, None, []), ("lunch", "talk", 30, [])]


def test_itinerary_has_no_free_time_inside_a_programme_gap() -> None:
    bookmarks = [
        slot("08:30", "17:00", key="workshop", is_container=True, gaps=((at("09:00"), at("10:00")),)),
        slot("09:00", "10:00", key="keynote"),
    ]

    assert _told(bookmarks)[1] == ("keynote", None, None, [])


def test_itinerary_spans_midnight() -> None:
    bookmarks = [
        TimeSlot(key="breakfast", start=at("08:00", day=25), end=at("09:00", day=25)),
        TimeSlot(key="party", start=at("21:00"), end=at("01:00", day=25)),
    ]

    assert _told(bookmarks)[1] == ("breakfast", "party", 420, [])


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
def test_every_slot_stands_once_in_one_order(programme: list[TimeSlot], some: Walks) -> None:
    stops = itinerary(programme, some)

    timed = [stop.slot.span for stop in stops if stop.slot.span]
    assert sorted(str(stop.slot.key) for stop in stops) == sorted(str(it.key) for it in programme)
    assert timed == sorted(timed)


@given(programmes(), walks())
def test_every_conflict_stands_once_at_the_later_of_its_two(programme: list[TimeSlot], some: Walks) -> None:
    stops = itinerary(programme, some)

    places = {stop.slot.key: place for place, stop in enumerate(stops)}
    told = [(it.a.key, stop.slot.key) for stop in stops for it in stop.conflicts]
    assert all(places[earlier] < places[later] for earlier, later in told)
    assert sorted(told) == sorted(
        tuple(sorted((a.key, b.key), key=places.__getitem__)) for a, b in combinations(programme, 2) if conflict(a, b, some)
    )


@given(programmes(), walks())
def test_free_time_is_measured_to_the_neighbour_and_overlaps_nothing(programme: list[TimeSlot], some: Walks) -> None:
    busy = [(it, it.span) for it in programme if it.span and not (it.cancelled or it.later or it.is_service)]
    for stop in itinerary(programme, some):
        before = [span.end for it, span in busy if stop.slot.span and it.key != stop.slot.key and span < stop.slot.span]
        if stop.free is None or stop.slot.span is None:
            continue
        free = Span(stop.slot.span.start - stop.free.length, stop.slot.span.start)
        assert stop.free.length >= dt.timedelta()
        assert free.start == max(before)
        assert not any(free.shared_with(span) for _, span in busy)
