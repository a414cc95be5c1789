"""Where the visitor goes next: the room of the first pick that has not begun, the walk there, and where it is on the plans."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db.models import Q

from events.models import Agenda, Event, PlanArea, Room, Status
from events.queries.cards import Plate, plate_of
from events.queries.plans import floor_url, names_of, plans_of, slugs_of
from events.queries.slots import walks_of
from events.schedule.clock import Clock
from events.schedule.plans import Shape
from events.schedule.walking import ANY_WAY, Needs


@dataclass(frozen=True)
class Place:
    """A shape on one floor, and where that is shown."""

    plan: int
    floor: str
    url: str
    shape: Shape
    width: int


@dataclass(frozen=True)
class NextRoom:
    event: Event
    plate: Plate
    # From where the visitor is by the agenda; None if they are nowhere, or nobody has said how far that is.
    minutes: int | None = None
    from_name: str = ""
    places: list[Place] = field(default_factory=list)


def next_room(agenda: Agenda, clock: Clock, needs: Needs = ANY_WAY) -> NextRoom | None:
    """A pick without a room, as a party elsewhere, leads to no plan: it is passed over."""
    picks = Event.objects.public().attended_in(agenda.pk).exclude(status=Status.CANCELLED).exclude(room=None)
    picks = picks.select_related("room__zone").defer("abstract", "notes")
    coming = picks.filter(start__gt=clock.now).order_by("start", "pk").first()
    if coming is None or coming.room is None:
        return None
    coming.conference = agenda.conference
    plate = plate_of(coming.room, agenda.conference.slug)
    places = _places(coming.room, agenda, clock)
    # Of what is on at once, one is most likely where one went last.
    here = picks.filter(start__lte=clock.now, end__gt=clock.now).order_by("-start", "-pk").first()
    if here is None or here.room is None:
        return NextRoom(coming, plate, places=places)
    way = walks_of(agenda.conference, needs).way(here.room.zone_id, coming.room.zone_id)
    # Next door is no walk worth a word.
    return NextRoom(coming, plate, way.minutes if way and way.minutes else None, here.room.name, places)


def _places(room: Room, agenda: Agenda, clock: Clock) -> list[Place]:
    """On all floors; of a room that nobody drew, its hall."""
    plans = {it.pk: it for it in plans_of(agenda.conference)}
    slugs, names = slugs_of(plans.values()), names_of(plans.values())
    found = list(PlanArea.objects.filter(Q(room=room) | Q(zone=room.zone_id), plan__in=plans).select_related("room", "zone"))
    urls = {pk: floor_url(agenda.conference, slug, clock) for pk, slug in slugs.items()}
    return [
        Place(it.plan_id, names[it.plan_id], f"{urls[it.plan_id]}#{it.element_id}", shape, plans[it.plan_id].width)
        for it in [area for area in found if area.room_id] or found
        if (shape := it.shape)
    ]
