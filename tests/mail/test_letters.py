"""Letters that wait, are taken, and are put back."""

from __future__ import annotations

import datetime as dt
from concurrent.futures import ThreadPoolExecutor

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from events.models import Letter

NOON = dt.datetime(2025, 4, 24, 12, tzinfo=dt.UTC)
MINUTE = dt.timedelta(minutes=1)


def letter(**fields: object) -> Letter:
    return Letter.objects.create(**({"to": "ada@example.org", "subject": "Moved", "text": "To Hall 2."} | fields))


@pytest.mark.django_db
def test_take_gives_what_is_due_first_to_last_and_once() -> None:
    later, sooner = letter(), letter(due_at=timezone.now() - MINUTE)
    letter(due_at=timezone.now() + MINUTE)

    assert [Letter.objects.lock_next(), Letter.objects.lock_next(), Letter.objects.lock_next()] == [sooner, later, None]


@pytest.mark.django_db
def test_letter_of_a_worker_that_died_is_taken_again_after_ten_minutes() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        letter()
        Letter.objects.lock_next()
        clock.shift(9 * MINUTE)
        too_soon = Letter.objects.lock_next()
        clock.shift(MINUTE)
        again = Letter.objects.lock_next()

    assert (too_soon, again and again.attempts) == (None, 2)


@pytest.mark.django_db
def test_pauses_double_up_to_six_hours() -> None:
    pauses = []
    with time_machine.travel(NOON, tick=False):
        one = letter()
        for one.attempts in [1, 2, 3, 9, 10, 1000]:
            one.retry_later("gone")
            pauses.append((Letter.objects.get().due_at - NOON) / MINUTE)

    assert pauses == [1, 2, 4, 256, 360, 360]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "dead"),
    [
        pytest.param({}, False, id="fresh"),
        pytest.param({"expires_at": NOON}, True, id="expired"),
        pytest.param({"expires_at": NOON + MINUTE}, False, id="still wanted"),
        pytest.param({"created_at": NOON - dt.timedelta(days=3)}, True, id="three days old"),
    ],
)
def test_dead_is_what_nobody_waits_for(fields: dict[str, object], *, dead: bool) -> None:
    letter(**({"created_at": NOON} | fields))

    assert Letter.objects.expired(NOON).exists() == dead


@pytest.mark.django_db(transaction=True)
def test_many_workers_never_take_the_same_letter() -> None:
    for _ in range(20):
        letter()

    def work(_: int) -> list[int]:
        try:
            taken = []
            while (one := Letter.objects.lock_next()) is not None:
                taken.append(one.pk)
            return taken
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        taken = [pk for pks in pool.map(work, range(6)) for pk in pks]

    assert sorted(taken) == sorted(Letter.objects.values_list("pk", flat=True))
