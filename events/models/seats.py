"""What one agenda has on one list, and who hears of those who moved up."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from events.models.agenda import Agenda
from events.models.base import plus_one
from events.models.event import Event, Status
from events.models.fields import LineField

MOST_SEATS = 20
"""What one agenda may have at a time, places and turns in line together: nobody can be everywhere, and others would come."""
MOST_AT_ONCE = 3
"""How many of them may be at the same hour: one to go to, and others to wait for."""
Listener = Callable[[Sequence["Seat"]], None]
LISTENERS: list[Listener] = []
"""Who wants to hear, in the same transaction, of those who moved up."""


def on_promotion(listener: Listener) -> Listener:
    LISTENERS.append(listener)
    return listener


def tell(seats: Sequence[Seat]) -> None:
    """Let those who moved up know: by whoever listens, and by a revision of their agendas, which pages are kept by."""
    if not seats:
        return
    for listener in LISTENERS:
        listener(seats)
    look_anew([seat.agenda_id for seat in seats])


def look_anew(agendas: Sequence[int]) -> None:
    """A revision more for each of these agendas, which nobody holds here."""

    def count() -> None:
        # After the rest, one by one: whoever changes an agenda may be waiting for this list.
        for pk in agendas:
            Agenda.objects.filter(pk=pk).update(revision=plus_one("revision"))

    transaction.on_commit(count, robust=True)


class SeatState(models.TextChoices):
    TAKEN = "taken", "Has a place"
    WAITING = "waiting", "On the waiting list"
    LEFT = "left", "Gave it up"
    FREED = "freed", "Freed by organisers"


GONE = (SeatState.LEFT, SeatState.FREED)


class SeatQuerySet(models.QuerySet["Seat"]):
    def alive(self) -> SeatQuerySet:
        """A place or a turn in line."""
        return self.exclude(state__in=GONE)

    def news(self) -> SeatQuerySet:
        """Places that their holders do not know of yet."""
        return self.filter(state=SeatState.TAKEN, promoted_at__isnull=False, seen_at=None)

    def lost(self) -> SeatQuerySet:
        """What organisers freed, and their holders do not know of yet."""
        return self.filter(state=SeatState.FREED, seen_at=None)


class Seat(models.Model):
    """What one agenda has on one list; given up, it stays as a tombstone without a name."""

    sign_up = models.ForeignKey("events.SignUp", models.CASCADE, related_name="seats")
    agenda = models.ForeignKey(Agenda, models.CASCADE, related_name="seats")
    state = models.CharField(max_length=10, choices=SeatState)
    number = models.PositiveIntegerField(editable=False)
    name = LineField(max_length=60, blank=True)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)
    promoted_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Until its holder has seen that they have a place after all, the agenda says so.
    seen_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = SeatQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["sign_up", "agenda"], name="seat_once")]
        indexes = [models.Index(fields=["sign_up", "state", "number"], name="seat_in_line")]

    def __str__(self) -> str:
        return f"Seat {self.number} of {self.sign_up_id}"

    @property
    def is_alive(self) -> bool:
        return self.state not in GONE

    @property
    def rank(self) -> tuple[bool, int]:
        return (self.state != SeatState.TAKEN, self.number)

    def rename(self, name: str) -> bool:
        """What the host's list calls its holder; nothing for nobody's name."""
        return bool(Seat.objects.filter(pk=self.pk).exclude(name=name).update(name=name))


def too_many(agenda: Agenda, event: Event, now: dt.datetime) -> str:
    """Why it gets no seat more; empty where it may. What is over or cancelled counts no more."""
    to_come = Q(sign_up__event__end=None) | Q(sign_up__event__end__gt=now)
    seats = Seat.objects.alive().filter(to_come, agenda=agenda).exclude(sign_up__event__status=Status.CANCELLED)
    held = list(seats.values_list("sign_up__event__title", "sign_up__event__start", "sign_up__event__end"))
    if len(held) >= MOST_SEATS:
        return f"You are on {len(held)} lists, as many as one agenda can be: give up a place first."
    hours = (event.start, event.end)
    titles = [f"“{title}”" for title, *slot in held if _overlap(hours, tuple(slot))]
    if len(titles) >= MOST_AT_ONCE:
        return f"You are on {len(titles)} lists of that hour already: {', '.join(titles)}. Give up one of them first."
    return ""


def _overlap(one: tuple[dt.datetime | None, ...], other: tuple[dt.datetime | None, ...]) -> bool:
    (start, end), (begins, ends) = one, other
    return bool(start and end and begins and ends and start < ends and begins < end)
