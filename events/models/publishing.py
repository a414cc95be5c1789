"""A proposal becomes an event, or a change of one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from events.models.conference import Conference, Day
from events.models.event import Event, Status
from events.models.labels import EventType, Kind
from events.models.people import Appearance, Person, Role
from events.models.proposals import Proposal, ProposalKind
from events.models.proposed import HOSTS_APART, Verdict, hosts_of, own_guid, weigh
from events.models.venue import Room
from events.schedule.clock import programme_date

NO_TYPE = "{conference} has no event type for socials: an organiser adds one under Event types, with “Social” as how it behaves."


class UnpublishableError(Exception):
    """Nothing was done, and why, in a sentence."""


@dataclass(frozen=True)
class Plan:
    """A social as chairs publish it; ``hosts`` are names."""

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


OF_EVENT = (
    *("type", "title", "start", "end", "room", "place", "travel_minutes", "at_venue", "official", "abstract"),
    *("audience", "signup_url", "signup_until", "cost", "capacity", "access_notes"),
)
"""What a plan and an event call alike."""


def target_of(proposal: Proposal) -> Event | None:
    """The social that it would change, if it is about one."""
    event = proposal.event
    if proposal.kind != ProposalKind.SOCIAL or (event and not _is_social_of(event, proposal.conference)):
        raise UnpublishableError("Only a social can be published from here: deal with it as a note.")
    return event


def _is_social_of(event: Event, conference: Conference) -> bool:
    return event.conference_id == conference.pk and event.type.kind == Kind.SOCIAL


def plan_of(proposal: Proposal, take: Collection[str] = ()) -> Plan:
    """What it asks for; of what organisers changed too, only the parts that are to be taken."""
    event = target_of(proposal)
    parts = [
        part
        for part, verdict in weigh(proposal, event).items()
        if verdict == Verdict.CHANGED or (verdict == Verdict.CONFLICT and part in take)
    ]
    plan = _plan_of_event(event) if event else Plan(type=social_type(proposal.conference), title=proposal.title)
    changes: dict[str, Any] = {}
    for part in parts:
        changes |= wanted(proposal, part)
    return replace(plan, **changes)


def _plan_of_event(event: Event) -> Plan:
    date = event.day.date if event.day else None
    return Plan(date=date, hosts=hosts_of(event), **{name: getattr(event, name) for name in OF_EVENT})


def wanted(proposal: Proposal, part: str) -> dict[str, Any]:
    """What a part of it asks for, by the names of a plan."""
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
            return {"hosts": hosts_in(proposal.host)}
        case "about":
            return {"abstract": proposal.about}
    return {part: getattr(proposal, part)}


def social_type(conference: Conference) -> EventType:
    found = EventType.objects.filter(conference=conference, kind=Kind.SOCIAL).first()
    if found is None:
        raise UnpublishableError(NO_TYPE.format(conference=conference))
    return found


def room_named(conference: Conference, place: str) -> tuple[Room | None, str]:
    """The one room that is called so; otherwise the place stays words."""
    rooms = list(Room.objects.filter(conference=conference, name__iexact=place).select_related("zone")[:2]) if place else []
    return (rooms[0], "") if len(rooms) == 1 else (None, place)


def _place_in_room(proposal: Proposal) -> str:
    """Who read “by the bar, Garnet 212” and writes “by the door, Garnet 212” has not left the room."""
    room = proposal.event.room if proposal.event else None
    before = proposal.place.removesuffix(f", {room.name}") if room else ""
    return before if before != proposal.place else ""


def hosts_in(names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (name.strip() for name in names.split(HOSTS_APART.strip())))))


def carry_out(proposal: Proposal, plan: Plan, reason: str = "") -> Event:
    """Write the event and tell attendees; whoever calls has the conference in hold."""
    if not plan.title:
        raise UnpublishableError("It has no title: give it one.")
    event = target_of(proposal) or Event(
        conference=proposal.conference, guid=own_guid(proposal), status=Status.CONFIRMED, type=plan.type
    )
    for name in OF_EVENT:
        setattr(event, name, getattr(plan, name))
    event.day = day_of(proposal.conference, plan)
    event._change_reason = (reason or "Proposed by its sender")[:100]  # type: ignore[attr-defined]
    event.save_changed()
    _set_hosts(event, plan.hosts)
    event.revise(reason=reason)
    return event


def day_of(conference: Conference, plan: Plan) -> Day | None:
    """Also one before or after the conference: socials begin when people arrive."""
    date = programme_date(plan.start, conference.zone) if plan.start else plan.date
    return Day.objects.get_or_create(conference=conference, date=date)[0] if date else None


def _set_hosts(event: Event, names: tuple[str, ...]) -> None:
    hosting = list(event.appearances.filter(role=Role.HOST).select_related("person"))
    if tuple(it.person.name for it in hosting) == names:
        return
    for appearance in hosting:
        if appearance.person.name not in names:
            appearance.delete()
    for position, name in enumerate(names):
        person = next((it.person for it in hosting if it.person.name == name), None) or _person(event.conference, name)
        Appearance.objects.update_or_create(event=event, person=person, role=Role.HOST, defaults={"position": position})


def _person(conference: Conference, name: str) -> Person:
    known = Person.objects.filter(conference=conference, name=name).order_by("pk").first()
    return known or Person.objects.create(conference=conference, name=name)
