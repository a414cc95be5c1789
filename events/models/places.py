"""What becomes of places when agendas end or become one, and when their holders know of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import Q
from django.utils import timezone

from events.models.agenda import Agenda
from events.models.event import Event
from events.models.seats import Seat, SeatState, look_anew
from events.models.sign_up import SignUp
from events.models.writing import short_write


def release_all(agendas: Iterable[Agenda]) -> None:
    """All that these agendas, which are held, have on lists goes to whoever is next."""
    held = {it.pk: it for it in agendas}
    seats = Seat.objects.alive().filter(agenda__in=held).order_by("sign_up")
    for sign_up, agenda in list(seats.values_list("sign_up", "agenda")):
        SignUp.objects.hold(sign_up).release(held[agenda], timezone.now())


def take_seats(agenda: Agenda, other: Agenda) -> bool:
    """What the other has on lists becomes the agenda's; both are held. Whatever is had twice is free for the next."""
    lists = list(other.seats.alive().order_by("sign_up").values_list("sign_up", flat=True))
    for pk in lists:
        held = SignUp.objects.hold(pk)
        both = {it.agenda_id: it for it in held.seats.filter(agenda__in=[agenda, other])}
        held.join_two(both.get(agenda.pk), both[other.pk], timezone.now(), heir=agenda)
    return bool(lists)


def free(sign_up: SignUp, numbers: Collection[tuple[int, int]]) -> int:
    """Organisers take back what has these numbers, from one to the other, for whoever is next; how many that were."""
    wanted = Q(pk=None)
    for first, last in numbers:
        wanted |= Q(number__range=(first, last))
    with short_write():
        held, now = SignUp.objects.hold(sign_up.pk), timezone.now()
        seats = list(held.seats.alive().filter(wanted))
        freed = {"state": SeatState.FREED, "name": "", "changed_at": now, "promoted_at": None, "seen_at": None}
        held.seats.filter(pk__in=[seat.pk for seat in seats]).update(**freed)
        held.free_places(sum(seat.state == SeatState.TAKEN for seat in seats), now)
        look_anew([seat.agenda_id for seat in seats])
    return len(seats)


def see_place(agenda: Agenda, event: Event) -> bool:
    """Its holder knows of the place that they got after waiting, or have no more."""
    unknown = agenda.seats.news() | agenda.seats.lost()
    known = unknown.filter(sign_up__event=event)
    return agenda.change(lambda now: bool(known.update(seen_at=now)), in_calendars=False)
