"""Private entries of an agenda, such as a meeting or a flight."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from events.agenda.models.agenda import Agenda
from events.core.db.fields import LineField

MAX_PRIVATE_ENTRIES = 100


class TooManyEntriesError(ValueError):
    """The agenda has ``MAX_PRIVATE_ENTRIES`` already."""


class PrivateEntry(models.Model):
    """Readers of a shared agenda see "Busy", organisers see nothing. A removed entry stays as a tombstone without text."""

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
    def add(cls, agenda: Agenda, guid: uuid.UUID | None = None, **values: Any) -> PrivateEntry:
        """A form that is sent twice has the same ``guid`` and adds one entry. Raises TooManyEntriesError."""
        entry = cls(agenda=agenda, guid=guid or uuid.uuid4(), **values)
        agenda.change(entry._insert)
        return entry

    def _insert(self, now: dt.datetime) -> bool:
        if self.agenda.private_entries.filter(guid=self.guid).exists():
            return False
        if self.agenda.private_entries.filter(removed_at=None).count() >= MAX_PRIVATE_ENTRIES:
            raise TooManyEntriesError
        self.created_at = self.updated_at = now
        self.save(force_insert=True)
        return True

    def revise(self, **values: Any) -> bool:
        """Set new values, unless the entry was removed meanwhile."""
        return self._write(values)

    def remove(self) -> bool:
        return self._write({"title": "", "place": ""}, removed=True)

    def _write(self, values: dict[str, object], *, removed: bool = False) -> bool:
        alive = PrivateEntry.objects.filter(pk=self.pk, removed_at=None)

        def write(now: dt.datetime) -> bool:
            changed = {"updated_at": now, "sequence": F("sequence") + 1, "removed_at": now if removed else None}
            same = not removed and alive.filter(**values).exists()
            return not same and bool(alive.update(**values, **changed))

        return self.agenda.change(write)
