"""Where to go when a room is full: another room that shows it too, what else is near and has seats, another time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from django.db.models import Q
from django.utils import timezone

from events.models import Agenda, Event, Kind, Room, Status
from events.models.crowd import slot_of
from events.models.event import EventQuerySet
from events.queries.cards import Plate, plate_of
from events.queries.crowd import Crowds
from events.queries.elsewhere import WayOut, ways_out
from events.queries.filters import ABOUT
from events.queries.fit_words import way_and_time
from events.queries.outlook import outlooks
from events.queries.pinned import carried
from events.queries.private_entries import private_cards
from events.queries.sign_up import without_a_place
from events.queries.slots import for_slots, slots_of, walks_of
from events.queries.works import Shown
from events.schedule.clock import Clock
from events.schedule.crowd import Outlook
from events.schedule.gaps import Fit, Gap, fits
from events.schedule.slots import Slot
from events.schedule.spans import MINUTE, Span
from events.schedule.walking import ANY_WAY, Needs, Walks

MOST = 3
# What begins later is no answer for somebody who stands before a door.
SOON = 30 * MINUTE
NOT_SEATED = (Kind.BREAK, Kind.SERVICE, Kind.POSTER)


@dataclass(frozen=True)
class Alternative:
    event: Event
    url: str
    plate: Plate | None
    sentence: str
    why: str = ""


@dataclass(frozen=True)
class Overflow:
    plate: Plate
    walk: int | None


@dataclass(frozen=True)
class Instead:
    """What there is; ``is_own`` if it goes with somebody's agenda."""

    alternatives: list[Alternative] = field(default_factory=list)
    overflow: Overflow | None = None
    stream_url: str = ""
    again: WayOut | None = None
    is_own: bool = False

    @property
    def leads_somewhere(self) -> bool:
        return bool(self.alternatives or self.overflow or self.stream_url or self.again)


def instead_of(
    event: Event, clock: Clock, agenda: Agenda | None = None, needs: Needs = ANY_WAY, crowds: Crowds | None = None
) -> Instead:
    """For somebody at its door; of an agenda, its musts and private entries stay as they are."""
    walks, crowds = walks_of(event.conference, needs), crowds or Crowds(clock)
    kept = _kept(event, agenda, clock)
    again = ways_out(event.conference, [Shown.of(event)], kept, walks, clock).get(event.pk)
    return Instead(
        alternatives=_alternatives(event, kept, walks, clock, crowds),
        overflow=_overflow(event, walks, crowds),
        stream_url=event.stream_url or _around(event).stream_url,
        again=again,
        is_own=agenda is not None,
    )


def _kept(event: Event, agenda: Agenda | None, clock: Clock) -> list[Slot]:
    """What its holder does not give up for this; the event itself they cannot have."""
    if agenda is None:
        return []
    agenda.conference = event.conference
    musts = Event.objects.public().picked_in(agenda.pk, "must").exclude(pk__in=[event.pk, event.session_id or 0])
    return [*slots_of(for_slots(musts.exclude(session=event))), *(it.slot for it in private_cards(agenda, clock))]


def _around(event: Event) -> Event:
    """What one sits through: who comes for one talk is shown the whole session on the other screen, too."""
    return event.session if event.session and slot_of(event) == event.session_id else event


def _overflow(event: Event, walks: Walks, crowds: Crowds) -> Overflow | None:
    key = event.overflow_room_id or _around(event).overflow_room_id
    room = Room.objects.select_related("zone").get(pk=key) if key else None
    crowd = crowds.of_rooms(event.conference).get(room.pk) if room else None
    if room is None or (crowd and crowd.is_full) or walks.barred(_zone(event), room.zone_id):
        return None
    way = walks.way(_zone(event), room.zone_id)
    return Overflow(plate_of(room, event.conference.slug), way.minutes if way else None)


def _zone(event: Event) -> int | None:
    return event.room.zone_id if event.room else None


def _alternatives(event: Event, kept: Collection[Slot], walks: Walks, clock: Clock, crowds: Crowds) -> list[Alternative]:
    if event.start is None or event.end is None:
        return []
    moment = max(clock.now, event.start)
    if (span := Span.of(moment, event.end)) is None:
        return []
    # Who reads it before it begins comes from anywhere.
    at_the_door = event.start <= clock.now
    before = replace(slots_of([event])[0], start=moment - MINUTE, end=moment) if at_the_door else None
    others = [it for it in _others(event, moment, clock) if not walks.barred(_zone(event), _zone(it))]
    candidates = {it.pk: it for it in others if not crowds.of(it).is_full}
    gap, slots, mine = Gap(span, before=before, left=moment), slots_of(candidates.values()), {it.key for it in kept}
    found = fits(gap, [it for it in slots if it.key not in mine], kept, walks)
    # What one meant to come to anyway is where to go, if nothing else of one's own is in its way.
    for slot in (it for it in slots if it.key in mine):
        found += fits(gap, [slot], [it for it in kept if it.key != slot.key], walks)
    fitting = [(candidates[it.key], it) for it in found if isinstance(it.key, int)]
    likely = outlooks([other for other, _ in fitting], clock)
    having_seats = [it for it in fitting if likely.get(it[0].pk) is not Outlook.FULLER]
    best = sorted(
        having_seats, key=lambda it: (it[0].pk not in mine, not _common(it[0], event), it[1].missed, it[1].arrive, it[0].title)
    )
    return [_alternative(other, fit, event, clock, is_mine=other.pk in mine) for other, fit in best[:MOST]]


def _others(event: Event, moment: dt.datetime, clock: Clock) -> EventQuerySet:
    """What is on elsewhere then, or soon: sessions stand for their talks."""
    on = Event.objects.public().filter(conference=event.conference_id, session=None, end__gt=moment, start__lt=moment + SOON)
    on = on.exclude(status=Status.CANCELLED).exclude(type__kind__in=NOT_SEATED).exclude(without_a_place(clock.now))
    # Nobody can walk to what has no place yet.
    on = on.filter(Q(room__isnull=False) | ~Q(place="")).exclude(pk__in=[event.pk, event.session_id or 0])
    elsewhere = on.exclude(room__isnull=False, room=event.room_id) if event.room_id else on
    more = ("capacity", "track", "service", "room__name", "room__floor", "room__capacity", "room__zone__letter")
    return for_slots(elsewhere, *more).select_related("track", "room__zone").annotate(about=ABOUT).order_by("start", "pk")


def _alternative(other: Event, fit: Fit, event: Event, clock: Clock, *, is_mine: bool) -> Alternative:
    other.conference = event.conference
    plate = plate_of(other.room, event.conference.slug) if other.room else None
    begins = f"{timezone.localtime(other.start):%H:%M}" if other.start and other.start > clock.now else ""
    words = " · ".join(filter(None, [f"Starts {begins}" if begins else "On now", way_and_time(fit, other)]))
    return Alternative(
        other, carried(other.get_absolute_url(), clock), plate, words, "In your agenda" if is_mine else _common(other, event)
    )


def _common(other: Event, event: Event) -> str:
    """What both are about."""
    if other.track_id and other.track_id == event.track_id:
        return str(other.track)
    of_paper = event.paper.topic_id if event.paper and event.paper.is_public else None
    topic = getattr(other, "about", None)
    return "Same topic" if topic and topic == (event.topic_id or of_paper) else ""
