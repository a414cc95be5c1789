"""Places that Hallway gives out itself: so many, in order, one for each agenda."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from events.models.agenda import Agenda
from events.models.event import Event
from events.models.fields import LineField


class SignUp(models.Model):
    """An event's own list. ``taken`` is the only count of its places, and moves by one conditional UPDATE."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="sign_up")
    places = models.PositiveIntegerField()
    waiting_list = models.BooleanField(default=True)
    taken = models.PositiveIntegerField(default=0, editable=False)
    last_number = models.PositiveIntegerField(default=0, editable=False)
    # Whoever holds its secret reads the list: the host.
    host_token_hash = models.CharField(max_length=64, blank=True, editable=False)

    def __str__(self) -> str:
        return f"Sign-up of {self.event}"


class SeatState(models.TextChoices):
    TAKEN = "taken", "Has a place"
    WAITING = "waiting", "On the waiting list"
    LEFT = "left", "Gave it up"


class Seat(models.Model):
    """What one agenda has on one list; given up, it stays as a tombstone without a name."""

    sign_up = models.ForeignKey(SignUp, models.CASCADE, related_name="seats")
    agenda = models.ForeignKey(Agenda, models.CASCADE, related_name="seats")
    state = models.CharField(max_length=10, choices=SeatState)
    number = models.PositiveIntegerField(editable=False)
    name = LineField(max_length=60, blank=True)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)
    promoted_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Until its holder has seen that they have a place after all, the agenda says so.
    seen_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["sign_up", "agenda"], name="seat_once")]
        indexes = [models.Index(fields=["sign_up", "state", "number"], name="seat_in_line")]

    def __str__(self) -> str:
        return f"Seat {self.number} of {self.sign_up_id}"
