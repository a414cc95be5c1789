"""The same work at other times: an oral and its poster, a talk that is given twice."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import QuerySet

from events.models import Appearance, Conference, Event
from events.models.event import EventQuerySet
from events.models.prepared import prepared
from events.queries.slots import for_slots
from events.schedule.clock import Clock

OF_EVENT = ("abstract", "board", "place", "recording_url", "recording_from", "day", "paper__is_public", "type__name")
OF_ROOM = ("room__name", "room__floor", "room__zone__letter")


def works_of(conference: Conference, keys: Iterable[int], clock: Clock) -> dict[Event, list[Event]]:
    """The events of these keys, and for each all the other times at which its work will be shown.

    Most works are shown once and not recorded: they are left out, and nothing more is read of them.
    """
    names = _named(conference.pk, list(keys))
    papers, titles = {it.paper for it in names if it.paper}, {it.title for it in names if not it.paper}
    coming = [*_shows_paper(list(papers), clock.now), *_is_called(conference.pk, list(titles), clock.now)]
    found = {it.pk: it for it in coming if it.conference_id == conference.pk}
    asked = _shown(conference.pk, [it.pk for it in names if it.is_recorded or _is_shown_again(it, found.values())])
    for event in (*asked, *found.values()):
        event.conference = conference
    people = _people_of({it.pk for it in (*asked, *found.values()) if asked and not _has_paper(it)})
    alike = defaultdict(list)
    for event in sorted(found.values(), key=attrgetter("start", "pk")):
        alike[_work(event, people)].append(event)
    return {it: [other for other in alike[_work(it, people)] if other != it] for it in asked}


class _Name(NamedTuple):
    """What the other times of an event are looked for by: its paper, unless that is hidden, or its title."""

    pk: int
    title: str
    paper: int | None
    is_recorded: bool


def _named(conference: int, keys: list[int]) -> list[_Name]:
    return [
        _Name(pk, title, paper if is_public else None, bool(url or since))
        for pk, title, paper, is_public, url, since in _names(conference, keys)
    ]


def _is_shown_again(name: _Name, coming: Iterable[Event]) -> bool:
    """Perhaps: a title alone may be two things'."""
    return any(it.pk != name.pk and (it.paper_id == name.paper if name.paper else it.title == name.title) for it in coming)


def _shows(*more: str) -> EventQuerySet:
    return for_slots(Event.objects.public(), *OF_EVENT, *more).select_related("paper")


def _coming(now: dt.datetime) -> EventQuerySet:
    return _shows(*OF_ROOM).select_related("room__zone").filter(end__gt=now)


@prepared
def _names(conference: int, keys: list[int]) -> QuerySet[Event, Any]:
    columns = ("pk", "title", "paper", "paper__is_public", "recording_url", "recording_from")
    return Event.objects.public().filter(conference=conference, pk__in=keys).order_by("pk").values_list(*columns)


@prepared
def _shown(conference: int, keys: list[int]) -> EventQuerySet:
    return _shows().filter(conference=conference, pk__in=keys)


@prepared
def _shows_paper(papers: list[int], now: dt.datetime) -> EventQuerySet:
    return _coming(now).filter(paper__pk__in=papers)


@prepared
def _is_called(conference: int, titles: list[str], now: dt.datetime) -> EventQuerySet:
    return _coming(now).filter(conference=conference, title__in=titles)


@prepared
def _appear(events: list[int]) -> QuerySet[Appearance, Any]:
    return Appearance.objects.filter(event__pk__in=events).order_by().values_list("event", "person")


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
    for event, person in _appear(list(events)):
        found[event].add(person)
    return {event: frozenset(people) for event, people in found.items()}
