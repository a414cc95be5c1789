"""What merging the agendas of two devices would change."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from events.agenda.merging import mergeable_bookmark
from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import Bookmark
from events.agenda.models.visitors import AccessToken, Visitor
from events.agenda.queries.personal_data import stored_lists
from events.agenda.rules.merging import MergeableBookmark, preview_merge
from events.core.tokens import hash_token
from events.programme.models.conference import Conference
from events.programme.models.labels import public_within

BookmarksByEvent = dict[int, MergeableBookmark]


@dataclass(frozen=True)
class AgendaComparison:
    """The agendas of two devices at one conference, in numbers of bookmarks, private entries and seats."""

    conference: Conference
    here: int
    new: int
    already: int
    removed_here: int
    removed_there: int
    only_here: int
    entries: int
    seats_here: int


@dataclass(frozen=True)
class Devices:
    """All browsers that open a visitor's agendas; the others by when they were connected, the latest first."""

    this: AccessToken | None
    others: list[AccessToken]


def devices_of(visitor: Visitor | None, token: str) -> Devices:
    rows = list(visitor.tokens.order_by("-created_at", "-pk")) if visitor else []
    here = hash_token(token)
    return Devices(next((it for it in rows if it.token_hash == here), None), [it for it in rows if it.token_hash != here])


def has_agendas(visitor: Visitor | None) -> bool:
    return visitor is not None and visitor.agendas.filter(conference__status="published").exists()


def agenda_comparisons(here: Visitor | None, there: Visitor) -> list[AgendaComparison]:
    """For each conference of which either device has an agenda, the latest first."""
    mine, theirs = _bookmarks_by_conference(here), _bookmarks_by_conference(there)
    lists = stored_lists()
    entries, seats = lists["private_entries"].current_counts(there), lists["places"].current_counts(here)
    agendas = Agenda.objects.filter(visitor__in=[it for it in (here, there) if it], conference__status="published")
    conferences = Conference.objects.filter(pk__in=agendas.values("conference")).order_by("-start", "name")
    return [_agenda_comparison(it, mine[it.pk], theirs[it.pk], entries[it.pk], seats[it.pk]) for it in conferences]


def _agenda_comparison(
    conference: Conference, mine: BookmarksByEvent, theirs: BookmarksByEvent, entries: int, seats: int
) -> AgendaComparison:
    preview = preview_merge(mine, theirs)
    return AgendaComparison(
        conference=conference,
        here=sum(bookmark.removed_at is None for bookmark in mine.values()),
        new=preview.new,
        already=preview.already,
        removed_here=preview.removed_here,
        removed_there=preview.removed_there,
        only_here=sum(bookmark.removed_at is None and key not in theirs for key, bookmark in mine.items()),
        entries=entries,
        seats_here=seats,
    )


def _bookmarks_by_conference(visitor: Visitor | None) -> defaultdict[int, BookmarksByEvent]:
    found: defaultdict[int, BookmarksByEvent] = defaultdict(dict)
    rows = Bookmark.objects.filter(public_within("event"), agenda__visitor=visitor) if visitor else []
    for row in rows:
        found[row.agenda_id][row.event_id] = mergeable_bookmark(row)
    conferences = dict(Agenda.objects.filter(pk__in=list(found)).values_list("pk", "conference"))
    return defaultdict(dict, {conferences[agenda]: bookmarks for agenda, bookmarks in found.items()})
