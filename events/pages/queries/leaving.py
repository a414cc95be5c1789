"""The line that names the visitor's next room and says when to leave for it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace

from events.agenda.models.agenda import Agenda
from events.agenda.queries.conflicts import slots_with_breaks, walks_of
from events.agenda.queries.private_entries import private_cards
from events.agenda.rules.leaving import (
    has_been_somewhere,
    is_private_before,
    leave_time,
    minutes_between,
    next_slot,
    place_before,
)
from events.core.clock import DAY_CHANGE, Clock, programme_date, with_pinned_time
from events.core.db.prepared_query import prepared
from events.core.spans import Span, spoken_duration, utc
from events.programme.models.event import Event, EventQuerySet
from events.programme.queries.events import for_slots
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import NO_NEEDS, Need, Needs
from events.venue.queries.ways import way_to_event


@dataclass(frozen=True)
class LeaveLine:
    event: Event
    url: str
    # The room, or the place in words; "" if it is to be announced.
    place: str
    # Without minutes the way is not known, or there is nowhere to go.
    minutes: int | None = None
    leave_at: dt.datetime | None = None
    is_due: bool = False
    # The visitor is in that room already.
    is_same_room: bool = False
    from_name: str = ""
    # Inside the venue; from a hotel one does not only walk.
    is_walk: bool = False

    @property
    def name(self) -> str:
        return self.place or self.event.title

    @property
    def way_text(self) -> str:
        """As "6 min walk" or "45 min from Grand Hotel"."""
        length = spoken_duration(self.minutes or 0)
        return f"{length} walk" if self.is_walk else f"{length} from {self.from_name}" if self.from_name else length


@dataclass(frozen=True)
class _Today:
    """What decides where a visitor is."""

    slots: list[TimeSlot]
    private: list[Span]
    now: dt.datetime
    # When the day of the programme began.
    since: dt.datetime

    @classmethod
    def of_agenda(cls, agenda: Agenda, clock: Clock) -> _Today:
        rows = agenda.bookmarked_events
        slots = slots_with_breaks(rows.values(), (), {key: row.level for key, row in rows.items()})
        private = [Span(utc(it.start), utc(it.end)) for it in private_cards(agenda, clock)]
        since = utc(dt.datetime.combine(clock.today, DAY_CHANGE, clock.venue_zone))
        return cls(slots, private, clock.made_at, since)

    def note_moments(self, clock: Clock) -> None:
        """Say when the line becomes another one: whenever something begins or ends."""
        for span in (*self.private, *(it.span for it in self.slots if it.span)):
            clock.is_between(*span)

    def where_before(self, following: TimeSlot) -> TimeSlot | None:
        return place_before(following, self.slots, self.private, self.now, self.since)

    def is_at_start(self, following: TimeSlot) -> bool:
        """Whether nothing came before: the visitor leaves from where they begin the day."""
        was_somewhere = has_been_somewhere(self.slots, self.now, self.since)
        return not was_somewhere and not is_private_before(following, self.private, self.since)


def leave_line(
    agenda: Agenda, clock: Clock, needs: Needs = NO_NEEDS, start: int | None = None, *, is_online: bool = False
) -> LeaveLine | None:
    """What comes next today. ``start`` is the id of a starting point; who ``is_online`` goes nowhere."""
    today = _Today.of_agenda(agenda, clock)
    today.note_moments(clock)
    following = next_slot(today.slots, today.now)
    if following is None or following.start is None or programme_date(following.start, clock.venue_zone) != clock.today:
        return None
    here = None if is_online else today.where_before(following)
    events = _events_of(agenda, [it for it in (following, here) if it])
    event = events.get(following.key)
    if event is None:
        return None
    line = LeaveLine(event, with_pinned_time(event.get_absolute_url(), clock), event.room.name if event.room else event.place)
    if here is not None:
        minutes = minutes_between(here, following, walks_of(agenda.conference, needs))
        line = _from_event(line, events.get(here.key), minutes)
    elif start and not is_online and today.is_at_start(following):
        line = _from_start(line, start, clock, needs)
    return _with_times(line, clock)


def _events_of(agenda: Agenda, slots: Iterable[TimeSlot]) -> dict[Hashable, Event]:
    found: dict[Hashable, Event] = {}
    for event in _events_with_place(*dict.fromkeys(it.key for it in slots if isinstance(it.key, int))):
        event.conference = agenda.conference
        found[event.pk] = event
    return found


@prepared
def _events_with_place(*keys: int) -> EventQuerySet:
    more = (
        "place",
        "at_venue",
        "room__name",
        "room__zone__name",
        "room__zone__off_site",
        "service__zone__name",
        "service__room__zone__name",
    )
    events = for_slots(Event.objects.filter(pk__in=keys), *more)
    return events.select_related("type", "room__zone", "service__zone", "service__room__zone")


def _from_event(line: LeaveLine, here: Event | None, minutes: int | None) -> LeaveLine:
    if here is None:
        return line
    is_same_room = here.room_id is not None and here.room_id == line.event.room_id
    from_name = here.room.name if here.room else here.place
    is_walk = here.travel_minutes is None and line.event.travel_minutes is None
    return replace(line, minutes=minutes, is_same_room=is_same_room, from_name=from_name, is_walk=is_walk)


def _from_start(line: LeaveLine, start: int, clock: Clock, needs: Needs) -> LeaveLine:
    """Only with a whole way whose length is known, and that is known to be step-free for those who need that."""
    way = way_to_event(line.event, start, clock, needs)
    journey = way.journey if way else None
    if way is None or way.start is None or journey is None or not (way.is_whole and journey.known):
        return line
    if Need.STEP_FREE in needs and not journey.step_free:
        return line
    return replace(line, minutes=journey.minutes, from_name=way.start.name)


def _with_times(line: LeaveLine, clock: Clock) -> LeaveLine:
    leave_at = leave_time(line.event.start, line.minutes)
    return replace(line, leave_at=leave_at, is_due=leave_at is not None and clock.has_come(leave_at))
