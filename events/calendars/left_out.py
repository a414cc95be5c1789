"""What calendars leave out, as the rows are now: for organisers, who can do something about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings

from events.calendars.problems import UNREADABLE, in_words
from events.calendars.vevent import vevent
from events.models import CalendarProblem, Conference, Event
from events.models.event import EventQuerySet

MOST = 50
"""Looked at again for a page: whoever has more broken rows than that restores a backup."""


@dataclass(frozen=True)
class LeftOut:
    pk: int
    title: str
    kind: str
    problem: str
    readable: bool

    @property
    def sentence(self) -> str:
        return f"{self.title}: {self.problem}"


def left_out(conferences: Iterable[Conference]) -> list[LeftOut]:
    """What feeds could not write lately and cannot write now; one query when there is nothing."""
    noticed = CalendarProblem.objects.filter(event__conference__in=list(conferences)).order_by("event")
    pks = list(noticed.values_list("event", flat=True)[:MOST])
    return unwritable(Event.objects.public().filter(pk__in=pks)) if pks else []


def unwritable_in(conference: Conference) -> list[LeftOut]:
    """Every public event of it, tried one by one."""
    return unwritable(Event.objects.public().filter(conference=conference))


def unwritable(events: EventQuerySet) -> list[LeftOut]:
    """Those of the events that have a day and cannot be written; in a constant number of queries."""
    wanted = events.exclude(day=None).order_by("pk")
    found: dict[int, str] = dict.fromkeys(wanted.values_list("pk", flat=True), UNREADABLE)
    for event in wanted.for_calendars():
        problem = problem_of(event)
        if problem:
            found[event.pk] = problem
        else:
            del found[event.pk]
    return _named(found) if found else []


def problem_of(event: Event) -> str:
    try:
        vevent(event, site_url=settings.SITE_URL)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what a feed would meet
        return in_words(error)
    return ""


def _named(found: dict[int, str]) -> list[LeftOut]:
    """A title may be what cannot be read."""
    titles = dict(Event.objects.filter(pk__in=found).values_list("pk", "title"))
    kinds = dict(Event.objects.filter(pk__in=found).values_list("pk", "type__kind"))
    return [
        LeftOut(pk, titles.get(pk) or f"Event {pk}", kinds[pk], problem, readable=problem != UNREADABLE)
        for pk, problem in found.items()
    ]
