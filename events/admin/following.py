"""Addresses whose programmes are followed: their form, the button that looks, and the page on which a difference waits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import URLPattern, path

from events.admin.base.fields import ZoneField
from events.admin.base.forms import HallwayForm
from events.admin.base.model_admin import HallwayAdmin
from events.admin.programme.import_impact import import_impact
from events.admin.uploads.programme import ProgrammePreviewAdmin
from events.core.fetching import PUBLIC_INTERNET
from events.imports import pending
from events.imports.following import (
    COLUMNS_PURPOSE,
    LookResult,
    drop_waiting,
    follow,
    nothing_waits,
    waiting_upload,
)
from events.imports.formats.registry import IMPORT_FORMATS
from events.imports.models import FILE_FIELDS, READ_FIELDS, SAME_SOURCE_MESSAGE, FollowedSource, ImportRun, WaitingFor
from events.imports.pending import PendingUpload

MAX_LISTED_RUNS = 5
LEVELS = {
    LookResult.BUSY: messages.WARNING,
    LookResult.UNCHANGED: messages.INFO,
    LookResult.APPLIED: messages.SUCCESS,
    LookResult.WAITS: messages.INFO,
    LookResult.FAILED: messages.ERROR,
}
WAITING_GONE_MESSAGE = "That file waits no longer: somebody has decided on it, or a newer one took its place."


class FollowedSourceForm(HallwayForm):
    format = forms.ChoiceField(required=False)
    timezone = ZoneField(label="Time zone", max_length=60, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice: Any = self.fields["format"]
        choice.choices = [("", "By its content"), *((it.name, it.label) for it in IMPORT_FORMATS)]
        for name in ("format", "timezone"):
            field: Any = FollowedSource._meta.get_field(name)
            self.fields[name].help_text = field.help_text
        self.fields["url"].widget.attrs |= {"class": "vLargeTextField", "inputmode": "url", "autocomplete": "off"}

    def clean_source(self) -> str:
        """The conference stays the same in a form that is changed, and Django then checks no constraint on it."""
        source: str = self.cleaned_data["source"]
        others = FollowedSource.objects.filter(conference=self.conference, source=source).exclude(pk=self.instance.pk)
        if self.conference and others.exists():
            raise ValidationError(SAME_SOURCE_MESSAGE)
        return source


class FollowedSourceAdmin(ProgrammePreviewAdmin, HallwayAdmin):
    form = FollowedSourceForm
    change_form_template = "admin/followed_source.html"
    list_display = ["address", "conference", "state", "looked_at", "applies_up_to"]
    list_filter = ["conference", "is_active"]
    search_fields = ["source", "url"]
    list_select_related = ["conference"]
    ordering = ["-conference__start", "source"]
    fieldsets = [
        (None, {"fields": ["conference", "url", "source"]}),
        ("How the file is read", {"fields": ["format", "timezone"]}),
        ("What happens with a change", {"fields": ["applies_up_to", "reason", "is_active"]}),
    ]
    upload_path = "waiting"
    gone_message = WAITING_GONE_MESSAGE
    internet = PUBLIC_INTERNET

    # The list and the form.

    @admin.display(description="address", ordering="source")
    def address(self, source: FollowedSource) -> str:
        return f"{source.source} ({source.host})" if source.source else source.host

    @admin.display(description="state")
    def state(self, source: FollowedSource) -> str:
        if source.problem:
            return "does not come in"
        if source.is_waiting:
            return "waits for you"
        if not source.is_active:
            return "not followed"
        return "over" if source.is_over else "in step" if source.looked_at else "not looked at yet"

    def get_urls(self) -> list[URLPattern]:
        look = self.admin_site.admin_view(self.look_view)
        return [path("<int:pk>/look/", look, name="events_followedsource_look"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        source = self.get_object(request, object_id)
        context = {"may_look": self.can_upload(request), **(self._state(source) if source else {}), **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    def _state(self, source: FollowedSource) -> dict[str, Any]:
        waiting = waiting_upload(source) if source.is_waiting else None
        runs: QuerySet[ImportRun] = source.runs.done().defer("report").select_related("group")
        return {"waiting_url": self._waiting_url(source, waiting) if waiting else "", "runs": runs[:MAX_LISTED_RUNS]}

    def _waiting_url(self, source: FollowedSource, waiting: PendingUpload) -> str:
        return self.redirect_to_waiting(source, waiting)["Location"]

    def redirect_to_waiting(self, source: FollowedSource, waiting: PendingUpload) -> HttpResponse:
        page = "columns" if source.waiting_for == WaitingFor.COLUMNS else "preview"
        return redirect(f"admin:{self.upload_name}_{page}", waiting.token)

    def save_model(self, request: HttpRequest, obj: FollowedSource, form: Any, change: bool) -> None:
        """Never write what a look may be storing just now, unless another file is to be read."""
        form.moved = True
        names = [name for name in form.cleaned_data if name in form._meta.fields and name != "version"]
        if set(READ_FIELDS) & set(form.changed_data):
            drop_waiting(obj)
            obj.forget_file()
            names += FILE_FIELDS
        obj.save(update_fields=names if change else None)

    def delete_model(self, request: HttpRequest, obj: FollowedSource) -> None:
        drop_waiting(obj)
        super().delete_model(request, obj)

    # The button.

    def look_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        self.check_upload_permission(request)
        source = self.get_queryset(request).filter(pk=pk).first()
        if source is None:
            raise Http404
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        look = follow(source, impact_of=self.impact_of_import, user=request.user, internet=self.internet)
        if look.run:
            self.message_user(request, f"{look.text} If that is wrong, it can be undone here.", LEVELS[look.result])
            return redirect("admin:events_importrun_change", look.run.pk)
        waiting = waiting_upload(source) if look.result == LookResult.WAITS else None
        if waiting:
            return self.redirect_to_waiting(source, waiting)
        self.message_user(request, look.text, LEVELS[look.result])
        return self._to_source(source)

    def _to_source(self, source: FollowedSource) -> HttpResponse:
        return redirect("admin:events_followedsource_change", source.pk)

    # The page on which a difference waits; any organiser may decide.

    def impact_of_import(self, slot_changes: Mapping[int, Mapping[str, Any]]) -> dict[str, Any] | None:
        return import_impact(slot_changes)

    def store_waiting(
        self, request: HttpRequest, purpose: str, name: str, content: bytes, preview: dict[str, Any], options: dict[str, Any]
    ) -> PendingUpload:
        waiting = pending.store_upload(None, purpose, name, content, preview, **options)
        source = self._source(waiting)
        if source:
            waiting_for = WaitingFor.COLUMNS if purpose == COLUMNS_PURPOSE else WaitingFor.DECISION
            source.store(waiting_for=waiting_for, waiting_token=waiting.token)
        return waiting

    def find_waiting(self, request: HttpRequest, purpose: str, token: str) -> PendingUpload | None:
        """Also after the conference got another address."""
        waiting = pending.find_upload(None, purpose, token)
        source = self._source(waiting) if waiting else None
        if waiting is None or source is None or not self.get_queryset(request).filter(pk=source.pk).exists():
            return None
        waiting.options["slug"] = source.conference.slug
        return waiting

    def _source(self, waiting: PendingUpload) -> FollowedSource | None:
        return FollowedSource.objects.filter(pk=waiting.options["followed"]).select_related("conference").first()

    def preview_context(self, waiting: PendingUpload) -> dict[str, Any]:
        source = self._source(waiting)
        return {
            **super().preview_context(waiting),
            "title": f"What {source.conference if source else waiting.name} would get from {source}",
            "warning": waiting.preview.get("warning", ""),
            "confirm_words": "Apply",
            "leave_words": "Not now",
        }

    def import_file(self, request: HttpRequest, waiting: PendingUpload, content: bytes) -> HttpResponse:
        response = super().import_file(request, waiting, content)
        self._settle(waiting, asks_first=False)
        return response

    def discarded(self, request: HttpRequest, waiting: PendingUpload) -> HttpResponse:
        self._settle(waiting, asks_first=True)
        text = f"Not now: {waiting.name} is not applied. What changes in it next is shown together with this, and waits."
        return self.send_back(request, text, messages.INFO)

    def columns_left(self, request: HttpRequest, waiting: PendingUpload) -> HttpResponse:
        return self.discarded(request, waiting)

    def refused(self, request: HttpRequest, waiting: PendingUpload, error: Exception) -> HttpResponse:
        """The file is gone, and the next look fetches and shows it again."""
        if source := self._source(waiting):
            source.store(**nothing_waits(), etag="", last_modified="", digest="")
        return super().refused(request, waiting, error)

    def _settle(self, waiting: PendingUpload, *, asks_first: bool) -> None:
        source = self._source(waiting)
        # A newer file may have taken its place meanwhile.
        if source and source.waiting_token == waiting.token:
            source.store(**nothing_waits(), digest=waiting.digest, asks_first=asks_first)

    def send_back(self, request: HttpRequest, text: str, level: int) -> HttpResponse:
        self.message_user(request, text, level)
        return redirect("admin:events_followedsource_changelist")
