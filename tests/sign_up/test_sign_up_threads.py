"""Many threads that want few seats, each with a separate connection."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import OperationalError, connection

from events.agenda.devices import forget_visitor
from events.agenda.merging import merge_visitors
from events.core.db.faults import DatabaseFault, database_fault
from events.models import Agenda, Seat, SeatState, SignUp, Visitor
from events.sign_up.models import free_by_number
from tests.factories import make_agenda
from tests.sign_up.seating import make_sign_up

pytestmark = pytest.mark.django_db(transaction=True)

THREADS = 32
# How many have a place; ten times as many want one.
PLACES = pytest.mark.parametrize("places", [pytest.param(6, id="few"), pytest.param(100, id="many", marks=pytest.mark.slow)])
COMES_BACK = 20


def all_of(jobs: Sequence[Callable[[], object]]) -> list[BaseException | None]:
    """Done by many threads at once; what went wrong with each."""

    def run(job: Callable[[], object]) -> BaseException | None:
        try:
            patiently(job)
        except Exception as error:  # noqa: BLE001 - all of them are counted
            return error
        finally:
            connection.close()
        return None

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, jobs))


def patiently(job: Callable[[], object]) -> None:
    """As a visitor who is told that others are writing, and to come back in a moment; PostgreSQL has no such line."""
    for _ in range(COMES_BACK):
        try:
            job()
        except OperationalError as error:
            if connection.vendor != "sqlite" or database_fault(error) is not DatabaseFault.BUSY:
                raise
        else:
            return
    raise AssertionError("the line of those who write never moved")


def make_agendas(sign_up: SignUp, count: int) -> list[Agenda]:
    conference = sign_up.event.conference
    visitors = Visitor.objects.bulk_create(Visitor() for _ in range(count))
    Agenda.objects.bulk_create(Agenda(conference=conference, visitor=it) for it in visitors)
    return list(Agenda.objects.order_by("pk"))


def joining(sign_up: SignUp, agenda: Agenda) -> Callable[[], object]:
    return lambda: sign_up.join(agenda)


def leaving(sign_up: SignUp, agenda: Agenda) -> Callable[[], object]:
    return lambda: sign_up.leave(agenda)


def assert_sound(sign_up: SignUp) -> None:
    """As many have a place as is counted, nobody twice, nobody before somebody who came earlier, none free while one waits."""
    seats = list(Seat.objects.alive().filter(sign_up=sign_up))
    taken = [seat.number for seat in seats if seat.state == SeatState.TAKEN]
    waiting = [seat.number for seat in seats if seat.state == SeatState.WAITING]
    row = SignUp.objects.get(pk=sign_up.pk)
    assert row.taken == len(taken)
    assert len({seat.agenda_id for seat in seats}) == len({seat.number for seat in seats}) == len(seats)
    assert len(taken) == min(row.places, len(seats))
    assert not waiting or max(taken) < min(waiting)


@PLACES
def test_ten_tries_for_each_place_give_each_place_once(places: int) -> None:
    sign_up = make_sign_up(places=places)
    # Nine browsers for each place, and some of them press twice.
    agendas = make_agendas(sign_up, 9 * places)
    tries = [*agendas, *agendas[:places]]
    random.Random(5).shuffle(tries)

    errors = all_of([joining(sign_up, agenda) for agenda in tries])

    assert errors == [None] * 10 * places
    assert SignUp.objects.get().taken == places
    assert Seat.objects.filter(state=SeatState.TAKEN).count() == places
    assert sorted(Seat.objects.values_list("number", flat=True)) == list(range(1, len(agendas) + 1))
    assert set(Seat.objects.values_list("agenda", flat=True)) == {it.pk for it in agendas}
    assert_sound(sign_up)


@PLACES
def test_places_given_up_go_to_who_waits_in_order(places: int) -> None:
    sign_up = make_sign_up(places=places)
    agendas = make_agendas(sign_up, 3 * places)
    assert all_of([joining(sign_up, agenda) for agenda in agendas]) == [None] * len(agendas)
    leavers = [seat.agenda for seat in Seat.objects.filter(state=SeatState.TAKEN).select_related("agenda")]

    errors = all_of([leaving(sign_up, agenda) for agenda in leavers])

    assert errors == [None] * places
    taken = Seat.objects.filter(state=SeatState.TAKEN).values_list("number", flat=True)
    assert sorted(taken) == list(range(places + 1, 2 * places + 1))
    assert Seat.objects.unseen_promoted().count() == places
    assert_sound(sign_up)


def test_comers_goers_mergers_the_freed_and_the_forgotten_at_once_leave_it_sound() -> None:
    sign_up, other = make_sign_up(places=20), make_sign_up(places=10)
    other.event.conference_id = sign_up.event.conference_id
    other.event.save()
    made = [make_agenda(sign_up.event.conference) for _ in range(60)]
    for agenda, _ in made[:45]:
        sign_up.join(agenda)
        other.join(agenda)
    jobs: list[Callable[[], object]] = [joining(it, agenda) for agenda, _ in made[45:] for it in (sign_up, other)]
    jobs += [leaving(it, agenda) for agenda, _ in made[:10] for it in (other, sign_up)]
    jobs += [partial(merge_visitors, old[0].visitor, new[0].visitor) for old, new in zip(made[10:20], made[20:30], strict=True)]
    jobs += [partial(forget_visitor, token) for _, token in made[30:38]]
    jobs += [partial(free_by_number, it, [(number, number + 1)]) for number in range(4, 40, 6) for it in (other, sign_up)]
    random.Random(7).shuffle(jobs)

    errors = all_of(jobs)

    assert errors == [None] * len(jobs)
    assert_sound(sign_up)
    assert_sound(other)
