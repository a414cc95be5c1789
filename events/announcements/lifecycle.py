"""The data that dismissed announcements store for an agenda."""

from __future__ import annotations

from events.agenda.lifecycle import AgendaData, StoredList
from events.agenda.models.agenda import Agenda
from events.announcements.models import AnnouncementDismissal


def merge_dismissals(agenda: Agenda, other: Agenda) -> bool:
    new = other.dismissals.exclude(announcement__in=agenda.dismissals.values("announcement"))
    return bool(new.update(agenda=agenda))


ANNOUNCEMENTS_AGENDA_DATA = AgendaData(
    lists=(StoredList("dismissed_announcements", AnnouncementDismissal, ("announcement__title", "at")),),
    merge=merge_dismissals,
)
