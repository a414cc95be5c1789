"""Whether those who picked events fit into the room planned for them, and which rooms would do."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from django.db.models import Q

from events.models import Event, Room, Status
from events.queries.scene import Scene
from events.schedule.clashes import SHARING
from events.schedule.impact import FEW
from events.schedule.spans import Span
from events.schedule.walking import Walks


@dataclass(frozen=True)
class Short:
    """More people have the event than its room has seats."""

    title: str
    room: str
    seats: int
    have: int


@dataclass(frozen=True)
class FreerRoom:
    name: str
    seats: int
    # None where nobody has said.
    walk_minutes: int | None


@dataclass(frozen=True)
class Seating:
    """Rooms that are too small, and those that are free and large enough; nothing is offered for several rooms at once."""

    short: list[Short] = field(default_factory=list)
    is_taken: bool = False
    freer: list[FreerRoom] = field(default_factory=list)
    is_one_room: bool = False

    @property
    def offers(self) -> bool:
        return self.is_one_room and bool(self.short or self.is_taken)


def seating(scene: Scene, have: Mapping[int, int], walks: Walks) -> Seating:
    placed = [it for it in scene.after.values() if it.room and it.type.kind not in SHARING and not it.is_cancelled]
    # A room of three for four would say how many they are.
    short = [
        Short(it.title, it.room.name, it.room.capacity, have[it.pk])
        for it in placed
        if it.room and it.room.capacity is not None and have[it.pk] > max(it.room.capacity, FEW - 1)
    ]
    rooms = {it.room for it in placed if it.room}
    if len(rooms) != 1:
        return Seating(short)
    room = rooms.pop()
    busy = _busy(room, placed)
    is_taken = any(where == room.pk and kind not in SHARING for where, kind in busy)
    if not (short or is_taken):
        return Seating(is_one_room=True)
    seats = max(FEW, *(have[it.pk] for it in placed), 0)
    return Seating(short, is_taken, _freer(room, seats, {where for where, _ in busy}, walks), is_one_room=True)


def _busy(room: Room, placed: Collection[Event]) -> list[tuple[int | None, str]]:
    """Rooms of the conference in which something else is on meanwhile, and of which kind."""
    spans = [span for it in placed if (span := Span.of(it.start, it.end))]
    if not spans:
        return []
    keys = [it.pk for it in placed]
    above = {pk for it in placed if it.session for pk in (it.session_id, it.session.session_id)}
    others = (
        Event.objects.filter(conference=room.conference_id, room__isnull=False)
        .exclude(status=Status.CANCELLED)
        .exclude(Q(pk__in=[*keys, *filter(None, above)]))
        # A talk is where its session is.
        .exclude(Q(session__in=keys, session__isnull=False) | Q(session__session__in=keys, session__session__isnull=False))
        .filter(start__lt=max(it.end for it in spans), end__gt=min(it.start for it in spans))
    )
    rows = others.values_list("room", "type__kind", "start", "end")
    return [(where, kind) for where, kind, start, end in rows if _meets(Span.of(start, end), spans)]


def _meets(span: Span | None, spans: Collection[Span]) -> bool:
    return span is not None and any(span.shared_with(it) for it in spans)


def _freer(room: Room, seats: int, busy: Collection[int | None], walks: Walks) -> list[FreerRoom]:
    """Large enough and free, the nearest first."""
    found = []
    for it in Room.objects.filter(conference=room.conference_id, capacity__gte=seats).exclude(pk=room.pk):
        if it.pk not in busy:
            way = walks.way(room.zone_id, it.zone_id)
            found.append(FreerRoom(it.name, it.capacity or 0, way.minutes if way else None))
    return sorted(found, key=lambda it: (it.walk_minutes is None, it.walk_minutes or 0, it.seats, it.name))
