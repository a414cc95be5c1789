"""What an account opens: the agendas of all editions in one place."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q

from events.models import Agenda, Bookmark, Conference
from events.models.agenda import digest


@dataclass(frozen=True)
class OwnAgenda:
    conference: Conference
    count: int


def own_agendas(token: str) -> list[OwnAgenda]:
    """The latest conference first."""
    picked = Count("bookmarks", filter=Q(bookmarks__removed_at=None))
    known = Agenda.objects.filter(token_hash=digest(token), conference__status="published")
    rows = known.select_related("conference").annotate(picked=picked).order_by("-conference__start", "conference__slug")
    return [OwnAgenda(row.conference, row.picked) for row in rows]


def picks_held(token: str) -> int:
    """How much a browser would bring along."""
    return Bookmark.objects.filter(agenda__token_hash=digest(token), removed_at=None).count() if token else 0
