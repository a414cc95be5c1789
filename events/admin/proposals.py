"""The chairs' queue of proposals, and the page on which one is decided."""

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

from events.admin import proposal_words as words
from events.admin.base import HallwayAdmin
from events.admin.proposal_decisions import Done, NotDoneError, decide, overtaken
from events.admin.proposal_page import context_of, decisions
from events.admin.publish_form import PublishForm
from events.mail.desk import tell_decision
from events.models import Proposal, ProposalStatus
from events.models.deciding import OvertakenError
from events.queries.proposals import IN_TURN, waiting_count


@admin.register(Proposal)
class ProposalAdmin(HallwayAdmin):
    list_display = ["what_it_says", "kind_of_change", "at_time", "in_place", "in_status", "sent", "conference"]
    list_display_links = ["what_it_says"]
    list_filter = ["conference", "status", "kind"]
    search_fields = ["title", "host", "place", "about", "message"]
    search_help_text = "Title, host, place or words."
    list_select_related = [
        *("conference", "decided_by", "merged_into"),
        *("event__conference", "event__type", "event__day", "event__room", "event__session__session"),
    ]
    change_list_template = "admin/proposal_list.html"
    ordering = IN_TURN
    actions = None

    class Media:
        css = {"all": ["events/admin/proposals.css"]}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        # Any other would let a list be asked, letter by letter, for mail addresses that no page shows.
        return lookup.partition("__")[0] in self.list_filter and super().lookup_allowed(lookup, value, request)  # type: ignore[arg-type]

    # The queue.

    @admin.display(description="proposal", ordering="title")
    def what_it_says(self, proposal: Proposal) -> str:
        return proposal.title or Truncator(proposal.message).chars(80) or str(proposal)

    @admin.display(description="what it is")
    def kind_of_change(self, proposal: Proposal) -> str:
        return words.what(proposal)

    @admin.display(description="venue time", ordering="start", empty_value="—")
    def at_time(self, proposal: Proposal) -> str:
        day, _, times = words.when(proposal.date, proposal.start, proposal.end, proposal.conference.zone).partition(", ")
        return format_html("{}<br>{}", day, times) if day else ""

    @admin.display(description="place", ordering="place", empty_value="—")
    def in_place(self, proposal: Proposal) -> str:
        return proposal.place

    @admin.display(description="status", ordering="status")
    def in_status(self, proposal: Proposal) -> str:
        word = "Waiting" if proposal.status == ProposalStatus.WAITING else proposal.get_status_display()
        return format_html('<span class="hallway-status" data-status="{}">{}</span>', proposal.status, word)

    @admin.display(description="sent", ordering="updated_at")
    def sent(self, proposal: Proposal) -> str:
        at = proposal.updated_at.astimezone(proposal.conference.zone)
        age = words.age(proposal.updated_at, timezone.now())
        # The age alone is what a queue is read by; the moment is for who asks.
        return format_html(
            '{} ago<time class="hallway-zone" datetime="{}">{}</time>', age, at.isoformat("T", "minutes"), f"{at:%d %b %Y %H:%M}"
        )

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        # The columns need the width; the breadcrumbs lead back.
        only_waiting = request.GET.get("status__exact") == ProposalStatus.WAITING
        title = "Proposals that wait" if only_waiting else "Proposals"
        told = {"is_nav_sidebar_enabled": False, "only_waiting": only_waiting, "title": title}
        return super().changelist_view(request, told | (extra_context or {}))

    # One of them.

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        proposal = self.get_object(request, unquote(object_id))
        if proposal is None:
            self.message_user(request, "That proposal is not there (any more).", messages.WARNING)
            return redirect("admin:index")
        may = self.has_change_permission if request.method == "POST" else self.has_view_or_change_permission
        if not may(request, proposal):
            raise PermissionDenied
        answer = self._decide if request.method == "POST" else self._page
        return self._at_venue(proposal.conference, lambda: answer(request, proposal))

    def _decide(self, request: HttpRequest, proposal: Proposal) -> HttpResponse:
        try:
            with transaction.atomic():
                done = self._done(request, proposal)
        except NotDoneError as error:
            return self._page(request, self._fresh(request, proposal), error)
        except OvertakenError:
            now = self._fresh(request, proposal)
            return self._page(request, now, overtaken(now))
        self.message_user(request, format_html("{} {}", done.told, _left()), messages.SUCCESS)
        if done.warning:
            self.message_user(request, done.warning, messages.WARNING)
        return self.response_post_save_change(request, proposal)

    def _done(self, request: HttpRequest, proposal: Proposal) -> Done:
        """Decide, keep who did it and tell the sender, all or nothing."""
        proposal.conference.hold()
        proposal = self._fresh(request, proposal)
        done = decide(request, proposal)
        self.log_change(request, proposal, done.told)
        for it in (proposal, *done.merged):
            tell_decision(it)
        return done

    def _fresh(self, request: HttpRequest, proposal: Proposal) -> Proposal:
        """As it is now, which may be otherwise than when the request came."""
        row: Proposal = self.get_queryset(request).get(pk=proposal.pk)
        return row

    def _page(self, request: HttpRequest, proposal: Proposal, told: NotDoneError | None = None) -> HttpResponse:
        # Words that were typed for nothing stay typed.
        initial = {"answer": request.POST.get("answer", "")}
        forms = {name: made(proposal=proposal, initial=initial) for name, made in decisions(proposal, request.user).items()}
        if told and told.form and told.form.decision in forms:
            forms[told.form.decision] = told.form
        is_late = told is not None and told.status == HTTPStatus.CONFLICT and request.POST.get("decision") == "publish"
        typed = PublishForm(request.POST, proposal=proposal).differing() if is_late and "publish" in forms else []
        context = {
            **self.admin_site.each_context(request),
            "title": self.what_it_says(proposal),
            "opts": self.opts,
            "media": self.media,
            "notice": told.notice if told else "",
            "typed": typed,
            **context_of(request, proposal, forms),
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, "admin/proposal_decision.html", context, status=told.status if told else 200)


def _left() -> str:
    waiting = waiting_count()
    return "Nothing else waits." if not waiting else f"{waiting} more {'waits' if waiting == 1 else 'wait'}."
