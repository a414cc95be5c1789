"""What chairs decide on a proposal: publish, ask back, decline, merge; and the mail to its sender."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone

from events.core import limits
from events.core.clock import programme_date
from events.core.db.writing import plus_one, serialized_write
from events.mail.outbox import queue_letter
from events.programme.models.changes import Change, ChangeGroup, ChangeGroupKind
from events.programme.models.conference import Conference, Day
from events.programme.models.event import Event
from events.programme.models.labels import EventType, Kind, Status
from events.programme.models.people import Appearance, Person, Role
from events.programme.models.venue import Room
from events.proposals.diff import (
    HOST_SEPARATOR,
    DiffState,
    comparable_values,
    compare,
    event_guid,
    hosts_of,
    proposed_values,
    values_of,
)
from events.proposals.models import OPEN_STATUSES, Proposal, ProposalKind, ProposalStatus
from events.proposals.queries import resulting_event

UPDATE_TITLE = "Social updated"
NO_SOCIAL_TYPE_MESSAGE = (
    "{conference} has no event type for socials: an organiser adds one under Event types, with “Social” as how it behaves."
)


class UnpublishableError(Exception):
    """Nothing was changed; the message is a sentence for the chair."""


@dataclass(frozen=True)
class SocialPlan:
    """The values of a social to be published; ``hosts`` are names."""

    type: EventType
    title: str
    date: dt.date | None = None
    start: dt.datetime | None = None
    end: dt.datetime | None = None
    room: Room | None = None
    place: str = ""
    travel_minutes: int | None = None
    at_venue: bool | None = None
    official: bool = False
    hosts: tuple[str, ...] = ()
    abstract: str = ""
    audience: str = ""
    signup_url: str = ""
    signup_until: dt.datetime | None = None
    cost: str = ""
    capacity: int | None = None
    access_notes: str = ""


SHARED_EVENT_FIELDS = (
    *("type", "title", "start", "end", "room", "place", "travel_minutes", "at_venue", "official", "abstract"),
    *("audience", "signup_url", "signup_until", "cost", "capacity", "access_notes"),
)
"""Fields with the same name in SocialPlan and Event."""


def target_of(proposal: Proposal) -> Event | None:
    """The published social that it changes; None for a new one. UnpublishableError if it is not about a social."""
    event = proposal.event
    if proposal.kind != ProposalKind.SOCIAL or (event and not _is_social_of(event, proposal.conference)):
        raise UnpublishableError("Only a social can be published here: deal with this one as a note.")
    return event


def _is_social_of(event: Event, conference: Conference) -> bool:
    return event.conference_id == conference.pk and event.type.kind == Kind.SOCIAL


def plan_of(proposal: Proposal, accepted_parts: Collection[str] = ()) -> SocialPlan:
    """The event with the proposed changes; of parts that organisers changed too, only ``accepted_parts``."""
    event = target_of(proposal)
    parts = [
        part
        for part, verdict in compare(proposal, event).items()
        if verdict == DiffState.CHANGED or (verdict == DiffState.CONFLICT and part in accepted_parts)
    ]
    plan = _plan_of_event(event) if event else SocialPlan(type=social_type(proposal.conference), title=proposal.title)
    changes: dict[str, Any] = {}
    for part in parts:
        changes |= part_values(proposal, part)
    return replace(plan, **changes)


def _plan_of_event(event: Event) -> SocialPlan:
    date = event.day.date if event.day else None
    return SocialPlan(date=date, hosts=hosts_of(event), **{name: getattr(event, name) for name in SHARED_EVENT_FIELDS})


def part_values(proposal: Proposal, part: str) -> dict[str, Any]:
    match part:
        case "when":
            date = programme_date(proposal.start, proposal.conference.zone) if proposal.start else proposal.date
            return {"date": date, "start": proposal.start, "end": proposal.end}
        case "place":
            if place := _place_in_room(proposal):
                return {"place": place}
            room, place = room_named(proposal.conference, proposal.place)
            known = {"at_venue": not room.zone.off_site} if room else {"at_venue": None}
            return {"room": room, "place": place, "travel_minutes": None, **known}
        case "host":
            return {"hosts": split_hosts(proposal.host)}
        case "about":
            return {"abstract": proposal.about}
    return {part: getattr(proposal, part)}


def social_type(conference: Conference) -> EventType:
    event_type = EventType.objects.filter(conference=conference, kind=Kind.SOCIAL).first()
    if event_type is None:
        raise UnpublishableError(NO_SOCIAL_TYPE_MESSAGE.format(conference=conference))
    return event_type


def room_named(conference: Conference, place: str) -> tuple[Room | None, str]:
    """The room, if exactly one has this name; otherwise the place as text."""
    rooms = list(Room.objects.filter(conference=conference, name__iexact=place).select_related("zone")[:2]) if place else []
    return (rooms[0], "") if len(rooms) == 1 else (None, place)


def _place_in_room(proposal: Proposal) -> str:
    """The part before the room: “by the bar, Garnet 212” changed to “by the door, Garnet 212” stays in that room."""
    room = proposal.event.room if proposal.event else None
    place = proposal.place.removesuffix(f", {room.name}") if room else ""
    return place if place != proposal.place else ""


def split_hosts(names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (name.strip() for name in names.split(HOST_SEPARATOR.strip())))))


def publish_plan(proposal: Proposal, plan: SocialPlan, reason: str = "", by: str = "") -> Event:
    """Save the event and record its changes as one entry. The caller has locked the conference."""
    if not plan.title:
        raise UnpublishableError("It has no title: give it one.")
    event = target_of(proposal) or Event(
        conference=proposal.conference, guid=event_guid(proposal), status=Status.CONFIRMED, type=plan.type
    )
    for name in SHARED_EVENT_FIELDS:
        setattr(event, name, getattr(plan, name))
    event.day = get_or_create_day(proposal.conference, plan)
    event._change_reason = (reason or "Proposed by its sender")[:100]  # type: ignore[attr-defined]
    event.save_changed()
    _set_hosts(event, plan.hosts)
    _announce_once(proposal.conference, event.revise(reason=reason), reason, by)
    return event


def _announce_once(conference: Conference, changes: Sequence[Change], reason: str, by: str) -> None:
    """Put several changes under one heading; one is an entry by itself."""
    if len(changes) > 1:
        group = ChangeGroup.objects.create(
            conference=conference, kind=ChangeGroupKind.PUBLICATION, title=UPDATE_TITLE, note=reason, by=by, is_public=True
        )
        Change.objects.filter(pk__in=[change.pk for change in changes]).update(group=group)


def get_or_create_day(conference: Conference, plan: SocialPlan) -> Day | None:
    # Also before or after the conference: socials begin when people arrive.
    date = programme_date(plan.start, conference.zone) if plan.start else plan.date
    return Day.objects.get_or_create(conference=conference, date=date)[0] if date else None


def _set_hosts(event: Event, names: tuple[str, ...]) -> None:
    hosting = list(event.appearances.filter(role=Role.HOST).select_related("person"))
    people = {appearance.person.name: appearance.person for appearance in reversed(hosting)}
    if tuple(appearance.person.name for appearance in hosting) == names:
        return
    for appearance in hosting:
        if appearance.person.name not in names:
            appearance.delete()
    for position, name in enumerate(names):
        person = people.get(name) or _person(event.conference, name)
        Appearance.objects.update_or_create(event=event, person=person, role=Role.HOST, defaults={"position": position})


def _person(conference: Conference, name: str) -> Person:
    known = Person.objects.filter(conference=conference, name=name).order_by("pk").first()
    return known or Person.objects.create(conference=conference, name=name)


MERGEABLE_STATUSES = (*OPEN_STATUSES, ProposalStatus.PUBLISHED)
"""Statuses of proposals into which others may be merged."""


class OvertakenError(Exception):
    """Nothing was changed: it was decided or changed after the chair opened it. ``now`` is its current state."""

    def __init__(self, now: Proposal) -> None:
        super().__init__(f"{now} is {now.get_status_display().lower()}, version {now.version}")
        self.now = now


def publish(proposal: Proposal, *, by: Any, version: int, plan: SocialPlan | None = None, reason: str = "") -> Event:
    """Create or change the event by ``plan``, or as proposed. Raises OvertakenError or UnpublishableError."""
    with transaction.atomic():
        _decide(proposal, ProposalStatus.PUBLISHED, by, version, answer="")
        proposal.event = event = publish_plan(proposal, plan or plan_of(proposal), reason, by.get_username())
        # With the corrections of the chair: the next change of its sender is compared with these values.
        for name, value in values_of(event).items():
            setattr(proposal, name, value)
        proposal.base = comparable_values(proposed_values(proposal))
        proposal.save(update_fields=["event", "base", *proposed_values(proposal)])
    return event


def ask_back(proposal: Proposal, *, by: Any, version: int, answer: str) -> None:
    with transaction.atomic():
        # With a new version: a decision on the one before the question is refused.
        _decide(proposal, ProposalStatus.ASKED, by, version, answer=answer, version=plus_one("version"))


def decline(proposal: Proposal, *, by: Any, version: int, answer: str) -> None:
    """A published event stays as it is; proposals merged into a new one wait again."""
    with transaction.atomic():
        _decide(proposal, ProposalStatus.DECLINED, by, version, answer=answer)
        if proposal.event_id is None:
            proposal.reopen_merged()


def deal_with(proposal: Proposal, *, by: Any, version: int, answer: str = "") -> None:
    with transaction.atomic():
        if proposal.kind != ProposalKind.NOTE:
            raise UnpublishableError("A social is published, merged or declined.")
        _decide(proposal, ProposalStatus.DONE, by, version, answer=answer)


def merge_into_event(proposal: Proposal, event: Event, *, by: Any, version: int, answer: str = "") -> None:
    """Close it, because the same social is in the programme; its sender gets a link to that."""
    with transaction.atomic():
        _refuse_to_merge(proposal, version)
        _decide(proposal, ProposalStatus.MERGED, by, version, answer=answer, event=event)


def merge_into(proposal: Proposal, other: Proposal, *, by: Any, version: int, answer: str = "") -> None:
    """Two people proposed the same: both get the decision on ``other``."""
    with transaction.atomic():
        _refuse_to_merge(proposal, version)
        # Read with the conference locked, so that two proposals cannot be merged into each other.
        if not Proposal.objects.filter(pk=other.pk, conference=proposal.conference, status__in=MERGEABLE_STATUSES).exists():
            raise UnpublishableError(f"“{other}” can no longer be merged into: choose another one.")
        _decide(proposal, ProposalStatus.MERGED, by, version, answer=answer, merged_into=other)


def _refuse_to_merge(proposal: Proposal, version: int) -> None:
    proposal.conference.lock()
    proposal.refresh_from_db()
    if proposal.status not in OPEN_STATUSES or proposal.version != version:
        raise OvertakenError(proposal)
    if proposal.event_id:
        raise UnpublishableError("It changes a published social: approve the change or decline it.")


def _decide(proposal: Proposal, status: ProposalStatus, by: Any, read_version: int, /, **values: Any) -> None:
    """One conditional UPDATE, so that of two chairs one gets OvertakenError."""
    # The conference is locked first, as for all writes to its events, so that there is no deadlock.
    proposal.conference.lock()
    values |= {"status": status, "decided_by": by, "decided_at": timezone.now()}
    waiting = Proposal.objects.filter(pk=proposal.pk, status__in=OPEN_STATUSES, version=read_version)
    decided = waiting.update(**values)
    proposal.refresh_from_db()
    if not decided:
        raise OvertakenError(proposal)


MAIL_INTRO_TEXTS: dict[str, str] = {
    ProposalKind.SOCIAL: "You sent a social to the chairs of {conference}.",
    ProposalKind.NOTE: "You reported something missing or wrong to the chairs of {conference}.",
}
MAIL_OUTCOME_TEXTS: dict[str, str] = {
    ProposalStatus.ASKED: "They have a question before they decide.",
    ProposalStatus.PUBLISHED: "It is published",
    ProposalStatus.DECLINED: "They will not publish it.",
    ProposalStatus.MERGED: "It is the same as another one, and was merged into it",
    ProposalStatus.DONE: "They have dealt with it. Thank you.",
}


MAIL_PAGE_TEXTS: dict[str, str] = {
    ProposalStatus.ASKED: "Answer them",
    ProposalStatus.PUBLISHED: "Edit it, or write to the chairs,",
}
"""What the sender does on the page of the proposal; others read what they sent."""


def outcome_text(proposal: Proposal) -> str:
    text = MAIL_OUTCOME_TEXTS.get(proposal.status, "They have looked at it.")
    if proposal.status not in (ProposalStatus.PUBLISHED, ProposalStatus.MERGED):
        return text
    event = resulting_event(proposal)
    return f"{text}: {settings.SITE_URL}{event.get_absolute_url()}" if event else f"{text}."


def mail_decision(proposal: Proposal) -> bool:
    """Queue a mail to the sender; False without a mailbox or over its limit.

    It quotes nothing from the proposal, so that nobody can send spam through it.
    """
    if not proposal.mailbox:
        return False
    proposal.refresh_from_db()
    conference = proposal.conference
    with serialized_write():
        if not limits.DECISION_MAILS.allows(mailbox=limits.mailbox_key(proposal.mailbox)):
            return False
        context = {
            "proposal": proposal,
            "intro": MAIL_INTRO_TEXTS[proposal.kind].format(conference=conference),
            "outcome": outcome_text(proposal),
            "next_step": MAIL_PAGE_TEXTS.get(proposal.status, "Read what you sent"),
            "url": settings.SITE_URL + proposal.url if proposal.url else "",
        }
        text = render_to_string("events/proposals/decision_mail.txt", context).strip() + "\n"
        headers = {"Auto-Submitted": "auto-generated"}
        queue_letter(proposal.mailbox, f"{conference}: what you sent to the chairs", text, headers=headers)
    return True
