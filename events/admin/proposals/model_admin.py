"""The queue of proposals, and the page on which one is decided."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import Truncator

from events.admin.base.model_admin import HallwayAdmin
from events.admin.base.times import instant_html
from events.admin.proposals import texts
from events.admin.proposals.decision import (
    DecisionRefusedError,
    DecisionResult,
    allowed_decisions,
    apply_decision,
    decision_context,
    overtaken_error,
)
from events.admin.proposals.forms import PublishForm
from events.proposals.decisions import OvertakenError, mail_decision
from events.proposals.models import Proposal, ProposalStatus
from events.proposals.queries import QUEUE_ORDER, waiting_proposal_count


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
        age = texts.age_text(proposal.updated_at, timezone.now())
        # The age is shown; the time is for assistive software and scripts.
        at = instant_html(proposal.updated_at, proposal.conference)
        return format_html('{} ago<span class="hallway-zone">{}</span>', age, at)

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
            name: form_class(proposal=proposal, by=request.user, initial=initial)
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
