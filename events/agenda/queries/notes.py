"""The private notes of an agenda."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from events.agenda.models.agenda import Agenda
from events.agenda.models.notes import Note
from events.programme.models.event import Event


def note_of(agenda: Agenda | None, event: int) -> str:
    if agenda is None or not agenda.extras.notes:
        return ""
    return agenda.notes.filter(event=event).values_list("text", flat=True).first() or ""


def notes_of(agenda: Agenda | None) -> dict[int, str]:
    """The texts by event; one query, and none for an agenda without notes."""
    if agenda is None or not agenda.extras.notes:
        return {}
    return dict(agenda.notes.values_list("event_id", "text"))


def hidden_notes(agenda: Agenda | None) -> QuerySet[Note]:
    """Those about events that are not public any more: no page of an event shows them."""
    if agenda is None or not agenda.extras.notes:
        return Note.objects.none()
    public = Event.objects.public().filter(conference=agenda.conference_id)
    return agenda.notes.exclude(event__in=public).select_related("event").order_by("pk")


def hidden_note(agenda: Agenda | None, guid: UUID) -> Note | None:
    return hidden_notes(agenda).filter(event__guid=guid).first()
