"""The time slots of an agenda, and its conflicts with an event."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import BookmarkedEvent, BookmarkLevel, SlotColumns, SlotRow
from events.agenda.queries.conflict_words import ConflictWords, conflict_text, words_about
from events.agenda.queries.private_entries import PrivateCard, private_cards
from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import Clock, with_pinned_time
from events.core.languages import isolated
from events.core.spans import Span
from events.programme.addresses import event_url
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind, Status
from events.programme.queries.revisions import last_change_of_everything
from events.programme.rules.overlaps import Conflict, conflicts_with
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import NO_NEEDS, Needs, Walks
from events.venue.queries.ways import walks_in

# No way between two events of a conference takes longer.
MAX_TRAVEL_TIME = dt.timedelta(hours=6)
_KINDS_WITHOUT_TALKS = (Kind.BREAK, Kind.SERVICE)


class SessionBreak(NamedTuple):
    """A break inside a session."""

    pk: int
    session: int | None
    start: dt.datetime
    end: dt.datetime


def slot_columns(event: Event) -> SlotColumns:
    """Return what a row of ``SLOT_COLUMNS`` has, of an event with its room and type."""
    zone = event.room.zone_id if event.room else None
    return (event.pk, event.start, event.end, zone, event.type.kind, event.session_id, event.travel_minutes, event.status)


def slot_rows(events: Iterable[Event]) -> list[SlotRow]:
    return [SlotRow(*slot_columns(event), presents=event.presents) for event in events]


def slots_of(events: Iterable[Event], levels: Mapping[int, str] | None = None) -> list[TimeSlot]:
    """The events as slots; during a break of its session a visitor misses nothing.

    ``levels`` are those of the bookmarks, by event.
    """
    rows = slot_rows(events)
    return slots_with_breaks(rows, breaks_in_sessions(rows), levels)


def breaks_in_sessions(rows: Iterable[SlotRow], among: EventQuerySet | None = None) -> list[SessionBreak]:
    """The breaks of the sessions among these rows; ``among`` limits which events may be breaks (default: all but drafts)."""
    sessions = [it.pk for it in rows if it.kind == Kind.SESSION]
    if not sessions:
        return []
    breaks = Event.objects.exclude(status=Status.DRAFT) if among is None else among
    rows_of_breaks = breaks.filter(session__in=sessions, type__kind=Kind.BREAK).values_list("pk", "session", "start", "end")
    return [SessionBreak(pk, session, start, end) for pk, session, start, end in rows_of_breaks if start and end]


def slots_with_breaks(
    rows: Iterable[SlotRow], breaks: Iterable[SessionBreak], levels: Mapping[int, str] | None = None
) -> list[TimeSlot]:
    levels = levels or {}
    gaps: dict[int | None, list[tuple[dt.datetime, dt.datetime]]] = {}
    for session_break in breaks:
        gaps.setdefault(session_break.session, []).append((session_break.start, session_break.end))
    return [_slot_of_row(row, tuple(gaps.get(row.pk, ())), levels.get(row.pk, "")) for row in rows]


def _slot_of_row(row: SlotRow, gaps: tuple[tuple[dt.datetime, dt.datetime], ...], level: str) -> TimeSlot:
    return TimeSlot(
        key=row.pk,
        start=row.start,
        end=row.end,
        zone=row.zone,
        is_break=row.kind in _KINDS_WITHOUT_TALKS,
        is_service=row.kind == Kind.SERVICE,
        is_container=row.kind == Kind.SESSION,
        is_visit=row.kind == Kind.POSTER,
        gaps=gaps,
        parent=row.session,
        travel_minutes=row.travel_minutes,
        cancelled=row.status == Status.CANCELLED,
        fixed=row.presents,
        maybe=level == BookmarkLevel.MAYBE and not row.presents,
        later=level == BookmarkLevel.LATER and not row.presents,
    )


def walks_of(conference: Conference, needs: Needs = NO_NEEDS) -> Walks:
    """A process reads them once, until a revision of the conference may have changed anything."""
    version = last_change_of_everything(conference)
    rows = PROCESS_CACHE.get_or_build(("walks", conference.pk), lambda: walks_in(conference.pk), version=version)
    return Walks(rows, needs)


@dataclass(frozen=True)
class BookmarkLink:
    title: str
    url: str


@dataclass(frozen=True)
class ConflictLine:
    """A conflict with another bookmark or a private entry, as shown on pages."""

    other: BookmarkLink
    verdict: str
    sentence: str
    # The same for a message about the event: with "it" and the name of the other.
    words: ConflictWords
    key: int = 0
    quiet: bool = False
    # Of the other one.
    end: dt.datetime | None = None
    # The times that a visitor who leaves this event for the other would miss.
    missed: tuple[Span, ...] = ()

    @property
    def message(self) -> str:
        return f"{self.words.lead}{isolated(self.other.title)}{self.words.rest}."


@dataclass(frozen=True)
class AgendaConflicts:
    """The bookmarked events and private entries of an agenda and the walks between them, each read once when needed.

    Without an agenda all of them are empty.
    """

    agenda: Agenda | None
    conference: Conference
    clock: Clock
    needs: Needs = NO_NEEDS

    @property
    def bookmarked_events(self) -> dict[int, BookmarkedEvent]:
        return self.agenda.bookmarked_events if self.agenda else {}

    @cached_property
    def private(self) -> list[PrivateCard]:
        if self.agenda is None:
            return []
        self.agenda.conference = self.conference
        return private_cards(self.agenda, self.clock)

    @cached_property
    def walks(self) -> Walks:
        return walks_of(self.conference, self.needs)

    @cached_property
    def levels(self) -> dict[int, str]:
        return {pk: bookmark.level for pk, bookmark in self.bookmarked_events.items()}

    def slots(self) -> list[TimeSlot]:
        rows = list(self.bookmarked_events.values())
        slots = slots_with_breaks(rows, breaks_in_sessions(rows), self.levels)
        return [*(it for it in slots if not it.later), *(it.slot for it in self.private)]

    def conflicts_of(self, event: Event) -> list[ConflictLine]:
        """The conflicts of this event with other bookmarks and private entries, the worst first."""
        return self.conflicts_of_row(*slot_rows([event]))

    def conflicts_of_row(self, row: SlotRow) -> list[ConflictLine]:
        """The same, for whoever has no more of the event than its time slot."""
        if row.start is None:
            return []
        if row.pk in self.bookmarked_events:
            row.presents = self.bookmarked_events[row.pk].presents
        reach = Span(row.start - MAX_TRAVEL_TIME, (row.end or row.start) + MAX_TRAVEL_TIME)
        near = [it for pk, it in self.bookmarked_events.items() if pk != row.pk and _is_within(reach, it.start, it.end)]
        entries = [it.slot for it in self.private if _is_within(reach, it.start, it.end)]
        found = self._conflicts(row, near, entries, ())
        # A session's breaks can only remove a conflict, so they are read for sessions in conflict alone.
        keys = {it.b.key for it in found}
        if found and (breaks := breaks_in_sessions([row, *(it for it in near if it.pk in keys)])):
            found = self._conflicts(row, near, entries, breaks)
        return [self._line(conflict) for conflict in found]

    def conflicts_of_entry(self, pk: int) -> list[ConflictLine]:
        """The conflicts of this private entry, unless it was removed, with bookmarks and other entries, the worst first."""
        mine = [it.slot for it in self.private if it.entry.pk == pk]
        return [self._line(conflict) for slot in mine for conflict in conflicts_with(slot, self.slots(), self.walks)]

    def _line(self, conflict: Conflict) -> ConflictLine:
        return ConflictLine(
            self._bookmark_link(conflict.b.key),
            conflict.verdict,
            conflict_text(conflict),
            words_about(conflict, conflict.a.key, "it", self.clock),
            _event_id(conflict.b.key),
            conflict.quiet,
            conflict.b.end,
            missed_spans(conflict),
        )

    def _conflicts(
        self, row: SlotRow, near: list[BookmarkedEvent], entries: list[TimeSlot], breaks: Iterable[SessionBreak]
    ) -> list[Conflict]:
        if not (near or entries):
            return []
        mine, *others = slots_with_breaks([row, *near], breaks, self.levels)
        return conflicts_with(mine, others + entries, self.walks)

    def _bookmark_link(self, key: Hashable) -> BookmarkLink:
        if isinstance(key, int):
            event = self.bookmarked_events[key]
            address = event_url(self.conference.slug, event.pk, event.title)
            return BookmarkLink(event.title, with_pinned_time(address, self.clock))
        entry = next(it for it in self.private if it.key == key)
        return BookmarkLink(entry.title, entry.url)


def conflicts_with_bookmarks(event: Event, agenda: Agenda | None, clock: Clock, needs: Needs = NO_NEEDS) -> list[ConflictLine]:
    return AgendaConflicts(agenda, event.conference, clock, needs).conflicts_of(event)


def _is_within(reach: Span, start: dt.datetime | None, end: dt.datetime | None) -> bool:
    return start is not None and end is not None and end > reach.start and start < reach.end


def _event_id(key: Hashable) -> int:
    """The id of an event; 0 for a private entry, which has no other times."""
    return key if isinstance(key, int) else 0


def missed_spans(conflict: Conflict) -> tuple[Span, ...]:
    """The times of ``a`` that are missed for ``b``; () where a visitor would not leave ``a`` and come back."""
    return () if conflict.left != conflict.a.key or conflict.fixed else tuple(conflict.missed)
