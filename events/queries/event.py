"""Everything about one event: what it holds, what is around it, what gets in its way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.http import QueryDict
from django.urls import reverse

from events.models import Award, Conference, Event, Kind, Link, Paper
from events.models.event import EventQuerySet
from events.models.prepared import prepared
from events.models.ways import Stand, zone_of
from events.queries.amenities import AmenityRow, amenities_of
from events.queries.cards import Card, for_cards, make_card, make_cards
from events.queries.changes import ChangeLine, lines_of_event
from events.queries.crowd import Crowds
from events.queries.crowd_block import CrowdBlock, crowd_block
from events.queries.held import Held, held_by
from events.queries.maps import MapLink, maps_to
from events.queries.moves import FRESH, moved_from
from events.queries.questions import question_count
from events.queries.recordings import Recording, recording_of
from events.queries.seats import ListPage, shared_list
from events.queries.slots import for_slots
from events.queries.way_here import taxi_near
from events.schedule.clock import Clock

MOST_PARALLEL = 12


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
    return for_cards(Event.objects.public().filter(conference=conference, guid=guid)).first()


@prepared
def _bare(conference: int, guid: UUID) -> EventQuerySet:
    return for_slots(Event.objects.public().filter(conference=conference, guid=guid))


def bare_event(conference: Conference, guid: UUID) -> Event | None:
    """The same for somebody who only marks it."""
    event = _bare.first(conference.pk, guid)
    if event is not None:
        event.conference = conference
    return event


def event_page(event: Event, clock: Clock, query: QueryDict | None = None) -> EventPage:
    around = Event.objects.public().filter(conference=event.conference)
    paper = event.paper if event.paper and event.paper.is_public else None
    held = held_by(event, around, query or QueryDict())
    near = {
        "parent": around.filter(pk=event.session_id or 0),
        "same_paper": (around.filter(paper=paper).exclude(pk=event.pk) if paper else around.none()).in_order(),
        "parallel": _parallel(around, event).in_order()[:MOST_PARALLEL],
        "before": _in_same_room(around, event, later=False)[:1],
        "after": _in_same_room(around, event, later=True)[:1],
    }
    crowds = Crowds(clock)
    found, cards = _cards_of(near, [it.pk for it in held.page], around, clock, crowds)
    return EventPage(
        card=make_card(event, clock, moved=moved_from([event], clock.now - FRESH, clock.zone).get(event.pk, ""), crowds=crowds),
        event=event,
        paper=paper,
        links=[*event.links.all(), *(paper.links.all() if paper else [])],
        awards=list(dict.fromkeys([*event.awards.all(), *(paper.awards.all() if paper else [])])),
        held=held,
        talks=held.talks_of(cards),
        posters=held.posters_of(cards),
        parent=next(iter(found["parent"]), None),
        same_paper=found["same_paper"],
        parallel=found["parallel"],
        previous_in_room=next(iter(found["before"]), None),
        next_in_room=next(iter(found["after"]), None),
        recording=recording_of(event, clock),
        changes=lines_of_event(event, clock),
        crowd=crowd_block(event, clock, crowds),
        taxi=taxi_near(event),
        maps=maps_to(event),
        amenities=amenities_of(event, clock),
        has_way=zone_of(event) is not None or bool(event.at_venue),
        places=shared_list(event, clock),
        deadline_url=_deadline(event, clock),
        question_count=question_count(event),
    )


def _cards_of(
    near: Mapping[str, EventQuerySet], inside: Iterable[int], around: EventQuerySet, clock: Clock, crowds: Crowds
) -> tuple[dict[str, list[Card]], dict[int, Card]]:
    """The cards of several lists, and all of them by id, read together: what cards show is asked for once."""
    ids = {name: list(events.values_list("pk", flat=True)) for name, events in near.items()}
    wanted = around.filter(pk__in={*inside, *(pk for found in ids.values() for pk in found)})
    cards = {card.event.pk: card for card in make_cards(for_cards(wanted), clock, crowds=crowds)}
    return {name: [cards[pk] for pk in found if pk in cards] for name, found in ids.items()}, cards


def _deadline(event: Event, clock: Clock) -> str:
    """Where the end of sign-up is an entry for a calendar, while it is to come."""
    if event.signup_until is None or event.signup_until <= clock.now or event.is_cancelled:
        return ""
    return reverse("events:sign-up-calendar", args=[event.conference.slug, event.guid])


def _parallel(around: EventQuerySet, event: Event) -> EventQuerySet:
    """What else is on meanwhile, apart from what it is part of, what is part of it, and its sisters."""
    if event.start is None or event.end is None:
        return around.none()
    meanwhile = around.filter(start__lt=event.end, end__gt=event.start).exclude(pk__in=[event.pk, event.session_id or 0])
    return meanwhile.filter(session=None).exclude(type__kind__in=[Kind.SERVICE, Kind.POSTER])


def _in_same_room(around: EventQuerySet, event: Event, *, later: bool) -> EventQuerySet:
    """What the room holds after it, or before it, on the same day; the nearest first."""
    if event.room_id is None or event.start is None or event.end is None:
        return around.none()
    others = around.filter(room=event.room, day=event.day).exclude(pk=event.pk).exclude(session=event)
    # Hundreds hang in a room at once; their session stands for them.
    others = others.exclude(type__kind=Kind.POSTER)
    if later:
        return others.filter(start__gte=event.end).order_by("start", "pk")
    return others.filter(end__lte=event.start).order_by("-start", "pk")
