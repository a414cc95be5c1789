"""Places that Hallway gives out itself: so many, in order, one for each agenda."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from django.db import models
from django.db.models import F
from django.utils import timezone

from events.models.agenda import Agenda
from events.models.base import plus_one
from events.models.event import Event, Status
from events.models.picks import Level
from events.models.seats import Seat, SeatState, tell, too_many
from events.models.tokens import digest, new_token
from events.models.writing import short_write

GOES_ON = (Status.TENTATIVE, Status.CONFIRMED)


class SignUpRefusedError(ValueError):
    """No place was given; says why, and what to do instead."""


class SignUpManager(models.Manager["SignUp"]):
    def by_host(self, token: str) -> SignUp | None:
        """The list whose host has this secret."""
        related = ("event__conference", "event__session__session")
        return self.filter(host_token_hash=digest(token)).select_related(*related).first() if token else None

    def hold(self, pk: int) -> SignUp:
        """The row as it is now, and nobody else's until the transaction ends: always before any of its seats is touched."""
        around = ("event__conference", "event__session__session")
        return self.select_related(*around).select_for_update(of=("self",)).get(pk=pk)

    def follow(self, conference: int) -> None:
        """Whoever waits moves up, where a change of the programme lets them: an event that goes on after all, a later end."""
        waited_for = self.filter(event__conference=conference, taken__lt=F("places"), seats__state=SeatState.WAITING)
        for pk in waited_for.order_by("pk").values_list("pk", flat=True).distinct():
            self.hold(pk).fill(timezone.now())


class SignUp(models.Model):
    """An event's own list. ``taken`` is the only count of its places, and moves by one conditional UPDATE."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="sign_up")
    places = models.PositiveIntegerField()
    waiting_list = models.BooleanField(default=True)
    taken = models.PositiveIntegerField(default=0, editable=False)
    last_number = models.PositiveIntegerField(default=0, editable=False)
    # Whoever holds its secret reads the list: the host.
    host_token_hash = models.CharField(max_length=64, blank=True, editable=False)

    objects = SignUpManager()

    # What no form shows, and none writes.
    quiet_fields = frozenset({"taken", "last_number", "host_token_hash"})

    def __str__(self) -> str:
        return f"Sign-up of {self.event}"

    def save(self, *, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Of a row that is there only what somebody typed: what was counted since it was read stays counted."""
        if update_fields is None and not self._state.adding:
            update_fields = {it.name for it in self._meta.concrete_fields} - {"id"} - self.quiet_fields
        super().save(update_fields=update_fields, **kwargs)

    @property
    def free(self) -> int:
        return max(0, self.places - self.taken)

    @property
    def closes_at(self) -> dt.datetime | None:
        return closing(self.event)

    def is_open(self, now: dt.datetime) -> bool:
        """Whether places are given, to who comes and to who waits."""
        closes = self.closes_at
        return self.event.status in GOES_ON and self.event.is_public and (closes is None or now < closes)

    def join(self, agenda: Agenda, name: str | None = None) -> bool:
        """A place, or a turn in line, kept by whoever has it; the event is a must. Without a name the name stays."""
        return agenda.change(lambda now: self._join(agenda, name, now))

    def leave(self, agenda: Agenda) -> bool:
        """Give it up for whoever is next; the pick stays."""
        return agenda.change(lambda now: SignUp.objects.hold(self.pk).release(agenda, now), in_calendars=False)

    def fill_up(self) -> None:
        """Whoever waits moves up as far as there are places."""
        with short_write():
            SignUp.objects.hold(self.pk).fill(timezone.now())

    def new_host_token(self) -> str:
        """A new secret for the host, shown this once; the one before it opens nothing."""
        token = new_token()
        self._set_host(digest(token))
        return token

    def take_back_host_token(self) -> None:
        self._set_host("")

    def _set_host(self, token_hash: str) -> None:
        self.host_token_hash = token_hash
        self.save(update_fields=["host_token_hash"])

    def _join(self, agenda: Agenda, name: str | None, now: dt.datetime) -> bool:
        # Its agenda is held by this transaction: nobody else makes or gives up a seat of it.
        mine = self.seats.filter(agenda=agenda).first()
        if mine is None or not mine.is_alive:
            self._enter(agenda, name or "", now)
            agenda._set_pick(self.event, True, now, Level.MUST)
            return True
        renamed = name is not None and mine.rename(name)
        return agenda._set_pick(self.event, True, now, Level.MUST) or renamed

    def _enter(self, agenda: Agenda, name: str, now: dt.datetime) -> None:
        held = SignUp.objects.hold(self.pk)
        if not held.is_open(now):
            raise SignUpRefusedError("No place was given: sign-up is closed.")
        if refusal := too_many(agenda, held.event, now):
            raise SignUpRefusedError(refusal)
        values = {"state": SeatState.WAITING, "number": held.last_number + 1, "name": name, "joined_at": now, "changed_at": now}
        seat, _ = Seat.objects.update_or_create(
            sign_up=held, agenda=agenda, defaults=values | {"promoted_at": None, "seen_at": None}
        )
        SignUp.objects.filter(pk=held.pk).update(last_number=plus_one("last_number"))
        held.fill(now, newcomer=seat)
        seat.refresh_from_db(fields=["state"])
        if seat.state == SeatState.WAITING and not held.waiting_list:
            raise SignUpRefusedError("No place was given: all are taken, and there is no waiting list.")

    # What follows is for a row that is held.

    def fill(self, now: dt.datetime, *, newcomer: Seat | None = None) -> None:
        """First come, first served; who was not just coming is told."""
        if not self.free or not self.is_open(now):
            return
        next_ones = list(self.seats.filter(state=SeatState.WAITING).order_by("number")[: self.free])
        # Places as a number: a condition that is looked at anew when another one has changed the row meanwhile.
        room = SignUp.objects.filter(pk=self.pk, taken__lte=self.places - len(next_ones))
        if not next_ones or not room.update(taken=F("taken") + len(next_ones)):
            return
        self.taken += len(next_ones)
        if newcomer in next_ones:
            Seat.objects.filter(pk=next_ones.pop().pk).update(state=SeatState.TAKEN)
        # One update: for a row that it has changed before, PostgreSQL would wait for the agenda, whose holder may wait for us.
        moved_up = {"state": SeatState.TAKEN, "changed_at": now, "promoted_at": now}
        self.seats.filter(pk__in=[seat.pk for seat in next_ones]).update(**moved_up)
        tell(next_ones)

    def release(self, agenda: Agenda, now: dt.datetime) -> bool:
        seat = self.seats.alive().filter(agenda=agenda).first()
        if seat is None:
            return False
        given_up = {"state": SeatState.LEFT, "name": "", "changed_at": now, "promoted_at": None, "seen_at": None}
        Seat.objects.filter(pk=seat.pk).update(**given_up)
        self.free_places(int(seat.state == SeatState.TAKEN), now)
        return True

    def join_two(self, mine: Seat | None, theirs: Seat, now: dt.datetime, heir: Agenda) -> None:
        """One seat of two agendas that become one: a place before a turn in line, then who came first."""
        better, worse = theirs, mine
        if mine is not None and mine.is_alive and mine.rank < theirs.rank:
            better, worse = mine, theirs
        if worse is not None:
            worse.delete()
            better.name = better.name or worse.name
        better.agenda = heir
        better.save(update_fields=["agenda", "name"])
        if worse is not None:
            self.free_places(int(worse.state == SeatState.TAKEN), now)

    def free_places(self, count: int, now: dt.datetime) -> None:
        if count:
            SignUp.objects.filter(pk=self.pk).update(taken=F("taken") - count)
            self.taken -= count
            self.fill(now)


def closing(event: Event) -> dt.datetime | None:
    """When a list of ours takes nobody any more: at its own end, and never after the start."""
    return min((it for it in (event.signup_until, event.start) if it is not None), default=None)
