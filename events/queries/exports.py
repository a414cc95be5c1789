"""Which events and papers a file for other programs holds, by the filters of the pages that link it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.db.models import QuerySet
from django.http import QueryDict

from events.importers import cells
from events.models import Conference, Event, Kind, Paper
from events.models.event import EventQuerySet
from events.queries import papers
from events.queries.filters import asked, narrowed

Asked = tuple[tuple[str, tuple[str, ...]], ...]


class Layer(NamedTuple):
    """A part of the programme that makes a calendar by itself, light enough to lie under one's own."""

    name: str
    kinds: tuple[Kind, ...]


LAYERS = {"sessions": Layer("Sessions only", (Kind.SESSION, Kind.INVITED_TALK, Kind.BREAK))}


def asked_of_schedule(query: QueryDict) -> Asked:
    """The filters in a form that is the same for the same choice; nothing for the whole programme."""
    wanted = asked(query)
    for name, is_known in ALSO.items():
        if query.getlist(name):
            wanted[name] = [it for it in query.getlist(name) if is_known(it)]
    return tuple((name, tuple(sorted(set(values)))) for name, values in sorted(wanted.items()))


def chosen_events(conference: Conference, query: QueryDict) -> EventQuerySet:
    """What the schedule's pages show under these filters; an unknown value finds nothing.

    Besides, ``day`` for one of them, ``kind`` for what organisers may call otherwise, and ``layer``.
    """
    events = narrowed(Event.objects.public().filter(conference=conference), query)
    wanted = dict(asked_of_schedule(query))
    if "day" in wanted:
        events = events.filter(day__date__in=wanted["day"])
    if "kind" in wanted:
        events = events.filter(type__kind__in=wanted["kind"])
    if "layer" in wanted:
        events = events.filter(session=None, type__kind__in=[kind for name in wanted["layer"] for kind in LAYERS[name].kinds])
    return events


ALSO: dict[str, Callable[[str], object]] = {
    "day": cells.date,
    "kind": lambda value: value in Kind.values,
    "layer": lambda value: value in LAYERS,
}
"""What only files take, with what can be a value of it."""


def asked_of_papers(query: QueryDict) -> Asked:
    return tuple(sorted(papers.asked(query).items()))


def chosen_papers(conference: Conference, query: QueryDict) -> QuerySet[Paper]:
    """What the page of papers lists under these filters, as rows without all that a page shows."""
    listed = papers.public_papers(conference, query).select_related(None).prefetch_related(None)
    return Paper.objects.filter(pk__in=listed.order_by().values("pk")).order_by("title", "pk")
