"""Events as slots, and what a visitor is told about two of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils import timezone

from events.models import Conference, Event, Kind, Level, Status
from events.models.event import EventQuerySet
from events.models.picks import Pick
from events.models.ways import walks_in
from events.queries.present_words import presenting
from events.schedule.overlaps import Conflict, Verdict
from events.schedule.slots import Slot
from events.schedule.spans import spoken
from events.schedule.walking import ANY_WAY, Needs, Walks

_IDLE = (Kind.BREAK, Kind.SERVICE)


class Break(NamedTuple):
    """A time inside a session at which it has no programme of its own."""

    pk: int
    session: int | None
    start: dt.datetime
    end: dt.datetime


class SlotRow(NamedTuple):
    """What a slot is made of. To make models of all that somebody picked takes longer than to read it."""

    pk: int
    start: dt.datetime | None
    end: dt.datetime | None
    zone: int | None
    kind: str
    session: int | None
    travel_minutes: int | None
    status: str
    presents: bool = False


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


def slots_of(events: Iterable[Event], levels: Mapping[int, str] | None = None) -> list[Slot]:
    """The events as slots; a session's own breaks are times at which nothing is missed.

    ``levels`` says for picks how much they are wanted: a maybe may be given up, and what is watched later takes no time.
    """
    rows = slot_rows(events)
    return slots_around(rows, breaks_inside(rows), levels)


def breaks_inside(rows: Iterable[SlotRow | Pick], among: EventQuerySet | None = None) -> list[Break]:
    """Those of sessions that are public; ``among`` says which, where some may not be."""
    sessions = [it.pk for it in rows if it.kind == Kind.SESSION]
    if not sessions:
        return []
    breaks = Event.objects.exclude(status=Status.DRAFT) if among is None else among
    found = breaks.filter(session__in=sessions, type__kind=Kind.BREAK).values_list("pk", "session", "start", "end")
    return [Break(pk, session, start, end) for pk, session, start, end in found if start and end]


def slots_around(rows: Iterable[SlotRow | Pick], breaks: Iterable[Break], levels: Mapping[int, str] | None = None) -> list[Slot]:
    levels = levels or {}
    gaps: dict[int | None, list[tuple[dt.datetime, dt.datetime]]] = {}
    for it in breaks:
        gaps.setdefault(it.session, []).append((it.start, it.end))
    return [_slot(row, tuple(gaps.get(row.pk, ())), levels.get(row.pk, "")) for row in rows]


def _slot(row: SlotRow | Pick, gaps: tuple[tuple[dt.datetime, dt.datetime], ...], level: str) -> Slot:
    return Slot(
        key=row.pk,
        start=row.start,
        end=row.end,
        zone=row.zone,
        is_break=row.kind in _IDLE,
        is_container=row.kind == Kind.SESSION,
        is_visit=row.kind == Kind.POSTER,
        gaps=gaps,
        parent=row.session,
        travel_minutes=row.travel_minutes,
        cancelled=row.status == Status.CANCELLED,
        fixed=row.presents,
        maybe=level == Level.MAYBE and not row.presents,
        later=level == Level.LATER and not row.presents,
    )


def walks_of(conference: Conference, needs: Needs = ANY_WAY) -> Walks:
    return Walks(walks_in(conference.pk), needs)


def for_slots(events: EventQuerySet, *more: str) -> EventQuerySet:
    """The events with what a slot and a line about it need, and ``more``, but none of their long texts."""
    needed = ("title", "guid", "start", "end", "status", "conference", "session", "travel_minutes", "type__kind", "room__zone")
    return events.select_related("type", "room").only(*needed, *more)


@dataclass(frozen=True)
class OtherPick:
    title: str
    url: str


@dataclass(frozen=True)
class ConflictLine:
    """One of my picks that gets in the way, in words."""

    other: OtherPick
    verdict: str
    sentence: str
    key: int = 0
    quiet: bool = False


def sentence(conflict: Conflict) -> str:
    """The verdict in words, times in the visitor's zone."""
    if said := presenting(conflict):
        return said
    match conflict.verdict:
        case Verdict.CLASH:
            return f"{'Maybe' if conflict.quiet else 'Clash'}: {spoken(conflict.minutes)} overlap"
        case Verdict.PARTIAL:
            return f"You miss {conflict.minutes} of {conflict.of_minutes} minutes"
        case Verdict.TIGHT if conflict.arrive and conflict.way:
            arrive = timezone.localtime(conflict.arrive)
            return f"{conflict.way.minutes} min walk: you arrive {arrive:%H:%M}, {spoken(conflict.minutes)} late"
        case _:
            return ""
