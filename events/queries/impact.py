"""What a plan for events does to those who picked them; of people, nothing but counts leaves this module."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Max, Q, QuerySet

from events.models import Bookmark, Event, Level, Walk
from events.models.event import EventQuerySet
from events.queries.freer_rooms import Seating, seating
from events.queries.scene import Scene, scene_of
from events.queries.slots import for_slots
from events.schedule.impact import Impact, impact
from events.schedule.spans import MINUTE, Span, merged
from events.schedule.walking import Walks

MOST_WINDOWS = 20
ASKED_BY_NAME = 200


@dataclass(frozen=True)
class PlanImpact:
    """What changes, how many agendas have any of it and what comes of that, and whether they fit into the room."""

    scene: Scene
    counts: Impact
    seating: Seating


def touches(planned: Mapping[int, Event]) -> bool:
    """Whether anybody has any of what changes; quickly, for those who hold up others meanwhile."""
    return _picks(scene_of(planned).keys).exists()


def impact_of(planned: Mapping[int, Event]) -> PlanImpact | None:
    """None if nobody means to come to any of what changes; as many queries for any number of agendas and events."""
    scene = scene_of(planned)
    agendas = _holding(scene.keys)
    if not agendas:
        return None
    conferences = {it.conference_id for it in (*scene.before.values(), *scene.after.values())}
    walks = _walks(conferences)
    near = list(for_slots(_near(conferences, scene.spans, walks)))
    before, after = scene.slots(near)
    _add_picks(agendas, [it.pk for it in near])
    counts = impact(before, after, scene.keys, agendas.values(), walks)
    have = dict(zip(scene.keys, counts.each, strict=True))
    return PlanImpact(scene, counts, seating(scene, have, walks))


def _holding(events: Collection[int]) -> dict[int, set[int]]:
    """The agendas that have any of these events, and which."""
    agendas: dict[int, set[int]] = defaultdict(set)
    for agenda, event in _picks(events):
        agendas[agenda].add(event)
    return dict(agendas)


def _add_picks(agendas: dict[int, set[int]], near: Collection[int]) -> None:
    """What they have besides, of what is near."""
    picks = _picks(near)
    if len(agendas) <= ASKED_BY_NAME:
        picks = picks.filter(agenda__in=list(agendas))
    # Both lists at once would have a database look for each agenda under each event.
    for agenda, event in picks.iterator():
        if agenda in agendas:
            agendas[agenda].add(event)


def _picks(events: Collection[int]) -> QuerySet[Bookmark, tuple[int, int]]:
    """Of those who mean to come: who watches the recording later needs no seat, and nothing stands in their way."""
    meant = Bookmark.objects.filter(removed_at=None, event__in=events).exclude(level=Level.LATER)
    return meant.values_list("agenda_id", "event_id")


def _walks(conferences: Collection[int]) -> Walks:
    names = ("origin", "destination", "minutes", "minutes_back", "covered", "step_free")
    return Walks(Walk.objects.filter(conference__in=conferences).order_by("pk").values_list(*names))


def _near(conferences: Collection[int], spans: Collection[Span], walks: Walks) -> EventQuerySet:
    """What attendees see close enough to these times to be in conflict with something then."""
    events = Event.objects.public().filter(conference__in=conferences)
    travel = events.aggregate(longest=Max("travel_minutes"))["longest"] or 0
    reach = max(travel, walks.longest) * MINUTE
    windows = merged((it.start - reach, it.end + reach) for it in spans)
    if len(windows) > MOST_WINDOWS:
        windows = [Span(windows[0].start, windows[-1].end)]
    within = Q(pk=None)
    for window in windows:
        within |= Q(start__lt=window.end, end__gt=window.start)
    return events.filter(within)
