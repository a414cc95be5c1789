from __future__ import annotations

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from events.agenda.rules.itinerary import MIN_MEETING_TIME, common_free_spans
from events.core.spans import ONE_MINUTE, Span

EIGHT = dt.datetime(2025, 4, 24, 8, tzinfo=dt.UTC)
DAY = Span(EIGHT, EIGHT + dt.timedelta(hours=14))
minutes = st.integers(-60, 15 * 60)
stretches = st.tuples(minutes, st.integers(1, 300)).map(lambda it: at(it[0], it[0] + it[1]))
people = st.lists(st.lists(stretches, max_size=6), max_size=8)


def at(start: int, end: int) -> tuple[dt.datetime, dt.datetime]:
    """From and to so many minutes after eight."""
    return EIGHT + start * ONE_MINUTE, EIGHT + end * ONE_MINUTE


def is_free(moment: dt.datetime, busy: list[list[tuple[dt.datetime, dt.datetime]]]) -> bool:
    return not any(start <= moment < end for one in busy for start, end in one)


@given(people)
def test_everybody_is_free_in_every_minute_that_is_told(busy: list[list[tuple[dt.datetime, dt.datetime]]]) -> None:
    for free in common_free_spans(DAY, busy):
        assert DAY.start <= free.start
        assert free.end <= DAY.end
        assert free.length >= MIN_MEETING_TIME
        assert all(is_free(free.start + count * ONE_MINUTE, busy) for count in range(int(free.length / ONE_MINUTE)))


@given(people)
def test_no_half_hour_in_which_everybody_is_free_is_left_out(busy: list[list[tuple[dt.datetime, dt.datetime]]]) -> None:
    told = common_free_spans(DAY, busy)

    for begin in range(14 * 60 - 30):
        if all(is_free(EIGHT + (begin + count) * ONE_MINUTE, busy) for count in range(30)):
            assert any(
                free.start <= EIGHT + begin * ONE_MINUTE and EIGHT + (begin + 30) * ONE_MINUTE <= free.end for free in told
            )


@given(people)
def test_who_comes_first_does_not_matter(busy: list[list[tuple[dt.datetime, dt.datetime]]]) -> None:
    assert (
        common_free_spans(DAY, busy)
        == common_free_spans(DAY, busy[::-1])
        == common_free_spans(DAY, [[it for one in busy for it in one]])
    )


def test_lunch_is_found_between_two_mornings_and_two_afternoons() -> None:
    ada, bob = [at(0, 240), at(330, 840)], [at(60, 270), at(360, 400)]

    assert common_free_spans(DAY, [ada, bob]) == [Span(*at(270, 330))]


def test_nobody_is_free_all_day() -> None:
    assert common_free_spans(DAY, []) == [DAY]
