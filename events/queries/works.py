"""The same work at other times: an oral and its poster, a talk that is given twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from operator import attrgetter
from typing import NamedTuple

from django.db.models import Q

from events.models import Appearance, Conference, Event
from events.models.picks import Pick
from events.queries.slots import for_slots
from events.schedule.clock import Clock

OF_EVENT = ("abstract", "board", "place", "recording_url", "recording_from", "day", "paper__is_public", "type__name")
OF_ROOM = ("room__name", "room__floor", "room__zone__letter")


class Shown(NamedTuple):
    """What the other times of an event are looked for by: its paper, unless that is hidden, or its title."""

    pk: int
    title: str
    paper: int | None
    is_recorded: bool

    @classmethod
    def of(cls, event: Event) -> Shown:
        paper = event.paper_id if _has_paper(event) else None
        return cls(event.pk, event.title, paper, bool(event.recording_url or event.recording_from))

    def is_work_of(self, title: str, paper: int | None) -> bool:
        """Perhaps: a title alone may be two things'."""
        return paper == self.paper if self.paper else title == self.title


def works_of(conference: Conference, asked: Iterable[Shown | Pick], clock: Clock) -> dict[Event, list[Event]]:
    """For each of these all the other times at which its work will be shown.

    Most works are shown once and not recorded: they are left out, and nothing more is read of them.
    """
    shown = [Shown(it.pk, it.title, it.paper, it.is_recorded) for it in asked]
    coming = _coming(conference, shown, clock)
    again = {it.pk for it in shown if any(pk != it.pk and it.is_work_of(title, paper) for pk, title, paper in coming)}
    wanted = again | {it.pk for it in shown if it.is_recorded}
    if not wanted:
        return {}
    others = {pk for pk, _, _ in coming} if again else set()
    events = {it.pk: it for it in _read(conference, wanted | others)}
    people = _people_of(it.pk for it in events.values() if not _has_paper(it))
    alike = defaultdict(list)
    for event in sorted((events[pk] for pk in others if pk in events), key=attrgetter("start", "pk")):
        alike[_work(event, people)].append(event)
    return {events[pk]: [it for it in alike[_work(events[pk], people)] if it.pk != pk] for pk in sorted(wanted) if pk in events}


def _coming(conference: Conference, shown: Iterable[Shown], clock: Clock) -> list[tuple[int, str, int | None]]:
    """What is not over of the same papers and titles; public or not, which is seen when it is read."""
    papers, titles = {it.paper for it in shown if it.paper}, {it.title for it in shown if not it.paper}
    # Papers without the conference: with it on both sides, SQLite would read all its events.
    alike = Q(paper__in=papers) | Q(conference=conference, title__in=titles)
    return list(Event.objects.filter(alike, end__gt=clock.now).values_list("pk", "title", "paper"))


def _read(conference: Conference, keys: Iterable[int]) -> list[Event]:
    events = for_slots(Event.objects.public().filter(conference=conference, pk__in=keys), *OF_EVENT, *OF_ROOM)
    found = list(events.select_related("paper", "room__zone"))
    for event in found:
        event.conference = conference
    return found


def _work(event: Event, people: Mapping[int, frozenset[int]]) -> Hashable:
    """What two events have in common that show the same; a title alone may be two things' ("Opening")."""
    if _has_paper(event):
        return event.paper_id
    who = people.get(event.pk)
    if not who and not event.abstract:
        return ("nothing to tell by", event.pk)
    return event.title, event.type_id, who or event.abstract


def _has_paper(event: Event) -> bool:
    return event.paper is not None and event.paper.is_public


def _people_of(events: Iterable[int]) -> dict[int, frozenset[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    if keys := list(events):
        for event, person in Appearance.objects.filter(event__in=keys).order_by().values_list("event", "person"):
            found[event].add(person)
    return {event: frozenset(people) for event, people in found.items()}
