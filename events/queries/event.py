"""Everything about one event: what it holds, what is around it, what gets in its way."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Case, Exists, OuterRef, Q, When, prefetch_related_objects
from django.http import QueryDict
from django.urls import reverse

from events.models import Amenity, Award, Conference, Event, Kind, Link, Paper, Service
from events.models.event import EventQuerySet
from events.models.prepared_query import prepared
from events.models.ways import Stand, zone_of
from events.queries.amenities import AmenityRow, amenities_of
from events.queries.cards import Card, for_cards, make_cards, public_paper
from events.queries.changes import ChangeLine, lines_of_event
from events.queries.crowd import Crowds
from events.queries.crowd_block import CrowdBlock, crowd_block
from events.queries.held import Held, held_by
from events.queries.maps import MapLink, maps_to
from events.queries.moves import FRESH, event_moved_from
from events.queries.questions import question_count
from events.queries.recordings import Recording, recording_of
from events.queries.seats import ListPage, shared_list
from events.queries.slots import for_slots
from events.queries.way_here import taxi_near
from events.schedule.clock import Clock

MOST_PARALLEL = 12
NOTHING = Q(pk__in=[])


@dataclass(frozen=True)
class EventPage:
    card: Card
    event: Event
    paper: Paper | None
    links: list[Link]
    awards: list[Award]
    held: Held
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
    taxi: Stand | None
    maps: list[MapLink]
    has_way: bool
    amenities: list[AmenityRow]
    places: ListPage | None
    deadline_url: str
    question_count: int | None


def public_event(conference: Conference, guid: UUID) -> Event | None:
    """The event, and which parts of its page have something to show: of the others nothing is read."""
    there = Q(event=OuterRef("pk")) | Q(room=OuterRef("room")) | Q(service=OuterRef("service")) | Q(zone=OuterRef("room__zone"))
    parts = {
        "has_children": Exists(Event.objects.filter(session=OuterRef("pk"))),
        "has_amenities": Exists(Amenity.objects.filter(there)),
        "has_taxi_stands": Exists(Service.objects.filter(conference=conference).taxi_stands()),
    }
    event = Event.objects.public().filter(conference=conference, guid=guid).select_related("paper").annotate(**parts).first()
    if event is not None:
        event.conference = conference
    return event


def placed_event(conference: Conference, pk: int) -> Event | None:
    """With its kind and where it is, for what of its page is a visitor's own."""
    places = ("type", "room__zone", "service__zone", "service__room__zone")
    event = Event.objects.public().filter(conference=conference, pk=pk).select_related(*places).first()
    if event is not None:
        event.conference = conference
    return event


@prepared
def _bare(conference: int, guid: UUID) -> EventQuerySet:
    of_work = ("paper__is_public", "recording_url", "recording_from")
    return for_slots(Event.objects.public().filter(conference=conference, guid=guid), *of_work).select_related("paper")


def bare_event(conference: Conference, guid: UUID) -> Event | None:
    """The same for somebody who only marks it."""
    event = _bare.first(conference.pk, guid)
    if event is not None:
        event.conference = conference
    return event


def event_page(found: Event, clock: Clock, query: QueryDict | None = None) -> EventPage:
    """The page of what ``public_event`` found; its card and all cards around it are read together."""
    around = Event.objects.public().filter(conference=found.conference)
    held = held_by(found, around if getattr(found, "has_children", True) else around.none(), query or QueryDict())
    near = _near(around, found)
    crowds = Crowds(clock)
    keys = {found.pk, *(it.pk for it in held.page), *(pk for keys in near.values() for pk in keys)}
    events = {it.pk: it for it in for_cards(Event.objects.filter(pk__in=keys))}
    event = events[found.pk]
    prefetch_related_objects([event], "changes")
    moved = {event.pk: event_moved_from(event, clock.now - FRESH, clock.zone)}
    cards = {card.key: card for card in make_cards(events.values(), clock, moved=moved, crowds=crowds)}
    paper = public_paper(event)
    if paper is not None:
        paper.conference = event.conference
    return EventPage(
        card=cards[event.pk],
        event=event,
        paper=paper,
        links=_links(event, paper),
        awards=list(cards[event.pk].awards),
        held=held,
        talks=held.talks_of(cards),
        posters=held.posters_of(cards),
        parent=next((cards[pk] for pk in near["parent"]), None),
        same_paper=[cards[pk] for pk in near["same_paper"]],
        parallel=[cards[pk] for pk in near["parallel"]],
        previous_in_room=next((cards[pk] for pk in near["before"]), None),
        next_in_room=next((cards[pk] for pk in near["after"]), None),
        recording=recording_of(event, clock),
        changes=lines_of_event(event, clock),
        crowd=crowd_block(event, clock, crowds),
        taxi=taxi_near(event) if getattr(found, "has_taxi_stands", True) else None,
        maps=maps_to(event),
        amenities=amenities_of(event, clock) if getattr(found, "has_amenities", True) else [],
        has_way=zone_of(event) is not None or bool(event.at_venue),
        places=shared_list(event, clock),
        deadline_url=_deadline(event, clock),
        question_count=question_count(event),
    )


def _near(around: EventQuerySet, event: Event) -> dict[str, list[int]]:
    """The keys of what is shown around an event, read together: one of them may stand in several lists."""
    named = {
        "parent": Q(pk=event.session_id or 0),
        "same_paper": Q(paper=event.paper_id) & ~Q(pk=event.pk) if public_paper(event) else NOTHING,
        "parallel": _parallel(event),
        "before": _in_same_room(event) & Q(end__lte=event.start) if event.start else NOTHING,
        "after": _in_same_room(event) & Q(start__gte=event.end) if event.end else NOTHING,
    }
    marks = {f"is_{name}": Case(When(condition, then=True), default=False) for name, condition in named.items()}
    marked = around.filter(Q(*named.values(), _connector=Q.OR)).annotate(**marks).in_order()
    rows = list(marked.values_list("pk", "start", *marks))
    found = {name: [(start, pk) for pk, start, *is_in in rows if is_in[place]] for place, name in enumerate(named)}
    # The nearest in its room.
    found["before"] = sorted(found["before"], key=lambda it: (-it[0].timestamp(), it[1]))[:1]
    found["after"] = sorted(found["after"])[:1]
    found["parallel"] = found["parallel"][:MOST_PARALLEL]
    return {name: [pk for _, pk in keys] for name, keys in found.items()}


def _parallel(event: Event) -> Q:
    """What else is on meanwhile, apart from what it is part of, what is part of it, and its sisters."""
    if event.start is None or event.end is None:
        return NOTHING
    meanwhile = Q(start__lt=event.end, end__gt=event.start) & ~Q(pk__in=[event.pk, event.session_id or 0])
    return meanwhile & Q(session=None) & ~Q(type__kind__in=[Kind.SERVICE, Kind.POSTER])


def _in_same_room(event: Event) -> Q:
    """What its room holds on the same day. Hundreds of posters hang in a room at once; their session stands for them."""
    if event.room_id is None:
        return NOTHING
    there = Q(room=event.room_id, day=event.day_id) & ~Q(pk=event.pk)
    return there & (Q(session=None) | ~Q(session=event.pk)) & ~Q(type__kind=Kind.POSTER)


def _links(event: Event, paper: Paper | None) -> list[Link]:
    """Its own, then those of its paper."""
    found = Link.objects.filter(Q(event=event) | Q(paper=paper) if paper else Q(event=event))
    return sorted(found, key=lambda it: it.event_id is None)


def _deadline(event: Event, clock: Clock) -> str:
    """Where the end of sign-up is an entry for a calendar, while it is to come."""
    if event.signup_until is None or event.signup_until <= clock.now or event.is_cancelled:
        return ""
    return reverse("events:sign-up-calendar", args=[event.conference.slug, event.guid])
