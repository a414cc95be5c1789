"""Sign-up lists of events, and the seats that agendas have on them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.db import models, transaction
from django.db.models import F, Q
from django.utils import timezone

from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import BookmarkLevel
from events.core.db.fields import LineField
from events.core.db.writing import plus_one, serialized_write
from events.core.tokens import hash_token, new_token
from events.programme.models.event import Event
from events.programme.models.labels import Status
from events.programme.participation import sign_up_closes_at
from events.sign_up.mail import mail_promoted_visitors

MAX_SEATS_PER_AGENDA = 20
"""At a time, waiting lists included. Nobody can be everywhere, and others would come."""
MAX_OVERLAPPING_SEATS = 3
"""At the same hour: one to go to, and others to wait for."""
ACTIVE_EVENT_STATUSES = (Status.TENTATIVE, Status.CONFIRMED)


class SeatState(models.TextChoices):
    TAKEN = "taken", "Has a place"
    WAITING = "waiting", "On the waiting list"
    LEFT = "left", "Gave it up"
    FREED = "freed", "Freed by organisers"


GIVEN_UP_STATES = (SeatState.LEFT, SeatState.FREED)


class SeatQuerySet(models.QuerySet["Seat"]):
    def alive(self) -> SeatQuerySet:
        return self.exclude(state__in=GIVEN_UP_STATES)

    def unseen_promoted(self) -> SeatQuerySet:
        return self.filter(state=SeatState.TAKEN, promoted_at__isnull=False, seen_at=None)

    def unseen_freed(self) -> SeatQuerySet:
        return self.filter(state=SeatState.FREED, seen_at=None)


class Seat(models.Model):
    """What one agenda has on one list. Given up, it stays as a tombstone without a name."""

    sign_up = models.ForeignKey("events.SignUp", models.CASCADE, related_name="seats")
    agenda = models.ForeignKey(Agenda, models.CASCADE, related_name="seats")
    state = models.CharField(max_length=10, choices=SeatState)
    number = models.PositiveIntegerField(editable=False)
    name = LineField(max_length=60, blank=True)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)
    promoted_at = models.DateTimeField(null=True, blank=True, editable=False)
    # The agenda shows the promotion until its visitor has confirmed it.
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
        return self.state not in GIVEN_UP_STATES

    @property
    def is_taken(self) -> bool:
        return self.state == SeatState.TAKEN

    @property
    def is_freed(self) -> bool:
        return self.state == SeatState.FREED

    @property
    def rank(self) -> tuple[bool, int]:
        return (not self.is_taken, self.number)

    @property
    def host_name(self) -> str:
        return self.name or f"Guest {self.number}"

    @property
    def host_status(self) -> str:
        return "has a place" if self.is_taken else "waiting"

    @property
    def leave_label(self) -> str:
        return "Give up my place" if self.is_taken else "Leave the waiting list"

    def rename(self, name: str) -> bool:
        return bool(Seat.objects.filter(pk=self.pk).exclude(name=name).update(name=name))


class SignUpRefusedError(ValueError):
    """No seat was given. The text is for the visitor: the reason, and what to do."""


class SignUpManager(models.Manager["SignUp"]):
    def by_host(self, token: str) -> SignUp | None:
        related = ("event__conference", "event__session__session")
        return self.filter(host_token_hash=hash_token(token)).select_related(*related).first() if token else None

    def lock(self, pk: int) -> SignUp:
        """The current row, locked until the transaction ends. It is always locked before any of its seats is changed."""
        related = ("event__conference", "event__session__session")
        return self.select_related(*related).select_for_update(of=("self",)).get(pk=pk)

    def promote_waiting(self, conference: int) -> None:
        """Fill free seats after a change of the programme: an event is on again, or ends later."""
        free = self.filter(event__conference=conference, taken__lt=F("places"), seats__state=SeatState.WAITING)
        for pk in free.order_by("pk").values_list("pk", flat=True).distinct():
            self.lock(pk).fill(timezone.now())


class SignUp(models.Model):
    """An event's list on this site. ``taken`` is the only count of its seats, and moves by one conditional UPDATE."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="sign_up")
    places = models.PositiveIntegerField()
    waiting_list = models.BooleanField(default=True)
    taken = models.PositiveIntegerField(default=0, editable=False)
    last_number = models.PositiveIntegerField(default=0, editable=False)
    # The host's address contains the token, and shows the list.
    host_token_hash = models.CharField(max_length=64, blank=True, editable=False)

    objects = SignUpManager()

    # No form has these, and save() does not write them.
    quiet_fields = frozenset({"taken", "last_number", "host_token_hash"})

    def __str__(self) -> str:
        return f"Sign-up of {self.event}"

    def save(self, *, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Write only the edited fields of an existing row: seats may have been counted since it was read."""
        if update_fields is None and not self._state.adding:
            update_fields = {field.name for field in self._meta.concrete_fields} - {"id"} - self.quiet_fields
        super().save(update_fields=update_fields, **kwargs)

    @property
    def free(self) -> int:
        return max(0, self.places - self.taken)

    @property
    def closes_at(self) -> dt.datetime | None:
        return sign_up_closes_at(self.event)

    def is_open(self, now: dt.datetime) -> bool:
        closes = self.closes_at
        return self.event.status in ACTIVE_EVENT_STATUSES and self.event.is_public and (closes is None or now < closes)

    def has_seat_of(self, agenda: Agenda) -> bool:
        return self.seats.alive().filter(agenda=agenda).exists()

    def join(self, agenda: Agenda, name: str | None = None) -> bool:
        """Take a seat or a position on the waiting list, and bookmark the event as a must. None leaves the name unchanged."""
        return agenda.change(lambda now: self._join(agenda, name, now))

    def leave(self, agenda: Agenda) -> bool:
        """Give the seat up for the next one who waits. The bookmark stays."""
        return agenda.change(lambda now: SignUp.objects.lock(self.pk).release(agenda, now), in_calendars=False)

    def lock_and_fill(self) -> None:
        with serialized_write():
            SignUp.objects.lock(self.pk).fill(timezone.now())

    def new_host_token(self) -> str:
        """A new token of the host's address, returned this once. The previous one stops working."""
        token = new_token()
        self._set_host(hash_token(token))
        return token

    def revoke_host_token(self) -> None:
        self._set_host("")

    def _set_host(self, token_hash: str) -> None:
        self.host_token_hash = token_hash
        self.save(update_fields=["host_token_hash"])

    def _join(self, agenda: Agenda, name: str | None, now: dt.datetime) -> bool:
        # This transaction has locked the agenda: nobody else adds or gives up a seat of it.
        mine = self.seats.filter(agenda=agenda).first()
        if mine is None or not mine.is_alive:
            self._enter(agenda, name or "", now)
            agenda._set_bookmark(self.event, True, now, BookmarkLevel.MUST)
            return True
        renamed = name is not None and mine.rename(name)
        return agenda._set_bookmark(self.event, True, now, BookmarkLevel.MUST) or renamed

    def _enter(self, agenda: Agenda, name: str, now: dt.datetime) -> None:
        locked = SignUp.objects.lock(self.pk)
        if not locked.is_open(now):
            raise SignUpRefusedError("You did not get a place: sign-up is closed.")
        if refusal := seat_refusal(agenda, locked.event, now):
            raise SignUpRefusedError(refusal)
        values = {"state": SeatState.WAITING, "number": locked.last_number + 1, "name": name, "joined_at": now, "changed_at": now}
        seat, _ = Seat.objects.update_or_create(
            sign_up=locked, agenda=agenda, defaults=values | {"promoted_at": None, "seen_at": None}
        )
        SignUp.objects.filter(pk=locked.pk).update(last_number=plus_one("last_number"))
        locked.fill(now, newcomer=seat)
        seat.refresh_from_db(fields=["state"])
        if seat.state == SeatState.WAITING and not locked.waiting_list:
            raise SignUpRefusedError("You did not get a place: all are taken, and there is no waiting list.")

    # The methods below need a locked row.

    def fill(self, now: dt.datetime, *, newcomer: Seat | None = None) -> None:
        """Give free seats in the order of joining. Everybody but the newcomer is notified."""
        if not self.free or not self.is_open(now):
            return
        promoted = list(self.seats.filter(state=SeatState.WAITING).order_by("number")[: self.free])
        # The number is part of the condition: the database checks it again when another transaction has changed the row.
        enough = SignUp.objects.filter(pk=self.pk, taken__lte=self.places - len(promoted))
        if not promoted or not enough.update(taken=F("taken") + len(promoted)):
            return
        self.taken += len(promoted)
        if newcomer in promoted:
            Seat.objects.filter(pk=promoted.pop().pk).update(state=SeatState.TAKEN)
        # A single UPDATE: for a row changed before, PostgreSQL would wait for the agenda, whose transaction may wait for us.
        values = {"state": SeatState.TAKEN, "changed_at": now, "promoted_at": now}
        self.seats.filter(pk__in=[seat.pk for seat in promoted]).update(**values)
        self._notify(promoted)

    def _notify(self, promoted: Sequence[Seat]) -> None:
        if promoted:
            agendas = [seat.agenda_id for seat in promoted]
            visitors = Agenda.objects.filter(pk__in=agendas).values_list("visitor", flat=True)
            mail_promoted_visitors(self.event, list(visitors), closes_at=self.closes_at)
            bump_agendas(agendas)

    def release(self, agenda: Agenda, now: dt.datetime) -> bool:
        seat = self.seats.alive().filter(agenda=agenda).first()
        if seat is None:
            return False
        values = {"state": SeatState.LEFT, "name": "", "changed_at": now, "promoted_at": None, "seen_at": None}
        Seat.objects.filter(pk=seat.pk).update(**values)
        self.free_seats(int(seat.is_taken), now)
        return True

    def merge_pair(self, mine: Seat | None, theirs: Seat, now: dt.datetime, heir: Agenda) -> None:
        """Keep the better seat of two agendas: a taken one before a waiting one, then the one with the lower number."""
        better, worse = theirs, mine
        if mine is not None and mine.is_alive and mine.rank < theirs.rank:
            better, worse = mine, theirs
        if worse is not None:
            worse.delete()
            better.name = better.name or worse.name
        better.agenda = heir
        better.save(update_fields=["agenda", "name"])
        if worse is not None:
            self.free_seats(int(worse.is_taken), now)

    def free_seats(self, count: int, now: dt.datetime) -> None:
        if count:
            SignUp.objects.filter(pk=self.pk).update(taken=F("taken") - count)
            self.taken -= count
            self.fill(now)


def seat_refusal(agenda: Agenda, event: Event, now: dt.datetime) -> str:
    """Why the agenda gets no further seat, or "". Events that are over or cancelled do not count."""
    to_come = Q(sign_up__event__end=None) | Q(sign_up__event__end__gt=now)
    seats = Seat.objects.alive().filter(to_come, agenda=agenda).exclude(sign_up__event__status=Status.CANCELLED)
    rows = list(seats.values_list("sign_up__event__title", "sign_up__event__start", "sign_up__event__end"))
    if len(rows) >= MAX_SEATS_PER_AGENDA:
        return f"You are on {len(rows)} lists, which is the most for one agenda. Give up a place first."
    hours = (event.start, event.end)
    titles = [f"“{title}”" for title, *slot in rows if _overlap(hours, tuple(slot))]
    if len(titles) >= MAX_OVERLAPPING_SEATS:
        return f"You are on {len(titles)} lists at that time already: {', '.join(titles)}. Give up one of them first."
    return ""


def _overlap(one: tuple[dt.datetime | None, ...], other: tuple[dt.datetime | None, ...]) -> bool:
    (start, end), (other_start, other_end) = one, other
    return bool(start and end and other_start and other_end and start < other_end and other_start < end)


def bump_agendas(agendas: Sequence[int]) -> None:
    def bump_each() -> None:
        # After the commit, one by one: whoever changes an agenda may be waiting for this list.
        for pk in agendas:
            Agenda.objects.filter(pk=pk).update(revision=plus_one("revision"))

    transaction.on_commit(bump_each, robust=True)


def release_seats(agendas: Iterable[Agenda]) -> None:
    """Give up all seats of these agendas, which are locked."""
    by_pk = {agenda.pk: agenda for agenda in agendas}
    seats = Seat.objects.alive().filter(agenda__in=by_pk).order_by("sign_up")
    for sign_up, agenda in list(seats.values_list("sign_up", "agenda")):
        SignUp.objects.lock(sign_up).release(by_pk[agenda], timezone.now())


def merge_seats(agenda: Agenda, other: Agenda) -> bool:
    """Move the other agenda's seats to this one; both are locked. Of two seats on one list, one is freed."""
    lists = list(other.seats.alive().order_by("sign_up").values_list("sign_up", flat=True))
    for pk in lists:
        sign_up = SignUp.objects.lock(pk)
        seats = {seat.agenda_id: seat for seat in sign_up.seats.filter(agenda__in=[agenda, other])}
        sign_up.merge_pair(seats.get(agenda.pk), seats[other.pk], timezone.now(), heir=agenda)
    return bool(lists)


def free_by_number(sign_up: SignUp, numbers: Collection[tuple[int, int]]) -> int:
    """Free the seats in these ranges of numbers, ends included, for those who wait; return how many."""
    wanted = Q(pk=None)
    for first, last in numbers:
        wanted |= Q(number__range=(first, last))
    with serialized_write():
        locked, now = SignUp.objects.lock(sign_up.pk), timezone.now()
        seats = list(locked.seats.alive().filter(wanted))
        values = {"state": SeatState.FREED, "name": "", "changed_at": now, "promoted_at": None, "seen_at": None}
        locked.seats.filter(pk__in=[seat.pk for seat in seats]).update(**values)
        locked.free_seats(sum(seat.is_taken for seat in seats), now)
        bump_agendas([seat.agenda_id for seat in seats])
    return len(seats)


def acknowledge_seat(agenda: Agenda, event: Event) -> bool:
    unseen = (agenda.seats.unseen_promoted() | agenda.seats.unseen_freed()).filter(sign_up__event=event)
    return agenda.change(lambda now: bool(unseen.update(seen_at=now)), in_calendars=False)
