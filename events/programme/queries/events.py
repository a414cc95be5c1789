"""Single events and querysets of events that several packages use."""

from __future__ import annotations

import datetime as dt
from uuid import UUID

from django.db.models import F, Q

from events.core.db.prepared_query import prepared
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import SignupState
from events.programme.models.people import Person


def for_slots(events: EventQuerySet, *more: str) -> EventQuerySet:
    """Load only the columns of a time slot and a line of text, and ``more``: no long texts."""
    needed = ("title", "language", "guid", "start", "end", "status", "conference", "session", "travel_minutes")
    return events.select_related("type", "room").only(*needed, "type__kind", "room__zone", *more)


@prepared
def _placed_events(conference: int, pk: int) -> EventQuerySet:
    more = ("at_venue", "recording_url", "recording_from", "paper__is_public", "service__zone__name", "service__room__zone__name")
    placed = for_slots(Event.objects.public().filter(conference=conference, pk=pk), "room__zone__name", *more)
    return placed.select_related("type", "paper", "room__zone", "service__zone", "service__room__zone")


def placed_event(conference: Conference, pk: int) -> Event | None:
    """The event as personal fragments need it, in few columns."""
    event = _placed_events.first(conference.pk, pk)
    if event is not None:
        event.conference = conference
    return event


@prepared
def _bare_events(conference: int, guid: UUID) -> EventQuerySet:
    more = ("paper__is_public", "recording_url", "recording_from")
    return for_slots(Event.objects.public().filter(conference=conference, guid=guid), *more).select_related("paper")


def bare_event(conference: Conference, guid: UUID) -> Event | None:
    event = _bare_events.first(conference.pk, guid)
    if event is not None:
        event.conference = conference
    return event


def events_of_person(person: Person) -> EventQuerySet:
    events = Event.objects.public().filter(conference=person.conference)
    by_person = Q(appearances__person=person) | Q(paper__authorships__person=person, paper__is_public=True)
    return events.filter(pk__in=events.filter(by_person).values("pk"))


def full_or_closed_q(now: dt.datetime) -> Q:
    """Match events without free places or past their deadline. The state on other sites may be out of date."""
    elsewhere = Q(sign_up=None, signup_state__in=[SignupState.FULL, SignupState.CLOSED])
    return elsewhere | Q(signup_until__lte=now) | Q(sign_up__taken__gte=F("sign_up__places"))
