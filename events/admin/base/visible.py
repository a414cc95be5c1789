"""The rows that staff may see: all for those who may see all events, else what their own lists need.

Whoever has roles sees rows of the conference they work on alone, and none of a model that belongs to no conference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.http import HttpRequest

from events.polls.models import Poll
from events.programme.models.conference import Conference, ConferenceStatus, Day
from events.programme.models.event import Event
from events.programme.models.event_kinds import InvitedTalk, Session, Social
from events.programme.models.labels import EventType, Kind, Track
from events.programme.models.papers import Authorship
from events.programme.models.people import Appearance, Person
from events.programme.models.venue import Room, Zone
from events.programme.queries.public_names import only_public
from events.proposals.models import Proposal
from events.questions.models import Question
from events.staff.roles import confinement

SEES_ALL_PERMISSION = "events.view_session"

NOTHING = Q(pk__in=[])

Named = int | None
"""The key of the conference in which the user has a role; None for those whose permissions count everywhere."""

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
    confined = confinement(user)
    named = confined.current.pk if confined and confined.current else None
    make = None if user.has_perm(SEES_ALL_PERMISSION) else VISIBLE_CONDITIONS.get(model)
    visible = make(named) if make else None
    if confined is None:
        return visible
    path = path_to_conference(model)
    here = Q(**{path: named}) if path and named else NOTHING
    return here & visible if visible else here


def path_to_conference(model: type[Model]) -> str:
    """The lookup that leads from a row to the key of its conference; empty if there is none."""
    if model is Conference:
        return "pk"
    fields = {field.name for field in model._meta.concrete_fields}
    return "conference" if "conference" in fields else "event__conference" if "event" in fields else ""


def _conference(named: Named) -> Q:
    """Published ones, drafts with a social, with the first of which an organiser invites the chairs, and that of a role."""
    has_social = Exists(Social.objects.filter(conference=OuterRef("pk")))
    return Q(status=ConferenceStatus.PUBLISHED) | Q(has_social) | (Q(pk=named) if named else NOTHING)


def _of_conference(named: Named) -> Q:
    return Q(conference__in=Conference.objects.filter(_conference(named)))


def _person(named: Named) -> Q:
    """Public people, those of socials, and those of nothing yet, whom an organiser may have added for a social."""
    events = Appearance.objects.filter(person=OuterRef("pk"))
    papers = Authorship.objects.filter(person=OuterRef("pk"))
    at_social = events.filter(event__type__kind=Kind.SOCIAL)
    return Q(pk__in=Person.objects.public()) | Q(Exists(at_social)) | ~Q(Exists(events) | Exists(papers))


def _track(named: Named) -> Q:
    events = Event.objects.filter(track=OuterRef("pk"))
    public = Q(pk__in=only_public(Track.objects.all()))
    return public | Q(Exists(events.filter(type__kind=Kind.SOCIAL))) | ~Q(Exists(events))


def _event_type(named: Named) -> Q:
    return _of_conference(named) & (Q(kind=Kind.SOCIAL) | Q(pk__in=only_public(EventType.objects.all())))


VISIBLE_CONDITIONS: dict[type[Model], Callable[[Named], Q]] = {
    Conference: _conference,
    Day: _of_conference,
    Room: _of_conference,
    Zone: _of_conference,
    EventType: _event_type,
    Person: _person,
    Track: _track,
    Proposal: _of_conference,
    Event: lambda named: Q(pk__in=Event.objects.public()),
    Session: lambda named: Q(pk__in=Event.objects.public()),
    InvitedTalk: lambda named: Q(pk__in=Event.objects.public()),
    Question: lambda named: Q(event__in=Event.objects.public()),
    Poll: lambda named: Q(event__in=Event.objects.public()),
}
