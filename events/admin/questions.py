"""Questions as who runs the stage sees them: how many want each, and not a word on who asked."""

from __future__ import annotations

from typing import Any, cast
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.text import Truncator

from events.admin.base import HallwayAdmin
from events.admin.question_forms import DecisionForm
from events.models import Event, Question, QuestionState
from events.models.questions import UnexplainedError
from events.queries import stages as queries

DONE = {
    QuestionState.OPEN: "It waits again.",
    QuestionState.ANSWERED: "Answered.",
    QuestionState.SKIPPED: "Skipped.",
    QuestionState.HIDDEN: "Taken off the page.",
}


@admin.register(Question)
class QuestionAdmin(HallwayAdmin):
    """Rows are read here and decided on the stage; nobody writes another's question."""

    change_list_template = "admin/question_list.html"
    list_display = ["text", "event", "state", "votes", "reason"]
    list_filter = ["event__conference", "state"]
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
        # The usual answer lets any column be asked for in the address: "?agenda=5" would be all that one person asked.
        return lookup.startswith(("event", "state")) and super().lookup_allowed(lookup, value, request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Question]:
        rows: QuerySet[Question] = super().get_queryset(request)
        # Who asked is not even read.
        return rows.counted().defer("name", "agenda") if hasattr(rows, "counted") else rows

    @admin.display(description="votes", ordering="-count")
    def votes(self, question: Any) -> int:
        count: int = question.count
        return count

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        own = [
            path("stage/<uuid:guid>/", wrap(self.stage_view), name="events_question_stage"),
            path("stage/<uuid:guid>/<uuid:question>/", wrap(self.decide_view), name="events_question_decide"),
        ]
        return own + super().get_urls()

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        stages = queries.stages() if may_moderate(request) else []
        return super().changelist_view(request, {"stages": stages, **(extra_context or {})})

    def stage_view(self, request: HttpRequest, guid: UUID) -> HttpResponse:
        """All questions of an event in big type, which fetches itself anew."""
        event = admitted(request, guid)
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        context = {"stage": queries.stage_of(event, request.GET.get("page")), "title": "Questions"}
        return self._page(request, "admin/question_stage.html", context, event)

    def decide_view(self, request: HttpRequest, guid: UUID, question: UUID) -> HttpResponse:
        """Set the state; where everybody is owed a reason and there is none yet, ask for it."""
        event = admitted(request, guid)
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        found = event.questions.filter(guid=question).defer("name", "agenda").first()
        if found is None:
            return self._gone(request, event)
        found.event = event
        form = DecisionForm(request.POST)
        if form.is_valid():
            try:
                return self._set(request, found, form)
            except UnexplainedError:
                form.explain()
            except Question.DoesNotExist:
                return self._gone(request, event)
        return self._asked(request, found, form)

    def _gone(self, request: HttpRequest, event: Event) -> HttpResponse:
        words = "Nothing was changed: this question is not here any more. Who asked it may have taken it back."
        self.message_user(request, words, messages.WARNING)
        return redirect(stage_url(event))

    def _set(self, request: HttpRequest, question: Question, form: DecisionForm) -> HttpResponse:
        state = QuestionState(form.cleaned_data["state"])
        if question.decide(state, seen=form.cleaned_data["seen"], reason=form.cleaned_data["reason"]):
            self.log_change(request, question, DONE[state])
            # Rows move while a thumb is on its way: what was hit is named.
            self.message_user(request, f"{DONE[state]} “{Truncator(question.text).chars(60)}”", messages.SUCCESS)
        else:
            self._told(request, question, state)
        return redirect(stage_url(question.event))

    def _told(self, request: HttpRequest, question: Question, state: QuestionState) -> None:
        question.refresh_from_db(fields=["state"])
        words = f"Nothing was changed: somebody else set this question to “{question.get_state_display()}” meanwhile."
        if question.state == state:
            # Pressed twice, or by two who agree.
            words = f"Nothing was changed: it was “{state.label}” already."
        self.message_user(request, words, messages.WARNING)

    def _asked(self, request: HttpRequest, question: Question, form: DecisionForm) -> HttpResponse:
        context = {
            "question": question,
            "form": form,
            "wanted": form.wanted,
            "title": "Why?",
            "stage_url": stage_url(question.event),
        }
        return self._page(request, "admin/question_reason.html", context, question.event, 422)

    def _page(
        self, request: HttpRequest, template: str, context: dict[str, Any], event: Event, status: int = 200
    ) -> HttpResponse:
        request.current_app = self.admin_site.name
        around = {**self.admin_site.each_context(request), "opts": self.opts, "event": event, "is_nav_sidebar_enabled": False}
        response = TemplateResponse(request, template, around | context, status=status)
        return cast(HttpResponse, self._at_venue(event.conference, lambda: response))


def may_moderate(request: HttpRequest) -> bool:
    return request.user.has_perm("events.change_question")


def admitted(request: HttpRequest, guid: UUID) -> Event:
    if not may_moderate(request):
        raise PermissionDenied
    event = queries.stage_event(guid)
    if event is None:
        raise Http404
    return event


def stage_url(event: Event) -> str:
    return reverse("admin:events_question_stage", args=[event.guid])
