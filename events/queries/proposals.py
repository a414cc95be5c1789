"""The chairs' queue, and what in it or in the programme may be the same."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Case, DateTimeField, F, IntegerField, Q, QuerySet, Value, When

from events.models import Conference, Event, Kind, Person, Proposal, ProposalKind, ProposalStatus, Room, Status
from events.models.proposals import OPEN
from events.schedule.clashes import SHARING
from events.schedule.duplicates import Gathering, duplicates
from events.schedule.spans import Span
from events.words import words

RANK = Case(
    When(status=ProposalStatus.WAITING, then=Value(0)),
    When(status=ProposalStatus.ASKED, then=Value(1)),
    default=Value(2),
    output_field=IntegerField(),
)
WAITS_SINCE = Case(When(status__in=OPEN, then=F("updated_at")), default=None, output_field=DateTimeField())
IN_TURN = (RANK, WAITS_SINCE.asc(nulls_last=True), F("decided_at").desc(nulls_last=True), "-updated_at", "-pk")
"""What waits first, who waits longest first of all; then what was decided, the last decision first."""


class Alike(NamedTuple):
    """What may be the same social: in the programme, and among what waits."""

    events: list[Event]
    proposals: list[Proposal]


MOST_IN_THE_WAY = 3


def waiting_count() -> int:
    return Proposal.objects.filter(status=ProposalStatus.WAITING).count()


def socials_to_merge_into(proposal: Proposal) -> QuerySet[Event]:
    """Of the same conference, as attendees know them."""
    known = Event.objects.filter(conference=proposal.conference_id).exclude(status=Status.DRAFT).of_kind(Kind.SOCIAL)
    return known.select_related("conference", "day", "room", "type").in_order()


def proposals_to_merge_into(proposal: Proposal) -> QuerySet[Proposal]:
    """New socials that wait too; what changes one that is published is no place for another."""
    others = Proposal.objects.open().filter(conference=proposal.conference_id, kind=ProposalKind.SOCIAL, event=None)
    return others.exclude(pk=proposal.pk).select_related("conference").order_by("created_at", "pk")


def in_the_way(room: Room | None, start: dt.datetime | None, end: dt.datetime | None, but_for: int | None) -> list[Event]:
    """What is in this room at the time, talks with their session as one."""
    if room is None or start is None or end is None:
        return []
    there = (
        Event.objects.filter(room=room, start__lt=end, end__gt=start).exclude(status=Status.CANCELLED).exclude(pk=but_for or 0)
    )
    there = there.exclude(type__kind__in=SHARING).exclude(session__room=room)
    # What shows whether it is public comes along.
    related = ("conference", "type", "session__session")
    return list(there.select_related(*related).order_by("start", "pk")[:MOST_IN_THE_WAY])


def known_people(conference: Conference, names: Iterable[str]) -> list[str]:
    """Those of these names that somebody of the programme bears."""
    known = Person.objects.filter(conference=conference, name__in=list(names))
    return list(known.order_by("name").values_list("name", flat=True).distinct())


def merged_into(proposal: Proposal) -> list[Proposal]:
    """What was sent in as the same, and waits for what becomes of this."""
    merged = Proposal.objects.filter(merged_into=proposal, status=ProposalStatus.MERGED)
    return list(merged.select_related("conference").order_by("created_at", "pk"))


def alike(proposal: Proposal) -> Alike:
    """Only a new social is asked about: what changes one is known to be it."""
    if proposal.kind != ProposalKind.SOCIAL or proposal.event_id:
        return Alike([], [])
    events = socials_to_merge_into(proposal).select_related("room__zone__venue", "service__zone__venue", "service__room__zone")
    if proposal.date:
        events = events.filter(Q(day=None) | Q(day__date=proposal.date))
    known = [_of_event(it) for it in events] + [_of_proposal(it) for it in proposals_to_merge_into(proposal)]
    found = [it.key for it in duplicates(_of_proposal(proposal), known)]
    return Alike([it for it in found if isinstance(it, Event)], [it for it in found if isinstance(it, Proposal)])


def _of_event(event: Event) -> Gathering:
    place = tuple(words(event.location))
    date = event.day.date if event.day else None
    return Gathering(event, tuple(words(event.title)), date, Span.of(event.start, event.end), place)


def _of_proposal(proposal: Proposal) -> Gathering:
    place = tuple(words(proposal.place))
    return Gathering(proposal, tuple(words(proposal.title)), proposal.date, Span.of(proposal.start, proposal.end), place)
