"""What the page shows on which a proposal is decided."""

from __future__ import annotations

import copy
import hashlib
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import reverse

from events.admin import clash_list, history
from events.admin import proposal_words as words
from events.admin.impact import context_of as impact_of
from events.admin.impact import fingerprint
from events.admin.proposal_forms import AskForm, DecisionForm, DeclineForm, DoneForm, MergeForm
from events.admin.publish_form import PublishForm
from events.admin.times import span_words
from events.admin.versions import digest, meanwhile
from events.models import Day, Event, Proposal, ProposalKind
from events.models.proposed import HOSTS_APART, Verdict, hosts_of
from events.models.publishing import OF_EVENT, Plan, UnpublishableError, plan_of
from events.queries.desk import about_of
from events.queries.proposals import alike, in_the_way, known_people, merged_into

FOR_NOTES: tuple[type[DecisionForm], ...] = (DoneForm, AskForm, DeclineForm)
FOR_SOCIALS: tuple[type[DecisionForm], ...] = (PublishForm, AskForm, MergeForm, DeclineForm)

TWINS_AT_ONCE = 5


class Twin(NamedTuple):
    """Something that may be the same: how it is chosen, and where it is looked at."""

    field: str
    pk: int
    title: str
    where_and_when: str
    kind: str
    url: str


def decisions(proposal: Proposal, user: Any) -> dict[str, type[DecisionForm]]:
    """What may be done with it, by whom."""
    if not proposal.is_open or not user.has_perm("events.change_proposal"):
        return {}
    offered = FOR_NOTES if proposal.kind == ProposalKind.NOTE else FOR_SOCIALS
    left_out: set[type[DecisionForm]] = set()
    if obstacle(proposal, user):
        left_out.add(PublishForm)
    if proposal.event_id:
        # What is published stands for itself: a change of it is approved or not.
        left_out.add(MergeForm)
    return {it.decision: it for it in offered if it not in left_out}


def obstacle(proposal: Proposal, user: Any) -> str:
    """Why it cannot be published, if it cannot."""
    if proposal.kind != ProposalKind.SOCIAL:
        return ""
    needed = "events.change_social" if proposal.event_id else "events.add_social"
    if not user.has_perm(needed):
        return "Publishing is for those who may edit socials."
    try:
        plan_of(proposal)
    except UnpublishableError as error:
        return str(error)
    return ""


def planned_by(proposal: Proposal, plan: Plan) -> dict[int, Event]:
    """The social as it would be; nobody has picked one that is new."""
    if proposal.event is None:
        return {}
    event = copy.copy(proposal.event)
    for name in OF_EVENT:
        setattr(event, name, getattr(plan, name))
    known = Day.objects.filter(conference=proposal.conference, date=plan.date).first() if plan.date else None
    event.day = known or (Day(conference=proposal.conference, date=plan.date) if plan.date else None)
    return {event.pk: event}


def state_of(event: Event | None) -> str:
    """What a social looked like when the page was opened, its hosts included."""
    return f"{digest(event, Event)}.{_hosts(event)}" if event else ""


def changed_since(event: Event | None, opened: str) -> str:
    """Who changed the social after the page was opened; nothing if nobody did."""
    if event is None or opened == state_of(event):
        return ""
    row, _, hosts = opened.partition(".")
    if hosts != _hosts(event) and row == digest(event, Event):
        return "Somebody changed its hosts after you opened this."
    return meanwhile(event, row)


def _hosts(event: Event) -> str:
    return hashlib.sha256(HOSTS_APART.join(hosts_of(event)).encode("utf-8", "replace")).hexdigest()[:16]


def context_of(request: HttpRequest, proposal: Proposal, forms: dict[str, DecisionForm]) -> dict[str, Any]:
    """Context of ``admin/proposal_decision.html``."""
    twins = _twins(proposal) if proposal.is_open else []
    told = words.rows(proposal) if proposal.kind == ProposalKind.SOCIAL else []
    event = proposal.event if _may_see(proposal.event, request) else None
    return {
        "original": proposal,
        "what": words.what(proposal),
        "decided": words.decided(proposal),
        "is_change": proposal.event_id is not None,
        "event": event,
        "event_url": clash_list.change_url(event.pk, event.type.kind) if event and _may_open(event, request) else "",
        "public_url": event.get_absolute_url() if event and event.is_public else "",
        "page": about_of(proposal.conference, proposal.page) if proposal.page else None,
        "rows": [row for row in told if row.verdict != Verdict.SAME],
        "same": [row for row in told if row.verdict == Verdict.SAME],
        "merged": merged_into(proposal),
        "twins": twins[:TWINS_AT_ONCE],
        "more_twins": len(twins[TWINS_AT_ONCE:]),
        "obstacle": obstacle(proposal, request.user) if proposal.is_open else "",
        "forms": forms,
        "entries": history.entries(proposal),
        "event_version": state_of(proposal.event),
        **_consequences(request, proposal, forms.get("publish")),
    }


def _consequences(request: HttpRequest, proposal: Proposal, form: Any) -> dict[str, Any]:
    """What publishing does to the room, to whoever is named as its host, and to those who have it."""
    if form is None:
        return {}
    plan = form.plan() if form.is_bound and form.is_valid() else form.as_sent
    new = set(plan.hosts) - set(hosts_of(proposal.event) if proposal.event else ())
    found = {"taken": room_taken(request, plan, proposal), "known": known_people(proposal.conference, new) if new else []}
    if proposal.event is None:
        return found
    planned = planned_by(proposal, plan)
    return found | {"impact": impact_of(planned), "seen": fingerprint(planned)}


def room_taken(request: HttpRequest, plan: Plan, proposal: Proposal) -> str:
    """“Hall 1 is taken then: “Keynote” (09:00–10:00).” Told of what moves there, and no reason to refuse."""
    event = proposal.event
    moves = event is None or (event.room, event.start, event.end) != (plan.room, plan.start, plan.end)
    there = in_the_way(plan.room, plan.start, plan.end, proposal.event_id) if moves else []
    if not there:
        return ""
    zone = proposal.conference.zone
    named = [
        f"{f'“{it}”' if _may_see(it, request) else 'something that is hidden now'} ({span_words(it.start, it.end, zone)})"
        for it in there
    ]
    return f"{plan.room} is taken then: {', '.join(named)}."


def _twins(proposal: Proposal) -> list[Twin]:
    found, zone = alike(proposal), proposal.conference.zone
    events = []
    for it in found.events:
        told = [words.when(it.day.date if it.day else None, it.start, it.end, zone), it.location]
        url = it.get_absolute_url() if it.is_public else ""
        events.append(Twin("event", it.pk, it.title, _joined(told), "in the programme", url))
    for other in found.proposals:
        told = [words.when(other.date, other.start, other.end, zone), other.place]
        status = other.get_status_display().lower()
        events.append(Twin("other", other.pk, str(other), _joined(told), status, change_url(other)))
    return events


def _joined(parts: list[str]) -> str:
    return " · ".join(filter(None, parts))


def change_url(proposal: Proposal) -> str:
    return reverse("admin:events_proposal_change", args=[proposal.pk])


def _may_open(event: Event, request: HttpRequest) -> bool:
    face = clash_list.face_of(event.type.kind)
    return bool(request.user.has_perm(f"events.view_{face._meta.model_name}"))


def _may_see(event: Event | None, request: HttpRequest) -> bool:
    """A social chair learns nothing of a talk that is a draft."""
    return event is not None and (event.is_public or _may_open(event, request))
