"""Where else one can catch picks that stand in each other's way: other times of the same work, else its recording."""

from __future__ import annotations

import datetime as dt
import itertools
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from events.models import Appearance, Conference, Event
from events.models.event import EventQuerySet
from events.models.prepared import prepared
from events.queries.cards import Plate, plate_of
from events.queries.flags import is_recording_public
from events.queries.own_time import OwnTime
from events.queries.pinned import carried
from events.queries.slots import ConflictLine, for_slots, slots_of
from events.schedule.clock import Clock
from events.schedule.elsewhere import elsewhere
from events.schedule.slots import Slot
from events.schedule.walking import Walks

MOST = 3
OF_EVENT = ("abstract", "board", "place", "recording_url", "recording_from", "day", "paper__is_public", "type__name")
OF_ROOM = ("room__name", "room__floor", "room__zone__letter")


@dataclass(frozen=True)
class OtherTime:
    """Another time of a pick that one can go to in its place."""

    event: Event
    pick: Event
    url: str
    plate: Plate | None

    @property
    def take_url(self) -> str:
        return reverse("events:bookmark-exchange", args=[self.event.conference.slug, self.event.guid, self.pick.guid])


@dataclass(frozen=True)
class WayOut:
    """What there is of one pick besides the time that is in the way."""

    pick: Event
    times: list[OtherTime]
    recording_url: str = ""
    recording_from: dt.date | None = None

    @property
    def leads_somewhere(self) -> bool:
        return bool(self.times or self.recording_url or self.recording_from)


def ways_out_of(event: Event, lines: Iterable[ConflictLine], own: OwnTime) -> list[WayOut]:
    """For an event and the picks it is in conflict with; its own first."""
    keys = [event.pk, *(line.key for line in lines)]
    if own.agenda is None or len(keys) < 2:
        return []
    works = _works(own.conference, keys, own.clock)
    # What has no other time stands in nobody's way.
    leads = any(works.values())
    found = _ways_out(works, own.slots() if leads else [], own.walks if leads else Walks(), own.clock)
    return [found[key] for key in keys if key in found]


def ways_out(
    conference: Conference, keys: Collection[int], picks: Collection[Slot], walks: Walks, clock: Clock
) -> dict[Hashable, WayOut]:
    """By its key, what there is of each of these; nothing for what has no other time and no recording."""
    return _ways_out(_works(conference, keys, clock), picks, walks, clock)


def _ways_out(
    works: Mapping[Event, Collection[Event]], picks: Collection[Slot], walks: Walks, clock: Clock
) -> dict[Hashable, WayOut]:
    events = {*works, *itertools.chain.from_iterable(works.values())}
    slots = {slot.key: slot for slot in slots_of(events)} if any(works.values()) else {}
    ways = [_way_out(event, others, slots, picks, walks, clock) for event, others in works.items()]
    return {way.pick.pk: way for way in ways if way.leads_somewhere}


def _works(conference: Conference, keys: Iterable[int], clock: Clock) -> dict[Event, list[Event]]:
    """The events of these keys, and for each all the other times at which its work will be shown."""
    asked = _shown(conference.pk, list(keys))
    papers = {it.paper_id for it in asked if it.paper_id and _has_paper(it)}
    titles = {it.title for it in asked if not _has_paper(it)}
    coming = [*_shows_paper(list(papers), clock.now), *_is_called(conference.pk, list(titles), clock.now)]
    found = {it.pk: it for it in coming if it.conference_id == conference.pk}
    for event in (*asked, *found.values()):
        event.conference = conference
    people = _people_of({it.pk for it in (*asked, *found.values()) if not _has_paper(it)})
    alike = defaultdict(list)
    for event in sorted(found.values(), key=attrgetter("start", "pk")):
        alike[_work(event, people)].append(event)
    return {it: [other for other in alike[_work(it, people)] if other != it] for it in asked}


def _shows(*more: str) -> EventQuerySet:
    return for_slots(Event.objects.public(), *OF_EVENT, *more).select_related("paper")


def _coming(now: dt.datetime) -> EventQuerySet:
    return _shows(*OF_ROOM).select_related("room__zone").filter(end__gt=now)


@prepared
def _shown(conference: int, keys: list[int]) -> EventQuerySet:
    return _shows().filter(conference=conference, pk__in=keys)


@prepared
def _shows_paper(papers: list[int], now: dt.datetime) -> EventQuerySet:
    return _coming(now).filter(paper__pk__in=papers)


@prepared
def _is_called(conference: int, titles: list[str], now: dt.datetime) -> EventQuerySet:
    return _coming(now).filter(conference=conference, title__in=titles)


@prepared
def _appear(events: list[int]) -> QuerySet[Appearance, Any]:
    return Appearance.objects.filter(event__pk__in=events).order_by().values_list("event", "person")


def _work(event: Event, people: Mapping[int, frozenset[int]]) -> Hashable:
    """What two events have in common that show the same; a title alone may be two things' ("Opening")."""
    if _has_paper(event):
        return event.paper_id
    who = people.get(event.pk)
    if not who and not event.abstract:
        return ("nothing to tell by", event.pk)
    return event.title, event.type_id, who or event.abstract


def _has_paper(event: Event) -> bool:
    return event.paper is not None and event.paper.is_public


def _people_of(events: Iterable[int]) -> dict[int, frozenset[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    for event, person in _appear(list(events)):
        found[event].add(person)
    return {event: frozenset(people) for event, people in found.items()}


def _way_out(
    event: Event, others: Iterable[Event], slots: Mapping[Hashable, Slot], picks: Collection[Slot], walks: Walks, clock: Clock
) -> WayOut:
    by_key = {it.pk: it for it in others}
    found = elsewhere(slots[event.pk], [slots[key] for key in by_key], picks, walks, clock.now)[:MOST] if by_key else []
    if found:
        return WayOut(event, [_other_time(by_key[it.key], event, clock) for it in found if isinstance(it.key, int)])
    if is_recording_public(event, clock):
        return WayOut(event, [], recording_url=event.recording_url)
    # What was to be public by now and is not makes no promise.
    coming = event.recording_from and event.recording_from > clock.today
    return WayOut(event, [], recording_from=event.recording_from if coming else None)


def _other_time(event: Event, pick: Event, clock: Clock) -> OtherTime:
    plate = plate_of(event.room, event.conference.slug) if event.room else None
    return OtherTime(event, pick, carried(event.get_absolute_url(), clock), plate)
