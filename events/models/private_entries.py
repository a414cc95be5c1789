"""What somebody has to do besides the programme: theirs alone."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from events.models.agenda import Agenda
from events.models.fields import LineField


class PrivateEntry(models.Model):
    """A meeting, a flight: busy to whoever reads the agenda, unknown to organisers. Taken out, it stays as a tombstone."""

    agenda = models.ForeignKey(Agenda, models.CASCADE, related_name="private_entries")
    guid = models.UUIDField(default=uuid.uuid4, editable=False)
    title = LineField(max_length=120)
    place = LineField(max_length=120, blank=True)
    start = models.DateTimeField()
    end = models.DateTimeField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now, editable=False)
    sequence = models.PositiveIntegerField(default=0, editable=False)
    removed_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["start", "guid"]
        constraints = [
            models.UniqueConstraint(fields=["agenda", "guid"], name="private_entry_once"),
            models.CheckConstraint(
                condition=Q(end__gt=F("start")),
                name="private_entry_ends_after_start",
                violation_error_message="It ends before it starts.",
            ),
        ]

    def __str__(self) -> str:
        return f"Private entry of agenda {self.agenda_id}"
