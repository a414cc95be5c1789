"""Where else one can catch picks that stand in each other's way: other times of the same work, else its recording."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass

from django.urls import reverse

from events.models import Conference, Event
from events.models.picks import Pick
from events.queries.cards import Plate, plate_of
from events.queries.flags import is_recording_public
from events.queries.own_time import OwnTime
from events.queries.pinned import carried
from events.queries.slots import ConflictLine, slots_of
from events.queries.works import Shown, works_of
from events.schedule.clock import Clock
from events.schedule.elsewhere import elsewhere
from events.schedule.slots import Slot
from events.schedule.walking import Walks

MOST = 3


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
    works = works_of(own.conference, [Shown.of(event), *(own.picks[key] for key in keys[1:] if key in own.picks)], own.clock)
    # What has no other time stands in nobody's way.
    leads = any(works.values())
    found = _ways_out(works, own.slots() if leads else [], own.walks if leads else Walks(), own.clock)
    return [found[key] for key in keys if key in found]


def ways_out(
    conference: Conference, asked: Iterable[Shown | Pick], picks: Collection[Slot], walks: Walks, clock: Clock
) -> dict[Hashable, WayOut]:
    """By its key, what there is of each of these; nothing for what has no other time and no recording."""
    return _ways_out(works_of(conference, asked, clock), picks, walks, clock)


def _ways_out(
    works: Mapping[Event, Collection[Event]], picks: Collection[Slot], walks: Walks, clock: Clock
) -> dict[Hashable, WayOut]:
    events = {*works, *itertools.chain.from_iterable(works.values())}
    slots = {slot.key: slot for slot in slots_of(events)} if any(works.values()) else {}
    ways = [_way_out(event, others, slots, picks, walks, clock) for event, others in works.items()]
    return {way.pick.pk: way for way in ways if way.leads_somewhere}


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
