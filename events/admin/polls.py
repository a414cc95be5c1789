"""Polls: written as drafts, opened and closed with one button, also on the stage of questions."""

from __future__ import annotations

import re
from typing import Any, cast
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.text import Truncator

from events.admin.base.forms import HallwayForm
from events.admin.base.instants import conference_of
from events.admin.base.model_admin import HallwayAdmin
from events.admin.base.scope import default_conference
from events.admin.base.visible import draft_part, visible_to
from events.core.db.fields import plain_text
from events.polls.models import (
    MAX_POLL_ANSWER_CHARS,
    MAX_POLL_ANSWERS,
    MIN_POLL_ANSWERS,
    Poll,
    PollRefusedError,
    PollState,
)
from events.polls.queries import poll_results
from events.polls.rules import lines_of
from events.programme.models.conference import Conference

EVENT_KEY = re.compile("[0-9]{1,18}")
NOT_CHANGED_MESSAGE = "Nothing was changed: somebody else has opened or closed this poll."


class PollForm(HallwayForm):
    """A draft; its answers are the lines of one field."""

    answers = forms.CharField(
        widget=forms.Textarea(attrs={"rows": MAX_POLL_ANSWERS, "cols": 60}),
        validators=[plain_text],
        help_text=f"One in each line: {MIN_POLL_ANSWERS} to {MAX_POLL_ANSWERS}, of up to {MAX_POLL_ANSWER_CHARS} letters each.",
        error_messages={"required": f"Write {MIN_POLL_ANSWERS} to {MAX_POLL_ANSWERS} answers, one in each line."},
    )
    stored_elsewhere = ("answers",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.initial["answers"] = "\n".join(answer.text for answer in self.instance.answers.all())

    def _find_conference(self) -> Conference | None:
        """The conference of the event, which may be any that the user sees."""
        if self.instance.pk:
            return conference_of(self.instance.event)
        key = str(self.data.get("event", "") if self.is_bound else self.initial.get("event", ""))
        events = cast(forms.ModelChoiceField, self.fields["event"]).queryset
        event = events.filter(pk=key).first() if events is not None and EVENT_KEY.fullmatch(key) else None
        # A new form searches the events of the conference that is organised now.
        return conference_of(event) or self.initial.get("conference")

    def clean_answers(self) -> list[str]:
        texts = lines_of(self.cleaned_data["answers"])
        if not MIN_POLL_ANSWERS <= len(texts) <= MAX_POLL_ANSWERS:
            here = "here is 1" if len(texts) == 1 else f"here are {len(texts)}"
            raise ValidationError(f"A poll has {MIN_POLL_ANSWERS} to {MAX_POLL_ANSWERS} answers, one in each line; {here}.")
        for text in texts:
            if len(text) > MAX_POLL_ANSWER_CHARS:
                raise ValidationError(
                    f"“{text[:30]}…” has {len(text)} characters: shorten it to {MAX_POLL_ANSWER_CHARS}, which fit on a phone."
                )
        folded = [text.casefold() for text in texts]
        for text in texts:
            if folded.count(text.casefold()) > 1:
                raise ValidationError(f"“{text}” is there twice: write each answer once.")
        return texts


class PollStateForm(forms.Form):
    """The new state, and ``seen``: the state that the page showed."""

    state = forms.ChoiceField(choices=[(PollState.OPEN, "Open"), (PollState.CLOSED, "Closed")])
    seen = forms.ChoiceField(choices=PollState.choices)


class PollAdmin(HallwayAdmin):
    """Moderators open and close polls and edit drafts; organisers also add and delete them."""

    form = PollForm
    change_form_template = "admin/poll_form.html"
    list_display = ["question", "event", "state", "opened_at", "closed_at"]
    list_filter = ["event__conference", "state"]
    search_fields = ["question", "event__title"]
    list_select_related = ["event__conference"]
    readonly_fields = ["answer_list", "opened_at", "closed_at"]
    autocomplete_fields = ["event"]
    ordering = ["-pk"]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return super().get_changeform_initial_data(request) | {"conference": default_conference(request)}

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        # "?votes__agenda=5" would list how one person voted.
        return lookup.startswith(("event", "state")) and super().lookup_allowed(lookup, value, request)

    def get_fields(self, request: HttpRequest, obj: Poll | None = None) -> Any:
        if obj is None or (obj.is_draft and self.has_change_permission(request, obj)):
            return ["event", "question", "answers"]
        return ["event", "question", "answer_list", "opened_at", *(["closed_at"] if obj.closed_at else [])]

    def get_readonly_fields(self, request: HttpRequest, obj: Poll | None = None) -> list[str]:
        # What was opened stays as it was: votes are for these words.
        fixed = [] if obj is None or obj.is_draft else ["event", "question"]
        return [*super().get_readonly_fields(request, obj), *fixed]

    def get_form(self, request: HttpRequest, obj: Poll | None = None, change: bool = False, **kwargs: Any) -> Any:
        if "answers" not in self.get_fields(request, obj):
            kwargs["form"] = HallwayForm
        return super().get_form(request, obj, change, **kwargs)

    @admin.display(description="answers")
    def answer_list(self, poll: Poll) -> str:
        return " · ".join(answer.text for answer in poll.answers.all())

    def save_model(self, request: HttpRequest, obj: Poll, form: Any, change: bool) -> None:
        form.moved = True
        if "answers" not in form.cleaned_data:
            return
        # Not the state: somebody may have opened it meanwhile.
        obj.save(update_fields=["event", "question"] if change else None)
        try:
            obj.set_answers(form.cleaned_data["answers"])
        except PollRefusedError as refused:
            self.message_user(request, str(refused), messages.ERROR)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        row = self.get_object(request, object_id)
        results = [(poll, lines) for poll, lines in poll_results(row.event) if poll.pk == row.pk] if row else []
        context = {"results": results, "can_decide": can_decide(request), "event": row.event if row else None}
        context["draft_part"] = draft_part(row.event) if row else ""
        if row and not row.is_draft:
            context |= {"show_save": False, "show_save_and_continue": False, "show_save_and_add_another": False}
        return super().change_view(request, object_id, form_url, context | (extra_context or {}))

    def response_post_save_add(self, request: HttpRequest, obj: Poll) -> HttpResponseRedirect:
        """On its page is the button that opens it."""
        return redirect("admin:events_poll_change", obj.pk)

    def get_urls(self) -> list[Any]:
        decide = path("<uuid:guid>/state/", self.admin_site.admin_view(self.state_view), name="events_poll_state")
        return [decide, *super().get_urls()]

    def state_view(self, request: HttpRequest, guid: UUID) -> HttpResponse:
        """Open or close the poll; with ``back=stage``, return to the stage of its event."""
        if not can_decide(request):
            raise PermissionDenied
        poll = visible_to(request, Poll.objects.select_related("event__conference")).filter(guid=guid).first()
        if poll is None:
            raise Http404
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        form = PollStateForm(request.POST)
        if form.is_valid():
            self._set_state(request, poll, form.cleaned_data["state"], form.cleaned_data["seen"])
        else:
            self.message_user(request, "Nothing was changed: please use the buttons of the poll.", messages.ERROR)
        if request.POST.get("back") == "stage" and poll.event.takes_questions:
            return redirect("admin:events_question_stage", poll.event.conference.slug, poll.event.guid)
        return redirect("admin:events_poll_change", poll.pk)

    def _set_state(self, request: HttpRequest, poll: Poll, state: str, seen: str) -> None:
        try:
            changed = poll.open(seen=seen) if state == PollState.OPEN else poll.close(seen=seen)
        except PollRefusedError as refused:
            self.message_user(request, str(refused), messages.ERROR)
            return
        if not changed:
            self.message_user(request, NOT_CHANGED_MESSAGE, messages.WARNING)
            return
        done, shown = (
            ("Opened", "everybody sees it within a minute")
            if state == PollState.OPEN
            else ("Closed", "everybody sees the result")
        )
        hidden = draft_part(poll.event)
        text = f"{done}. Attendees do not see it: {hidden} is a draft." if hidden else f"{done}: {shown}."
        self.log_change(request, poll, text)
        self.message_user(request, f"{text} “{Truncator(poll.question).chars(60)}”", messages.SUCCESS)


def can_decide(request: HttpRequest) -> bool:
    return request.user.has_perm("events.change_poll")


def add_poll_url(request: HttpRequest, event_pk: int) -> str:
    """The form for a poll of this event; empty for whom it is not."""
    may_add = request.user.has_perm("events.add_poll")
    return reverse("admin:events_poll_add", query={"event": event_pk}) if may_add else ""
