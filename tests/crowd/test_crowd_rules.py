from __future__ import annotations

import datetime as dt
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.crowd.rules import (
    CROWD_STATES,
    MIN_SURE_REPORTERS,
    REPORT_TTL,
    Crowd,
    Outlook,
    Report,
    crowd_of,
    expected_people,
    outlook,
)

NOON = dt.datetime(2025, 4, 24, 12, tzinfo=dt.UTC)
MINUTE = dt.timedelta(minutes=1)
NOTHING, OLD = Crowd(), Crowd(stale=True)


def reported(state: str, minutes_ago: float, who: Any = "ada", weight: int = 2, **fields: Any) -> Report:
    return Report(state, NOON - minutes_ago * MINUTE, who, weight, **fields)


def staff(state: str, minutes_ago: float, **fields: Any) -> Report:
    return reported(state, minutes_ago, None, 1, **fields)


def full(minutes_ago: float, *, sure: bool = True) -> Crowd:
    return Crowd("full", NOON - minutes_ago * MINUTE, sure=sure)


SECOND = 1 / 60


@pytest.mark.parametrize(
    ("reports", "crowd"),
    [
        pytest.param([], NOTHING, id="nobody-said-anything"),
        pytest.param([reported("full", 0)], full(0, sure=False), id="one-is-not-full"),
        pytest.param([reported("full", 0, weight=100)], full(0, sure=False), id="one-is-not-full-whoever-it-is"),
        pytest.param([reported("full", 2), reported("full", 1)], full(1, sure=False), id="one-who-says-it-twice-is-one"),
        pytest.param([reported("full", 2), reported("full", 1, "bob")], full(1), id="two-who-are-known"),
        pytest.param([reported("full", 2), reported("full", 1, "bob", 1)], full(1, sure=False), id="one-known-and-one-fresh"),
        pytest.param([reported("full", 1, who, 1) for who in "abc"], full(1, sure=False), id="three-fresh"),
        pytest.param([reported("full", 1, who, 1) for who in "abcd"], full(1), id="four-fresh"),
        pytest.param([reported("full", 15), reported("full", 1, "bob")], full(1, sure=False), id="fifteen-minutes-are-too-old"),
        pytest.param([reported("full", 15 - SECOND), reported("full", 1, "bob")], full(1), id="a-second-less-is-not"),
        pytest.param([reported("full", 15), reported("full", 20, "bob")], OLD, id="all-too-old"),
        pytest.param([reported("full", -1), reported("full", -1, "bob")], NOTHING, id="not-said-yet"),
        pytest.param([reported("full", 1, ends=NOON), reported("full", 1, "bob", ends=NOON)], OLD, id="over-at-this-moment"),
        pytest.param([reported("full", 1, ends=NOON + MINUTE), reported("full", 1, "bob")], full(1), id="over-in-a-minute"),
        pytest.param([reported("full", 3), reported("open", 1)], Crowd("open", NOON - MINUTE), id="changed-their-mind"),
        pytest.param(
            [reported("full", 3), reported("full", 3, "bob"), reported("open", 0, "eve", 2)],
            full(3),
            id="one-overturns-nothing-sure",
        ),
        pytest.param(
            [reported("full", 9), reported("full", 9, "bob"), reported("open", 1, "eve"), reported("open", 1, "cat")],
            Crowd("open", NOON - MINUTE, sure=True),
            id="newer-of-the-same-weight",
        ),
        pytest.param(
            [*(reported("full", 2, who) for who in "abc"), *(reported("open", 1, who) for who in "de")], full(2), id="heavier"
        ),
        pytest.param([staff("open", 10), *(reported("full", 1, who) for who in "abcdef")],
                     Crowd("open", NOON - 10 * MINUTE, sure=True), id="staff-overrides"),
        pytest.param([staff("open", 10), staff("full", 9)], full(9), id="later-word-of-staff"),
        pytest.param([staff("open", 15), *(reported("full", 1, who) for who in "ab")], full(1), id="staff-is-too-old"),
        pytest.param([staff("open", 15)], OLD, id="old-and-open-is-not-open"),
        pytest.param([staff("open", 3), staff("full", 3)], full(3), id="both-at-once-is-full"),
    ],
)  # fmt: skip
def test_crowd_from_reports(reports: list[Report], crowd: Crowd) -> None:
    assert [crowd_of(order, NOON) for order in permutations(reports[:4])] == [crowd_of(reports[:4], NOON)] * len(
        list(permutations(reports[:4]))
    )
    assert crowd_of(reports, NOON) == crowd


PEOPLE = st.integers(1, 4)
REPORTS = st.lists(
    st.builds(
        Report,
        state=st.sampled_from(CROWD_STATES),
        at=st.integers(-3, 25).map(lambda minutes: NOON - minutes * MINUTE),
        who=st.none() | PEOPLE,
        weight=st.sampled_from([1, 2]),
        ends=st.none() | st.integers(-5, 20).map(lambda minutes: NOON + minutes * MINUTE),
    ),
    max_size=8,
)
BY_ATTENDEES = REPORTS.map(lambda reports: [it for it in reports if it.who is not None])


@given(REPORTS, st.randoms(use_true_random=False))
def test_order_says_nothing(reports: list[Report], random: Any) -> None:
    shuffled = list(reports)
    random.shuffle(shuffled)

    # Of what one person says twice in one moment the fuller counts, and it may weigh this or that.
    twice = len({(it.who, it.at, it.state) for it in reports}) < len(reports)
    assert twice or crowd_of(shuffled, NOON) == crowd_of(reports, NOON)


@given(BY_ATTENDEES, PEOPLE)
def test_one_person_alone_makes_nothing_sure(reports: list[Report], who: int) -> None:
    assert not crowd_of([it for it in reports if it.who == who], NOON).sure


@given(REPORTS)
def test_state_comes_from_recent_reports(reports: list[Report]) -> None:
    found = crowd_of(reports, NOON)
    live = [it for it in reports if it.is_live(NOON)]
    agree = [it for it in live if it.state == found.state]

    assert bool(found.state) == bool(live)
    assert found.stale == (not live and any(it.at <= NOON for it in reports))
    if live:
        assert found.reported_at in {it.at for it in agree}
        assert found.reported_at is not None and NOON - REPORT_TTL < found.reported_at <= NOON  # noqa: PT018
    if found.sure and all(it.who is not None for it in live):
        assert len({it.who for it in agree}) >= MIN_SURE_REPORTERS
    if any(it.who is None for it in live):
        assert found.sure


@given(REPORTS)
def test_old_reports_only_make_a_crowd_stale(reports: list[Report]) -> None:
    live = [it for it in reports if it.is_live(NOON)]

    assert not live or crowd_of(reports, NOON) == crowd_of(live, NOON)


@given(BY_ATTENDEES, st.sampled_from(CROWD_STATES), st.sampled_from([1, 2]))
def test_one_more_person_takes_away_nothing_that_is_sure(reports: list[Report], state: str, weight: int) -> None:
    before = crowd_of(reports, NOON)
    after = crowd_of([*reports, Report(state, NOON, "another", weight)], NOON)

    assert not before.sure or after.sure
    assert not (before.sure and after.state != before.state) or after.state == state


@given(REPORTS, st.sampled_from(CROWD_STATES))
def test_report_of_staff_wins(reports: list[Report], state: str) -> None:
    before = [it for it in reports if it.at < NOON]

    assert crowd_of([*before, Report(state, NOON)], NOON) == Crowd(state, NOON, sure=True)


@pytest.mark.parametrize(
    ("must", "maybe", "seats", "likely"),
    [
        pytest.param(4, 0, 2, None, id="four-people-are-too-few-to-tell"),
        pytest.param(5, 0, 4, Outlook.FULLER, id="five-are-enough"),
        pytest.param(0, 5, 2, Outlook.FULLER, id="half-of-five-are-three"),
        pytest.param(100, 0, None, None, id="nobody-knows-the-seats"),
        pytest.param(100, 0, 0, None, id="no-seats-at-all"),
        pytest.param(101, 0, 100, Outlook.FULLER, id="one-too-many"),
        pytest.param(100, 0, 100, Outlook.BUSY, id="just-full"),
        pytest.param(50, 0, 100, Outlook.BUSY, id="half"),
        pytest.param(49, 0, 100, None, id="less-than-half"),
        pytest.param(40, 20, 100, Outlook.BUSY, id="maybes-count-half"),
        pytest.param(25, 0, 100, None, id="a-quarter"),
        pytest.param(24, 0, 100, Outlook.QUIET, id="less-than-a-quarter"),
    ],
)
def test_outlook(must: int, maybe: int, seats: int | None, likely: Outlook | None) -> None:
    assert outlook(must, maybe, seats) == likely
    assert outlook(must, maybe, seats, for_all=True) == (None if likely is Outlook.QUIET else likely)


@given(st.integers(0, 500), st.integers(0, 500), st.integers(1, 500))
def test_more_picks_never_make_it_quieter(must: int, maybe: int, seats: int) -> None:
    order = [Outlook.QUIET, None, Outlook.BUSY, Outlook.FULLER]
    if must + maybe >= 5:
        assert order.index(outlook(must, maybe, seats)) <= order.index(outlook(must + 1, maybe, seats))
        assert expected_people(must, maybe) <= expected_people(must, maybe + 1) <= expected_people(must + 1, maybe)
