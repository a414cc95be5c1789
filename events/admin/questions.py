"""The stage, on which moderators decide on questions."""

from __future__ import annotations

import datetime as dt
from typing import Any, cast
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.text import Truncator

from events.admin.base.model_admin import HallwayAdmin
from events.admin.base.visible import draft_part, visible_to
from events.admin.polls import add_poll_url, can_decide
from events.agenda.models.counting import KNOWN_VISITOR_AGE
from events.core import limits
from events.core.db.fields import plain_text
from events.polls.queries import poll_results
from events.programme.models.event import Event
from events.questions import queries as questions_queries
from events.questions.models import Question, QuestionState, ReasonRequiredError


class QuestionDecisionForm(forms.Form):
    """The new state, and ``seen``: the state that the page showed."""

    missing_reason = ""

    # Nothing that was on the page is held back: that would remove it without a reason.
    state = forms.ChoiceField(choices=[choice for choice in QuestionState.choices if choice[0] != QuestionState.HELD])
    seen = forms.ChoiceField(choices=QuestionState.choices)
    reason = forms.CharField(
        max_length=200,
        required=False,
        validators=[plain_text],
        error_messages={"max_length": "Please shorten the reason to 200 characters."},
    )

    def clean_reason(self) -> str:
        return " ".join(self.cleaned_data["reason"].split())

    def require_reason(self) -> None:
        """Set the problem, but only if the reason was asked for before."""
        self.missing_reason = "Please give a short reason: everybody can read it." if "explain" in self.data else ""

    @property
    def state_needing_reason(self) -> str:
        """The posted state if it needs a reason, else empty."""
        state = str(self.data.get("state", ""))
        return state if state in {QuestionState.SKIPPED, QuestionState.HIDDEN} and "seen" not in self.errors else ""

    @property
    def problem(self) -> str:
        if {"state", "seen"} & set(self.errors):
            return "Something went wrong. Please use the buttons of the stage."
        return self.missing_reason or str(next(iter(self.errors.get("reason", [])), ""))


STATE_CHANGE_MESSAGES = {
    QuestionState.OPEN: "Back to waiting.",
    QuestionState.ANSWERED: "Answered.",
    QuestionState.SKIPPED: "Skipped.",
    QuestionState.HIDDEN: "Removed from the page.",
}


NEWCOMERS_COUNT_MESSAGES = {True: "Votes of new visitors count again.", False: "Votes of new visitors do not count any more."}


class QuestionAdmin(HallwayAdmin):
    """The list is read only; questions are decided on the stage."""

    change_list_template = "admin/question_list.html"
    list_display = ["text", "event", "state", "votes", "reason"]
    list_filter = ["event__conference", "state", "event__status"]
    search_fields = ["text", "event__title"]
    list_select_related = ["event"]
    ordering = ["-asked_at", "-pk"]
    fields = ["event", "text", "state", "reason", "asked_at", "decided_at", "votes"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Question | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        # Django allows filters on any column: "?agenda=5" would list all questions of one person.
        return lookup.startswith(("event", "state")) and super().lookup_allowed(lookup, value, request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Question]:
        rows: QuerySet[Question] = super().get_queryset(request)
        # The name and the agenda of the person who asked are never loaded.
        return rows.counted().defer("name", "agenda") if hasattr(rows, "counted") else rows

    @admin.display(description="votes", ordering="-count")
    def votes(self, question: Any) -> int:
        count: int = question.count
        return count

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        stage_urls = [
            path("stage/<slug:slug>/<uuid:guid>/", wrap(self.stage_view), name="events_question_stage"),
            path("stage/<slug:slug>/<uuid:guid>/<uuid:question>/", wrap(self.decide_view), name="events_question_decide"),
            path(
                "stage/<slug:slug>/<uuid:guid>/<uuid:question>/newcomers/",
                wrap(self.newcomers_view),
                name="events_question_newcomers",
            ),
        ]
        return stage_urls + super().get_urls()

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        stages = questions_queries.stage_events(visible_to(request, Event.objects.all())) if can_moderate(request) else []
        return super().changelist_view(request, {"stages": stages, **(extra_context or {})})

    def stage_view(self, request: HttpRequest, slug: str, guid: UUID) -> HttpResponse:
        """All questions of an event in large type. The page reloads itself."""
        event = get_stage_event(request, slug, guid)
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        context = {
            "stage": questions_queries.stage_page(event, request.GET.get("page")),
            "draft_part": draft_part(event),
            "title": "Questions",
            "can_decide": can_decide(request),
            "results": poll_results(event) if can_decide(request) else [],
            "add_poll_url": add_poll_url(request, event.pk),
        }
        return self._page(request, "admin/question_stage.html", context, event)

    def decide_view(self, request: HttpRequest, slug: str, guid: UUID, question: UUID) -> HttpResponse:
        """Set the state, or ask for the reason that it needs."""
        event = get_stage_event(request, slug, guid)
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        row = event.questions.filter(guid=question).defer("name", "agenda").first()
        if row is None:
            return self._redirect_if_gone(request, event)
        row.event = event
        form = QuestionDecisionForm(request.POST)
        if form.is_valid():
            try:
                return self._set_state(request, row, form)
            except ReasonRequiredError:
                form.require_reason()
            except Question.DoesNotExist:
                return self._redirect_if_gone(request, event)
        return self._reason_page(request, row, form)

    def newcomers_view(self, request: HttpRequest, slug: str, guid: UUID, question: UUID) -> HttpResponse:
        """GET shows the votes of newcomers by minute; POST sets whether they count: ``on=1`` or ``on=0``."""
        event = get_stage_event(request, slug, guid)
        row = questions_queries.question_with_newcomer_votes(event, question)
        if row is None:
            return self._redirect_if_gone(request, event)
        if request.method in {"GET", "HEAD"}:
            return self._newcomers_page(request, row, event)
        if request.method != "POST":
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
        if (value := request.POST.get("on")) not in {"0", "1"}:
            self.message_user(request, "Nothing was changed: please use the button.", messages.ERROR)
            return self._newcomers_page(request, row, event, 422)
        text = NEWCOMERS_COUNT_MESSAGES[value == "1"]
        if row.set_counts_newcomers(on=value == "1"):
            self.log_change(request, row, text)
        self.message_user(request, f"{text} “{Truncator(row.text).chars(60)}”", messages.SUCCESS)
        return redirect(stage_url(event))

    def _newcomers_page(self, request: HttpRequest, question: Question, event: Event, status: int = 200) -> HttpResponse:
        context = {
            "question": question,
            "minutes": questions_queries.votes_by_minute(question),
            "known_minutes": KNOWN_VISITOR_AGE // dt.timedelta(minutes=1),
            "limit": limits.NEWCOMER_VOTES.newcomers,
            "title": "Votes of new visitors",
            "stage_url": stage_url(event),
        }
        return self._page(request, "admin/question_newcomers.html", context, event, status)

    def _redirect_if_gone(self, request: HttpRequest, event: Event) -> HttpResponse:
        text = "Nothing was changed: this question no longer exists. It may have been withdrawn."
        self.message_user(request, text, messages.WARNING)
        return redirect(stage_url(event))

    def _set_state(self, request: HttpRequest, question: Question, form: QuestionDecisionForm) -> HttpResponse:
        state = QuestionState(form.cleaned_data["state"])
        seen = form.cleaned_data["seen"]
        if question.decide(state, seen=seen, reason=form.cleaned_data["reason"]):
            text = "Put on the page." if seen == QuestionState.HELD else STATE_CHANGE_MESSAGES[state]
            self.log_change(request, question, text)
            # Rows may move just before the tap: the message names the question.
            self.message_user(request, f"{text} “{Truncator(question.text).chars(60)}”", messages.SUCCESS)
        else:
            self._warn_unchanged(request, question, state)
        return redirect(stage_url(question.event))

    def _warn_unchanged(self, request: HttpRequest, question: Question, state: QuestionState) -> None:
        question.refresh_from_db(fields=["state"])
        text = f"Nothing was changed: somebody else has set this question to “{question.state_text}”."
        if question.state == state:
            # Pressed twice, or by two moderators who agree.
            text = f"Nothing was changed: the question is already “{question.state_text}”."
        self.message_user(request, text, messages.WARNING)

    def _reason_page(self, request: HttpRequest, question: Question, form: QuestionDecisionForm) -> HttpResponse:
        context = {
            "question": question,
            "form": form,
            "state_needing_reason": form.state_needing_reason,
            "title": "Why?",
            "stage_url": stage_url(question.event),
        }
        return self._page(request, "admin/question_reason.html", context, question.event, 422)

    def _page(
        self, request: HttpRequest, template: str, context: dict[str, Any], event: Event, status: int = 200
    ) -> HttpResponse:
        request.current_app = self.admin_site.name
        common = {**self.admin_site.each_context(request), "opts": self.opts, "event": event, "is_nav_sidebar_enabled": False}
        response = TemplateResponse(request, template, common | context, status=status)
        return cast(HttpResponse, self._render_in_venue_time(event.conference, lambda: response))


def can_moderate(request: HttpRequest) -> bool:
    return request.user.has_perm("events.change_question")


def get_stage_event(request: HttpRequest, slug: str, guid: UUID) -> Event:
    if not can_moderate(request):
        raise PermissionDenied
    event = questions_queries.stage_event(visible_to(request, Event.objects.all()), slug, guid)
    if event is None:
        raise Http404
    return event


def stage_url(event: Event) -> str:
    return reverse("admin:events_question_stage", args=[event.conference.slug, event.guid])
