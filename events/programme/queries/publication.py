"""What the publication of a conference would make public, and what it lacks."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind
from events.programme.models.papers import Authorship
from events.programme.models.people import Appearance, Person
from events.programme.models.venue import UNNAMED_VENUE, Venue

MAX_NAMED_DRAFTS = 12


@dataclass(frozen=True)
class PublicationReview:
    """``drafts`` stay behind; ``missing`` are sentences. An import named the conference by its address, and ``unnamed_venue``."""

    days: int
    events: int
    people: int
    papers: int
    drafts: list[Event]
    more_drafts: int
    missing: list[str]
    is_unnamed: bool
    unnamed_venue: Venue | None


def publication_review(conference: Conference) -> PublicationReview:
    finished = Event.objects.filter(conference=conference).finished()
    drafts = Event.objects.filter(conference=conference).exclude(pk__in=finished.order_by().values("pk")).in_order()
    named = list(drafts[:MAX_NAMED_DRAFTS])
    venues = list(conference.venues.all())
    return PublicationReview(
        days=conference.days.count(),
        events=finished.count(),
        people=_people_of(conference, finished).count(),
        papers=conference.papers.filter(is_public=True).count(),
        drafts=named,
        more_drafts=drafts.count() - len(named) if len(named) == MAX_NAMED_DRAFTS else 0,
        missing=_missing(conference, finished, venues),
        is_unnamed=bool(conference.source) and conference.name == conference.slug,
        unnamed_venue=next((venue for venue in venues if venue.name == UNNAMED_VENUE), None),
    )


def _people_of(conference: Conference, finished: EventQuerySet) -> QuerySet[Person]:
    appearing = Q(pk__in=Appearance.objects.filter(event__in=finished.order_by().values("pk")).values("person"))
    writing = Q(pk__in=Authorship.objects.filter(paper__conference=conference, paper__is_public=True).values("person"))
    return Person.objects.filter(appearing | writing, conference=conference)


def _missing(conference: Conference, finished: EventQuerySet, venues: list[Venue]) -> list[str]:
    untimed = finished.filter(start=None).exclude(type__kind=Kind.POSTER).count()
    placeless = finished.filter(room=None, place="", service=None).exclude(type__kind__in=[Kind.BREAK, Kind.POSTER]).count()
    outside = [day.date for day in conference.days.all() if not conference.start <= day.date <= conference.end]
    lacks = {
        "It has no day yet: the schedule is empty.": not conference.days.exists(),
        f"Outside its dates: {', '.join(f'{date:%-d %B %Y}' for date in outside)}. Correct these days, or its dates.": outside,
        "It names no city: pages and calendars say only the time zone.": not conference.city,
        "It has no venue: nobody finds the way.": not venues,
        "It has no types of events.": not conference.types.exists(),
        "No event is ready: all are drafts, or there are none.": not finished.exists(),
        f"{_counted(untimed)} no time yet: “time to be announced”.": untimed,
        f"{_counted(placeless)} no place yet: “place to be announced”.": placeless,
    }
    return [sentence for sentence, is_lacking in lacks.items() if is_lacking]


def _counted(number: int) -> str:
    return "1 event has" if number == 1 else f"{number} events have"
