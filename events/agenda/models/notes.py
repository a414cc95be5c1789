"""Private notes of an agenda, one for each event."""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.utils import timezone

from events.agenda.models.agenda import Agenda
from events.core.db.fields import plain_text
from events.programme.models.event import Event

MAX_NOTE_CHARS = 4000
MAX_NOTES_PER_AGENDA = 500


class TooManyNotesError(ValueError):
    """The agenda has ``MAX_NOTES_PER_AGENDA`` already."""


class Note(models.Model):
    """Only its visitor reads it: it is on no shared page, in no feed and not in the admin."""

    agenda = models.ForeignKey(Agenda, models.CASCADE, related_name="notes")
    event = models.ForeignKey(Event, models.CASCADE, related_name="agenda_notes")
    # Longer than MAX_NOTE_CHARS where two agendas were merged.
    text = models.TextField(validators=[plain_text])
    updated_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["agenda", "event"], name="note_once")]

    def __str__(self) -> str:
        return f"Note in agenda {self.agenda_id}"

    @classmethod
    def write(cls, agenda: Agenda, event: Event, text: str) -> bool:
        """Set the note; an empty text deletes it. Raises TooManyNotesError."""
        return agenda.change(lambda now: cls._write(agenda, event, text, now), in_calendars=False)

    @classmethod
    def _write(cls, agenda: Agenda, event: Event, text: str, now: dt.datetime) -> bool:
        mine = agenda.notes.filter(event=event)
        if not text:
            return bool(mine.delete()[0])
        if mine.exists():
            return bool(mine.exclude(text=text).update(text=text, updated_at=now))
        if agenda.notes.count() >= MAX_NOTES_PER_AGENDA:
            raise TooManyNotesError
        agenda.notes.create(event=event, text=text, updated_at=now)
        return True
