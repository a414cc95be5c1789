"""The queue of proposals, and the page on which one is decided."""

from __future__ import annotations

import copy
import hashlib
from http import HTTPStatus
from typing import Any, NamedTuple

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import Truncator

from events.admin.base.clash_rows import event_change_url, proxy_of_kind
from events.admin.base.history import edit_conflict_text, log_entries, row_digest
from events.admin.base.model_admin import HallwayAdmin
from events.admin.base.times import span_text
from events.admin.programme.impact import has_impact, impact_context, plan_fingerprint
from events.admin.proposals import texts
from events.admin.proposals.forms import AskBackForm, DealWithForm, DeclineForm, MergeForm, ProposalDecisionForm, PublishForm
from events.programme.models.conference import Day
from events.programme.models.event import Event
from events.proposals.decisions import SHARED_EVENT_FIELDS, OvertakenError, SocialPlan, UnpublishableError, mail_decision, plan_of
from events.proposals.diff import HOST_SEPARATOR, DiffState, hosts_of
from events.proposals.models import Proposal, ProposalKind, ProposalStatus
from events.proposals.queries import (
    QUEUE_ORDER,
    known_people,
    possible_duplicates,
    proposals_merged_into,
    public_page,
    room_clashes,
    waiting_proposal_count,
)

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


def decision_context(request: HttpRequest, proposal: Proposal, forms: dict[str, ProposalDecisionForm]) -> dict[str, Any]:
    """Context of ``admin/proposal_decision.html``."""
    twins = _possible_duplicates(proposal) if proposal.is_open else []
    rows = texts.proposal_rows(proposal) if proposal.kind == ProposalKind.SOCIAL else []
    event = proposal.event if _can_see(proposal.event, request) else None
    return {
        "original": proposal,
        "what": texts.proposal_type_text(proposal),
        "decided": texts.decision_text(proposal),
        "is_change": proposal.event_id is not None,
        "event": event,
        "event_url": event_change_url(event.pk, event.type.kind) if event and _can_open(event, request) else "",
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


def _visible_title(event: Event, request: HttpRequest) -> str:
    return f"“{event}”" if _can_see(event, request) else "an event that is hidden now"


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


def _can_open(event: Event, request: HttpRequest) -> bool:
    return bool(request.user.has_perm(f"events.view_{proxy_of_kind(event.type.kind)._meta.model_name}"))


def _can_see(event: Event | None, request: HttpRequest) -> bool:
    """Social chairs do not see drafts that are not socials."""
    return event is not None and (event.is_public or _can_open(event, request))


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


def apply_decision(request: HttpRequest, proposal: Proposal) -> DecisionResult:
    """Decide on the stored proposal. The caller has locked its conference."""
    form_class = allowed_decisions(proposal, request.user).get(request.POST.get("decision", ""))
    if not proposal.is_open or request.POST.get("version", str(proposal.version)) != str(proposal.version):
        raise overtaken_error(proposal)
    if form_class is None:
        raise DecisionRefusedError(NO_DECISION_NOTICE)
    form = form_class(request.POST, proposal=proposal)
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
    """For a proposal that another chair has decided or its sender has changed."""
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


class ProposalAdmin(HallwayAdmin):
    list_display = ["what_it_says", "kind_of_change", "at_time", "in_place", "in_status", "sent", "conference"]
    list_display_links = ["what_it_says"]
    list_filter = ["conference", "status", "kind"]
    search_fields = ["title", "host", "place", "about", "message"]
    search_help_text = "Title, host, place or message."
    list_select_related = [
        *("conference", "decided_by", "merged_into"),
        *("event__conference", "event__type", "event__day", "event__room", "event__session__session"),
    ]
    change_list_template = "admin/proposal_list.html"
    ordering = QUEUE_ORDER
    actions = None

    class Media:
        css = {"all": ["events/admin/proposals.css"]}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        # Other look-ups would allow guessing mail addresses letter by letter, which no page shows.
        return lookup.partition("__")[0] in self.list_filter and super().lookup_allowed(lookup, value, request)  # type: ignore[arg-type]

    # The list.

    @admin.display(description="proposal", ordering="title")
    def what_it_says(self, proposal: Proposal) -> str:
        return proposal.title or Truncator(proposal.message).chars(80) or str(proposal)

    @admin.display(description="what it is")
    def kind_of_change(self, proposal: Proposal) -> str:
        return texts.proposal_type_text(proposal)

    @admin.display(description="venue time", ordering="start", empty_value="—")
    def at_time(self, proposal: Proposal) -> str:
        day, _, times = texts.proposal_time_text(proposal.date, proposal.start, proposal.end, proposal.conference.zone).partition(
            ", "
        )
        return format_html("{}<br>{}", day, times) if day else ""

    @admin.display(description="place", ordering="place", empty_value="—")
    def in_place(self, proposal: Proposal) -> str:
        return proposal.place

    @admin.display(description="status", ordering="status")
    def in_status(self, proposal: Proposal) -> str:
        label = "Waiting" if proposal.status == ProposalStatus.WAITING else proposal.get_status_display()
        return format_html('<span class="hallway-status" data-status="{}">{}</span>', proposal.status, label)

    @admin.display(description="sent", ordering="updated_at")
    def sent(self, proposal: Proposal) -> str:
        at = proposal.updated_at.astimezone(proposal.conference.zone)
        age = texts.age_text(proposal.updated_at, timezone.now())
        # The age is shown; the time is for assistive software and scripts.
        return format_html(
            '{} ago<time class="hallway-zone" datetime="{}">{}</time>', age, at.isoformat("T", "minutes"), f"{at:%d %b %Y %H:%M}"
        )

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        # The columns need the width of the sidebar.
        only_waiting = request.GET.get("status__exact") == ProposalStatus.WAITING
        title = "Waiting proposals" if only_waiting else "Proposals"
        context = {"is_nav_sidebar_enabled": False, "only_waiting": only_waiting, "title": title}
        return super().changelist_view(request, context | (extra_context or {}))

    # The page of one proposal.

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        proposal = self.get_object(request, unquote(object_id))
        if proposal is None:
            self.message_user(request, "That proposal does not exist (any more).", messages.WARNING)
            return redirect("admin:index")
        may = self.has_change_permission if request.method == "POST" else self.has_view_or_change_permission
        if not may(request, proposal):
            raise PermissionDenied
        answer = self._decide if request.method == "POST" else self._page
        return self._render_in_venue_time(proposal.conference, lambda: answer(request, proposal))

    def _decide(self, request: HttpRequest, proposal: Proposal) -> HttpResponse:
        try:
            with transaction.atomic():
                done = self._decide_locked(request, proposal)
        except DecisionRefusedError as error:
            return self._page(request, self._reload(request, proposal), error)
        except OvertakenError:
            now = self._reload(request, proposal)
            return self._page(request, now, overtaken_error(now))
        self.message_user(request, format_html("{} {}", done.message, _remaining_text()), messages.SUCCESS)
        if done.warning:
            self.message_user(request, done.warning, messages.WARNING)
        return self.response_post_save_change(request, proposal)

    def _decide_locked(self, request: HttpRequest, proposal: Proposal) -> DecisionResult:
        """Decide, log it and queue the mails, in one transaction."""
        proposal.conference.lock()
        proposal = self._reload(request, proposal)
        done = apply_decision(request, proposal)
        self.log_change(request, proposal, done.message)
        for decided in (proposal, *done.merged):
            mail_decision(decided)
        return done

    def _reload(self, request: HttpRequest, proposal: Proposal) -> Proposal:
        row: Proposal = self.get_queryset(request).get(pk=proposal.pk)
        return row

    def _page(self, request: HttpRequest, proposal: Proposal, refusal: DecisionRefusedError | None = None) -> HttpResponse:
        # A message that was not sent stays in the form.
        initial = {"answer": request.POST.get("answer", "")}
        forms = {
            name: form_class(proposal=proposal, initial=initial)
            for name, form_class in allowed_decisions(proposal, request.user).items()
        }
        if refusal and refusal.form and refusal.form.decision in forms:
            forms[refusal.form.decision] = refusal.form
        is_late = refusal is not None and refusal.status == HTTPStatus.CONFLICT and request.POST.get("decision") == "publish"
        typed = PublishForm(request.POST, proposal=proposal).unsaved_answers() if is_late and "publish" in forms else []
        context = {
            **self.admin_site.each_context(request),
            "title": self.what_it_says(proposal),
            "opts": self.opts,
            "media": self.media,
            "notice": refusal.notice if refusal else "",
            "typed": typed,
            **decision_context(request, proposal, forms),
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, "admin/proposal_decision.html", context, status=refusal.status if refusal else 200)


def _remaining_text() -> str:
    waiting = waiting_proposal_count()
    return "No other proposals are waiting." if not waiting else f"{waiting} more waiting."
