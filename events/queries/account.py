"""What an account opens: the agendas of all editions in one place."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q

from events.models import Account, Agenda, Bookmark, Conference
from events.models.tokens import digest


@dataclass(frozen=True)
class OwnAgenda:
    conference: Conference
    count: int


def own_agendas(account: Account) -> list[OwnAgenda]:
    """The latest conference first."""
    picked = Count("bookmarks", filter=Q(bookmarks__removed_at=None))
    known = Agenda.objects.filter(visitor=account.visitor_id, conference__status="published")
    rows = known.select_related("conference").annotate(picked=picked).order_by("-conference__start", "conference__slug")
    return [OwnAgenda(row.conference, row.picked) for row in rows]


def picks_held(token: str) -> int:
    """How much a browser would bring along."""
    if not token:
        return 0
    return Bookmark.objects.filter(agenda__visitor__tokens__token_hash=digest(token), removed_at=None).count()
