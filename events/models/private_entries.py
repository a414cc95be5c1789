"""What somebody has to do besides the programme: theirs alone."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from events.models.agenda import Agenda
from events.models.fields import LineField

MOST_ENTRIES = 100


class TooManyEntriesError(ValueError):
    """No agenda keeps more than it can show."""


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

    @classmethod
    def add(cls, agenda: Agenda, guid: uuid.UUID | None = None, **said: Any) -> PrivateEntry:
        """With the ``guid`` that its form was given, a form that is sent twice adds one."""
        entry = cls(agenda=agenda, guid=guid or uuid.uuid4(), **said)
        agenda.change(entry._insert)
        return entry

    def _insert(self, now: dt.datetime) -> bool:
        if self.agenda.private_entries.filter(guid=self.guid).exists():
            return False
        if self.agenda.private_entries.filter(removed_at=None).count() >= MOST_ENTRIES:
            raise TooManyEntriesError
        self.created_at = self.updated_at = now
        self.save(force_insert=True)
        return True

    def revise(self, **said: Any) -> bool:
        """Say it anew; one that was taken out meanwhile stays out."""
        return self._write(said)

    def remove(self) -> bool:
        """Take it out. What it said is nobody's business any more, not even the database's."""
        return self._write({"title": "", "place": ""}, gone=True)

    def _write(self, values: dict[str, object], *, gone: bool = False) -> bool:
        alive = PrivateEntry.objects.filter(pk=self.pk, removed_at=None)

        def write(now: dt.datetime) -> bool:
            told = {"updated_at": now, "sequence": F("sequence") + 1, "removed_at": now if gone else None}
            same = not gone and alive.filter(**values).exists()
            return not same and bool(alive.update(**values, **told))

        return self.agenda.change(write)
