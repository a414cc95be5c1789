"""The personal data of one visitor: all of it as plain values, and how much there is."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q

from events.agenda.lifecycle import LIFECYCLE, StoredList
from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import Bookmark
from events.agenda.models.feeds import FEED_OPTIONS, FeedAddress, FeedFetch
from events.agenda.models.notes import Note
from events.agenda.models.private_entries import PrivateEntry
from events.agenda.models.sharing import ReadLink
from events.agenda.models.visitors import AccessToken, Account, Visitor
from events.programme.models.conference import Conference, ConferenceStatus
from events.programme.models.event import Event

BOOKMARK_TIMES = ("created_at", "removed_at", "decided_at", "seen_at", "visited_at", "downloaded_at")
BOOKMARK_COLUMNS = ("event__guid", "level", "presents", *BOOKMARK_TIMES)
PRIVATE_ENTRY_COLUMNS = ("guid", "title", "place", "start", "end", "created_at", "updated_at", "sequence", "removed_at")
AGENDA_COLUMNS = ("created_at", "changed_at", "revision", "feed_serial", "digested_at", "alerted_at", *FEED_OPTIONS)

BOOKMARKS = StoredList("picks", Bookmark, BOOKMARK_COLUMNS, current=Q(removed_at=None))
PRIVATE_ENTRIES = StoredList("private_entries", PrivateEntry, PRIVATE_ENTRY_COLUMNS, current=Q(removed_at=None))
NOTES = StoredList("notes", Note, ("event__guid", "text", "updated_at"))
READ_LINKS = StoredList("links_to_read", ReadLink, ("serial", "label", "created_at", "revoked_at"), current=Q(revoked_at=None))
FEED_FETCHES = StoredList("calendars_that_came", FeedFetch, ("client", "at"))
REPLACED_FEEDS = StoredList("calendar_addresses_replaced", FeedAddress, ("replaced_at",), exported=Q(replaced_at__isnull=False))


def stored_lists() -> dict[str, StoredList]:
    own = (BOOKMARKS, PRIVATE_ENTRIES, NOTES, READ_LINKS, FEED_FETCHES, REPLACED_FEEDS)
    return {stored.key: stored for stored in (*own, *LIFECYCLE.lists)}


@dataclass(frozen=True)
class StoredCounts:
    """How much is stored at one conference."""

    conference: str
    bookmarks: int
    entries: int
    notes: int
    links: int
    questions: int
    votes: int
    seats: int


def stored_counts(visitor: Visitor | None) -> list[StoredCounts]:
    if visitor is None:
        return []
    lists = stored_lists()
    keys = {
        "bookmarks": "picks",
        "entries": "private_entries",
        "notes": "notes",
        "links": "links_to_read",
        "questions": "questions",
        "votes": "poll_votes",
    }
    counts = {name: lists[key].current_counts(visitor) for name, key in (keys | {"seats": "places"}).items()}
    return [
        StoredCounts(
            _conference_values(agenda.conference)["name"],
            **{name: count[agenda.conference_id] for name, count in counts.items()},
        )
        for agenda in visitor.agendas.select_related("conference").order_by("pk")
    ]


def personal_data(visitor: Visitor | None) -> dict[str, Any]:
    """Plain values for JSON. Secrets are left out: only their hashes are stored."""
    if visitor is None:
        return {"agendas": [], "account": None, "browsers": []}
    agendas = list(visitor.agendas.select_related("conference", "start").order_by("pk"))
    rows = {key: stored.rows_by_agenda(agendas) for key, stored in stored_lists().items()}
    titles = _public_titles(agendas)
    for agenda in agendas:
        for key in (BOOKMARKS.key, NOTES.key):
            rows[key][agenda.pk] = _with_titles(rows[key][agenda.pk], titles[agenda.conference_id])
    return {
        "agendas": [_agenda_values(agenda) | {key: found[agenda.pk] for key, found in rows.items()} for agenda in agendas],
        "account": _account_values(visitor),
        "browsers": list(AccessToken.objects.filter(visitor=visitor).order_by("pk").values("created_at")),
    }


def _conference_values(conference: Conference) -> dict[str, str]:
    if conference.status == ConferenceStatus.PUBLISHED:
        return {"slug": conference.slug, "name": conference.name}
    return {"slug": "", "name": "A conference that is not public now"}


def _agenda_values(agenda: Agenda) -> dict[str, Any]:
    conference = _conference_values(agenda.conference)
    start = agenda.start.name if agenda.start and conference["slug"] else ""
    return {"conference": conference, "start": start, **{name: getattr(agenda, name) for name in AGENDA_COLUMNS}}


def _public_titles(agendas: list[Agenda]) -> dict[int, dict[UUID, str]]:
    """By conference and guid: two conferences may have events with the same guid."""
    mine = Q(bookmarks__agenda__in=agendas) | Q(agenda_notes__agenda__in=agendas)
    titles: dict[int, dict[UUID, str]] = defaultdict(dict)
    for conference, guid, title in Event.objects.public().filter(mine).distinct().values_list("conference", "guid", "title"):
        titles[conference][guid] = title
    return titles


def _with_titles(rows: list[dict[str, Any]], titles: dict[UUID, str]) -> list[dict[str, Any]]:
    """The same rows with ``event_title``, which is empty where the event is hidden now."""
    return [{"event_guid": row["event_guid"], "event_title": titles.get(row["event_guid"], ""), **row} for row in rows]


def _account_values(visitor: Visitor) -> dict[str, Any] | None:
    account = Account.objects.filter(visitor=visitor).select_related("user").first()
    if account is None:
        return None
    wants = {"wants_digests": account.wants_digests, "wants_alerts": account.wants_alerts}
    return {"mail": account.user.email, **wants, "created_at": account.created_at}
