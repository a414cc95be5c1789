"""Events as slots, and what a visitor is told about two of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils import timezone

from events.models import Conference, Event, Kind, Level
from events.models.event import EventQuerySet
from events.models.prepared import prepared
from events.models.ways import walks_in
from events.queries.pinned import carried
from events.queries.present_words import presenting
from events.queries.private_entries import PrivateCard
from events.schedule.clock import Clock
from events.schedule.overlaps import Conflict, Verdict, conflicts_with
from events.schedule.slots import Slot
from events.schedule.spans import spoken
from events.schedule.walking import ANY_WAY, Needs, Walks


class Break(NamedTuple):
    """A time inside a session at which it has no programme of its own."""

    pk: int
    session: int | None
    start: dt.datetime
    end: dt.datetime


def slots_of(events: Iterable[Event], levels: Mapping[int, str] | None = None) -> list[Slot]:
    """The events as slots; a session's own breaks are times at which nothing is missed.

    ``levels`` says for picks how much they are wanted: a maybe may be given up, and what is watched later takes no time.
    """
    events = list(events)
    return slots_around(events, breaks_inside(events), levels)


def breaks_inside(events: Iterable[Event]) -> list[Break]:
    found = _breaks_in([it.pk for it in events if _is_container(it)])
    return [Break(pk, session, start, end) for pk, session, start, end in found if start and end]


@prepared
def _breaks_in(sessions: list[int]) -> QuerySet[Event, Any]:
    inside = Event.objects.public().of_kind(Kind.BREAK).filter(session__pk__in=sessions)
    return inside.exclude(start=None).values_list("pk", "session", "start", "end")


def slots_around(events: Iterable[Event], breaks: Iterable[Break], levels: Mapping[int, str] | None = None) -> list[Slot]:
    levels = levels or {}
    gaps: dict[int | None, list[tuple[dt.datetime, dt.datetime]]] = {}
    for it in breaks:
        gaps.setdefault(it.session, []).append((it.start, it.end))
    return [_slot(event, tuple(gaps.get(event.pk, ())), levels.get(event.pk, "")) for event in events]


def _slot(event: Event, gaps: tuple[tuple[dt.datetime, dt.datetime], ...], level: str) -> Slot:
    return Slot(
        key=event.pk,
        start=event.start,
        end=event.end,
        zone=event.room.zone_id if event.room else None,
        is_break=event.type.kind in {Kind.BREAK, Kind.SERVICE},
        is_container=_is_container(event),
        is_visit=event.type.kind == Kind.POSTER,
        gaps=gaps,
        parent=event.session_id,
        travel_minutes=event.travel_minutes,
        cancelled=event.is_cancelled,
        fixed=event.presents,
        maybe=level == Level.MAYBE and not event.presents,
        later=level == Level.LATER and not event.presents,
    )


def _is_container(event: Event) -> bool:
    return event.type.kind == Kind.SESSION


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


def conflict_lines(
    event: Event,
    picks: Collection[Event],
    clock: Clock,
    own: Collection[PrivateCard],
    levels: Mapping[int, str],
    needs: Needs,
) -> list[ConflictLine]:
    """Every pick, and every private entry, this event is in conflict with, the worst first."""
    if not picks and not own:
        return []
    for pick in picks:
        pick.conference = event.conference
    walks = walks_of(event.conference, needs)
    mine, *others = [*slots_around([event, *picks], (), levels), *(it.slot for it in own)]
    # A session's breaks can only take a conflict away.
    if not conflicts_with(mine, others, walks):
        return []
    mine, *others = [*slots_of([event, *picks], levels), *(it.slot for it in own)]
    named: dict[Hashable, OtherPick] = {pick.pk: _named(pick, clock) for pick in picks}
    named |= {it.key: OtherPick(it.title, it.url) for it in own}
    found = conflicts_with(mine, others, walks)
    return [ConflictLine(named[it.b.key], it.verdict, sentence(it), _number(it.b.key), it.quiet) for it in found]


def _number(key: Hashable) -> int:
    """An event's; a private entry has none, and no other time."""
    return key if isinstance(key, int) else 0


def _named(event: Event, clock: Clock) -> OtherPick:
    return OtherPick(event.title, carried(event.get_absolute_url(), clock))


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
