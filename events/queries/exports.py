"""Which events and papers a file for other programs holds, by the filters of the pages that link it."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import QueryDict

from events.importers import cells
from events.models import Conference, Event, Paper
from events.models.event import EventQuerySet
from events.queries.filters import asked, narrowed
from events.queries.papers import public_papers

Asked = tuple[tuple[str, tuple[str, ...]], ...]


def asked_of_schedule(query: QueryDict) -> Asked:
    """The filters in a form that is the same for the same choice; nothing for the whole programme."""
    wanted = asked(query)
    if query.getlist("day"):
        wanted["day"] = [it for it in query.getlist("day") if cells.date(it)]
    return tuple((name, tuple(sorted(set(values)))) for name, values in sorted(wanted.items()))


def chosen_events(conference: Conference, query: QueryDict) -> EventQuerySet:
    """What the schedule's pages show under these filters, and ``day`` for one of them; an unknown value finds nothing."""
    events = narrowed(Event.objects.public().filter(conference=conference), query)
    days = dict(asked_of_schedule(query)).get("day")
    return events if days is None else events.filter(day__date__in=days)


def asked_of_papers(query: QueryDict) -> Asked:
    topics = tuple(sorted({slug for slug in query.getlist("topic") if slug and slug.isprintable()}))
    award = ("1",) if query.get("award") else ()
    return tuple((name, values) for name, values in [("topic", topics), ("award", award)] if values)


def chosen_papers(conference: Conference, query: QueryDict) -> QuerySet[Paper]:
    """What the page of papers lists under these filters, as rows without all that a page shows."""
    listed = public_papers(conference, query).select_related(None).prefetch_related(None)
    return Paper.objects.filter(pk__in=listed.order_by().values("pk")).order_by("title", "pk")
