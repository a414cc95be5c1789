"""The rows that staff may see: all for those who may see all events, else what their own lists need.

Whoever has roles sees rows of the conference they work on alone, and none of a model that belongs to no conference.
Beside it, what hides an event from attendees.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.http import HttpRequest

from events.polls.models import Poll
from events.programme.models.conference import Conference, ConferenceStatus, Day
from events.programme.models.event import Event
from events.programme.models.event_kinds import InvitedTalk, Session, Social
from events.programme.models.labels import EventType, Kind, Status, Track
from events.programme.models.papers import Authorship
from events.programme.models.people import Appearance, Person
from events.programme.models.venue import Room, Zone
from events.programme.queries.public_names import only_public
from events.proposals.models import Proposal
from events.questions.models import Question
from events.staff.roles import confinement

SEES_ALL_PERMISSION = "events.view_session"

NOTHING = Q(pk__in=[])

RowsT = TypeVar("RowsT", bound=QuerySet[Any])


def visible_to(request: HttpRequest, rows: RowsT) -> RowsT:
    return visible_for(request.user, rows)


def visible_for(user: Any, rows: RowsT) -> RowsT:
    """Moderators see nothing of drafts; social chairs see drafts of socials, and any room in which one can be."""
    condition = _condition(user, rows.model)
    return rows.filter(condition) if condition else rows


def hidden_keys(user: Any, rows: QuerySet[Any]) -> set[Any]:
    """Keys of the rows that ``visible_to`` leaves out."""
    condition = _condition(user, rows.model)
    return (
        set(rows.order_by().values_list("pk", flat=True)) - set(rows.filter(condition).values_list("pk", flat=True))
        if condition
        else set()
    )


def _condition(user: Any, model: type[Model]) -> Q | None:
    confined, sees_all = confinement(user), user.has_perm(SEES_ALL_PERMISSION)
    conditions = []
    if confined is not None:
        conditions.append(_in_conference(model, confined.current))
    elif not sees_all and model in OF_CONFERENCES:
        conditions.append(_in_seen_conferences(model))
    if not sees_all and model in VISIBLE_CONDITIONS:
        conditions.append(VISIBLE_CONDITIONS[model]())
    return functools.reduce(operator.and_, conditions) if conditions else None


def _in_conference(model: type[Model], conference: Conference | None) -> Q:
    path = path_to_conference(model)
    return Q(**{path: conference.pk}) if path and conference else NOTHING


def path_to_conference(model: type[Model]) -> str:
    """The lookup that leads from a row to the key of its conference; empty if there is none."""
    if model is Conference:
        return "pk"
    fields = {field.name for field in model._meta.concrete_fields}
    return "conference" if "conference" in fields else "event__conference" if "event" in fields else ""


def _in_seen_conferences(model: type[Model]) -> Q:
    """Published ones, and drafts with a social: with the first one an organiser invites the chairs."""
    has_social = Exists(Social.objects.filter(conference=OuterRef("pk")))
    seen = Conference.objects.filter(Q(status=ConferenceStatus.PUBLISHED) | Q(has_social))
    return Q(**{f"{path_to_conference(model)}__in": seen.order_by().values("pk")})


def _person() -> Q:
    """Public people, those of socials, and those of nothing yet, whom an organiser may have added for a social."""
    events = Appearance.objects.filter(person=OuterRef("pk"))
    papers = Authorship.objects.filter(person=OuterRef("pk"))
    at_social = events.filter(event__type__kind=Kind.SOCIAL)
    return Q(pk__in=Person.objects.public()) | Q(Exists(at_social)) | ~Q(Exists(events) | Exists(papers))


def _track() -> Q:
    events = Event.objects.filter(track=OuterRef("pk"))
    public = Q(pk__in=only_public(Track.objects.all()))
    return public | Q(Exists(events.filter(type__kind=Kind.SOCIAL))) | ~Q(Exists(events))


def _event_type() -> Q:
    return Q(kind=Kind.SOCIAL) | Q(pk__in=only_public(EventType.objects.all()))


OF_CONFERENCES = {Conference, Day, Room, Zone, EventType, Proposal}
VISIBLE_CONDITIONS: dict[type[Model], Callable[[], Q]] = {
    EventType: _event_type,
    Person: _person,
    Track: _track,
    Event: lambda: Q(pk__in=Event.objects.public()),
    Session: lambda: Q(pk__in=Event.objects.public()),
    InvitedTalk: lambda: Q(pk__in=Event.objects.public()),
    Question: lambda: Q(event__in=Event.objects.public()),
    Poll: lambda: Q(event__in=Event.objects.public()),
}


def draft_part(event: Event) -> str:
    """What hides the event from attendees, for the sentence “… is a draft”; empty if it is public."""
    if event.status == Status.DRAFT:
        return "the event"
    if event.is_draft:
        return "the session it is in"
    return "its conference" if event.conference.is_draft else ""
