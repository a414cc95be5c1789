"""Seats: given in order, given up, promoted, merged and forgotten."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from events.agenda.devices import forget_visitor
from events.agenda.merging import merge_visitors, replace_visitor
from events.agenda.models.agenda import AgendaGoneError
from events.models import Agenda, Conference, Event, Seat, SeatState, SignUp, SignUpRefusedError, Visitor
from events.sign_up.models import MAX_OVERLAPPING_SEATS, MAX_SEATS_PER_AGENDA, acknowledge_seat
from tests.factories import make_agenda, make_conference, make_event, visitor_of
from tests.sign_up.seating import agendas_of, make_sign_up, make_social, seating

pytestmark = pytest.mark.django_db


def test_place_is_given_and_the_event_is_a_must() -> None:
    sign_up = make_sign_up(places=2)
    agenda, _ = make_agenda(sign_up.event.conference)
    agenda.bookmark(sign_up.event, on=True, level="maybe")

    changed = sign_up.join(agenda, "Ada")

    seat = Seat.objects.get()
    sign_up.refresh_from_db()
    assert changed
    assert (seat.state, seat.number, seat.name, seat.promoted_at) == ("taken", 1, "Ada", None)
    assert (sign_up.taken, sign_up.free, sign_up.last_number) == (1, 1, 1)
    assert agenda.levels() == {sign_up.event.pk: "must"}


def test_joining_twice_is_joining_once() -> None:
    sign_up = make_sign_up(places=2)
    (agenda,) = agendas_of(sign_up, 1)
    sign_up.join(agenda, "Ada")
    agenda.refresh_from_db()

    assert not sign_up.join(agenda)
    assert not sign_up.join(agenda, "Ada")
    assert seating(sign_up) == [(1, "taken", agenda.pk)]
    assert Agenda.objects.get(pk=agenda.pk).revision == agenda.revision


def test_name_is_changed_and_taken_out() -> None:
    sign_up = make_sign_up(places=1)
    (agenda,) = agendas_of(sign_up, 1)
    sign_up.join(agenda, "Ada")

    assert sign_up.join(agenda, "Countess of Lovelace")
    assert Seat.objects.get().name == "Countess of Lovelace"
    assert sign_up.join(agenda, "")
    assert Seat.objects.get().name == ""


def test_who_comes_late_waits_in_order_and_moves_up_in_order() -> None:
    sign_up = make_sign_up(places=1)
    first, second, third = agendas_of(sign_up, 3)
    for agenda in (first, second, third):
        sign_up.join(agenda)
    assert seating(sign_up) == [(1, "taken", first.pk), (2, "waiting", second.pk), (3, "waiting", third.pk)]

    assert sign_up.leave(first)

    assert seating(sign_up) == [(2, "taken", second.pk), (3, "waiting", third.pk)]
    assert SignUp.objects.get().taken == 1
    assert [seat.agenda_id for seat in Seat.objects.unseen_promoted()] == [second.pk]


def test_who_leaves_and_comes_back_is_last_and_keeps_the_pick() -> None:
    sign_up = make_sign_up(places=1)
    first, second, third = agendas_of(sign_up, 3)
    for agenda in (first, second, third):
        sign_up.join(agenda, "Ada")

    sign_up.leave(first)
    assert Seat.objects.get(agenda=first).name == ""
    assert first.levels() == {sign_up.event.pk: "must"}
    sign_up.join(first)

    assert seating(sign_up) == [(2, "taken", second.pk), (3, "waiting", third.pk), (4, "waiting", first.pk)]
    assert Seat.objects.count() == 3


def test_who_waits_leaves_nobody_a_place() -> None:
    sign_up = make_sign_up(places=1)
    first, second, third = agendas_of(sign_up, 3)
    for agenda in (first, second, third):
        sign_up.join(agenda)

    sign_up.leave(second)

    assert seating(sign_up) == [(1, "taken", first.pk), (3, "waiting", third.pk)]
    assert SignUp.objects.get().taken == 1


def test_leaving_without_a_seat_changes_nothing() -> None:
    sign_up = make_sign_up(places=1)
    (agenda,) = agendas_of(sign_up, 1)

    assert not sign_up.leave(agenda)
    assert SignUp.objects.get().taken == 0


def test_full_list_without_waiting_refuses() -> None:
    sign_up = make_sign_up(places=1, waiting_list=False)
    first, second = agendas_of(sign_up, 2)
    sign_up.join(first)

    with pytest.raises(SignUpRefusedError, match="no waiting list"):
        sign_up.join(second)

    assert seating(sign_up) == [(1, "taken", first.pk)]
    assert (SignUp.objects.get().taken, SignUp.objects.get().last_number) == (1, 1)
    assert second.levels() == {}


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"signup_until": -1}, id="its own end has passed"),
        pytest.param({"start": -1, "end": 1}, id="it has begun"),
        pytest.param({"start": -1, "end": 1, "signup_until": 1}, id="it has begun before its own end"),
        pytest.param({"status": "cancelled"}, id="cancelled"),
        pytest.param({"status": "draft"}, id="hidden"),
    ],
)
def test_closed_list_takes_nobody_and_moves_nobody_up(fields: dict[str, int | str]) -> None:
    sign_up = make_sign_up(places=1)
    first, second, third = agendas_of(sign_up, 3)
    sign_up.join(first)
    sign_up.join(second)
    hours = {
        name: timezone.now() + dt.timedelta(hours=value) if isinstance(value, int) else value for name, value in fields.items()
    }
    Event.objects.filter(pk=sign_up.event_id).update(**hours)

    with pytest.raises(SignUpRefusedError, match="closed"):
        sign_up.join(third)
    sign_up.leave(first)

    assert seating(sign_up) == [(2, "waiting", second.pk)]
    assert SignUp.objects.get().taken == 0


def test_event_without_an_hour_is_open() -> None:
    sign_up = make_sign_up(places=1)
    Event.objects.filter(pk=sign_up.event_id).update(start=None, end=None)
    (agenda,) = agendas_of(sign_up, 1)

    sign_up.join(agenda)

    assert seating(sign_up) == [(1, "taken", agenda.pk)]


def test_more_places_are_for_who_waits_and_fewer_throw_nobody_out() -> None:
    sign_up = make_sign_up(places=1)
    agendas = agendas_of(sign_up, 4)
    for agenda in agendas:
        sign_up.join(agenda)

    SignUp.objects.update(places=3)
    sign_up.lock_and_fill()
    assert [state for _, state, _ in seating(sign_up)] == ["taken", "taken", "taken", "waiting"]

    SignUp.objects.update(places=1)
    sign_up.lock_and_fill()
    sign_up.leave(agendas[0])
    assert [state for _, state, _ in seating(sign_up)] == ["taken", "taken", "waiting"]
    assert (SignUp.objects.get().taken, SignUp.objects.get().free) == (2, 0)


def test_who_waits_moves_up_when_the_event_goes_on_after_all() -> None:
    sign_up = make_sign_up(places=1)
    first, second = agendas_of(sign_up, 2)
    sign_up.join(first)
    sign_up.join(second)
    event = Event.objects.get(pk=sign_up.event_id)
    event.status = "cancelled"
    event.revise()
    sign_up.leave(first)
    assert seating(sign_up) == [(2, "waiting", second.pk)]

    event.status = "confirmed"
    event.revise()

    assert seating(sign_up) == [(2, "taken", second.pk)]


def test_newcomer_does_not_pass_who_waits() -> None:
    sign_up = make_sign_up(places=1)
    first, second, third = agendas_of(sign_up, 3)
    sign_up.join(first)
    sign_up.join(second)
    SignUp.objects.update(places=2)

    sign_up.join(third)

    assert seating(sign_up) == [(1, "taken", first.pk), (2, "taken", second.pk), (3, "waiting", third.pk)]
    assert [seat.agenda_id for seat in Seat.objects.unseen_promoted()] == [second.pk]


def lists_of_days(conference: Conference, count: int) -> list[SignUp]:
    """One list a day, so that none is in the way of another."""
    start = (timezone.now() + dt.timedelta(days=1)).replace(microsecond=0)
    starts = [start + dt.timedelta(days=number) for number in range(count)]
    hour = dt.timedelta(hours=1)
    return [make_sign_up(places=1, event=make_event(conference, start=it, end=it + hour)) for it in starts]


def test_nobody_is_on_more_lists_than_one_can_use() -> None:
    conference = make_conference()
    agenda, _ = make_agenda(conference)
    lists = lists_of_days(conference, MAX_SEATS_PER_AGENDA + 1)
    for sign_up in lists[:MAX_SEATS_PER_AGENDA]:
        sign_up.join(agenda)

    with pytest.raises(SignUpRefusedError, match=str(MAX_SEATS_PER_AGENDA)):
        lists[-1].join(agenda)

    lists[0].leave(agenda)
    assert lists[-1].join(agenda)


@pytest.mark.parametrize("over", [{"status": "cancelled"}, {"start": -3, "end": -2}], ids=["cancelled", "over"])
def test_what_is_over_or_cancelled_is_no_list_one_is_on(over: dict[str, int | str]) -> None:
    conference = make_conference()
    agenda, _ = make_agenda(conference)
    lists = lists_of_days(conference, MAX_SEATS_PER_AGENDA + 1)
    for sign_up in lists[:MAX_SEATS_PER_AGENDA]:
        sign_up.join(agenda)
    hours = {name: timezone.now() + dt.timedelta(hours=it) if isinstance(it, int) else it for name, it in over.items()}
    Event.objects.filter(pk=lists[0].event_id).update(**hours)

    assert lists[-1].join(agenda)


def test_nobody_is_on_more_lists_of_one_hour_than_make_sense() -> None:
    conference = make_conference()
    agenda, _ = make_agenda(conference)
    lists = [make_sign_up(places=1, event=make_social(conference=conference, title=title)) for title in "ABCD"]
    later = lists_of_days(conference, 3)[-1]
    for sign_up in lists[:MAX_OVERLAPPING_SEATS]:
        sign_up.join(agenda)

    with pytest.raises(SignUpRefusedError, match="3 lists at that time already: “A”, “B”, “C”"):
        lists[-1].join(agenda)

    assert later.join(agenda)
    lists[0].leave(agenda)
    assert lists[-1].join(agenda)


def test_list_that_begins_when_another_ends_is_no_list_of_that_hour() -> None:
    conference = make_conference()
    agenda, _ = make_agenda(conference)
    first = [make_sign_up(places=1, event=make_social(conference=conference)) for _ in range(MAX_OVERLAPPING_SEATS)]
    for sign_up in first:
        sign_up.join(agenda)
    end = max(it.event.end for it in first if it.event.end)
    after = make_sign_up(places=1, event=make_social(conference=conference, start=end, end=end + dt.timedelta(hours=1)))

    assert after.join(agenda)


def test_holder_has_seen_it_once() -> None:
    sign_up = make_sign_up(places=1)
    first, second = agendas_of(sign_up, 2)
    sign_up.join(first)
    sign_up.join(second)
    sign_up.leave(first)

    assert not acknowledge_seat(first, sign_up.event)
    assert acknowledge_seat(second, sign_up.event)
    assert not acknowledge_seat(second, sign_up.event)
    assert not Seat.objects.unseen_promoted().exists()


def test_agenda_that_moved_up_is_looked_at_anew(django_capture_on_commit_callbacks: object) -> None:
    sign_up = make_sign_up(places=1)
    first, second = agendas_of(sign_up, 2)
    sign_up.join(first)
    sign_up.join(second)
    before = Agenda.objects.get(pk=second.pk).revision

    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        sign_up.leave(first)

    assert Agenda.objects.get(pk=second.pk).revision == before + 1


def test_forgotten_visitor_frees_the_place() -> None:
    sign_up = make_sign_up(places=1)
    first, token = make_agenda(sign_up.event.conference)
    (second,) = agendas_of(sign_up, 1)
    sign_up.join(first)
    sign_up.join(second)

    forget_visitor(token)

    assert seating(sign_up) == [(2, "taken", second.pk)]
    assert SignUp.objects.get().taken == 1


def test_agenda_given_up_for_another_frees_the_place() -> None:
    sign_up = make_sign_up(places=1)
    first, token = make_agenda(sign_up.event.conference)
    (second,) = agendas_of(sign_up, 1)
    sign_up.join(first)
    sign_up.join(second)

    replace_visitor(visitor_of(token), Visitor.objects.create())

    assert seating(sign_up) == [(2, "taken", second.pk)]


def test_agenda_that_is_gone_joins_nothing() -> None:
    sign_up = make_sign_up(places=1)
    agenda, token = make_agenda(sign_up.event.conference)
    forget_visitor(token)

    with pytest.raises(AgendaGoneError):
        sign_up.join(agenda)


# By how two agendas stand on a list of two places with three others: what is left of both, and who has a place.
ORDERS = {
    "two places": ("ab", [], ("taken", 1)),
    "a place and a turn": ("axb", [], ("taken", 1)),
    "two turns": ("xyab", [], ("waiting", 3)),
    "one alone": ("xa", [], ("taken", 2)),
    "one that left": ("ab", ["a"], ("taken", 2)),
    "a later place before an earlier turn": ("xyabz", ["b up"], ("taken", 4)),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("into", ["ab", "ba"])
def test_of_two_seats_the_better_stays_whichever_way_they_merge(order: str, into: str) -> None:
    sign_up = make_sign_up(places=2)
    who, then, expected = ORDERS[order]
    made = {name: make_agenda(sign_up.event.conference) for name in "abxyz"}
    for name in who:
        sign_up.join(made[name][0], name)
    for act in then:
        if act == "b up":
            Seat.objects.filter(agenda=made["a"][0]).update(state=SeatState.WAITING)
            Seat.objects.filter(agenda=made["b"][0]).update(state=SeatState.TAKEN)
            Seat.objects.filter(agenda=made["y"][0]).update(state=SeatState.WAITING)
        else:
            sign_up.leave(made[act][0])

    merge_visitors(visitor_of(made[into[0]][1]), visitor_of(made[into[1]][1]))

    kept = Seat.objects.alive().get(agenda=made[into[1]][0])
    assert (kept.state, kept.number) == expected
    assert not Seat.objects.filter(agenda=made[into[0]][0]).exists()
    taken = Seat.objects.filter(state=SeatState.TAKEN)
    assert SignUp.objects.get().taken == taken.count()
    waiting = Seat.objects.filter(state=SeatState.WAITING)
    assert not waiting.exists() or taken.count() == 2


@pytest.mark.parametrize("into", ["ab", "ba"])
def test_name_given_on_either_device_stays(into: str) -> None:
    sign_up = make_sign_up(places=2)
    made = {name: make_agenda(sign_up.event.conference) for name in "ab"}
    sign_up.join(made["a"][0])
    sign_up.join(made["b"][0], "Ada")

    merge_visitors(visitor_of(made[into[0]][1]), visitor_of(made[into[1]][1]))

    assert [(seat.number, seat.name) for seat in Seat.objects.all()] == [(1, "Ada")]


def test_host_has_one_secret_at_a_time() -> None:
    sign_up = make_sign_up(places=1)

    old = sign_up.new_host_token()
    new = sign_up.new_host_token()
    assert (SignUp.objects.by_host(old), SignUp.objects.by_host(new), SignUp.objects.by_host("")) == (None, sign_up, None)

    sign_up.revoke_host_token()
    assert SignUp.objects.by_host(new) is None
    assert new not in str(SignUp.objects.values().get())
