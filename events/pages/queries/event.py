"""The page of one event, with its children, and what is near it in time and place."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Case, Exists, OuterRef, Q, When, prefetch_related_objects
from django.http import QueryDict
from django.urls import reverse

from events.agenda.queries.conflicts import ConflictLine
from events.core.clock import Clock
from events.core.spans import NO_TIME, merge_spans
from events.crowd.queries.block import CrowdBlock, crowd_block
from events.crowd.queries.reports import Crowds
from events.pages.cards import Card, for_cards, make_cards
from events.pages.queries.lists import Recording, recording_of
from events.pages.queries.session_contents import SessionContents, session_contents
from events.polls.models import Poll
from events.polls.queries import PollCard, polls_of
from events.programme.display import PersonTag, people_of, public_paper
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind, Topic
from events.programme.models.papers import Award, Link, Paper
from events.programme.models.venue import Service
from events.programme.queries.changes import ChangeLine, event_change_lines, event_moved_from
from events.questions.queries import question_count
from events.sign_up.queries import SignUpPage, public_sign_up_page
from events.venue.models import Amenity, StartingPoint
from events.venue.queries import AmenityRow, MapLink, TaxiStand, amenities_of, event_map_links, event_zone, nearest_taxi_stand

MAX_PARALLEL_EVENTS = 12
NO_EVENTS = Q(pk__in=[])


@dataclass(frozen=True)
class EventPage:
    card: Card
    event: Event
    people: list[PersonTag]
    paper: Paper | None
    topic: Topic | None
    links: list[Link]
    awards: list[Award]
    contents: SessionContents
    talks: list[Card]
    posters: list[tuple[str, list[Card]]]
    parent: Card | None
    same_paper: list[Card]
    parallel: list[Card]
    previous_in_room: Card | None
    next_in_room: Card | None
    recording: Recording | None
    changes: list[ChangeLine]
    crowd: CrowdBlock | None
    taxi: TaxiStand | None
    maps: list[MapLink]
    has_way: bool
    amenities: list[AmenityRow]
    sign_up_list: SignUpPage | None
    deadline_url: str
    question_count: int | None
    polls: list[PollCard]

    @property
    def open_poll(self) -> PollCard | None:
        return next((poll for poll in self.polls if poll.is_open), None)

    @property
    def closed_polls(self) -> list[PollCard]:
        return [poll for poll in self.polls if not poll.is_open]

    @property
    def abstract(self) -> str:
        return self.event.abstract or (self.paper.abstract if self.paper else "")

    @property
    def other_title(self) -> str:
        """The paper's title, if the event has another one."""
        return self.paper.title if self.paper and self.paper.title != self.card.title else ""

    @property
    def unnamed_source(self) -> str:
        """The address of the notes' source, if the notes do not name it themselves."""
        return "" if self.event.notes_source in self.event.notes else self.event.notes_source

    @property
    def has_details(self) -> bool:
        event = self.event
        sign_up = (self.card.signup_text or event.capacity) and not self.sign_up_list
        seats = event.room.capacity if event.room else None
        texts = self.deadline_url or event.cost or event.audience or event.access_notes
        return bool(sign_up or seats or texts or self.recording or self.amenities)


def public_event(conference: Conference, guid: UUID) -> Event | None:
    """The event, annotated with the parts of its page that are not empty: the others need no query."""
    there = Q(event=OuterRef("pk")) | Q(room=OuterRef("room")) | Q(service=OuterRef("service")) | Q(zone=OuterRef("room__zone"))
    parts = {
        "has_children": Exists(Event.objects.filter(session=OuterRef("pk"))),
        "has_amenities": Exists(Amenity.objects.public().filter(there)),
        "has_starts": Exists(StartingPoint.objects.public().filter(conference=conference)),
        "has_polls": Exists(Poll.objects.opened().filter(event=OuterRef("pk"))),
        "has_taxi_stands": Exists(Service.objects.filter(conference=conference).taxi_stands()),
    }
    event = (
        Event.objects.public()
        .filter(conference=conference, guid=guid)
        .select_related("topic", "paper__topic")
        .annotate(**parts)
        .first()
    )
    if event is not None:
        event.conference = conference
    return event


def event_page(found: Event, clock: Clock, query: QueryDict | None = None) -> EventPage:
    """The page of an event of ``public_event``. Its card and all cards around it are read together."""
    around = Event.objects.public().filter(conference=found.conference)
    contents = session_contents(found, around if getattr(found, "has_children", True) else around.none(), query or QueryDict())
    near = _related_keys(around, found)
    crowds = Crowds(clock)
    keys = {found.pk, *(it.pk for it in contents.page), *(pk for keys in near.values() for pk in keys)}
    events = {it.pk: it for it in for_cards(Event.objects.filter(pk__in=keys))}
    event = events[found.pk]
    prefetch_related_objects([event], "changes")
    moved = {event.pk: event_moved_from(event, clock)}
    cards = {card.key: card for card in make_cards(events.values(), clock, moved=moved, crowds=crowds)}
    # Its button is in the head already.
    cards[event.pk].flags[:] = [flag for flag in cards[event.pk].flags if flag.name != "recording"]
    paper = public_paper(event)
    if paper is not None:
        paper.conference = event.conference
    return EventPage(
        card=cards[event.pk],
        event=event,
        people=people_of(event, paper),
        paper=paper,
        topic=found.topic or (found.paper.topic if paper and found.paper else None),
        links=_event_links(event, paper),
        awards=list(cards[event.pk].awards),
        contents=contents,
        talks=contents.talks_of(cards),
        posters=contents.posters_of(cards),
        parent=next((cards[pk] for pk in near["parent"]), None),
        same_paper=[cards[pk] for pk in near["same_paper"]],
        parallel=[cards[pk] for pk in near["parallel"]],
        previous_in_room=next((cards[pk] for pk in near["before"]), None),
        next_in_room=next((cards[pk] for pk in near["after"]), None),
        recording=recording_of(event, clock),
        changes=event_change_lines(event, clock),
        # Posters share the room of their session.
        crowd=None if cards[event.pk].kind == Kind.POSTER else crowd_block(event, clock, crowds),
        taxi=nearest_taxi_stand(event) if getattr(found, "has_taxi_stands", True) else None,
        maps=_event_maps(event),
        amenities=amenities_of(event, clock) if getattr(found, "has_amenities", True) else [],
        has_way=getattr(found, "has_starts", True) and (event_zone(event) is not None or bool(event.at_venue)),
        sign_up_list=public_sign_up_page(event, clock),
        deadline_url=_deadline_url(event, clock),
        question_count=question_count(event, clock),
        polls=polls_of(event, clock) if getattr(found, "has_polls", True) else [],
    )


@dataclass(frozen=True)
class EventConflicts:
    """The conflicts of an event with an agenda; those for which a visitor would leave it for a while are summed up."""

    lines: list[ConflictLine]
    missed: list[ConflictLine]

    @property
    def missed_time(self) -> dt.timedelta:
        spans = merge_spans(span for line in self.missed for span in line.missed)
        return sum((span.length for span in spans), NO_TIME)


def event_conflicts(event: Event, lines: Iterable[ConflictLine], now: dt.datetime) -> EventConflicts:
    """What is over is no conflict any more, and a single one needs no sum."""
    ahead = [it for it in lines if it.end is None or it.end > now] if event.end is None or event.end > now else []
    missed = [it for it in ahead if it.missed]
    if len(missed) < 2:
        return EventConflicts(ahead, [])
    return EventConflicts([it for it in ahead if not it.missed], missed)


def _related_keys(around: EventQuerySet, event: Event) -> dict[str, list[int]]:
    """Ids of the events near this one, by list, in one query; an event may be in several lists."""
    named = {
        "parent": Q(pk=event.session_id or 0),
        "same_paper": Q(paper=event.paper_id) & ~Q(pk=event.pk) if public_paper(event) else NO_EVENTS,
        "parallel": _parallel(event),
        "before": _in_same_room(event) & Q(end__lte=event.start) if event.start else NO_EVENTS,
        "after": _in_same_room(event) & Q(start__gte=event.end) if event.end else NO_EVENTS,
    }
    marks = {f"is_{name}": Case(When(condition, then=True), default=False) for name, condition in named.items()}
    marked = around.filter(Q(*named.values(), _connector=Q.OR)).annotate(**marks).in_order()
    rows = list(marked.values_list("pk", "start", *marks))
    found = {name: [(start, pk) for pk, start, *is_in in rows if is_in[place]] for place, name in enumerate(named)}
    # Only the nearest before and after in its room.
    found["before"] = sorted(found["before"], key=lambda it: (-it[0].timestamp(), it[1]))[:1]
    found["after"] = sorted(found["after"])[:1]
    found["parallel"] = found["parallel"][:MAX_PARALLEL_EVENTS]
    return {name: [pk for _, pk in keys] for name, keys in found.items()}


def _parallel(event: Event) -> Q:
    if event.start is None or event.end is None:
        return NO_EVENTS
    meanwhile = Q(start__lt=event.end, end__gt=event.start) & ~Q(pk__in=[event.pk, event.session_id or 0])
    return meanwhile & Q(session=None) & ~Q(type__kind__in=[Kind.SERVICE, Kind.POSTER])


def _in_same_room(event: Event) -> Q:
    """Events in the room on the same day, without posters: hundreds may be in one room, and their session is listed."""
    if event.room_id is None:
        return NO_EVENTS
    there = Q(room=event.room_id, day=event.day_id) & ~Q(pk=event.pk)
    return there & (Q(session=None) | ~Q(session=event.pk)) & ~Q(type__kind=Kind.POSTER)


def _event_links(event: Event, paper: Paper | None) -> list[Link]:
    links = Link.objects.filter(Q(event=event) | Q(paper=paper) if paper else Q(event=event))
    return sorted(links, key=lambda link: link.event_id is None)


def _event_maps(event: Event) -> list[MapLink]:
    """Links to maps for what is elsewhere: inside the building, its sign and the directions lead on."""
    zone = event_zone(event)
    return event_map_links(event) if zone is None or zone.off_site else []


def _deadline_url(event: Event, clock: Clock) -> str:
    """The calendar file with the end of sign-up; empty when there is none to come."""
    if event.signup_until is None or clock.has_come(event.signup_until) or event.is_cancelled:
        return ""
    return reverse("events:sign-up-calendar", args=[event.conference.slug, event.guid])
