"""The agendas of an account and of a browser, with their numbers of bookmarks."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q

from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import Bookmark
from events.agenda.models.visitors import Account
from events.core.tokens import hash_token
from events.programme.models.conference import Conference


@dataclass(frozen=True)
class AccountAgenda:
    conference: Conference
    count: int


def account_agendas(account: Account) -> list[AccountAgenda]:
    bookmarked = Count("bookmarks", filter=Q(bookmarks__removed_at=None))
    known = Agenda.objects.filter(visitor=account.visitor_id, conference__status="published")
    rows = known.select_related("conference").annotate(bookmarked=bookmarked).order_by("-conference__start", "conference__slug")
    return [AccountAgenda(row.conference, row.bookmarked) for row in rows]


def bookmark_count(token: str) -> int:
    if not token:
        return 0
    return Bookmark.objects.filter(agenda__visitor__tokens__token_hash=hash_token(token), removed_at=None).count()
