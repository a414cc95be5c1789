"""Where the visitor goes next: the room of the first pick that has not begun, and the walk there."""

from __future__ import annotations

from dataclasses import dataclass

from events.models import Agenda, Event, PlanArea, Status
from events.queries.cards import Plate, plate_of
from events.queries.slots import walks_of
from events.schedule.clock import Clock
from events.schedule.plans import Shape
from events.schedule.walking import ANY_WAY, Needs

FEW = 20


@dataclass(frozen=True)
class NextRoom:
    event: Event
    plate: Plate
    # From where the visitor is by the agenda; None if they are nowhere, or nobody has said how far that is.
    minutes: int | None = None
    from_name: str = ""


def next_room(agenda: Agenda, clock: Clock, needs: Needs = ANY_WAY) -> NextRoom | None:
    """A pick without a room, as a party elsewhere, leads to no plan: it is passed over."""
    picks = Event.objects.public().attended_in(agenda.pk).exclude(status=Status.CANCELLED)
    picks = picks.filter(end__gt=clock.now).exclude(room=None)
    near = list(picks.select_related("room__zone").defer("abstract", "notes").order_by("start", "pk")[:FEW])
    coming = next((it for it in near if it.start and it.start > clock.now), None)
    if coming is None or coming.room is None:
        return None
    coming.conference = agenda.conference
    plate = plate_of(coming.room, agenda.conference.slug)
    here = next((it.room for it in near if it.start and it.start <= clock.now), None)
    if here is None:
        return NextRoom(coming, plate)
    way = walks_of(agenda.conference, needs).way(here.zone_id, coming.room.zone_id)
    # Next door is no walk worth a word.
    return NextRoom(coming, plate, way.minutes if way and way.minutes else None, here.name)


def shapes_on(plan: int, room: int) -> list[Shape]:
    """Where a room is on one plan."""
    areas = PlanArea.objects.filter(plan=plan, room=room)
    return [shape for area in areas if (shape := area.shape)]
