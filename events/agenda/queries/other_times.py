"""Other times of the same content: an oral and its poster, a talk that is repeated."""

from __future__ import annotations

import datetime as dt
import itertools
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.urls import reverse

from events.agenda.models.bookmarks import BookmarkedEvent
from events.agenda.queries.conflicts import AgendaConflicts, ConflictLine, slots_of
from events.agenda.rules.itinerary import attendable_times
from events.core.clock import Clock, with_pinned_time
from events.core.db.prepared_query import prepared
from events.programme.display import RoomSign, is_recording_public, room_sign
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.people import Appearance
from events.programme.queries.events import for_slots
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import Walks

CONTENT_EVENT_COLUMNS = ("abstract", "board", "place", "recording_url", "recording_from", "day", "paper__is_public", "type__name")
CONTENT_ROOM_COLUMNS = ("room__name", "room__floor", "room__zone__letter")


class ContentQuery(NamedTuple):
    """What identifies the content of an event: its paper, unless that is hidden, otherwise its title."""

    pk: int
    title: str
    paper: int | None
    is_recorded: bool

    @classmethod
    def from_event(cls, event: Event) -> ContentQuery:
        paper = event.paper_id if _has_public_paper(event) else None
        return cls(event.pk, event.title, paper, bool(event.recording_url or event.recording_from))

    def may_match(self, title: str, paper: int | None) -> bool:
        """Only a candidate: two things may have the same title."""
        return paper == self.paper if self.paper else title == self.title


def same_content(
    conference: Conference, asked: Iterable[ContentQuery | BookmarkedEvent], clock: Clock
) -> dict[Event, list[Event]]:
    """For each of these events all other coming times of the same content.

    Most events are shown once and not recorded: they are left out, and nothing more is read about them.
    """
    shown = [ContentQuery(it.pk, it.title, it.paper, it.is_recorded) for it in asked]
    coming = _coming_rows(conference, shown, clock)
    again = {it.pk for it in shown if any(pk != it.pk and it.may_match(title, paper) for pk, title, paper in coming)}
    wanted = again | {it.pk for it in shown if it.is_recorded}
    if not wanted:
        return {}
    others = {pk for pk, _, _ in coming} if again else set()
    events = {it.pk: it for it in _read_events(conference.pk, *sorted(wanted | others))}
    for event in events.values():
        event.conference = conference
    people = _people_by_event(it.pk for it in events.values() if not _has_public_paper(it))
    alike = defaultdict(list)
    for event in sorted((events[pk] for pk in others if pk in events), key=attrgetter("start", "pk")):
        alike[_content_key(event, people)].append(event)
    return {
        events[pk]: [it for it in alike[_content_key(events[pk], people)] if it.pk != pk] for pk in sorted(wanted) if pk in events
    }


def _coming_rows(conference: Conference, shown: Iterable[ContentQuery], clock: Clock) -> list[tuple[int, str, int | None]]:
    """Candidates that are not over, as (id, title, paper), public or not."""
    papers, titles = {it.paper for it in shown if it.paper}, {it.title for it in shown if not it.paper}
    rows = _events_of_papers(*sorted(papers)) if papers else []
    rows += _events_of_titles(conference.pk, *sorted(titles)) if titles else []
    return [(pk, title, paper) for pk, title, paper, end in rows if end and end > clock.now]


@prepared
def _events_of_papers(*papers: int) -> QuerySet[Event, Any]:
    # Without the conference: with it, SQLite would read all its events.
    return Event.objects.filter(paper__pk__in=papers).order_by().values_list("pk", "title", "paper", "end")


@prepared
def _events_of_titles(conference: int, *titles: str) -> QuerySet[Event, Any]:
    return Event.objects.filter(conference=conference, title__in=titles).order_by().values_list("pk", "title", "paper", "end")


@prepared
def _read_events(conference: int, *keys: int) -> EventQuerySet:
    events = Event.objects.public().filter(conference=conference, pk__in=keys)
    return for_slots(events, *CONTENT_EVENT_COLUMNS, *CONTENT_ROOM_COLUMNS).select_related("type", "paper", "room__zone")


def _content_key(event: Event, people: Mapping[int, frozenset[int]]) -> Hashable:
    """Equal for two events with the same content. A title alone is not enough ("Opening")."""
    if _has_public_paper(event):
        return event.paper_id
    who = people.get(event.pk)
    if not who and not event.abstract:
        return ("nothing to tell by", event.pk)
    return event.title, event.type_id, who or event.abstract


def _has_public_paper(event: Event) -> bool:
    return event.paper is not None and event.paper.is_public


def _people_by_event(events: Iterable[int]) -> dict[int, frozenset[int]]:
    result: dict[int, set[int]] = defaultdict(set)
    if keys := list(events):
        for event, person in Appearance.objects.filter(event__in=keys).order_by().values_list("event", "person"):
            result[event].add(person)
    return {event: frozenset(people) for event, people in result.items()}


MAX_OTHER_TIMES = 3


@dataclass(frozen=True)
class OtherTime:
    """Another time of a bookmarked event that the visitor can attend instead."""

    event: Event
    bookmarked_event: Event
    url: str
    plate: RoomSign | None

    @property
    def exchange_url(self) -> str:
        return reverse("events:bookmark-exchange", args=[self.event.conference.slug, self.event.guid, self.bookmarked_event.guid])


@dataclass(frozen=True)
class OtherTimes:
    """The other times of one event, or its recording."""

    event: Event
    times: list[OtherTime]
    recording_url: str = ""
    recording_from: dt.date | None = None

    @property
    def has_options(self) -> bool:
        return bool(self.times or self.recording_url or self.recording_from)


def other_times_of_event(event: Event, lines: Iterable[ConflictLine], conflicts: AgendaConflicts) -> list[OtherTimes]:
    """For an event and the bookmarks it conflicts with, the event first."""
    keys = [event.pk, *(line.key for line in lines)]
    if conflicts.agenda is None or len(keys) < 2:
        return []
    works = same_content(
        conflicts.conference,
        [
            ContentQuery.from_event(event),
            *(conflicts.bookmarked_events[key] for key in keys[1:] if key in conflicts.bookmarked_events),
        ],
        conflicts.clock,
    )
    # Without any other time, slots and walks are not needed.
    has_times = any(works.values())
    slots, walks = (conflicts.slots(), conflicts.walks) if has_times else ([], Walks())
    result = _collect_other_times(works, slots, walks, conflicts.clock)
    return [result[key] for key in keys if key in result]


def other_times_by_key(
    conference: Conference,
    asked: Iterable[ContentQuery | BookmarkedEvent],
    bookmarked: Collection[TimeSlot],
    walks: Walks,
    clock: Clock,
) -> dict[Hashable, OtherTimes]:
    """By event id; events without other times and recording are left out."""
    return _collect_other_times(same_content(conference, asked, clock), bookmarked, walks, clock)


def _collect_other_times(
    works: Mapping[Event, Collection[Event]], bookmarked: Collection[TimeSlot], walks: Walks, clock: Clock
) -> dict[Hashable, OtherTimes]:
    events = {*works, *itertools.chain.from_iterable(works.values())}
    slots = {slot.key: slot for slot in slots_of(events)} if any(works.values()) else {}
    times = [_other_times_of(event, others, slots, bookmarked, walks, clock) for event, others in works.items()]
    return {of_event.event.pk: of_event for of_event in times if of_event.has_options}


def _other_times_of(
    event: Event,
    others: Iterable[Event],
    slots: Mapping[Hashable, TimeSlot],
    bookmarked: Collection[TimeSlot],
    walks: Walks,
    clock: Clock,
) -> OtherTimes:
    by_key = {it.pk: it for it in others}
    attendable = (
        attendable_times(slots[event.pk], [slots[key] for key in by_key], bookmarked, walks, clock.now)[:MAX_OTHER_TIMES]
        if by_key
        else []
    )
    if attendable:
        return OtherTimes(event, [_other_time(by_key[it.key], event, clock) for it in attendable if isinstance(it.key, int)])
    if is_recording_public(event, clock):
        return OtherTimes(event, [], recording_url=event.recording_url)
    # A recording that should be public by now and is not gets no date.
    coming = event.recording_from and event.recording_from > clock.today
    return OtherTimes(event, [], recording_from=event.recording_from if coming else None)


def _other_time(event: Event, bookmarked: Event, clock: Clock) -> OtherTime:
    plate = room_sign(event.room, event.conference.slug) if event.room else None
    return OtherTime(event, bookmarked, with_pinned_time(event.get_absolute_url(), clock), plate)
