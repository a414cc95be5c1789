"""Context of the page on which a proposal is decided."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import reverse

from events.admin.base.clash_rows import event_change_url
from events.admin.base.history import log_entries
from events.admin.programme.impact import impact_context, plan_fingerprint
from events.admin.proposals import texts
from events.admin.proposals.decision import (
    can_open_event,
    can_see_event,
    planned_social,
    publish_obstacle,
    room_taken_text,
    social_version,
)
from events.admin.proposals.forms import ProposalDecisionForm
from events.proposals.diff import DiffState, hosts_of
from events.proposals.models import Proposal, ProposalKind
from events.proposals.queries import known_people, possible_duplicates, proposals_merged_into, public_page

MAX_SHOWN_DUPLICATES = 5


class PossibleDuplicate(NamedTuple):
    """An event or proposal that may be the same, with the form field that merges into it."""

    field: str
    pk: int
    title: str
    where_and_when: str
    kind: str
    url: str


def decision_context(request: HttpRequest, proposal: Proposal, forms: dict[str, ProposalDecisionForm]) -> dict[str, Any]:
    """Context of ``admin/proposal_decision.html``."""
    twins = _possible_duplicates(proposal) if proposal.is_open else []
    rows = texts.proposal_rows(proposal) if proposal.kind == ProposalKind.SOCIAL else []
    event = proposal.event if can_see_event(proposal.event, request) else None
    return {
        "original": proposal,
        "what": texts.proposal_type_text(proposal),
        "decided": texts.decision_text(proposal),
        "is_change": proposal.event_id is not None,
        "event": event,
        "event_url": event_change_url(event.pk, event.type.kind) if event and can_open_event(event, request) else "",
        "public_url": event.get_absolute_url() if event and event.is_public else "",
        "page": public_page(proposal.conference, proposal.page) if proposal.page else None,
        "rows": [row for row in rows if row.verdict != DiffState.SAME],
        "same": [row for row in rows if row.verdict == DiffState.SAME],
        "merged": proposals_merged_into(proposal),
        "twins": twins[:MAX_SHOWN_DUPLICATES],
        "more_twins": len(twins[MAX_SHOWN_DUPLICATES:]),
        "obstacle": publish_obstacle(proposal, request.user) if proposal.is_open else "",
        "forms": forms,
        "entries": log_entries(proposal),
        "event_version": social_version(proposal.event),
        **_publish_context(request, proposal, forms.get("publish")),
    }


def _publish_context(request: HttpRequest, proposal: Proposal, form: Any) -> dict[str, Any]:
    """Clashes in the room, people of the same name, and the impact on attendees."""
    if form is None:
        return {}
    plan = form.plan() if form.is_bound and form.is_valid() else form.sent_plan
    new = set(plan.hosts) - set(hosts_of(proposal.event) if proposal.event else ())
    context = {"taken": room_taken_text(request, plan, proposal), "known": known_people(proposal.conference, new) if new else []}
    if proposal.event is None:
        return context
    planned = planned_social(proposal, plan)
    return context | {"impact": impact_context(planned), "seen": plan_fingerprint(planned)}


def _possible_duplicates(proposal: Proposal) -> list[PossibleDuplicate]:
    possible, zone = possible_duplicates(proposal), proposal.conference.zone
    duplicates = []
    for event in possible.events:
        where_and_when = [
            texts.proposal_time_text(event.day.date if event.day else None, event.start, event.end, zone),
            event.location,
        ]
        url = event.get_absolute_url() if event.is_public else ""
        duplicates.append(PossibleDuplicate("event", event.pk, event.title, _join_parts(where_and_when), "in the programme", url))
    for other in possible.proposals:
        where_and_when = [texts.proposal_time_text(other.date, other.start, other.end, zone), other.place]
        status = other.get_status_display().lower()
        duplicates.append(
            PossibleDuplicate("other", other.pk, str(other), _join_parts(where_and_when), status, proposal_change_url(other))
        )
    return duplicates


def _join_parts(parts: list[str]) -> str:
    return " · ".join(filter(None, parts))


def proposal_change_url(proposal: Proposal) -> str:
    return reverse("admin:events_proposal_change", args=[proposal.pk])
