"""The block about the crowd on the event page, with alternatives to a full room."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from events.agenda.models.agenda import Agenda
from events.agenda.queries.conflicts import slots_of, walks_of
from events.agenda.queries.free_time import fit_text
from events.agenda.queries.other_times import ContentQuery, OtherTimes, other_times_by_key
from events.agenda.queries.private_entries import private_cards
from events.agenda.rules.gaps import Gap, GapFit, gap_fits
from events.core.clock import Clock, with_pinned_time
from events.core.spans import ONE_MINUTE, Span
from events.crowd.models import report_event_id
from events.crowd.queries.outlook import KINDS_WITHOUT_SEATS, outlook_words, outlooks
from events.crowd.queries.reports import Crowds, crowd_text
from events.crowd.rules import Crowd, Outlook
from events.programme.display import RoomSign, room_sign
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Status
from events.programme.models.venue import Room, RoomState
from events.programme.queries.events import for_slots, full_or_closed_q
from events.programme.queries.filters import EFFECTIVE_TOPIC
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import NO_NEEDS, Needs, Walks

ROOM_STATE_CHOICES = ((RoomState.FULL, "It’s full"), (RoomState.FILLING, "Nearly full"), (RoomState.OPEN, "Seats left"))
LINE_STATE_CHOICES = ((RoomState.FULL, "Long line"), (RoomState.FILLING, "Short line"), (RoomState.OPEN, "No line"))
MAX_ALTERNATIVES = 3
# Somebody at the door of a full room does not wait longer.
MAX_ALTERNATIVE_WAIT = 30 * ONE_MINUTE


@dataclass(frozen=True)
class Alternative:
    event: Event
    url: str
    plate: RoomSign | None
    sentence: str
    why: str = ""


@dataclass(frozen=True)
class Overflow:
    """Another room that shows the event on a screen."""

    plate: RoomSign
    # Minutes, or None if unknown.
    walk: int | None

    @property
    def walk_text(self) -> str:
        return "" if self.walk is None else f"{self.walk} min walk" if self.walk else "Same area"


@dataclass(frozen=True)
class Alternatives:
    """Alternatives to a full room; ``is_own`` if they fit a visitor's agenda."""

    alternatives: list[Alternative] = field(default_factory=list)
    overflow: Overflow | None = None
    stream_url: str = ""
    again: OtherTimes | None = None
    is_own: bool = False

    @property
    def has_options(self) -> bool:
        return bool(self.alternatives or self.overflow or self.stream_url or self.again)

    @property
    def id_prefix(self) -> str:
        """Distinguishes the ids on a page that has alternatives for everybody and for the visitor."""
        return "own" if self.is_own else "near"


NO_ALTERNATIVES = Alternatives()


@dataclass(frozen=True)
class CrowdBlock:
    event: Event
    crowd: Crowd
    # "Full, 10:20", or "No recent report"; empty before the event.
    words: str
    outlook: str
    # People are there now, and may report how full it is.
    asks: bool
    # Whether to show alternatives.
    is_too_full: bool
    instead: Alternatives = NO_ALTERNATIVES

    @property
    def url(self) -> str:
        return reverse("events:crowd-set", args=[self.event.conference.slug, self.event.guid])

    @property
    def is_line(self) -> bool:
        return self.event.service_id is not None

    @property
    def flag(self) -> str:
        return self.crowd.state if self.crowd.sure else "crowd"

    @property
    def choices(self) -> tuple[tuple[RoomState, str], ...]:
        return LINE_STATE_CHOICES if self.is_line else ROOM_STATE_CHOICES

    @property
    def place(self) -> str:
        return str(self.event.service or self.event.room or "")


def reported_event(conference: Conference, guid: UUID) -> Event | None:
    related = ("conference", "type", "room__zone", "service", "session", "paper", "track")
    return Event.objects.public().filter(conference=conference, guid=guid).select_related(*related).first()


def crowd_block(event: Event, clock: Clock, crowds: Crowds | None = None) -> CrowdBlock | None:
    """Return the same block to every visitor; None if there is nothing to show or to ask."""
    likely = outlooks([event], clock).get(event.pk)
    crowds = crowds or Crowds(clock)
    asks = crowds.is_on(event)
    if not (asks or likely):
        return None
    crowd = crowds.for_event(event)
    is_line = event.service_id is not None
    is_too_full = not is_line and (crowd.is_full or (likely is Outlook.FULLER and not crowd.sure))
    return CrowdBlock(
        event=event,
        crowd=crowd,
        words=crowd_sentence(crowd, line=is_line) if asks else "",
        # A known state needs no outlook.
        outlook=outlook_words(event, likely) if likely and not crowd.sure else "",
        asks=asks and not clock.pinned,
        is_too_full=is_too_full,
        instead=alternatives_to(event, clock, crowds=crowds) if is_too_full else NO_ALTERNATIVES,
    )


def crowd_sentence(crowd: Crowd, *, line: bool = False) -> str:
    words = crowd_text(crowd, line=line) or "no recent report"
    return f"{words[0].upper()}{words[1:]}"


def alternatives_to(
    event: Event, clock: Clock, agenda: Agenda | None = None, needs: Needs = NO_NEEDS, crowds: Crowds | None = None
) -> Alternatives:
    """Return alternatives for visitors at the door. With an agenda, none overlaps its musts and private entries."""
    walks, crowds = walks_of(event.conference, needs), crowds or Crowds(clock)
    fixed = _fixed_slots(event, agenda, clock)
    again = other_times_by_key(event.conference, [ContentQuery.from_event(event)], fixed, walks, clock).get(event.pk)
    return Alternatives(
        alternatives=_alternatives(event, fixed, walks, clock, crowds),
        overflow=_overflow(event, walks, crowds),
        stream_url=event.stream_url or _session_or_event(event).stream_url,
        again=again,
        is_own=agenda is not None,
    )


def _fixed_slots(event: Event, agenda: Agenda | None, clock: Clock) -> list[TimeSlot]:
    if agenda is None:
        return []
    agenda.conference = event.conference
    musts = Event.objects.public().bookmarked_in(agenda.pk, "must").exclude(pk__in=[event.pk, event.session_id or 0])
    return [*slots_of(for_slots(musts.exclude(session=event))), *(card.slot for card in private_cards(agenda, clock))]


def _session_or_event(event: Event) -> Event:
    """Return the session of a talk in the same room: a screen elsewhere shows the whole session."""
    return event.session if event.session and report_event_id(event) == event.session_id else event


def _overflow(event: Event, walks: Walks, crowds: Crowds) -> Overflow | None:
    key = event.overflow_room_id or _session_or_event(event).overflow_room_id
    room = Room.objects.select_related("zone").get(pk=key) if key else None
    crowd = crowds.by_room(event.conference).get(room.pk) if room else None
    if room is None or (crowd and crowd.is_full) or walks.is_barred(_zone_id(event), room.zone_id):
        return None
    way = walks.way(_zone_id(event), room.zone_id)
    return Overflow(room_sign(room, event.conference.slug), way.minutes if way else None)


def _zone_id(event: Event) -> int | None:
    return event.room.zone_id if event.room else None


def _alternatives(event: Event, fixed: Collection[TimeSlot], walks: Walks, clock: Clock, crowds: Crowds) -> list[Alternative]:
    if event.start is None or event.end is None:
        return []
    moment = max(clock.now, event.start)
    if (span := Span.from_times(moment, event.end)) is None:
        return []
    # Before the event begins, visitors may come from anywhere.
    at_the_door = event.start <= clock.now
    before = replace(slots_of([event])[0], start=moment - ONE_MINUTE, end=moment) if at_the_door else None
    others = [other for other in _events_elsewhere(event, moment, clock) if not walks.is_barred(_zone_id(event), _zone_id(other))]
    candidates = {other.pk: other for other in others if not crowds.for_event(other).is_full}
    gap, slots, mine = Gap(span, before=before, left=moment), slots_of(candidates.values()), {slot.key for slot in fixed}
    fits = gap_fits(gap, [slot for slot in slots if slot.key not in mine], fixed, walks)
    # A must of the agenda is an alternative itself, if the other fixed slots leave time for it.
    for slot in (slot for slot in slots if slot.key in mine):
        fits += gap_fits(gap, [slot], [other for other in fixed if other.key != slot.key], walks)
    fitting = [(candidates[fit.key], fit) for fit in fits if isinstance(fit.key, int)]
    likely = outlooks([other for other, _ in fitting], clock)
    with_seats = [(other, fit) for other, fit in fitting if likely.get(other.pk) is not Outlook.FULLER]
    best = sorted(
        with_seats,
        key=lambda it: (it[0].pk not in mine, not _common_subject(it[0], event), it[1].missed, it[1].arrive, it[0].title),
    )
    return [_alternative(other, fit, event, clock, is_mine=other.pk in mine) for other, fit in best[:MAX_ALTERNATIVES]]


def _events_elsewhere(event: Event, moment: dt.datetime, clock: Clock) -> EventQuerySet:
    on = Event.objects.public().filter(
        conference=event.conference_id, session=None, end__gt=moment, start__lt=moment + MAX_ALTERNATIVE_WAIT
    )
    on = on.exclude(status=Status.CANCELLED).exclude(type__kind__in=KINDS_WITHOUT_SEATS).exclude(full_or_closed_q(clock.now))
    # Nobody can walk to an event without a place.
    on = on.filter(Q(room__isnull=False) | ~Q(place="")).exclude(pk__in=[event.pk, event.session_id or 0])
    elsewhere = on.exclude(room__isnull=False, room=event.room_id) if event.room_id else on
    more = ("capacity", "track", "service", "room__name", "room__floor", "room__capacity", "room__zone__letter")
    return (
        for_slots(elsewhere, *more).select_related("track", "room__zone").annotate(about=EFFECTIVE_TOPIC).order_by("start", "pk")
    )


def _alternative(other: Event, fit: GapFit, event: Event, clock: Clock, *, is_mine: bool) -> Alternative:
    other.conference = event.conference
    begins = f"{timezone.localtime(other.start):%H:%M}" if other.start and other.start > clock.now else ""
    return Alternative(
        event=other,
        url=with_pinned_time(other.get_absolute_url(), clock),
        plate=room_sign(other.room, event.conference.slug) if other.room else None,
        sentence=" · ".join(filter(None, [f"Starts {begins}" if begins else "On now", fit_text(fit, other)])),
        why="In your agenda" if is_mine else _common_subject(other, event),
    )


def _common_subject(other: Event, event: Event) -> str:
    if other.track_id and other.track_id == event.track_id:
        return str(other.track)
    paper_topic = event.paper.topic_id if event.paper and event.paper.is_public else None
    topic = getattr(other, "about", None)
    return "Same topic" if topic and topic == (event.topic_id or paper_topic) else ""
