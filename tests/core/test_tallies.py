"""The counters of attempts."""

from __future__ import annotations

import datetime as dt
from concurrent.futures import ThreadPoolExecutor

import pytest
import time_machine
from django.db import connection

from events.models import Tally

HOUR = dt.timedelta(hours=1)
NOON = dt.datetime(2025, 4, 24, 12, tzinfo=dt.UTC)


def tries(count: int, who: str = "me") -> list[bool]:
    return [Tally.allows("code", who, most=2, within=HOUR) for _ in range(count)]


@pytest.mark.django_db
def test_allows_so_many_and_no_more() -> None:
    assert tries(4) == [True, True, False, False]


@pytest.mark.django_db
def test_allows_counts_each_apart() -> None:
    tries(3)

    assert tries(1, "you") == [True]
    assert Tally.allows("mail", "me", most=1, within=HOUR) is True


@pytest.mark.django_db
def test_left_counts_down_for_each_apart_and_counts_nothing() -> None:
    def left(who: str = "me") -> int:
        return Tally.left("code", who, most=2)

    with time_machine.travel(NOON, tick=False) as clock:
        mine = [left(), left()]
        for _ in range(3):
            tries(1)
            mine.append(left())
        others = left("you")
        clock.shift(HOUR)

        assert (mine, others, left()) == ([2, 2, 1, 0, 0], 2, 2)


@pytest.mark.django_db
def test_allows_anew_when_the_time_is_over() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        tries(3)
        clock.shift(HOUR)

        assert tries(3) == [True, True, False]


@pytest.mark.django_db
def test_refused_tries_do_not_make_the_wait_longer() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        tries(1)
        clock.shift(HOUR / 2)
        tries(5)
        clock.shift(HOUR / 2)

        assert tries(1) == [True]


@pytest.mark.django_db
def test_tally_keeps_no_name_and_goes_when_it_is_over() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        tries(1, "ada@example.org")
        stored = Tally.objects.get()
        clock.shift(2 * HOUR)
        tries(1, "somebody else")

    assert "ada" not in stored.key
    assert not Tally.objects.filter(pk=stored.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_allows_counts_everybody_at_the_same_time() -> None:
    def one(number: int) -> bool:
        try:
            return Tally.allows("code", "all", most=10, within=HOUR)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        allowed = sum(pool.map(one, range(40)))

    assert (allowed, Tally.objects.get().count) == (10, 40)
