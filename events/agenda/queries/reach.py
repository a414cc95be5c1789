"""How many agendas and calendars follow a conference: counts for organisers, never who."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from events.agenda.models.agenda import Agenda
from events.agenda.models.feeds import FeedFetch
from events.agenda.rules.impact import MIN_SHOWN_COUNT
from events.programme.models.conference import Conference


@dataclass(frozen=True)
class Reach:
    agendas: int
    calendars: int

    @property
    def shown(self) -> list[tuple[str, str]]:
        return [
            (_shown(self.agendas), "agendas have something of it"),
            (_shown(self.calendars), "agendas are read by a calendar"),
        ]


def reach_of(conference: Conference) -> Reach:
    fetched = FeedFetch.objects.filter(agenda__conference=conference).values("agenda").distinct()
    return Reach(agendas_in_use(conference).count(), fetched.count())


def agendas_in_use(conference: Conference) -> QuerySet[Agenda]:
    """Agendas that lose something with the conference: a bookmark, a note, or an entry of their own."""
    bookmarked = Q(bookmarks__isnull=False, bookmarks__removed_at=None)
    in_use = bookmarked | Q(private_entries__isnull=False) | Q(notes__isnull=False)
    return Agenda.objects.filter(in_use, conference=conference).distinct()


def _shown(number: int) -> str:
    return f"<{MIN_SHOWN_COUNT}" if 0 < number < MIN_SHOWN_COUNT else str(number)
