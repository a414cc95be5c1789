"""Where else one can catch picks that stand in each other's way: other times of the same work, else its recording."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Q
from django.urls import reverse

from events.models import Agenda, Appearance, Conference, Event
from events.models.event import EventQuerySet
from events.queries.cards import Plate, plate_of
from events.queries.flags import is_recording_public
from events.queries.pinned import carried
from events.queries.private_entries import private_cards
from events.queries.slots import ConflictLine, for_slots, slots_of, walks_of
from events.schedule.clock import Clock
from events.schedule.elsewhere import elsewhere
from events.schedule.slots import Slot
from events.schedule.walking import ANY_WAY, Needs, Walks

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


def ways_out_of(
    event: Event, lines: Iterable[ConflictLine], agenda: Agenda | None, clock: Clock, needs: Needs = ANY_WAY
) -> list[WayOut]:
    """For an event and the picks it is in conflict with; its own first."""
    keys = [event.pk, *(line.key for line in lines)]
    if agenda is None or len(keys) < 2:
        return []
    agenda.conference = event.conference
    picks = slots_of(for_slots(Event.objects.public().attended_in(agenda.pk)))
    picks += [it.slot for it in private_cards(agenda, clock)]
    found = ways_out(event.conference, keys, picks, walks_of(event.conference, needs), clock)
    return [found[key] for key in keys if key in found]


def ways_out(
    conference: Conference, keys: Collection[int], picks: Collection[Slot], walks: Walks, clock: Clock
) -> dict[Hashable, WayOut]:
    """By its key, what there is of each of these; nothing for what has no other time and no recording."""
    if not keys:
        return {}
    shown = for_slots(Event.objects.public(), *OF_EVENT, *OF_ROOM).select_related("room__zone", "paper")
    asked = list(shown.filter(conference=conference, pk__in=keys))
    works = _by_work(asked, shown)
    events = {it.pk: it for it in [*asked, *(it for found in works.values() for it in found)]}
    slots = {slot.key: slot for slot in slots_of(events.values())}
    for event in events.values():
        event.conference = conference
    ways = [_way_out(event, works[event.pk], slots, picks, walks, clock) for event in asked]
    return {way.pick.pk: way for way in ways if way.leads_somewhere}


def _by_work(asked: Collection[Event], shown: EventQuerySet) -> dict[int, list[Event]]:
    """By its key, all the times at which the work of each of these is shown."""
    papers = {it.paper_id for it in asked if _has_paper(it)}
    titles = {it.title for it in asked if not _has_paper(it)}
    home = {it.conference_id for it in asked}
    # Said so that each side is looked up in an index of its own.
    same = Q(paper__in=papers) | Q(conference__in=home, title__in=titles)
    found = [it for it in shown.filter(same).exclude(start=None).order_by("start", "pk") if it.conference_id in home]
    people = _people_of([it for it in found if not _has_paper(it)])
    alike = defaultdict(list)
    for event in found:
        alike[_work(event, people)].append(event)
    return {it.pk: [other for other in alike[_work(it, people)] if other.pk != it.pk] for it in asked}


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


def _people_of(events: Iterable[Event]) -> dict[int, frozenset[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    for event, person in Appearance.objects.filter(event__in=[it.pk for it in events]).order_by().values_list("event", "person"):
        found[event].add(person)
    return {event: frozenset(people) for event, people in found.items()}


def _way_out(
    event: Event, others: Iterable[Event], slots: Mapping[Hashable, Slot], picks: Collection[Slot], walks: Walks, clock: Clock
) -> WayOut:
    by_key = {it.pk: it for it in others}
    found = elsewhere(slots[event.pk], [slots[key] for key in by_key], picks, walks, clock.now)[:MOST]
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
