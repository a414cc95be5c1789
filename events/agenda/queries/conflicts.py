"""The time slots of an agenda, its conflicts with an event, and the sentences about them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.urls import reverse
from django.utils import timezone

from events.agenda.models.agenda import Agenda, BookmarkedEvent, BookmarkLevel, SlotRow
from events.agenda.queries.private_entries import PrivateCard, private_cards
from events.core.clock import Clock, with_pinned_time
from events.core.spans import ONE_MINUTE, Span, spoken_duration, subtract_spans, whole_minutes
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind, Status
from events.programme.rules.overlaps import Conflict, ConflictVerdict, conflicts_with
from events.programme.rules.slots import TimeSlot, slot_minutes
from events.programme.rules.walking import NO_NEEDS, Needs, Walks, Way
from events.venue.queries import walks_in

# No way between two events of a conference takes longer.
MAX_TRAVEL_TIME = dt.timedelta(hours=6)
_KINDS_WITHOUT_TALKS = (Kind.BREAK, Kind.SERVICE)


class SessionBreak(NamedTuple):
    """A break inside a session."""

    pk: int
    session: int | None
    start: dt.datetime
    end: dt.datetime


def slot_rows(events: Iterable[Event]) -> list[SlotRow]:
    return [
        SlotRow(
            pk=event.pk,
            start=event.start,
            end=event.end,
            zone=event.room.zone_id if event.room else None,
            kind=event.type.kind,
            session=event.session_id,
            travel_minutes=event.travel_minutes,
            status=event.status,
            presents=event.presents,
        )
        for event in events
    ]


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
    return Walks(walks_in(conference.pk), needs)


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
    key: int = 0
    quiet: bool = False
    # Of the other one.
    end: dt.datetime | None = None
    # The times that a visitor who leaves this event for the other would miss.
    missed: tuple[Span, ...] = ()


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
        if event.start is None:
            return []
        if event.pk in self.bookmarked_events:
            event.presents = self.bookmarked_events[event.pk].presents
        reach = Span(event.start - MAX_TRAVEL_TIME, (event.end or event.start) + MAX_TRAVEL_TIME)
        near = [it for pk, it in self.bookmarked_events.items() if pk != event.pk and _is_within(reach, it.start, it.end)]
        entries = [it.slot for it in self.private if _is_within(reach, it.start, it.end)]
        found = self._conflicts(event, near, entries, ())
        # A session's breaks can only remove a conflict, so they are read for sessions in conflict alone.
        keys = {it.b.key for it in found}
        if found and (breaks := breaks_in_sessions([*slot_rows([event]), *(it for it in near if it.pk in keys)])):
            found = self._conflicts(event, near, entries, breaks)
        return [
            ConflictLine(
                self._bookmark_link(conflict.b.key),
                conflict.verdict,
                conflict_text(conflict),
                _event_id(conflict.b.key),
                conflict.quiet,
                conflict.b.end,
                missed_spans(conflict),
            )
            for conflict in found
        ]

    def _conflicts(
        self, event: Event, near: list[BookmarkedEvent], entries: list[TimeSlot], breaks: Iterable[SessionBreak]
    ) -> list[Conflict]:
        if not (near or entries):
            return []
        mine, *others = slots_with_breaks([*slot_rows([event]), *near], breaks, self.levels)
        return conflicts_with(mine, others + entries, self.walks)

    def _bookmark_link(self, key: Hashable) -> BookmarkLink:
        if isinstance(key, int):
            event = self.bookmarked_events[key]
            address = reverse("events:event-detail", args=[self.conference.slug, event.guid])
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


def conflict_text(conflict: Conflict) -> str:
    """Times are in the visitor's zone."""
    if text := presenter_text(conflict):
        return text
    match conflict.verdict:
        case ConflictVerdict.CLASH:
            return f"{'Maybe' if conflict.quiet else 'Clash'}: {spoken_duration(conflict.minutes)} overlap"
        case ConflictVerdict.PARTIAL:
            return f"You would miss {conflict.minutes} of {conflict.of_minutes} min"
        case ConflictVerdict.TIGHT if conflict.arrive and conflict.way:
            arrive = timezone.localtime(conflict.arrive)
            return f"{conflict.way.minutes} min walk: you arrive {arrive:%H:%M}, {spoken_duration(conflict.minutes)} late"
        case _:
            return ""


def missed_spans(conflict: Conflict) -> tuple[Span, ...]:
    """The times of ``a`` that are missed for ``b``; () where a visitor would not leave ``a`` and come back."""
    shared = conflict.a.span and conflict.b.span and conflict.a.span.shared_with(conflict.b.span)
    leaves = conflict.verdict is ConflictVerdict.PARTIAL and slot_minutes(conflict.a) >= slot_minutes(conflict.b)
    if not shared or not leaves or conflict.fixed:
        return ()
    return tuple(subtract_spans(shared, conflict.a.gaps + conflict.b.gaps))


@dataclass(frozen=True)
class ConflictWords:
    """What an agenda says at the later of two in conflict; the name of the earlier one stands between the first two."""

    lead: str
    rest: str
    remedy: str = ""


def conflict_words(conflict: Conflict) -> ConflictWords:
    text = conflict_text(conflict)
    lower = f"{text[:1].lower()}{text[1:]}"
    words = ConflictWords("With", f": {lower}")
    if conflict.fixed:
        # The sentence already has the time to come or leave.
        return words
    match conflict.verdict:
        case ConflictVerdict.CLASH if conflict.quiet:
            words = ConflictWords("Maybe: overlaps", f" by {spoken_duration(conflict.minutes)}")
        case ConflictVerdict.CLASH:
            words = ConflictWords("Clash with", f": {spoken_duration(conflict.minutes)} overlap", _clash_remedy(conflict))
        case ConflictVerdict.PARTIAL if conflict.left == conflict.a.key:
            words = ConflictWords(f"{text} of", "", "You can step out and come back.")
        case ConflictVerdict.PARTIAL:
            words = ConflictWords("For", f", {lower} of this", "You can step out and come back.")
        case ConflictVerdict.TIGHT if conflict.way and conflict.b.start:
            leave = timezone.localtime(conflict.b.start - conflict.way.minutes * ONE_MINUTE)
            words = ConflictWords("From", f", {text}", f"Leave at {leave:%H:%M} to be there in time.")
    return words


def _clash_remedy(conflict: Conflict) -> str:
    first, second = conflict.a.span, conflict.b.span
    if first is None or second is None or first.start == second.start:
        return "They start together: keep one."
    return f"Choose one, or leave the first at {timezone.localtime(second.start):%H:%M}."


def presenter_text(conflict: Conflict) -> str:
    """What a visitor who presents at one of the two misses of the other; empty if they present at neither."""
    mine, other = (conflict.a, conflict.b) if conflict.a.fixed else (conflict.b, conflict.a)
    if not mine.fixed or mine.span is None or other.span is None:
        return ""
    if other.fixed:
        how = "too little for the walk" if conflict.verdict is ConflictVerdict.TIGHT else "overlap"
        return f"You present at both: {spoken_duration(conflict.minutes)} {how}"
    if conflict.verdict is ConflictVerdict.PARTIAL:
        return f"You present {_span_text(mine.span)}, so you would miss {conflict.minutes} of {conflict.of_minutes} min"
    if other.span.start >= mine.span.start:
        return _late_text(mine.span, other.span, conflict.way)
    return _early_text(mine.span, other.span, conflict.way)


def _late_text(mine: Span, other: Span, way: Way | None) -> str:
    arrive = mine.end + (way.minutes if way else 0) * ONE_MINUTE
    until = f"You present until {timezone.localtime(mine.end):%H:%M}"
    if arrive >= other.end:
        return f"{until}, so you would miss all of it"
    late = spoken_duration(whole_minutes(arrive - other.start))
    return f"{until}, so you arrive {timezone.localtime(arrive):%H:%M}{'' if way else ' at the earliest'}, {late} late"


def _early_text(mine: Span, other: Span, way: Way | None) -> str:
    leave = mine.start - (way.minutes if way else 0) * ONE_MINUTE
    begins = f"You present from {timezone.localtime(mine.start):%H:%M}"
    if leave <= other.start:
        return f"{begins}, so you would miss all of it"
    return f"{begins}, so leave at {timezone.localtime(leave):%H:%M}{'' if way else ' at the latest'}"


def _span_text(span: Span) -> str:
    return f"{timezone.localtime(span.start):%H:%M}–{timezone.localtime(span.end):%H:%M}"
