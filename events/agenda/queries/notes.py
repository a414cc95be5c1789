"""The private notes of an agenda."""

from __future__ import annotations

from events.agenda.models.agenda import Agenda


def note_of(agenda: Agenda | None, event: int) -> str:
    if agenda is None or not agenda.extras.notes:
        return ""
    return agenda.notes.filter(event=event).values_list("text", flat=True).first() or ""


def notes_of(agenda: Agenda | None) -> dict[int, str]:
    """The texts by event; one query, and none for an agenda without notes."""
    if agenda is None or not agenda.extras.notes:
        return {}
    return dict(agenda.notes.values_list("event_id", "text"))
