"""The decision on a proposal: what is allowed, doing it, and the context of its page."""

from __future__ import annotations

import copy
import hashlib
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import reverse

from events.admin.base.clash_rows import event_change_url, proxy_of_kind
from events.admin.base.history import edit_conflict_text, log_entries, row_digest
from events.admin.base.times import span_text
from events.admin.programme.impact import has_impact, impact_context, plan_fingerprint
from events.admin.proposals import texts
from events.admin.proposals.forms import AskBackForm, DealWithForm, DeclineForm, MergeForm, ProposalDecisionForm, PublishForm
from events.programme.models.conference import Day
from events.programme.models.event import Event
from events.proposals.decisions import SHARED_EVENT_FIELDS, SocialPlan, UnpublishableError, plan_of
from events.proposals.diff import HOST_SEPARATOR, DiffState, hosts_of
from events.proposals.models import Proposal, ProposalKind, ProposalStatus
from events.proposals.queries import known_people, possible_duplicates, proposals_merged_into, public_page, room_clashes

SENDER_CHANGED_NOTICE = "Your decision was not saved: the sender has changed the proposal since you opened it. Please look again."
NO_DECISION_NOTICE = "Nothing was changed: please choose what to do with the proposal."
UNKNOWN_BUTTON_NOTICE = "Nothing was changed: the page was out of date. This is the proposal as it is now; please choose again."
CONFIRM_IMPACT_NOTICE = "Nothing is published yet: see below what it changes for those who have it, then press the button again."
FORM_ERRORS_NOTICE = "Nothing was changed: please correct what is marked below."
NOTE_DECISION_FORMS: tuple[type[ProposalDecisionForm], ...] = (DealWithForm, AskBackForm, DeclineForm)
SOCIAL_DECISION_FORMS: tuple[type[ProposalDecisionForm], ...] = (PublishForm, AskBackForm, MergeForm, DeclineForm)
MAX_SHOWN_DUPLICATES = 5


class PossibleDuplicate(NamedTuple):
    """An event or proposal that may be the same, with the form field that merges into it."""

    field: str
    pk: int
    title: str
    where_and_when: str
    kind: str
    url: str


class DecisionRefusedError(Exception):
    """Nothing was decided; the notice says why."""

    def __init__(self, notice: str, form: ProposalDecisionForm | None = None, *, status: int = 200) -> None:
        super().__init__(notice)
        self.notice, self.form, self.status = notice, form, status


class DecisionResult(NamedTuple):
    """The message, a warning, and the other proposals whose senders get a mail."""

    message: str
    warning: str
    merged: list[Proposal]


def allowed_decisions(proposal: Proposal, user: Any) -> dict[str, type[ProposalDecisionForm]]:
    """Forms by decision."""
    if not proposal.is_open or not user.has_perm("events.change_proposal"):
        return {}
    offered = NOTE_DECISION_FORMS if proposal.kind == ProposalKind.NOTE else SOCIAL_DECISION_FORMS
    left_out: set[type[ProposalDecisionForm]] = set()
    if publish_obstacle(proposal, user):
        left_out.add(PublishForm)
    if proposal.event_id:
        # A change of a published social is approved or declined, never merged.
        left_out.add(MergeForm)
    return {it.decision: it for it in offered if it not in left_out}


def publish_obstacle(proposal: Proposal, user: Any) -> str:
    """Why the proposal cannot be published; empty if it can."""
    if proposal.kind != ProposalKind.SOCIAL:
        return ""
    needed = "events.change_social" if proposal.event_id else "events.add_social"
    if not user.has_perm(needed):
        return "Publishing needs the permission to edit socials."
    try:
        plan_of(proposal)
    except UnpublishableError as error:
        return str(error)
    return ""


def planned_social(proposal: Proposal, plan: SocialPlan) -> dict[int, Event]:
    """The unsaved social by key; empty for a new one, which nobody can have bookmarked."""
    if proposal.event is None:
        return {}
    event = copy.copy(proposal.event)
    for name in SHARED_EVENT_FIELDS:
        setattr(event, name, getattr(plan, name))
    day = Day.objects.filter(conference=proposal.conference, date=plan.date).first() if plan.date else None
    event.day = day or (Day(conference=proposal.conference, date=plan.date) if plan.date else None)
    return {event.pk: event}


def social_version(event: Event | None) -> str:
    """A digest of the social and its hosts."""
    return f"{row_digest(event, Event)}.{_hosts_digest(event)}" if event else ""


def social_conflict_text(event: Event | None, opened: str) -> str:
    """Who changed the social since its version was ``opened``; empty if nobody did."""
    if event is None or opened == social_version(event):
        return ""
    row, _, hosts = opened.partition(".")
    if hosts != _hosts_digest(event) and row == row_digest(event, Event):
        return "Somebody changed its hosts after you opened this."
    return edit_conflict_text(event, row)


def _hosts_digest(event: Event) -> str:
    return hashlib.sha256(HOST_SEPARATOR.join(hosts_of(event)).encode("utf-8", "replace")).hexdigest()[:16]


def can_open_event(event: Event, request: HttpRequest) -> bool:
    return bool(request.user.has_perm(f"events.view_{proxy_of_kind(event.type.kind)._meta.model_name}"))


def can_see_event(event: Event | None, request: HttpRequest) -> bool:
    """Social chairs do not see drafts that are not socials."""
    return event is not None and (event.is_public or can_open_event(event, request))


def _visible_title(event: Event, request: HttpRequest) -> str:
    return f"“{event}”" if can_see_event(event, request) else "an event that is hidden now"


def room_taken_text(request: HttpRequest, plan: SocialPlan, proposal: Proposal) -> str:
    """“Hall 1 is taken then: “Keynote” (09:00–10:00).” It is a warning and does not prevent publishing."""
    event = proposal.event
    moves = event is None or (event.room, event.start, event.end) != (plan.room, plan.start, plan.end)
    clashing = room_clashes(plan.room, plan.start, plan.end, proposal.event_id) if moves else []
    if not clashing:
        return ""
    zone = proposal.conference.zone
    named = [f"{_visible_title(event, request)} ({span_text(event.start, event.end, zone)})" for event in clashing]
    return f"{plan.room} is taken then: {', '.join(named)}."


def apply_decision(request: HttpRequest, proposal: Proposal) -> DecisionResult:
    """Decide on the stored proposal. The caller has locked its conference."""
    form_class = allowed_decisions(proposal, request.user).get(request.POST.get("decision", ""))
    if not proposal.is_open or request.POST.get("version", str(proposal.version)) != str(proposal.version):
        raise overtaken_error(proposal)
    if form_class is None:
        raise DecisionRefusedError(NO_DECISION_NOTICE)
    form = form_class(request.POST, proposal=proposal, by=request.user)
    if not form.is_valid():
        raise (
            DecisionRefusedError(UNKNOWN_BUTTON_NOTICE)
            if "version" in form.errors
            else DecisionRefusedError(FORM_ERRORS_NOTICE, form)
        )
    warning, merged = _check_publishing(request, proposal, form) if isinstance(form, PublishForm) else ("", [])
    try:
        message = form.act(request.user)
    except UnpublishableError as error:
        form.add_error(None, str(error))
        raise DecisionRefusedError("Nothing was changed.", form) from error
    return DecisionResult(message, warning, merged)


def overtaken_error(now: Proposal) -> DecisionRefusedError:
    """For a proposal that another chair has decided, or its sender has changed or withdrawn."""
    if now.status == ProposalStatus.ASKED:
        asked = f"{now.decided_by or 'Somebody'} asked back meanwhile: “{now.answer}”"
        return DecisionRefusedError(f"{asked} Your decision was not saved: please look again.", status=409)
    ended = f"{texts.decision_text(now) or now.get_status_display()}. Your decision was not saved."
    return DecisionRefusedError(SENDER_CHANGED_NOTICE if now.is_open else ended, status=409)


def _check_publishing(request: HttpRequest, proposal: Proposal, form: PublishForm) -> tuple[str, list[Proposal]]:
    """A warning and the merged proposals. Raises DecisionRefusedError if the social changed or its impact was not shown."""
    if changed := social_conflict_text(proposal.event, request.POST.get("event_version", "")):
        raise DecisionRefusedError(f"{changed} Your decision was not saved: please look again.", status=409)
    plan = form.plan()
    planned = planned_social(proposal, plan)
    if planned and request.POST.get("seen") != plan_fingerprint(planned) and has_impact(planned):
        raise DecisionRefusedError(CONFIRM_IMPACT_NOTICE, form)
    # Senders of merged proposals get a mail when the social is first published.
    return room_taken_text(request, plan, proposal), [] if planned else proposals_merged_into(proposal)


def decision_context(request: HttpRequest, proposal: Proposal, forms: dict[str, ProposalDecisionForm]) -> dict[str, Any]:
    """Context of ``admin/proposal_decision.html``."""
    twins = _possible_duplicates(proposal) if proposal.is_open else []
    has_rows = proposal.kind == ProposalKind.SOCIAL and not proposal.is_change_withdrawn
    rows = texts.proposal_rows(proposal) if has_rows else []
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
