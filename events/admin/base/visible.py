"""The rows that staff may see: all for those who may see all events, else what their own lists need."""

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

SEES_ALL_PERMISSION = "events.view_session"

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
    make = None if user.has_perm(SEES_ALL_PERMISSION) else VISIBLE_CONDITIONS.get(model)
    return make() if make else None


def _conference() -> Q:
    """Published ones, and drafts with a social: with the first one an organiser invites the chairs."""
    return Q(status=ConferenceStatus.PUBLISHED) | Q(Exists(Social.objects.filter(conference=OuterRef("pk"))))


def _of_conference() -> Q:
    return Q(conference__in=Conference.objects.filter(_conference()))


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
    return _of_conference() & (Q(kind=Kind.SOCIAL) | Q(pk__in=only_public(EventType.objects.all())))


VISIBLE_CONDITIONS: dict[type[Model], Callable[[], Q]] = {
    Conference: _conference,
    Day: _of_conference,
    Room: _of_conference,
    Zone: _of_conference,
    EventType: _event_type,
    Person: _person,
    Track: _track,
    Proposal: _of_conference,
    Event: lambda: Q(pk__in=Event.objects.public()),
    Session: lambda: Q(pk__in=Event.objects.public()),
    InvitedTalk: lambda: Q(pk__in=Event.objects.public()),
    Question: lambda: Q(event__in=Event.objects.public()),
    Poll: lambda: Q(event__in=Event.objects.public()),
}
